"""What makes a part of a key another one each time: clocks, random sources, attempts, salts, orders."""

from collections.abc import Iterator
from typing import TypeAlias

from stepcheck.behaviour import words
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.trace import Origin
from stepcheck.catalogue import names
from stepcheck.catalogue.names import why_volatile
from stepcheck.catalogue.volatility import source
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Operation,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Change, Evidence, Span

Found: TypeAlias = tuple[Change, str, str, Span, Evidence]
"""The change, what makes it as written, why, where, and how that is known."""

_TOLD = frozenset({Change.RANDOM, Change.CLOCK, Change.ATTEMPT})
_DAYS = frozenset({"date", "day", "month", "year", "replace", "weekday", "isocalendar", "toordinal"})
_MAKES = frozenset({"new", "fresh", "next", "make", "generate", "gen", "random", "unique", "create"})
_MADE = frozenset({"serial", "nonce", "uuid", "guid", "token", "id", "ulid", "salt", "random"})
_CREDENTIAL = frozenset({"token", "session", "nonce", "signature", "jwt", "otp"})
_NO_CREDENTIAL = frozenset(
    {
        "public", "push", "device", "client", "idempotency", "request", "dedup", "order", "page", "next", "token_id",
        "id", "contract", "mint", "address", "erc20", "pool", "symbol", "idempotent", "invite", "card", "merchant",
        "game", "db", "database", "user", "payment", "reset", "quote", "base", "purchase", "registration",
    }
)  # fmt: skip


def change(context: Context, origin: Origin) -> Found | None:
    """Why this part of a value is another one each time; None for what is not known to be."""
    value = origin.value
    match value:
        case Call():
            return _call(context, origin, value)
        case Variable(name=name):
            return _name(origin, name)
        case Compound(kind="iterated"):
            return _count(origin)
        case Compound(kind="set"):
            span = origin.flow.blocks[origin.point.block].operations[origin.point.position].span
            if len(value.parts) < 2:
                return None
            return (Change.UNORDERED, "a set", "whose order is not fixed", span, Evidence.BODY)
        case Attribute():
            return None
        case _:
            return None


def _call(context: Context, origin: Origin, call: Call) -> Found | None:
    known = call.qualified.removeprefix("?")
    text = call.dotted
    made = source(call.qualified or f"?{text}")
    if (
        made is not None
        and made.change in _TOLD
        and not (made.change is Change.CLOCK and _by_day(origin, call))
    ):
        return (made.change, text or known, made.why, call.span, made.evidence)
    if known == "builtins.hash" and _salted(call):
        return (Change.SALTED, "hash()", "which every process salts differently", call.span, Evidence.KNOWN)
    if known == "builtins.id" and len(call.arguments) == 1:
        return (Change.SALTED, "id()", "which is an address in memory", call.span, Evidence.KNOWN)
    if words.last(known) == "dumps":
        return _dumped(call, known)
    found = names.words(words.last(text))
    if (
        len(found) > 1
        and not call.arguments
        and not call.keywords
        and found[0] in _MAKES
        and found[-1] in _MADE
        and "." not in text
        and not context.called(origin.flow, call)
    ):
        return (Change.RANDOM, text, "which by its name is made anew each time", call.span, Evidence.NAME)
    return None


def _by_day(origin: Origin, call: Call) -> bool:
    """Whether no more than the date of a moment is used."""
    if call.dotted.endswith("date.today"):
        return True
    for _, operation in origin.flow.points():
        for part in _all(operation):
            match part:
                case Attribute(base=base, name=name) if name in _DAYS and any(
                    getattr(inner, "number", None) == call.number for inner in walk(base)
                ):
                    return True
                case _:
                    pass
        if isinstance(operation, Call) and words.last(operation.dotted) in ("strftime", ""):
            method = operation.callee.name if isinstance(operation.callee, Attribute) else ""
            if method == "strftime" and not _with_time(operation):
                return True
    return call.qualified == "time.strftime" and not _with_time(call)


def _with_time(call: Call) -> bool:
    given = [one.value for one in call.arguments if isinstance(one, Constant)]
    return not given or any(
        sign in str(given[0]) for sign in ("%H", "%M", "%S", "%s", "%f", "%T", "%c", "%X")
    )


def _all(operation: Operation) -> Iterator[Expression]:
    for expression in reads(operation):
        yield from walk(expression)


def _salted(call: Call) -> bool:
    """Whether the argument may be text: whole numbers are their own hash."""
    return not any(isinstance(one, Constant) and isinstance(one.value, int | float) for one in call.arguments)


def _dumped(call: Call, known: str) -> Found | None:
    package = known.partition(".")[0]
    if package in ("pickle", "cPickle", "dill", "cloudpickle", "marshal"):
        return (
            Change.UNORDERED, f"{known}()", "whose bytes differ for equal values", call.span, Evidence.KNOWN
        )  # fmt: skip
    if package not in ("json", "simplejson", "ujson") or any(word.name == "" for word in call.keywords):
        return None
    sort = call.keyword("sort_keys")
    if sort is not None and not (isinstance(sort.value, Constant) and sort.value.value is False):
        return None
    given = call.arguments[0] if call.arguments else None
    if given is None or (isinstance(given, Compound) and given.kind in ("list", "tuple", "dict", "text")):
        return None
    return (
        Change.UNORDERED,
        "json.dumps()",
        "which keeps whatever order the keys came in",
        call.span,
        Evidence.KNOWN,
    )


def _name(origin: Origin, name: str) -> Found | None:
    """A parameter, or a variable from elsewhere, by its name."""
    span = origin.flow.blocks[origin.point.block].operations[origin.point.position].span
    found = names.words(name)
    why = why_volatile(name)
    if why and "uuid" not in found and not words.is_key(name):
        kind = Change.REQUEST if "id" in found else Change.CLOCK
        return (kind, name, why, span, Evidence.NAME)
    if len(found) > 1 and found[-1] in _CREDENTIAL and not _NO_CREDENTIAL.intersection(found[:-1]):
        return (Change.CREDENTIAL, name, "which by its name is renewed", span, Evidence.NAME)
    return None


def _count(origin: Origin) -> Found | None:
    """The number of an attempt: what a loop over attempts counts."""
    for loop in origin.flow.loops:
        if any(words.attempts(name) for name in loop.targets) and loop.iterable is not None:
            value = origin.value
            if isinstance(value, Compound) and value.parts[1:] == (loop.iterable,):
                return (
                    Change.ATTEMPT,
                    loop.targets[0].partition("@")[0],
                    "which counts the attempts",
                    loop.span,
                    Evidence.BODY,
                )
    return None
