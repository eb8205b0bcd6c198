"""`stepcheck rules`: every rule with its severity, stage and sentence."""

import json
import sys
from collections.abc import Iterator

import click

from stepcheck import rules
from stepcheck.cli import _terminal
from stepcheck.output._cells import wrap
from stepcheck.output._style import Look, Style, look_of
from stepcheck.rule import Rule


@click.command(short_help="List the rules by the stage of the adoption ladder.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="A table for a terminal or for a README, or JSON.",
)
@click.option("--stage", type=click.IntRange(1, 5), help="Only the rules of the stages up to this one.")
def command(output_format: str, stage: int | None) -> None:
    """List the rules by the stage of the adoption ladder at which a team can be asked to keep them."""
    found = sorted(rules.load(), key=lambda rule: (rule.stage, rule.name))
    listed = [rule for rule in found if stage is None or rule.stage <= stage]
    if output_format == "json":
        written = as_json(listed)
    elif output_format == "markdown":
        written = "".join(f"{line}\n" for line in markdown(listed))
    else:
        columns = _terminal.width() if sys.stdout.isatty() else 0  # one line a rule for `grep`
        written = "".join(
            f"{line}\n" for line in text(listed, columns, Style(_terminal.colored("auto", None)))
        )
    _terminal.write(written, machine=output_format == "json")


def markdown(listed: list[Rule]) -> Iterator[str]:
    """A Markdown table whose names lead to the pages, for a file beside the folder `rules`."""
    yield "| stage | rule | severity | what it reports |"
    yield "|---|---|---|---|"
    for rule in listed:
        sentence = " ".join(rule.sentence.split()).replace("|", "\\|")
        yield f"| {rule.stage} | [{rule.name}](rules/{rule.name}.md) | {rule.severity} | {sentence} |"


def as_json(listed: list[Rule]) -> str:
    """A JSON array with an object for each rule."""
    value = [
        {"name": rule.name, "severity": rule.severity, "stage": rule.stage, "sentence": rule.sentence}
        for rule in listed
    ]
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def text(listed: list[Rule], columns: int, style: Style) -> Iterator[str]:
    """A line for each rule, in columns; on a narrow terminal the sentence stands below its rule."""
    longest = max((len(rule.name) for rule in listed), default=0)
    for rule in listed:
        sentence = " ".join(rule.sentence.split())
        severity = style.paint(f"{rule.severity:<7}", look_of(rule.severity))
        head = f"{rule.stage}  {severity}  {style.paint(f'{rule.name:<{longest}}', Look.STRONG)}"
        indent = " " * (longest + 14)
        if columns and columns < len(indent) + 40:
            yield head.rstrip()
            yield from wrap(sentence, columns, first="   ", rest="   ")
        else:
            first, *rest = wrap(sentence, columns, first=indent, rest=indent)
            yield f"{head}  {first[len(indent) :]}"
            yield from rest
