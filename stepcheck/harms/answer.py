"""What the other side answers: a status, a body, and whatever else one asks of it."""

from typing import Any

from stepcheck.harms.thing import Here, Thing

LONG = "x" * 5_000
"""A body that is too long for a row."""


class Answer(Thing):
    """An answer of the outside world."""

    __slots__ = ("_status", "_there")
    _status: int
    _there: bool

    def __init__(self, here: Here, name: str, status: int, there: bool = True) -> None:
        super().__init__(here, f"answer of {name}")
        object.__setattr__(self, "_status", status)
        object.__setattr__(self, "_there", there)

    def __getattr__(self, name: str) -> Any:
        match name:
            case "status_code" | "status":
                return self._status
            case "ok" | "is_success":
                return self._status < 400
            case "text" | "content":
                return LONG
            case "raise_for_status":
                return lambda: None
            case "json":
                return lambda: self if self._there else []
            case "get":
                return lambda *_: None
            case _:
                return super().__getattr__(name)

    def __bool__(self) -> bool:
        return self._there
