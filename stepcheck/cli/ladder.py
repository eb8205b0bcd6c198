"""`stepcheck ladder`: the stage each step has reached, and the next thing to do."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from stepcheck import config, engine
from stepcheck.cli import _terminal
from stepcheck.ladder import TITLES, TOP, StepRung, TableRung, climb, reached
from stepcheck.output._cells import wrap
from stepcheck.output._style import Look, Style
from stepcheck.settings import STAGES, Settings, UsageError


@click.command("ladder", short_help="Show how far each step has climbed the adoption ladder.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=str))
@click.option(
    "--output-format",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="Lines for a terminal, tables for a document, or JSON.",
)
@click.pass_context
def command(context: click.Context, paths: tuple[str, ...], output_format: str) -> None:
    """Show how far each step in PATHS has climbed the adoption ladder, and what to do next.

    \b
    1  every step with its effect class
    2  the event log (of which a table shows only that outputs are kept by reference)
    3  keys, writes first
    4  a query for each write, or a person
    5  compensation with a deadline

    A step has reached a stage when `check --stage N` finds nothing about it; a hint holds no step back.

    Exit codes: 0 shown, 2 a mistake in the call or something that could not be read, 3 no step table there.
    """
    try:
        rungs, unread = _climbed(paths or (".",), Path.cwd())
    except UsageError as error:
        _terminal.refuse(error)
        context.exit(2)
    for line in unread:
        _terminal.say(f"error: {line}")
    match output_format:
        case "json":
            text = as_json(rungs)
        case "markdown":
            text = "".join(f"{line}\n" for line in markdown(rungs))
        case _:
            style = Style(_terminal.colored("auto", None))
            text = "".join(f"{line}\n" for line in lines(rungs, _terminal.width(), style))
    _terminal.write(text, machine=output_format == "json")
    if not rungs and not unread:
        _terminal.say(f"error: no step table in {', '.join(repr(path) for path in paths or ('.',))}")
    context.exit(2 if unread else 0 if rungs else 3)


def _climbed(paths: Sequence[str], cwd: Path) -> tuple[tuple[TableRung, ...], list[str]]:
    file = config.find(paths, cwd)
    settings = config.load(file, cwd) if file else Settings(root=cwd)
    report = engine.check(replace(settings, stage=STAGES), paths, cwd=cwd)
    unread = [f"{each.place}: could not be read: {each.reason}" for each in report.unread]
    return climb(engine.tables(settings, paths, cwd=cwd), report.findings), unread


def lines(rungs: Sequence[TableRung], columns: int, style: Style) -> Iterator[str]:
    """A paragraph for each table, then how many steps stand where."""
    for rung in rungs:
        where = f"{rung.span.path}:{rung.span.line}"
        yield style.paint(f"{rung.name or 'steps'} ({where}): stage {rung.stage} of {TOP}", Look.STRONG)
        longest = max((len(step.name) for step in rung.steps), default=0)
        for step in rung.steps:
            head = f"  {step.stage}  {step.name:<{longest}}  "
            if step.next is None:
                yield f"{head}done"
            elif columns < len(head) + 40:
                yield head.rstrip()
                yield from wrap(_todo(step), columns, first=" " * 5, rest=" " * 5)
            else:
                indent = " " * len(head)
                first, *rest = wrap(_todo(step), columns, first=indent, rest=indent)
                yield head + first[len(indent) :]
                yield from rest
            for hint in _hints(step):
                yield from wrap(hint, columns, first=" " * 5, rest=" " * 5)
        yield ""
    counts = reached(rungs)
    for stage, what in enumerate(TITLES):
        if counts[stage] or stage:
            yield f"stage {stage}: {counts[stage]:>4} {'step' if counts[stage] == 1 else 'steps'}  ({what})"


def markdown(rungs: Sequence[TableRung]) -> Iterator[str]:
    """A section with a table for each step table."""
    for rung in rungs:
        yield f"## {rung.name or 'steps'}: stage {rung.stage} of {TOP}"
        yield ""
        yield f"`{rung.span.path}`, line {rung.span.line}"
        yield ""
        yield "| step | effect | stage | next |"
        yield "|---|---|---|---|"
        for step in rung.steps:
            todo = "; ".join(["done" if step.next is None else _todo(step), *_hints(step)]).replace(
                "|", "\\|"
            )
            yield f"| `{step.name}` | {step.effect or 'unknown'} | {step.stage} | {todo} |"
        yield ""
    yield "| stage | steps | what it is |"
    yield "|---|---|---|"
    for stage, count in reached(rungs).items():
        yield f"| {stage} | {count} | {TITLES[stage]} |"


def as_json(rungs: Sequence[TableRung]) -> str:
    """One object: tables with their steps, and how many steps stand at each stage."""
    value = {
        "version": 1,
        "tables": [
            {
                "name": rung.name,
                "path": rung.span.path,
                "line": rung.span.line,
                "stage": rung.stage,
                "steps": [
                    {
                        "name": step.name,
                        "path": step.span.path,
                        "line": step.span.line,
                        "effect": step.effect,
                        "stage": step.stage,
                        "next": None
                        if step.next is None
                        else {
                            "stage": step.next.stage,
                            "what": step.next.what,
                            "rule": step.next.rule or None,
                        },
                        "hints": [{"stage": hint.stage, "what": hint.what} for hint in step.hints],
                    }
                    for step in rung.steps
                ],
            }
            for rung in rungs
        ],
        "reached": {str(stage): count for stage, count in reached(rungs).items()},
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _hints(step: StepRung) -> list[str]:
    return [f"hint (stage {hint.stage}): {hint.what}" for hint in step.hints]


def _todo(step: StepRung) -> str:
    if step.next is None:
        return ""
    by = f" [{step.next.rule}]" if step.next.rule else ""
    return f"stage {step.next.stage}: {step.next.what}{by}"
