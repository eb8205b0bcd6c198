"""Whether a file can hold anything that concerns us, told from its bytes without parsing them."""

import re
from collections.abc import Collection
from functools import lru_cache

_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_ASCII_COMPATIBLE = re.compile(
    rb"(?i)(utf[-_]?8.*|us-?ascii|ascii|latin.*|l1|iso.*|cp125\d|windows-125\d|koi8.*)"
)


_ESCAPED = re.compile(rb"\\(?:u00|U000000|x)[67]")
"""A small letter, spelled by its number."""


def concerns(data: bytes, suffix: str, aliases: Collection[str] = ()) -> bool:
    """Whether a reader must look at the file: False only where it holds no step table and no ignore comment.

    A step has an effect class for writes among its values, or a field `call` (or a configured alias of one);
    in Python, where a constant may hold the class, `effect` alone is looked at too. A table whose steps all
    come from elsewhere is bound to a name with the word "steps". Names of fields that are spelled with escapes
    are seen in data files, not in Python.
    """
    if b"idem_write" in data or b"IDEM_WRITE" in data or b"stepcheck:" in data:
        return True
    python = suffix in (".py", ".pyi")
    if python and b"effect" in data and _field(b"effect", python).search(data):
        return True
    if b"call" in data and (_PYTHON_CALL if python else _field(b"call", python)).search(data):
        return True
    if python and (_binds(b"teps", data) or _binds(b"TEPS", data)):  # also `Steps`
        return True
    if aliases and any(_field(alias.encode(), python).search(data) for alias in aliases):
        return True
    return _otherwise_encoded(data, python)


# A callable's own name is a word of every other file: in Python it counts as a dict's key (`"call": f`,
# `x["call"] =`) and as a keyword, which stands behind a bracket or a comma or, on a line of its own, has no space
# before its `=`.
_PYTHON_CALL = re.compile(
    rb"call(?:(?<=[\"']call)[\"'][ \t]*(?::[ \t]*[^\s#]|\][ \t]*=)"
    rb"|[ \t]*=(?!=)(?:(?<=[(,]call=)|(?<=[(,][ \t]call=)|(?<=[ \t\n]call=)))"
)


@lru_cache
def _field(word: bytes, python: bool) -> re.Pattern[bytes]:
    """The word as the name of a field."""
    name = re.escape(word)
    # The word stands first, and what is before it is looked at from behind it, because `re` looks for a
    # literal beginning many times faster than for anything else.
    if python:  # `"call": f`, `call=f`, `call: Callable`
        before = rb"(?:(?<=[\"']%b)|(?<![\w.]%b))" % (name, name)
        return re.compile(name + before + rb"(?:_class)?(?:[\"']|:(?!:)|[ \t]*=(?!=))")
    return re.compile(name + rb"(?<!\w%b)(?:_class)?[\"']?[ \t]*[:=]" % name)


def _binds(word: bytes, data: bytes) -> bool:
    """Whether something is bound to, or put into, a name with that word."""
    return word in data and _bound(word).search(data) is not None


@lru_cache
def _bound(word: bytes) -> re.Pattern[bytes]:
    """`STEPS = {`, `steps: list = [`, `MORE_STEPS |= other`, `STEPS["x"] = x`, `STEPS.update(`."""
    return re.compile(
        word
        + rb"\w*(?:[ \t]*(?::[^=\n]*)?(?:\|=|=[ \t]*(?:[{\[(](?![ \t]*[}\])])|\\|dict\((?!\))|[\w.]+[ \t]*\|))"
        rb"|\[[^\]\n]*\][ \t]*=(?!=)|\.update\()"
    )


def _otherwise_encoded(data: bytes, python: bool) -> bool:
    """Whether the words could be there in other bytes."""
    if data.startswith(_BOMS) or b"\0" in data[:4]:
        return True
    if not python:
        return b"\\" in data and _ESCAPED.search(data) is not None
    for line in data[:400].split(b"\n", 2)[:2]:
        cookie = _COOKIE.match(line)
        if cookie and not _ASCII_COMPATIBLE.fullmatch(cookie[1]):
            return True
    return False
