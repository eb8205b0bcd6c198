"""Output formats: one module each, found by being here.

A format module defines `render(report, options) -> str`; the name of the format is the module's.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from stepcheck.report import Report
from stepcheck.rule import Rule


@dataclass(frozen=True, slots=True)
class Options:
    """What an output format may know besides the report."""

    color: bool = False
    width: int = 0
    """Columns of the terminal; 0 where there is none: nothing is wrapped, only very long source is cut."""
    rules: tuple[Rule, ...] = ()
    """The rules that ran."""
    statistics: bool = False
    """Count findings by rule instead of listing them (text, concise, json)."""
    show_files: bool = False


def names() -> list[str]:
    """The names of all formats, sorted, without importing any."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def render(name: str, report: Report, options: Options) -> str:
    """The report in that format, newline-terminated unless empty."""
    module = importlib.import_module(f"{__name__}.{name}")
    return cast("Callable[[Report, Options], str]", module.render)(report, options)
