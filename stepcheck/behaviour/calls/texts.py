"""How values are turned into text: whether a moment keeps more than its date, and whether an order is fixed."""

from collections.abc import Iterable
from typing import Final

from stepcheck.code.flow import Call, Compound, Constant, Expression, walk

DAYS: Final = frozenset({"year", "month", "day"})
"""Attributes of a moment that keep no more than its date."""
_TIMES = ("%H", "%I", "%M", "%S", "%s", "%f", "%T", "%c", "%X", "%R", "%r", "%-H", "%-M")


def by_day(pieces: Iterable[Expression]) -> bool:
    """Whether a format says no more than the date: `%Y-%m-%d`; not where it is not to be seen."""
    texts = [
        str(part.value)
        for piece in pieces
        for part in walk(piece)
        if isinstance(part, Constant) and isinstance(part.value, str)
    ]
    return any("%" in text for text in texts) and not any(sign in text for text in texts for sign in _TIMES)


def fixes_order(call: Call, name: str) -> bool:
    """Whether a call puts what it is given in order: `sorted(x)`, `json.dumps(x, sort_keys=True)`."""
    if name == "sorted":
        return True
    sort = call.keyword("sort_keys")
    if sort is not None:
        return not (isinstance(sort.value, Constant) and sort.value.value is False)
    option = call.keyword("option")
    if option is None:
        return any(not word.name for word in call.keywords) and name == "dumps"
    return any("SORT_KEYS" in getattr(part, "name", "") for part in walk(option.value))


def joins(value: Expression) -> bool:
    """Whether a value is text put together of parts: an f-string, `a + b`, `"%s" % a`."""
    return isinstance(value, Compound) and (
        value.kind == "text" or (value.kind == "binary" and value.text in ("+", "%"))
    )
