"""Findings to render, made with as few words as a test needs."""

from collections.abc import Callable
from typing import Any

import pytest

from stepcheck.facts import Span
from stepcheck.report import Finding
from stepcheck.rule import Evidence, Severity

Make = Callable[..., Finding]


@pytest.fixture
def finding() -> Make:
    """Make a finding: `finding("a.py", 3, 5, 3, 9)`, the rest by keyword."""

    def make(path: str, line: int, column: int, end_line: int, end_column: int, **more: Any) -> Finding:
        given = {
            "rule": "missing-timeout",
            "severity": Severity.WARNING,
            "stage": 4,
            "message": "'send' may hang",
            "evidence": Evidence.DECLARED,
            **more,
        }
        return Finding(span=Span(path, line, column, end_line, end_column), **given)

    return make
