"""Runs the changes to Python statements in one child process with a bound of memory and of time."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stepcheck.facts import Span
from stepcheck.fixes.edit import CannotFix, Edit, difference
from stepcheck.fixes.python_text import Statement
from stepcheck.fixes.text import offsets
from stepcheck.rule import AddEntry, RenameKey

SECONDS = 20.0
_START = (
    "import runpy, sys; sys.path.append(sys.argv[1]); "
    "runpy.run_module('stepcheck.fixes.child', run_name='__main__')"
)
"""With -P and the package's folder last on the path, nothing that lies in the checked project is imported."""


@dataclass(frozen=True, slots=True)
class Job:
    """Changes to one statement of one file."""

    statement: Statement
    changes: tuple[RenameKey | AddEntry, ...]


def run(jobs: Sequence[Job], seconds: float = SECONDS) -> list[list[Edit | CannotFix]]:
    """For each job, for each of its changes: the edit of the file, or why there is none.

    Where the child fails over several jobs, each half gets a child of its own: one statement spoils no other.
    """
    if not jobs:
        return []
    asked = [
        {"text": job.statement.text, "changes": [_asked(job, change) for change in job.changes]}
        for job in jobs
    ]
    command = [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])]
    try:
        done = subprocess.run(
            command, input=json.dumps(asked).encode(), capture_output=True, timeout=seconds, check=True
        )
        answers = json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        if len(jobs) > 1:
            half = len(jobs) // 2
            return run(jobs[:half], seconds) + run(jobs[half:], seconds)
        return [[CannotFix(_ended(error)) for _ in job.changes] for job in jobs]
    return [
        [_edit(job.statement, change, answer) for change, answer in zip(job.changes, answered, strict=True)]
        for job, answered in zip(jobs, answers, strict=True)
    ]


def _asked(job: Job, change: RenameKey | AddEntry) -> dict[str, object]:
    if isinstance(change, RenameKey):
        kind, span, arguments = "rename", change.span, [change.new]
    else:
        kind, span, arguments = "add", change.after, [change.key, change.value]
    return {
        "kind": kind,
        "line": span.line - job.statement.line + 1,
        "column": span.column,
        "arguments": arguments,
    }


def _edit(statement: Statement, change: RenameKey | AddEntry, answer: dict[str, object]) -> Edit | CannotFix:
    match answer:
        case {"text": str(text), "line": int(line), "column": int(column)}:
            anchor = offsets(statement.text, Span("", line, column, line, column))[0]
            made = difference(statement.text, text, anchor)
            if isinstance(change, RenameKey):  # the whole key rather than the letters that differ
                grown = len(text) - len(statement.text)
                end = max(made.end, anchor + change.span.end_column - change.span.column)
                made = Edit(anchor, end, text[anchor : end + grown])
            return Edit(made.start + statement.start, made.end + statement.start, made.text)
        case _:
            return CannotFix(str(answer.get("error")))


def _ended(error: Exception) -> str:
    match error:
        case subprocess.TimeoutExpired(timeout=seconds):
            return f"libcst took longer than {seconds:g} seconds"
        case subprocess.CalledProcessError(returncode=code) if code < 0:
            return f"the process that runs libcst was ended by signal {-code}"
        case subprocess.CalledProcessError(stderr=bytes(text)) if text.strip():
            last = text.decode("utf-8", "replace").strip().splitlines()[-1]
            return f"the process that runs libcst failed: {last[:200]}"
        case _:
            return f"the process that runs libcst failed: {type(error).__name__}"
