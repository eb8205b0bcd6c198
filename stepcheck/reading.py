"""A file's bytes, read cheaply and within a limit, and the text they are."""

import os
import re
import stat

from stepcheck.facts import Span, Unreadable, UnreadFile

_FIRST = 64 * 1024
"""Most files are smaller, and so read whole by one call."""
_NEWLINES = re.compile(r"\r\n?")


def read(path: str, location: str, limit: int) -> bytes:
    """What is in the file at `location`. Raises Unreadable, under the name `path`, where that fails."""
    try:
        # Not blocking: a pipe put in a file's place after discovery must not hold the run up.
        handle = os.open(location, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            data = os.read(handle, _FIRST)
            return data if 0 < len(data) < min(_FIRST, limit + 1) else data + _rest(path, handle, limit)
        finally:
            os.close(handle)
    except OSError as error:
        raise unreadable(path, (error.strerror or str(error)).lower()) from None


def text(data: bytes, suffix: str) -> str:
    """The text of a file for looking into it: line ends as `\\n`, no byte order mark, never an error."""
    decoded = as_written(data, suffix)
    return _NEWLINES.sub("\n", decoded) if "\r" in decoded else decoded


def as_written(data: bytes, suffix: str) -> str:
    """The same with its line ends as they stand in the file."""
    try:
        decoded = data.decode(_encoding(data, suffix), errors="replace")
    except (
        LookupError,
        ValueError,
    ):  # a codec that is none for text (rot13), or one that refuses all (undefined)
        decoded = data.decode(errors="replace")
    return decoded.removeprefix("\ufeff")


def unreadable(path: str, reason: str) -> Unreadable:
    """The error that says so of a whole file."""
    return Unreadable(UnreadFile(Span(path, 1, 1, 1, 1), reason))


def _rest(path: str, handle: int, limit: int) -> bytes:
    there = os.fstat(handle)
    size = there.st_size
    if not stat.S_ISREG(there.st_mode):
        raise unreadable(path, "it is no regular file any more")
    if size > limit:
        raise unreadable(
            path, f"it has {size} bytes, and max-file-size is {limit}: raise that, or exclude the file"
        )
    parts = []
    while part := os.read(handle, size):
        parts.append(part)
    return b"".join(parts)


def _encoding(data: bytes, suffix: str) -> str:
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "utf-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if suffix in (".py", ".pyi") and b"coding" in data[:400]:
        import io  # noqa: PLC0415
        import tokenize  # noqa: PLC0415 (few files declare an encoding)

        try:
            return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        except SyntaxError:
            return "utf-8"
    return "utf-8"
