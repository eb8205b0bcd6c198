"""What is drawn, read from a clock, hashed or written as text."""

import functools
import json
from typing import TYPE_CHECKING, Any

from stepcheck.harms.thing import Thing, text_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

ALIKE = "00c0ffee"
"""The first 32 bits of every digest: of two texts they may be the same, and here they are."""


class Drawn(str):
    """A text that is another one each time, with the attributes that uuids have."""

    __slots__ = ()

    @property
    def hex(self) -> str:
        """The same, as it is."""
        return str(self)


class _Digest:
    def __init__(self, data: object) -> None:
        self._text = f"digest of {text_of(data)}"

    def hexdigest(self) -> "_Hex":
        """The digest: it begins as every other one does."""
        return _Hex(self._text)

    digest = hexdigest


class _Hex(str):
    """Shorter than 16 digits it is what all digests begin with."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> str:
        if isinstance(key, slice) and key.stop is not None and key.stop < 16:
            return ALIKE[: key.stop]
        return str(self)


def of(process: "Process") -> dict[str, Any]:
    """The stand-ins of this module."""
    draw = process.outside.drawing

    def text(*_: object) -> Drawn:
        return Drawn(draw.text())

    def salted(value: object) -> str:
        return f"{text_of(value)}, hashed in process {process.outside.running}"

    def dumps(value: object, *_: object, sort_keys: bool = False, **__: object) -> str:
        if isinstance(value, Thing) and not sort_keys:
            return f"{text_of(value)}, in the order of try {process.outside.running}"
        return json.dumps(value, default=text_of, sort_keys=True)

    clock = {"time.time": draw.time, "time.monotonic": draw.time, "utcnow": draw.time, "now": draw.time}
    drawn = ("uuid.uuid4", "uuid.uuid1", "secrets.token_hex", "random.getrandbits", "random.random")
    digests = {f"hashlib.{name}": _Digest for name in ("sha256", "sha1", "md5", "sha512")}
    return {
        **clock,
        **dict.fromkeys(drawn, text),
        **digests,
        "hash": salted,
        "json.dumps": dumps,
        "functools.partial": functools.partial,
    }
