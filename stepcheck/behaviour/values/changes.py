"""What makes a part of a key another one each time: clocks, random sources, attempts, salts, orders."""

from typing import TypeAlias

from stepcheck.behaviour.again import regions
from stepcheck.behaviour.again.counted import counted
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.values.origin import Origin
from stepcheck.behaviour.values.spellings import spelt
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.catalogue.names import why_volatile
from stepcheck.catalogue.volatility import of_name, source
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Item,
    Result,
    Variable,
    dotted,
)
from stepcheck.facts import Change, Evidence, Span

Found: TypeAlias = tuple[Change, str, str, Span, Evidence]
"""The change, what makes it as written, why, where, and how that is known."""

_TOLD = frozenset({Change.RANDOM, Change.CLOCK, Change.ATTEMPT, Change.REQUEST})
_MAKES = key_words("makes")
_MADE = key_words("made")
_MAKERS = key_words("makers")
"""Modules that ids are made by."""
_CREDENTIAL = key_words("credential")
_NO_CREDENTIAL = key_words("no_credential")
_RUNTIME = key_words("runtime")
"""Last words of what a framework hands to a run: what such an object holds is no record."""
_SPEAKERS = key_words("speakers")
"""Last words of what a credential is renewed in."""
_PLAIN = key_words("plain")
"""Names that everybody knows, and that need no import to be believed."""


def change(context: Context, origin: Origin) -> Found | None:
    """Why this part of a value is another one each time; None for what is not known to be."""
    found = spelt(context, origin)
    if found is not None:
        return found
    value = origin.value
    match value:
        case Call():
            return _call(context, origin, value)
        case Variable(name=name):
            return _name(origin, name)
        case Compound(kind="iterated" | "unpack"):
            return _count(context, origin)
        case Compound(kind="binary"):
            return None
        case Attribute() | Item():
            return _held(context, origin, value)
        case _:
            return None


def _call(context: Context, origin: Origin, call: Call) -> Found | None:
    known = call.qualified.removeprefix("?")
    text = call.dotted
    made = source(call.qualified or f"?{text}")
    if made is None and text:
        made = source(f"?{text}")
    if made is not None and made.change in _TOLD and not context.called(origin.flow, call):
        if made.change is Change.CLOCK and (text.endswith("date.today") or _dated(call)):
            return None
        return (made.change, text or known, made.why, call.span, _evidence(call, made.evidence))
    if known == "builtins.next" and call.arguments:
        return _next(context, origin, call)
    found = names.words(words.last(text))
    receiver = text.rpartition(".")[0]
    if (
        len(found) > 1
        and not call.arguments
        and not call.keywords
        and found[0] in _MAKES
        and found[-1] in _MADE
        and (not receiver or words.last(receiver).lower() in _MAKERS)
        and not context.called(origin.flow, call)
    ):
        return (Change.RANDOM, text, "which by its name is made anew each time", call.span, Evidence.NAME)
    return None


def _evidence(call: Call, evidence: Evidence) -> Evidence:
    written = call.qualified.removeprefix("?")
    plain = written.partition(".")[0] in ("random", "secrets", "uuid", "time") and "." in written
    if plain or written in _PLAIN or words.last(written) in ("uuid4", "uuid1"):
        return Evidence.KNOWN
    return evidence


def _dated(call: Call) -> bool:
    """`time.strftime("%Y-%m-%d")`, `localdate()`: no more than a date."""
    if words.last(call.dotted) == "localdate":
        return True
    if words.last(call.dotted) != "strftime":
        return words.last(call.dotted) in ("gmtime", "localtime", "ctime") and bool(call.arguments)
    texts = [str(one.value) for one in call.arguments if isinstance(one, Constant)]
    signs = ("%H", "%I", "%M", "%S", "%s", "%f", "%T", "%c", "%X", "%R")
    return bool(texts) and not any(sign in text for text in texts for sign in signs)


def _next(context: Context, origin: Origin, call: Call) -> Found | None:
    """`next(itertools.count())`: a counter that begins anew with each process."""
    given = call.arguments[0]
    held: list[Expression] = [given]
    if isinstance(given, Variable):
        for flow in (origin.flow, context.file.flows[0]):
            for _, operation in flow.points():
                if isinstance(operation, Assign) and getattr(operation.target, "name", "") == given.name:
                    held.append(operation.value)
    for one in held:
        for flow in (origin.flow, context.file.flows[0]):
            made = context.operation(flow, one.number) if isinstance(one, Result) else None
            if made is not None and isinstance(made[1], Call) and words.last(made[1].dotted) == "count":
                why = "which begins anew with each process"
                return (Change.REQUEST, "next()", why, call.span, Evidence.BODY)
    return None


def _name(origin: Origin, name: str) -> Found | None:
    """A parameter, or a variable from elsewhere, by its name."""
    bare = name.partition("@")[0]
    found = names.words(bare)
    told = of_name(bare)
    if told is not None and "uuid" not in found and not words.is_key(bare) and told.change is not None:
        kind = Change.CLOCK if told.change is Change.RANDOM else told.change
        return (kind, bare, told.why, origin.span, Evidence.NAME)
    return _credential(origin, bare)


def _credential(origin: Origin, name: str) -> Found | None:
    found = names.words(name)
    if len(found) > 1 and found[-1] in _CREDENTIAL and not _NO_CREDENTIAL.intersection(found[:-1]):
        return (Change.CREDENTIAL, name, "which by its name is renewed", origin.span, Evidence.NAME)
    return None


def _held(context: Context, origin: Origin, value: Attribute | Item) -> Found | None:
    """What the framework tells of one run: `self.request.retries`, `ctx["job_try"]`, a header."""
    base, written = value.base, dotted(value)
    if isinstance(value, Attribute):
        name = value.name
    else:
        if not isinstance(value.index, Constant):
            return None
        name, written = str(value.index.value), f"{dotted(base)}[{value.index.value!r}]"
    holder = dotted(base) or _made_by(context, origin, base)
    last = names.words(words.last(holder))
    runs = bool(last) and last[-1] in _RUNTIME
    if last and last[-1] in _SPEAKERS and "renewed" in why_volatile(name):
        return (Change.CREDENTIAL, written or name, why_volatile(name), origin.span, Evidence.BODY)
    headers = bool(last) and last[-1] in ("headers", "metadata", "meta", "environ", "META")
    if not (runs or headers):
        return None
    why = why_volatile(name.removeprefix("HTTP_"))
    made = source(f"?{holder}.{name}" if holder else "")
    kind = of_name(name.removeprefix("HTTP_"))
    if kind is not None and kind.change is not None and kind.change is not Change.RANDOM:
        return (kind.change, written or name, why, origin.span, Evidence.BODY)
    if made is not None and made.change in (Change.ATTEMPT, Change.REQUEST, Change.CREDENTIAL):
        if words.last(name) in ("tool_call_id",):
            return None
        return (made.change, written or name, made.why, origin.span, Evidence.BODY)
    return None


def _made_by(context: Context, origin: Origin, base: Expression) -> str:
    """The name of the call that an object is the answer of: `info` of `activity.info().attempt`."""
    made = context.operation(origin.flow, base.number) if isinstance(base, Result) else None
    if made is None or not isinstance(made[1], Call):
        return ""
    return made[1].dotted


def _count(context: Context, origin: Origin) -> Found | None:
    """The number of an attempt: what a loop over attempts counts."""
    value = origin.value
    if isinstance(value, Compound) and value.kind == "unpack":
        if value.text != "0" or not isinstance(value.parts[0], Compound):
            return None
        value = value.parts[0]
    for loop in origin.flow.loops:
        if loop.iterable is None or not isinstance(value, Compound) or value.parts[1:] != (loop.iterable,):
            continue
        counts = loop.qualified in ("builtins.range()", "builtins.enumerate()", "itertools.count()")
        named = any(words.attempts(name) for name in loop.targets)
        if named or (counts and _retries(context, origin, loop.span)):
            name = loop.targets[0].partition("@")[0]
            return (Change.ATTEMPT, name, "which counts the attempts", loop.span, Evidence.BODY)
    return None


def _retries(context: Context, origin: Origin, span: Span) -> bool:
    """Whether a loop is there to try again."""
    every = (*regions.handler_loops(context, origin.flow), *counted(context, origin.flow))
    return any(one.region.span == span for one in every)
