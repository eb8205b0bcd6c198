"""Which functions of a Python file can matter to the rules about code, told from their words without parsing them.

A function matters where it, or what it calls within the file, does something outside, and something there makes that
begin again, notes it down, or answers for its failure; or where it speaks of keys or retries by itself.
"""

import re
from collections.abc import Collection

from stepcheck.code.units import Unit, units, without

_PLAIN = bytes(code if bytes([code]).isalnum() or code == ord("_") else 32 for code in range(256))
"""Turns what stands between names into spaces."""
_DEPTH = 4
"""Calls that are followed within the file, from a function to what it does."""
_HUMP = re.compile(rb"(?<=[a-z0-9])(?=[A-Z])")

_WRITE, _WEAK, _CAUSE, _RETRY, _KEY, _CLIENT = 1, 2, 4, 8, 16, 32
_ACTS = _WRITE | _WEAK

_FIRST = {
    _WRITE: (
        b"create send submit place charge pay refund transfer publish insert enqueue notify dispatch invite order"
        b" purchase capture payout withdraw deposit checkout provision broadcast email post patch request delay"
        b" sms deliver debit credit disburse mint mail announce buy sell ship book reserve redeem"
        b" award grant deduct launch trigger invoke bulk produce"
    ),
    _WEAK: (
        b"add append push pop register execute executemany run incr increment decr decrement spawn toggle upload write"
        b" save update upsert delete remove set xadd lpush rpush commit put apply issue emit start signal"
    ),
}
"""First words of the names of calls: of such as do something outside, and of such as may."""
_ANY = {
    _CAUSE: (
        b"except suppress atomic transactional rollback savepoint claim"
        b" claimed ledger journal processed exists existing seen compensate compensation"
        b" compensations undo revert saga interrupt elicit webhook webhooks consume"
        b" consumer scheduler cron outbox inbox offset history"
        b" records"
    ),
    _RETRY: (
        b"retry retries retrying retried retryable retrier attempt attempts tries backoff tenacity stamina redeliver"
        b" acks"
    ),
    _KEY: (
        b"idempotency idempotent idempotence idempotently idempotencykey dedup dedupe deduplication deduplicate"
        b" deduplicationid dedupid clienttoken clientrequesttoken clientorderid nx setnx"
    ),
    _CLIENT: (
        b"boto3 redis slack github jira pubsub azure dramatiq workflow entrypoint orchestrat orchestrator"
    ),
}
"""Words anywhere in a name."""
_PAIRS = frozenset(
    {
        (b"client", b"token"), (b"client", b"order"), (b"request", b"token"), (b"row", b"ids"), (b"insert", b"id"),
        (b"client", b"oid"), (b"caller", b"reference"), (b"creation", b"token"),
    }
)  # fmt: skip
"""Words next to each other in the name of a key."""

_NO_WRITES = frozenset({b"order_by", b"request"})
_LOCAL = frozenset(b"future connection session socket thread process server client pool engine tempfile directory dir folder file dirs table tables index db database signal context header headers bytes parser logger loop event window widget model object instance app default spec config schema indexes bucket topic topics queue namespace collection heartbeat ping keepalive ack keys text mock backup link symlink venv env tunnel channel transport stream tree node plan subprocess unix datagram endpoint worker cursor view driver browser page executor signature response metric metrics telemetry stats by listener lock".split())
_FIRST_WORDS = {word: flag for flag, words in _FIRST.items() for word in words.split()}
_ANY_WORDS = {word: flag for flag, words in _ANY.items() for word in words.split()}

_HARMLESS = re.compile(
    rb"[ \t]*@(?:property|staticmethod|classmethod|override|overload|abstractmethod|typing\.|abc\.|pytest|mock|patch"
    rb"|cached_property|functools\.|contextmanager|contextlib\.|\w+\.setter|wraps|lru_cache|cache\b)"
)
"""A decorator that says nothing of who runs a function."""
_RETRIERS = re.compile(
    rb"@[\w.]*retr(?:y|ies)|Retry\(|Retrying|stamina\.|tenacity|retrying|retry_on_timeout|retr(?:y|ies)\w*\([\w.]"
)
"""A retrier that is put around something, or that is given something."""
_HANDLES = re.compile(
    rb"sleep\(|attempt|\btries\b|retries|backoff|except[^\n]*(?:Timeout|Connection|Unavailable)"
)
_COUNTS = re.compile(rb"(?:attempt|retry|retries|tries)\w*\b in |\bin (?:range|enumerate)\(")


def narrowed(data: bytes) -> bytes | None:
    """The file with `...` for the bodies of functions in which nothing can matter; None where that is all of them."""
    names = set(data.translate(_PLAIN).split())
    known = _known(names)
    flags = 0
    for flag in known.values():
        flags |= flag
    if not (flags & (_RETRY | _KEY) or (flags & _ACTS and flags & (_CAUSE | _CLIENT))):
        return None
    found = list(units(data))
    wanted = _wanted(data, found, known, flags)
    if not wanted:
        return None
    return without(data, [unit for number, unit in enumerate(found) if number not in wanted])


def _wanted(data: bytes, found: list[Unit], known: dict[bytes, int], flags: int) -> set[int]:
    inside = [set(data[unit.start : unit.end].translate(_PLAIN).split()) for unit in found]
    masks = [_mask(data[unit.start : unit.end], names, known) for unit, names in zip(found, inside, strict=True)]
    defined: dict[bytes, list[int]] = {}
    for number, unit in enumerate(found):
        defined.setdefault(unit.name, []).append(number)
    calls = [
        [
            target
            for name in names & defined.keys()
            if _mentions(data[found[number].start : found[number].end], name)
            for target in defined[name]
            if target != number
        ]
        for number, names in enumerate(inside)
    ]
    does = list(masks)
    for _ in range(_DEPTH):
        for number, targets in enumerate(calls):
            for target in targets:
                does[number] |= does[target] & _ACTS
    wanted = {
        number
        for number, mask in enumerate(masks)
        if mask & (_KEY | _RETRY)
        or (does[number] & _WRITE and (mask & _CAUSE or flags & _CLIENT))
    }
    return _reached(wanted, calls)


def _mentions(text: bytes, name: bytes) -> bool:
    if b"_" in name.strip(b"_"):
        return True
    return re.search(rb"(?:(?<![\w.])|(?:self|cls)\.)%b\b" % name, text) is not None


def _reached(wanted: set[int], calls: list[list[int]]) -> set[int]:
    reached, edge = set(wanted), set(wanted)
    for _ in range(_DEPTH):
        edge = {target for number in edge for target in calls[number]} - reached
        reached |= edge
    return reached


def _mask(text: bytes, names: set[bytes], known: dict[bytes, int]) -> int:
    """What the names of a function say together."""
    made = 0
    for name in names & known.keys():
        flag = known[name]
        if flag & _ACTS:
            flag &= ~_ACTS | _called(text, name)
        made |= flag
    if made & _ACTS and not made & _CAUSE and (_RECORDS.search(text) or (
        text.lstrip(b" \t").startswith(b"@") and not _HARMLESS.match(text))):
        made |= _CAUSE
    if made & _RETRY or b"sleep(" in text:
        made &= ~_RETRY
        if _RETRIERS.search(text):
            made |= _RETRY
        elif b"except" in text and _HANDLES.search(text):
            counts = b"sleep(" in text and _COUNTS.search(text)
            if counts or b"yield" in text or made & _WRITE:
                made |= _RETRY
    return made


_RECORDS = re.compile(
    rb"\.(?:save|commit|insert|execute|get_or_create|update|create|add|put_item|setnx|setex|append|record|mark)\w*\(|"
    rb"(?:status|state|stage|phase|done|processed|sent|paid|handled)(?:[\"']\])?[ ]?=[^=]"
)


def _called(text: bytes, name: bytes) -> int:
    """How a name is called: as what does something outside, or not at all."""
    call = name + b"("
    at = text.find(call)
    made = 0
    while at >= 0:
        before = text[max(at - 12, 0) : at]
        if not before.endswith((b"self.", b"cls.", b"super().", b"def ", b"objects.")) and (before[-1:] == b"." or not before[-1:].isalnum() and before[-1:] != b"_"):
            return _ACTS
        at = text.find(call, at + 1)
    return made


def _known(names: Collection[bytes]) -> dict[bytes, int]:
    """The names that say something."""
    made = {}
    for name in names:
        flag = _flags(name)
        if flag:
            made[name] = flag
    return made


_SEEN: dict[bytes, int] = {}


def _flags(name: bytes) -> int:
    """What a name says."""
    flag = _SEEN.get(name)
    if flag is not None:
        return flag
    if name in _NO_WRITES:
        return 0
    lower = name.lower()
    parts = (_HUMP.sub(b"_", name).lower() if lower != name else lower).strip(b"_").split(b"_")
    flag = _FIRST_WORDS.get(parts[0], 0)
    if flag & _WRITE and (name[:1].isupper() or not _LOCAL.isdisjoint(parts[1:])):
        flag = _WEAK
    for part in parts:
        flag |= _ANY_WORDS.get(part, 0)
    if len(parts) > 1:
        for pair in zip(parts, parts[1:]):
            if pair in _PAIRS:
                flag |= _KEY
    _SEEN[name] = flag
    return flag
