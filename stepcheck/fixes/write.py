"""A plan shown as a diff, and written."""

import difflib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from stepcheck.fixes.plan import FixedFile, Plan


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
            _replace(path.resolve(), file)
        except OSError as error:
            left.append(Unwritten(file.path, f"the file cannot be written: {error.strerror or error}"))
    return tuple(left)


def _replace(path: Path, file: FixedFile) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".stepcheck")
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(file.new)
        made.chmod(path.stat().st_mode & 0o7777)
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, as `diff` has it."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
