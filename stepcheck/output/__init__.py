"""Output formats: one module each, found by being here.

A format module defines `FORMAT`, a value of the type below; the name of the format is the module's. Modules with
a leading underscore are shared.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from stepcheck.report import Report
from stepcheck.rule import Rule

if TYPE_CHECKING:
    from stepcheck.demo import Demo
    from stepcheck.ladder import TableRung


@dataclass(frozen=True, slots=True)
class Options:
    """What an output format may know besides the report."""

    color: bool = False
    width: int = 0
    """Columns of the terminal; 0 where there is none: nothing is wrapped, only very long source is cut."""
    rules: tuple[Rule, ...] = ()
    """The rules that ran; empty for formats that do not list them."""
    statistics: bool = False
    """Count findings by rule instead of listing them."""
    show_files: bool = False
    """List the files looked at, too."""
    rungs: "tuple[TableRung, ...]" = ()
    """How far the steps have climbed; empty for formats that are no review."""
    stories: "Mapping[str, Demo]" = field(default_factory=lambda: MappingProxyType({}))
    """What shows the harm of a rule that speaks, by the rule; empty for formats that are no review."""


@dataclass(frozen=True, slots=True)
class Format:
    """One output format."""

    render: Callable[[Report, Options], str]
    """The report as text, newline-terminated unless empty."""
    machine: bool = False
    """Whether it is one JSON or XML document: always UTF-8, whatever the terminal takes."""
    lists_rules: bool = False
    """Whether it needs `Options.rules`: for all others, loading the rules would only cost time."""
    statistics: bool = False
    """Whether it can count findings instead of listing them."""
    shows_files: bool = False
    """Whether it can list the files looked at."""
    review: bool = False
    """Whether it needs `Options.rungs` and `Options.stories`: for all others, running them would only cost time."""


def names() -> list[str]:
    """The names of all formats, sorted, without importing any."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def load(name: str) -> Format:
    """The format of that name."""
    found: Format = importlib.import_module(f"{__name__}.{name}").FORMAT
    return found


def render(name: str, report: Report, options: Options) -> str:
    """The report in that format, newline-terminated unless empty."""
    return load(name).render(report, options)
