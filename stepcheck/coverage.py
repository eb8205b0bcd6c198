"""How much a run looked at: each table and step counted once, from wherever it was reached."""

from collections.abc import Iterable, Iterator, Sequence

from stepcheck.facts import Origin, Reference, Setting, Step, StepTable, Target
from stepcheck.report import Coverage

_CALLS = ("call", "query", "compensate")
_FOLLOWED = frozenset({Target.FUNCTION, Target.STEP})
_NOT_FOLLOWED = frozenset({Target.OUTSIDE, Target.UNNAMED, Target.UNKNOWN})


def distinct(tables: Iterable[StepTable]) -> tuple[StepTable, ...]:
    """The tables, each once, in the order first met."""
    return tuple({(table.span, table.name): table for table in tables}.values())


def steps(tables: Iterable[StepTable]) -> Iterator[Step]:
    """Their steps. One that two tables share is there for each, for its settings may differ."""
    for table in tables:
        yield from table.steps


def count(tables: Sequence[StepTable]) -> Coverage:
    """The figures for these tables; those of files and functions are not in them."""
    settings = {
        (step.span, field): setting for step in steps(tables) for field, setting in step.settings().items()
    }
    references = [setting for (_, field), setting in settings.items() if field in _CALLS]
    others = [setting for (_, field), setting in settings.items() if field not in _CALLS]
    return Coverage(
        tables=len(tables),
        steps=len({step.span for step in steps(tables)}),
        calls_followed=sum(_target(each) in _FOLLOWED for each in references),
        calls_opaque=sum(each.opaque or _target(each) in _NOT_FOLLOWED for each in references),
        settings_opaque=sum(each.origin is Origin.OPAQUE for each in others),
    )


def _target(setting: Setting[Reference]) -> Target | None:
    return setting.value.target if setting.present and setting.value else None
