"""The matrix as one JSON object."""

import json
from collections.abc import Sequence

from stepcheck.explorer.matrix.cells import StepMatrix, TableMatrix, Verdict


def text(tables: Sequence[TableMatrix]) -> str:
    """Return the object; the same tables give the same bytes."""
    value = {"version": 1, "clean": not any(table.bad for table in tables), "tables": [*map(_table, tables)]}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _table(table: TableMatrix) -> dict[str, object]:
    return {
        "name": table.name,
        "path": table.span.path,
        "line": table.span.line,
        "faults": table.faults,
        "schedules": table.schedules,
        "steps": [_step(step) for step in table.steps],
        "stories": [
            {
                "number": told.number,
                "step": told.step,
                "verdict": told.verdict.value,
                "sentences": list(told.sentences),
            }
            for told in table.stories
        ],
    }


def _step(step: StepMatrix) -> dict[str, object]:
    return {
        "name": step.name,
        "path": step.span.path,
        "line": step.span.line,
        "effect": step.effect.value if step.effect else None,
        "follows": step.follows or None,
        "schedules": step.schedules,
        "cells": {
            event.value: {"verdict": cell.verdict.value, "bad": cell.bad, "story": cell.story}
            for event, cell in step.cells.items()
            if cell.verdict is not Verdict.NONE
        },
    }
