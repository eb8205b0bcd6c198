"""What is believed of a file as text: tables, then functions with their calls, in the order of the file."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING

from stepcheck.catalogue.names import words
from stepcheck.facts import (
    Again,
    KeyParameter,
    KeyUse,
    Reference,
    RepeatedSuccess,
    RetriedCall,
    RetriedStream,
    RetryRegion,
    Setting,
    Span,
    Step,
    StepTable,
)

if TYPE_CHECKING:
    from stepcheck.behaviour.reading import Behaviour
    from stepcheck.facts.seen import Seen, SeenCall

_IS = {
    "write": "a non_idem_write",
    "sets": "an idem_write",
    "asks": "a read",
    "lookup": "a lookup",
    "claim": "a claim",
    "lock": "a lock",
    "record": "a record",
    "delete": "a deletion",
    "commit": "a commit",
    "rollback": "a rollback",
    "ack": "an acknowledgement",
    "pause": "a pause",
    "harmless": "harmless",
    "opaque": "opaque",
}
_OURS = frozenset({"lookup", "claim", "lock", "record", "delete"})


def lines(
    tables: Sequence[StepTable], behaviour: "Behaviour | None", *, harmless: bool = False
) -> Iterator[str]:
    """Table by table, then function by function; calls that hurt nobody are counted, or shown as well."""
    for table in tables:
        yield f"{table.span.line}: table {table.name!r}"
        for step in table.steps:
            yield from _step(step)
    if behaviour is None:
        return
    seen = {one.name: one for one in behaviour.seen}
    spent = {one.name: one for one in behaviour.functions if one.spent}
    names = list(dict.fromkeys([*seen, *(one.name for one in behaviour.functions)]))
    for name in names:
        told = [fact for fact in behaviour.facts if _function_of(fact) == name]
        if name in seen:
            yield from _function(seen[name], told, harmless=harmless)
        elif name in spent or told:
            span = next(one.span for one in behaviour.functions if one.name == name)
            yield f"{span.line}: function {name!r}"
            if name in spent:
                yield f"  not looked into: it {spent[name].spent}"
            yield from (f"  {fact_line(fact)}" for fact in told)
    for fact in behaviour.facts:
        if _function_of(fact) not in names:
            yield fact_line(fact)


def _function_of(fact: object) -> object:
    return getattr(fact, "function", None)


def _function(seen: "Seen", told: Sequence[object], *, harmless: bool) -> Iterator[str]:
    passed = sum(call.deed == "harmless" for call in seen.calls)
    shown = [call for call in seen.calls if harmless or call.deed != "harmless"]
    if not (shown or told or seen.runs):
        return
    what = "the module's body" if seen.name == "<module>" else f"function {seen.name!r}"
    yield f"{seen.span.line}: {what}"
    for run in seen.runs:
        yield f"  is a {run.role}, run by {run.who} (line {run.span.line}, {run.evidence.value})"
    for call in shown:
        yield f"  {call_line(call)}"
    if passed and not harmless:
        yield f"  {passed} harmless call{'s' if passed > 1 else ''} not shown"
    for fact in told:
        yield f"  {fact_line(fact)}"


def call_line(call: "SeenCall") -> str:
    """A call with what it is for and why, as one line."""
    perhaps = "perhaps " if call.weak else ""
    of = f" of {call.subject!r}" if call.deed in _OURS and call.subject not in ("", call.name) else ""
    states = f", {' or '.join(repr(state) for state in call.states)}" if call.states else ""
    why = f": {call.why}" if call.why else ""
    key = f", its key is {call.key}" if call.key else ""
    if call.deed == "opaque":
        return f"{call.span.line}: {call.name!r} is opaque{why}"
    what = f"{perhaps}{_IS[call.deed]}{of}{states}"
    return f"{call.span.line}: {call.name!r} is {what} ({call.evidence.value}{why}){key}"


def _step(step: Step) -> Iterator[str]:
    yield f"  {step.span.line}: step {step.name!r}"
    for name, setting in step.settings().items():
        yield f"    {name}: {_setting(setting)}"


def _setting(setting: Setting[object]) -> str:
    value = setting.value.value if isinstance(setting.value, Enum) else setting.value
    if setting.opaque or setting.wrong:
        return f"{setting.origin.value}{_because(setting.why)}"
    return f"{_plain(value)} ({setting.origin.value}{_because(setting.why)})"


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_plain(part) for part in value)
    if isinstance(value, Reference):
        return f"{value.name!r}, {value.target.value}"
    text = getattr(value, "text", None)
    return str(text if isinstance(text, str) and text else value)


def _because(why: str) -> str:
    return f": {why}" if why else ""


def fact_line(fact: object) -> str:
    """A fact that rules are asked about, as one line."""
    match fact:
        case RetriedCall():
            asked = "something is asked in between" if fact.queried else "nothing is asked in between"
            return (
                f"{fact.span.line}: {fact.name!r} is begun again by {_again(fact.again)}; its key is "
                f"{fact.key.value}; {asked}"
            )
        case RetryRegion():
            return f"{fact.span.line}: {fact.function!r} is begun again by {_again(fact.again)}"
        case KeyUse():
            parts = "; ".join(
                f"{part.text!r}, {part.why} ({part.evidence.value})"
                + (f", made anew by {part.again.who}" if part.again else "")
                for part in fact.parts
            )
            return (
                f"{fact.span.line}: key {fact.name!r} is made of {parts or 'nothing that is known to change'}"
            )
        case KeyParameter():
            return f"{fact.span.line}: parameter {fact.name!r} is never read; {fact.sends!r} sends without it"
        case RetriedStream():
            return f"{fact.span.line}: the generator {fact.function!r} is begun again by {_again(fact.again)}"
        case RepeatedSuccess():
            return f"{fact.span.line}: {fact.name!r} is done again after a success by {_again(fact.again)}"
        case _:
            return _any(fact)


def _again(again: Again) -> str:
    limit = "no limit" if again.limit.value == "none" else f"{again.limit.value} limit"
    often = f"at most {again.attempts} attempts" if again.attempts else limit
    return f"{again.who} (line {again.span.line}, {often}) after {again.after}, outcome {again.outcome.value}"


def _any(fact: object) -> str:
    """Any other fact: what it is by the words of its class, then what it holds."""
    name = " ".join(words(type(fact).__name__))
    if not is_dataclass(fact):
        return f"{name}: {fact}"
    held = {one.name: getattr(fact, one.name) for one in fields(fact) if one.name != "function"}
    span = held.pop("span", None)
    place = f"{span.line}: " if isinstance(span, Span) else ""
    title = held.pop("name", "")
    parts = [text for key, value in held.items() if (text := _held(key, value))]
    return f"{place}{name}{f' {title!r}' if title else ''}{': ' if parts else ''}{'; '.join(parts)}"


def _held(key: str, value: object) -> str:
    """One thing that a fact holds; nothing for what is not there."""
    said = key.replace("_", " ")
    if value is None or value is False or value in ((), "", frozenset()):
        return ""
    if value is True:
        return said
    return f"{said} {_value(value)}"


def _value(value: object) -> str:
    match value:
        case Enum():
            return str(value.value)
        case Span(line=line):
            return f"in line {line}"
        case Again():
            return _again(value)
        case str():
            return repr(value)
        case tuple() | frozenset() | list():
            shown = [_value(one) for one in value]
            return ", ".join(shown if isinstance(value, tuple | list) else sorted(shown))
        case _ if is_dataclass(value):
            return f"({_any(value)})"
        case _:
            return str(value)
