"""`stepcheck explain`: a rule's page, to read before a review or after a finding."""

import difflib
import json
import math
import os
import sys

import click

from stepcheck import page, rules
from stepcheck.cli import _terminal
from stepcheck.output._page import lines
from stepcheck.output._style import Style
from stepcheck.rule import Rule
from stepcheck.settings import UsageError


@click.command(short_help="Show the page of a rule; with --demo, run its harm.")
@click.argument("rule")
@click.option(
    "--output-format",
    type=click.Choice(["text", "markdown", "json", "html"]),
    default="text",
    show_default=True,
    help="For a terminal, the page as it is written, or its parts; with --demo for a design document, too.",
)
@click.option(
    "--demo", is_flag=True, help="Run the harm: the shortest schedule that does it, and the good twin's."
)
@click.option("--no-pager", is_flag=True, help="Never open a pager, however long the page.")
@click.pass_context
def command(context: click.Context, rule: str, output_format: str, *, demo: bool, no_pager: bool) -> None:
    """Show the page of RULE: what happens, an example and its good twin, how it decides, its limits."""
    try:
        name = known_name(rule)
        found = _page(name)
        if demo:
            from stepcheck.cli import _demo  # noqa: PLC0415 (loads the executor and the explorer)

            _demo.show(found, output_format)
            return
        if output_format == "html":
            raise UsageError(
                "a page has no html form; with --demo there is one, and --output-format markdown is any page's"
            )
    except UsageError as error:
        _terminal.refuse(error)
        context.exit(2)
    if output_format == "markdown":
        _terminal.write(found.text)
    elif output_format == "json":
        _terminal.write(as_json(rules.load_one(name), found), machine=True)
    else:
        _show(found, pager=not no_pager)


def known_name(text: str) -> str:
    """The rule that is meant, underscores and capitals forgiven. Raises UsageError, naming the nearest."""
    names = rules.names()
    name = text.strip().lower().replace("_", "-")
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "'stepcheck rules' lists them all"
    raise UsageError(f"unknown rule {text!r}; {hint}")


def _page(name: str) -> page.Page:
    try:
        return page.find(name)
    except FileNotFoundError:
        raise UsageError(f"rule {name!r} has no page") from None


def as_json(rule: Rule, found: page.Page) -> str:
    """The page's parts as one JSON object."""
    examples = [
        {
            "bad": example.bad,
            "files": example.files,
            "findings": [{"file": mark.file, "line": mark.line, "text": mark.text} for mark in example.marks],
        }
        for example in found.examples
    ]
    value = {
        "name": rule.name,
        "sentence": rule.sentence,
        "stage": rule.stage,
        "severity": rule.severity,
        "harm": found.harm or None,
        "sections": found.sections,
        "examples": examples,
        "url": page.url(rule.name),
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _show(found: page.Page, *, pager: bool) -> None:
    style = Style(_terminal.colored("auto", None))
    shown = list(lines(found, _terminal.width(), style))
    text = "\n".join(shown) + "\n"
    if pager and len(shown) >= _height():
        click.echo_via_pager(text, color=style.color)
    else:
        _terminal.write(text)


def _height() -> float:
    """The lines that the terminal shows at once; endless where the output is no terminal."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).lines if sys.stdout.isatty() else math.inf
    except (OSError, ValueError):
        return math.inf
