"""Changes that mend findings: worked out as edits of text, shown as a diff, written to the files."""

from stepcheck.fixes.edit import CannotFix, Edit, apply
from stepcheck.fixes.plan import FixedFile, Plan, Skipped, plan, replacements
from stepcheck.fixes.write import Unwritten, diff, write

__all__ = [
    "CannotFix",
    "Edit",
    "FixedFile",
    "Plan",
    "Skipped",
    "Unwritten",
    "apply",
    "diff",
    "plan",
    "replacements",
    "write",
]
