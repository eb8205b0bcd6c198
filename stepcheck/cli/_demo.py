"""`stepcheck explain RULE --demo`: the rule's harm, run and told."""

import dataclasses
import json

from stepcheck.cli import _terminal
from stepcheck.demo import Demo, as_html, as_markdown, as_text
from stepcheck.page import Page
from stepcheck.settings import UsageError
from stepcheck.stories import stories


def show(found: Page, output_format: str) -> None:
    """Write the demonstrations of a page's rule. Raises UsageError where no run can show the harm, and why."""
    demos = demonstrated(found)
    match output_format:
        case "html":
            _terminal.write(as_html.text(demos, found.sentence))
        case "markdown":
            _terminal.write(as_markdown.text(demos))
        case "json":
            _terminal.write(_as_json(demos), machine=True)
        case _:
            _terminal.write("\n".join(as_text.lines(demos, _terminal.width() or 100)) + "\n")


def demonstrated(found: Page) -> tuple[Demo, ...]:
    """Run every demonstration of a page's rule. Raises UsageError where it has none, with the page's reason."""
    shown = stories(found.name)
    if not shown:
        why = " ".join(found.sections.get("Demonstration", "").split())
        raise UsageError(f"no run shows the harm of {found.name!r}. {why}".rstrip())
    return shown


def _as_json(demos: tuple[Demo, ...]) -> str:
    value = {"version": 1, "demonstrations": [dataclasses.asdict(one) for one in demos]}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
