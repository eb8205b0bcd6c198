"""The stories of a rule: whatever can be run to show its harm, run."""

from collections.abc import Iterator

from stepcheck import page
from stepcheck.demo import Demo
from stepcheck.explorer.demo import demo
from stepcheck.explorer.demonstrations import of_rule
from stepcheck.harms import pairs
from stepcheck.harms.demo import demonstration


def stories(rule: str) -> tuple[Demo, ...]:
    """Run what shows the harm of a rule, the nearest first; nothing where no run can show it.

    The one place that terminals, reports and the handbook ask: the same stories everywhere. The examples of
    the rule's page come first, then the demonstrations on the reference executor.
    """
    return tuple(_run(rule))


def nearest(rule: str) -> Demo | None:
    """The first of them, without running the others."""
    return next(_run(rule), None)


def _run(rule: str) -> Iterator[Demo]:
    yield from _of_page(rule)
    for shown in of_rule(rule):
        yield demo(rule, shown)


def _of_page(rule: str) -> Iterator[Demo]:
    found = page.find(rule)
    title = found.sentence[:1].lower() + found.sentence[1:].rstrip(".")
    for number, pair in enumerate(filter(pairs.runs, pairs.pairs(found)), start=1):
        shown = pairs.show(pair)
        yield demonstration(shown, title if number == 1 else _of_finding(pair))


def _of_finding(pair: pairs.Pair) -> str:
    """What the linter says of a further example, up to its reasons."""
    return pair.bad.marks[0].text.partition(": ")[0]
