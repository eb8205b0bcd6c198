"""An open file: who has read it to its end gets nothing more until it is wound back."""

from typing import TYPE_CHECKING, Any

from stepcheck.harms.thing import Thing

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

NOTHING = "nothing that is left"
"""What a file that was read to its end still gives."""


class Stream(Thing):
    """A file that is handed in open."""

    __slots__ = ("_read",)
    _read: bool

    def __init__(self, process: "Process", name: str) -> None:
        super().__init__(process, name)
        object.__setattr__(self, "_read", False)

    def __getattr__(self, name: str) -> Any:
        if name == "seek":
            return lambda *_: object.__setattr__(self, "_read", False)
        return super().__getattr__(name)

    def __str__(self) -> str:
        text = NOTHING if self._read else f"the content of {self._name}"
        object.__setattr__(self, "_read", True)
        return text
