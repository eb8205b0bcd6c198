"""Values that an example leaves undefined: named, and answered for by their process."""

from collections.abc import Generator, Iterator
from typing import Any, Protocol

_LONG = 120


class Here(Protocol):
    """What a thing asks: the process that it is a value of."""

    def field(self, thing: "Thing", name: str) -> Any:
        """A field or item of it."""

    def put(self, thing: "Thing", name: str, value: Any) -> None:
        """Put something into it."""

    def call(self, thing: "Thing", args: tuple[Any, ...], words: dict[str, Any]) -> Any:
        """Call it."""

    def holds(self, thing: "Thing", key: Any) -> bool:
        """Whether it holds a key."""

    def items(self, thing: "Thing") -> list[Any]:
        """What it holds, one after the other."""

    def equals(self, thing: "Thing", other: object) -> bool:
        """Whether it is equal to something."""


class Thing:
    """A value of which an example says nothing: `seller`, `seller.iban`, `bank.transfer`.

    Two of one name are the same. Every field of it is there, it holds two items, it is true, a number it is 1.
    """

    __slots__ = ("_here", "_name", "_text")
    _here: Here
    _name: str
    _text: str

    def __init__(self, here: Here, name: str, text: str = "") -> None:
        object.__setattr__(self, "_here", here)
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_text", text or name)

    def __getattr__(self, name: str) -> Any:
        if name == "__name__":
            return self._name.rpartition(".")[2]
        if name.startswith("__"):
            raise AttributeError(name)
        return self._here.field(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._here.put(self, name, value)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self
        return self._here.field(self, str(key) if isinstance(key, str) else f"[{key}]")

    def __setitem__(self, key: Any, value: Any) -> None:
        self._here.put(self, text_of(key), value)

    def __call__(self, *args: Any, **words: Any) -> Any:  # noqa: D102
        return self._here.call(self, args, words)

    def __contains__(self, key: Any) -> bool:
        return self._here.holds(self, key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._here.items(self))

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._here.items(self)[::-1])

    def __len__(self) -> int:
        return len(self._here.items(self))

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return self._here.equals(self, other)

    def __hash__(self) -> int:
        return hash(self._text)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return self._text

    def __int__(self) -> int:
        return 1

    __index__ = __int__

    def __float__(self) -> float:
        return 1.0

    def _made(self, sign: str, other: object) -> "Thing":
        return Thing(self._here, f"({self._text} {sign} {other})")

    def __add__(self, other: object) -> "Thing":
        return self._made("+", other)

    __radd__ = __add__

    def __sub__(self, other: object) -> "Thing":
        return self._made("-", other)

    def __mul__(self, other: object) -> "Thing":
        return self._made("*", other)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> "Thing":
        return self._made("/", other)

    def __or__(self, other: object) -> "Thing":
        return self._made("|", other)

    def __invert__(self) -> "Thing":
        return self

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __lt__

    def __le__(self, other: object) -> bool:
        return True

    __ge__ = __le__

    def __enter__(self) -> "Thing":
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def __await__(self) -> Generator[None, None, "Thing"]:
        yield from ()
        return self

    async def __aenter__(self) -> "Thing":
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    def __aiter__(self) -> "Thing":
        return self

    async def __anext__(self) -> Any:
        raise StopAsyncIteration

    def keys(self) -> list[str]:
        """So that `{**params}` works."""
        return ["body"]

    def encode(self, *_: object) -> bytes:
        """As a string does."""
        return self._text.encode()


def name_of(value: object) -> str:
    """The name of a thing; nothing for other values."""
    return value._name if isinstance(value, Thing) else ""


def text_of(value: object) -> str:
    """A value as the other side sees it."""
    match value:
        case Thing():
            return str(value)
        case dict():
            inside = ", ".join(f"{key}: {text_of(one)}" for key, one in value.items())
            return "{" + inside + "}"
        case list() | tuple():
            return "[" + ", ".join(text_of(one) for one in value) + "]"
        case bytes():
            return value.decode(errors="replace")
        case _:
            return str(value)


def shortened(text: str) -> str:
    """A text for a story: a long one by its beginning and its length."""
    return text if len(text) <= _LONG else f"{text[:12]}… ({len(text)} characters)"
