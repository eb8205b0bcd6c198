"""What the words of names tell of calls, exceptions and keys, as the lists of the catalogue have them."""

from collections.abc import Iterable

from stepcheck.catalogue import exceptions, harmless, keys, names, receivers, verbs
from stepcheck.catalogue.names import words
from stepcheck.facts import Outcome

KEYS = keys.spoken("keys")
"""Names of what carries an idempotency key, as words."""
ACCEPTED = keys.spoken("accepted")
"""Names of parameters that take nothing else."""
JOBS = keys.spoken("jobs")
"""Names of ids that are keys where they are derived."""

_VERBS = frozenset({"post", "patch"})
_WORST = (Outcome.UNKNOWN, Outcome.OPAQUE, Outcome.REFUSED, Outcome.NOT_SENT)


def spaced(name: str) -> str:
    """The words of a name with a space between them."""
    return keys.spaced(name)


def is_key(name: str) -> bool:
    """Whether something of that name carries an idempotency key."""
    return spaced(name) in KEYS


def mentions_key(name: str) -> bool:
    """Whether the name has to do with keys or ids of requests."""
    found = set(words(name))
    return (
        is_key(name)
        or any(word.startswith(("idempot", "dedup")) for word in found)
        or {"request", "id"} <= found
        or ({"client", "id"} <= found and bool(found & {"order", "msg", "message"}))
        or found >= {"unique", "key"}
        or bool(found & {"nonce", "cid", "uid"})
    )


def last(name: str) -> str:
    """The last name of a dotted one."""
    return name.removesuffix("()").rpartition(".")[2]


def retries(name: str) -> bool:
    """Whether something of that name calls again what it is given or put around."""
    return names.retries(last(name))


def attempts(name: str) -> bool:
    """Whether a variable of that name counts attempts."""
    return names.counts_attempts(name)


def pauses(name: str) -> bool:
    """Whether a call of that name waits."""
    return harmless.mentions_pause(last(name))


def asks(name: str) -> bool:
    """Whether a call of that name asks whether something is there, or claims it."""
    return verbs.asks_or_claims(last(name))


def writes(name: str) -> str:
    """The word by which a call of that name does something again when it is called again, or nothing."""
    return verbs.repeats(last(name))


def client(name: str) -> bool:
    """Whether something of that name speaks with the outside."""
    return receivers.client(name)


def posts(name: str) -> bool:
    """Whether a method of that name is an HTTP verb that a repeat does once more."""
    return last(name) in _VERBS


def outcome(exception: str) -> Outcome:
    """What an exception of that name tells of the call that raised it."""
    if not exception:
        return Outcome.OPAQUE
    known = exceptions.outcome(exception)
    return Outcome.OPAQUE if known is None else known.outcome


def worst(names: Iterable[str]) -> Outcome:
    """The outcome that leaves most open among those of the exceptions."""
    found = {outcome(name) for name in names}
    return next((one for one in _WORST if one in found), Outcome.OPAQUE)
