"""What repeating a step does to the world."""

from enum import StrEnum


class Effect(StrEnum):
    """The effect class of a step."""

    READ = "read"
    """Repeating it is always safe."""
    IDEM_WRITE = "idem_write"
    """Repeating it is safe with the same key, provided the other side honours keys."""
    NON_IDEM_WRITE = "non_idem_write"
    """A repeat is a second effect."""

    @property
    def writes(self) -> bool:
        """Whether it changes anything."""
        return self is not Effect.READ
