"""Which functions of a Python file can matter to the rules about code, told from their words without parsing them.

A function matters where it, or what it calls within the file, does something, and something there makes that begin
again, notes it down, takes it back or answers for its failure; or where it speaks of keys or retries by itself.
Too much is looked at rather than too little.
"""

import re
from collections.abc import Collection, Iterable, Mapping

from stepcheck.anchor_words import (
    ACTS,
    CAUSE,
    CURSOR,
    HISTORY,
    KEY,
    MADE,
    RECORDS,
    RESULT,
    RETRY,
    ROLE,
    RUNS,
    SCHEDULES,
    SEQUENCE,
    SERVES,
    SURROUND,
    UNDO,
    WEAK,
    WRITE,
    flags,
)
from stepcheck.code.units import Unit, units, without

_PLAIN = bytes(code if bytes([code]).isalnum() or code == ord("_") else 32 for code in range(256))
"""Turns what stands between names into spaces."""
_DEPTH = 4
"""Calls that are followed within the file, from a function to what it does."""
_SOMETHING = (
    ACTS | CAUSE | KEY | RETRY | RECORDS | UNDO | CURSOR | HISTORY | SCHEDULES | SEQUENCE | ROLE | SURROUND
)
"""What makes a short file worth a look."""
_TINY, _SHORT = 2_048, 8_192
"""Bytes of a file that is looked at whole, and of one whose lines outside of functions are looked at like one."""
_TOGETHER = (
    KEY,
    RETRY,
    WRITE | CAUSE,
    WRITE | RECORDS,
    WRITE | UNDO,
    WRITE | ROLE,
    WRITE | SURROUND,
    WEAK | ROLE,
    WEAK | UNDO,
    MADE | ROLE,
    CURSOR,
    RECORDS | HISTORY,
    SEQUENCE | RUNS,
    RESULT | HISTORY,
    SCHEDULES | SERVES,
)
"""What matters where it comes together in a function, `SURROUND`, `SCHEDULES` and `SERVES` in its file."""
_AMBIENT = SURROUND | SCHEDULES | SERVES
_FOLLOWED = WRITE | KEY | RETRY | UNDO | MADE
"""What makes it worth to look into what is called."""
_ASKS = re.compile(rb"_?(?:find|search|lookup|look_up)")
"""The name of what is looked into because its answer may keep a write from being made."""
_CONFIRMED = {
    CURSOR: re.compile(
        rb"(?:offset|cursor|since|checkpoint|watermark|bookmark|last|after|token|position|latest|newest|_id)\w*"
        rb"[ ]?(?::[^=\n]*)?=[ ]?(?:None|-?[01]\b|[\"'])[\s\S]*\b(?:while\b|count\()"
    ),
    HISTORY: re.compile(
        rb"\.(?:update|delete|merge)\w*\(|\b(?:update|delete)\(|UPDATE |DELETE |REPLACE|TRUNCATE|\.status ="
        rb"|\.(?:text|content|body|html|stdout|read)\b|json\(|fetchall|\.all\(|not in |is None|IS NULL|isnull|if not "
    ),
    SEQUENCE: re.compile(rb"\blen\(|\+= 1\b|count\(|\benumerate\("),
    RESULT: re.compile(rb"\bfor\b"),
}
"""What else must be written in the function for its names to say that."""
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
_ANSWERED = re.compile(
    rb"(?:\bwhile\b|\bin (?:range|count)\()[\s\S]*?(?:\.status_code\b|\.status\b ?(?:[<>!=]=|[<>/]|(?:not )?in\b)"
    rb"|\.ok\b|\.is_(?:success|error|server_error)\b)"
)
"""A loop that looks at the status of an answer."""
_STATES = tuple(b"status state stage phase done processed sent paid handled".split())
_SETS_STATE = re.compile(rb"(?:%b)(?:[\"']\])?[ ]?=[^=]" % b"|".join(_STATES))
_UPDATES = re.compile(rb"update \w+ set")
_SENDERS = (b"request", b"httpx.", b"urlopen(", b"SMTP")
_UNBOUNDED = re.compile(
    rb"\b(?:requests|httpx|request)\.(?:post|put|patch|delete|request|urlopen)\(|\burlopen\(|\bSMTP(?:_SSL)?\("
)
"""Calls that wait for ever unless they are told not to."""
_HASHES = re.compile(rb"(?<![\w.])hash\(")
_ROLES = re.compile(
    rb"[ \t]*(?:@|(?:async[ \t]+)?def[ \t]+(?:\w*(?:hook|consum|handle|callback|lambda|task|worker|job|receive)"
    rb"|on_|(?:get|list|retrieve|head|do_GET|post|put|patch|delete|perform|execute|run|process)\b"
    rb"|[^:]*\b(?:event|message|records?|msg|delivery|body|payload)\b[^:]*\)[^:]*:))"
)
_TOGGLES = re.compile(rb"set\s+\w+\s*=\s*not")
"""How a function begins that something else than the code around it may run."""
_NOT_CALLED = (b"def ", b"self.", b"cls.", b"super().")
"""What stands before a name that is defined here, or called of an object of our own."""


def narrowed(data: bytes, own: Collection[bytes] = ()) -> bytes | None:
    """The file without the bodies of functions in which nothing can matter; None where that is all of them.

    `own` are names of calls that do something outside, whatever their words.
    """
    names = set(data.translate(_PLAIN).split())
    known = _known(names)
    for name in names.intersection(own):
        known[name] = known.get(name, 0) | WRITE
    every = 0
    for flag in known.values():
        every |= flag
    if len(data) < _TINY:
        return data if every & KEY or (b"(" in data and (every & _SOMETHING or b"hash(" in data)) else None
    if not _matters(every | ROLE | RECORDS) and b"hash(" not in data:
        return None
    found = list(units(data))
    wanted = _wanted(data, found, known, every)
    if not wanted:
        return None
    return without(data, [unit for number, unit in enumerate(found) if number not in wanted])


def _matters(together: int) -> bool:
    return any(together & needed == needed for needed in _TOGETHER)


def _wanted(data: bytes, found: list[Unit], known: Mapping[bytes, int], every: int) -> set[int]:
    """The functions that matter, by their number, with what they call within the file."""
    texts = [data[unit.start : unit.end] for unit in found]
    names = [set(text.translate(_PLAIN).split()) for text in texts]
    masks = [_mask(text, inside & known.keys(), known) for text, inside in zip(texts, names, strict=True)]
    defined: dict[bytes, list[int]] = {}
    for number, unit in enumerate(found):
        defined.setdefault(unit.name, []).append(number)
    calls = [
        [target for name in inside & defined.keys() if _mentions(text, name) for target in defined[name]]
        for text, inside in zip(texts, names, strict=True)
    ]
    does = list(masks)
    for _ in range(_DEPTH):
        for number, targets in enumerate(calls):
            for target in targets:
                does[number] |= does[target] & ACTS
    outside = _outside(data, found)
    ambient = every & _AMBIENT
    matter = {number for number, mask in enumerate(does) if _matters(mask | ambient)}
    if not matter and (_matters(outside | ambient) if len(data) < _SHORT else outside & (RETRY | SERVES)):
        return {number for number, mask in enumerate(does) if mask & ACTS} or {-1}
    followed = [does[one] & _FOLLOWED or _ASKS.match(unit.name) for one, unit in enumerate(found)]
    return _reached(matter, [[one for one in targets if followed[one]] for targets in calls])


def _outside(data: bytes, found: list[Unit]) -> int:
    """What the lines outside of functions say together."""
    at, parts = 0, []
    for unit in found:
        parts.append(data[at : unit.start])
        at = unit.end
    text = b"".join([*parts, data[at:]])
    names = set(text.translate(_PLAIN).split())
    known = _known(names)
    return _mask(text, known.keys(), known)


def _reached(matter: set[int], calls: list[list[int]]) -> set[int]:
    reached, edge = set(matter), set(matter)
    for _ in range(_DEPTH):
        edge = {target for number in edge for target in calls[number]} - reached
        reached |= edge
    return reached


def _mask(text: bytes, names: Collection[bytes], known: Mapping[bytes, int]) -> int:
    """What a function says: the names that are known, as they are used, and how it begins."""
    made = 0
    for name in names:
        flag = known[name]
        if flag & ACTS and flag & ACTS & ~made and not _called(text, name):
            flag &= ~ACTS
        made |= flag
    for flag, written in _CONFIRMED.items():
        if made & flag and not written.search(text):
            made &= ~flag
    lower = text.lower()
    if not made & RECORDS and _records(text, lower):
        made |= RECORDS
    if not made & CAUSE and _waits_for_ever(text):
        made |= WRITE | CAUSE
    if not made & KEY and b"hash(" in text and _HASHES.search(text):
        made |= KEY
    if not made & ROLE and (_toggles(text, lower) or (_ROLES.match(text) and not _HARMLESS.match(text))):
        made |= ROLE
    if _begins_again(text, made):
        return made | RETRY
    return made & ~RETRY


def _begins_again(text: bytes, made: int) -> bool:
    """Whether a function may be there to try again: by a retrier, by a handler, or by what an answer says."""
    if made & RETRY or b"sleep(" in text:
        if _RETRIERS.search(text):
            return True
        if b"except" in text and _HANDLES.search(text):
            counts = b"sleep(" in text and _COUNTS.search(text)
            if counts or b"yield" in text or made & WRITE:
                return True
    return bool(made & WRITE and _ANSWERED.search(text))


# Plain words are looked for before patterns that could begin anywhere: `re` needs thirty times as long for those.


def _records(text: bytes, lower: bytes) -> bool:
    """Whether a function sets a state, or writes rows by SQL."""
    return (
        (any(word in text for word in _STATES) and _SETS_STATE.search(text) is not None)
        or b"insert into" in lower
        or b"delete from" in lower
        or _UPDATES.search(lower) is not None
    )


def _waits_for_ever(text: bytes) -> bool:
    """Whether a function calls what waits without end, and says nothing of that."""
    if not any(word in text for word in _SENDERS):
        return False
    return (b"timeout" not in text or b"timeout=None" in text) and _UNBOUNDED.search(text) is not None


def _toggles(text: bytes, lower: bytes) -> bool:
    """Whether a function turns something into its opposite."""
    return b"= not " in text or b"~F(" in text or _TOGGLES.search(lower) is not None


def _called(text: bytes, name: bytes) -> bool:
    """Whether something of that name is called that need not be of this file."""
    call = name + b"("
    at = text.find(call)
    while at >= 0:
        before = text[max(at - 8, 0) : at]
        if not before.endswith(_NOT_CALLED) and not (before[-1:].isalnum() or before[-1:] == b"_"):
            return True
        at = text.find(call, at + 1)
    return False


def _mentions(text: bytes, name: bytes) -> bool:
    """Whether a name that a function of the file has stands for that one: a short one may be anybody's method."""
    if b"_" in name.strip(b"_"):
        return True
    at = text.find(name)
    while at >= 0:
        before, behind = text[max(at - 5, 0) : at], text[at + len(name) : at + len(name) + 1]
        ours = before.endswith((b"self.", b"cls."))
        starts = ours or not (
            before[-1:].isalnum() or before[-1:] in (b"_", b".") or before.endswith(b"def ")
        )
        if starts and not (behind.isalnum() or behind == b"_"):
            return True
        at = text.find(name, at + 1)
    return False


def _known(names: Iterable[bytes]) -> dict[bytes, int]:
    """The names that say something."""
    return {name: flag for name in names if (flag := flags(name))}
