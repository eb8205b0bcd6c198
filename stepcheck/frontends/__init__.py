"""Ways of declaring steps: one module each, found by being here.

A frontend module defines `FRONTEND`, a value of the type below. Modules with a leading underscore are shared
reading code.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from stepcheck.facts import StepTable

if TYPE_CHECKING:
    from stepcheck.analysis.project import Project

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the configuration adds to the vocabulary of step tables."""

    extra_fields: frozenset[str] = frozenset()
    """Fields beyond those of `StepDef` that are no mistake."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Other spellings of fields: from the team's name to ours, `{"side_effect": "effect"}`."""


@dataclass(frozen=True, slots=True)
class Frontend(Generic[S]):
    """One way of declaring steps."""

    source: type[S]
    """What it reads: `code.module.Module` for Python, `frontends._document.Document` for data files."""
    tables: Callable[[S, "Project", TableOptions], Iterable[StepTable]]


def load() -> tuple[Frontend[object], ...]:
    """All frontends, sorted by module name."""
    found = sorted(
        module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")
    )
    return tuple(importlib.import_module(f"{__name__}.{name}").FRONTEND for name in found)
