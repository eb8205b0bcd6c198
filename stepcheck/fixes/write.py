"""A plan shown as a diff, and written."""

import difflib
from dataclasses import dataclass

from stepcheck.fixes.plan import Plan
from stepcheck.writing import replace


def diff(plan: Plan) -> str:
    """The plan as one unified diff that `patch` and `git apply` take; empty where nothing would change."""
    parts: list[str] = []
    for file in plan.files:
        for line in difflib.unified_diff(_lines(file.old_text), _lines(file.new_text), file.path, file.path):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A file of a plan that was left as it is."""

    path: str
    reason: str
    """Completes "not fixed: "."""


def write(plan: Plan) -> tuple[Unwritten, ...]:
    """Replace each file of the plan in one move, keeping its mode; a link's file is written where it is.

    Returns the files left as they were: changed since they were read, or not to be written.
    """
    left: list[Unwritten] = []
    for file in plan.files:
        path = plan.root / file.path
        try:
            if path.read_bytes() != file.old:
                left.append(Unwritten(file.path, "the file has changed since it was read"))
                continue
            replace(path, file.new)
        except OSError as error:
            left.append(Unwritten(file.path, f"the file cannot be written: {error.strerror or error}"))
    return tuple(left)


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, as `diff` has it."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
