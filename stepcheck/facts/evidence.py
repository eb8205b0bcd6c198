"""What a fact, and a problem made of it, rests on."""

from enum import StrEnum


class Evidence(StrEnum):
    """What a problem rests on."""

    DECLARED = "declared"
    """The table, a comment or the configuration says so."""
    KNOWN = "known"
    """The catalogue knows the call."""
    BODY = "inferred from the body"
    NAME = "inferred from the name"
    """Never more than a warning: the engine sees to that."""
