"""`stepcheck facts`: what is believed of each step, function and call of a file, and why."""

from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stepcheck import config, engine
from stepcheck.cli import _terminal
from stepcheck.facts import (
    Again,
    Function,
    KeyParameter,
    KeyUse,
    OutsideCall,
    Reference,
    RepeatedSuccess,
    RetriedCall,
    RetriedStream,
    RetryRegion,
    Setting,
    Step,
    StepTable,
    Unreadable,
)
from stepcheck.settings import Settings, UsageError

if TYPE_CHECKING:
    from stepcheck.behaviour.reading import Behaviour


@click.command("facts")
@click.argument("path", type=click.Path(path_type=str))
@click.pass_context
def command(context: click.Context, path: str) -> None:
    """Show what is believed of each step, function and call in the file PATH, and what that rests on.

    The findings of `check` follow from these facts and from nothing else.

    Exit codes: 0 shown, 2 a mistake in the call or a file that could not be read.
    """
    cwd = Path.cwd()
    try:
        file = config.find([path], cwd)
        settings = config.load(file, cwd) if file else Settings(root=cwd)
        tables, behaviour = engine.believed(settings, path, cwd=cwd)
    except UsageError as error:
        for line in str(error).splitlines():
            _terminal.say(f"error: {line}")
        context.exit(2)
    except Unreadable as error:
        _terminal.say(f"error: {error.unread.span.path}: {error.unread.reason}")
        context.exit(2)
    text = "".join(f"{line}\n" for line in lines(tables, behaviour))
    _terminal.write(text or "nothing is known of this file\n")


def lines(tables: Sequence[StepTable], behaviour: "Behaviour | None") -> Iterator[str]:
    """Table by table, then function by function, in the order of the text."""
    for table in tables:
        yield f"{table.span.line}: table {table.name!r}"
        for step in table.steps:
            yield from _step(step)
    if behaviour is None:
        return
    for function in behaviour.functions:
        told = [fact for fact in behaviour.facts if getattr(fact, "function", None) == function.name]
        yield from _function(function, told)
    names = {function.name for function in behaviour.functions}
    for fact in behaviour.facts:
        if getattr(fact, "function", "") not in names:
            yield f"  {fact_line(fact)}"


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


def _function(function: Function, told: Sequence[object]) -> Iterator[str]:
    if not (function.calls or told or function.spent):
        return
    yield f"{function.span.line}: function {function.name!r}"
    if function.spent:
        yield f"  not looked into: it {function.spent}"
    for call in function.calls:
        yield f"  {_call(call)}"
    for fact in told:
        yield f"  {fact_line(fact)}"


def _call(call: OutsideCall) -> str:
    return (
        f"{call.span.line}: {call.name!r} is a {call.effect.value} ({call.evidence.value}: {call.why}), "
        f"its key is {call.key.value}"
    )


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
            return str(fact)


def _again(again: Again) -> str:
    limit = "no limit" if again.limit.value == "none" else f"{again.limit.value} limit"
    often = f"at most {again.attempts} attempts" if again.attempts else limit
    return f"{again.who} (line {again.span.line}, {often}) after {again.after}, outcome {again.outcome.value}"
