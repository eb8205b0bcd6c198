"""The states in what a call is given: in dicts, lists and SQL statements."""

import re
from collections.abc import Iterator

from stepcheck.behaviour.concluding.answers import quoted, state
from stepcheck.catalogue import conclusions
from stepcheck.catalogue.conclusions import Ended
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    walk,
)

_SQL = re.compile(r"\b(?:status|state)\w*\s*=\s*'(\w+)'", re.IGNORECASE)
_SQL_FLAG = re.compile(r"\bset\s+(\w+)\s*=\s*(?:1|true)\b", re.IGNORECASE)
_SQL_STATE = re.compile(r"\b(?:status|state)\b", re.IGNORECASE)


def statement(call: Call) -> tuple[Ended, str] | None:
    """What an UPDATE or INSERT sets, in its text or its parameters."""
    texts = [
        part.value
        for value in call.arguments
        for part in walk(value)
        if isinstance(part, Constant) and isinstance(part.value, str)
    ]
    sql = next((text for text in texts if " " in text.strip()), "")
    if not re.search(r"\b(?:update|insert)\b", sql, re.IGNORECASE):
        return None
    change = re.split(r"\bwhere\b", sql, maxsplit=1, flags=re.IGNORECASE)[0]
    for found in _SQL.finditer(change):
        said = conclusions.of_state(found[1])
        if said is not None:
            return said, f"the SQL sets {quoted(found[1])}"
    flag = _SQL_FLAG.search(change)
    if flag is not None:
        said = conclusions.of_flag(flag[1])
        if said is not None:
            return said, f"the SQL sets {quoted(flag[1])}"
    if _SQL_STATE.search(change):
        for value in call.arguments[1:]:
            for part in (value, *entries(value)):
                found_state = state(part)
                if found_state is not None:
                    return found_state[1], f"the SQL is given {quoted(found_state[0])}"
    return None


def entries(value: Expression) -> Iterator[Expression]:
    """The values in a dict that are keyed like states, however deep, and the items of lists and tuples."""
    if not isinstance(value, Compound):
        return
    for part in value.parts:
        match part:
            case Compound(kind="entry", parts=(Constant(value=str(name)), held)):
                if conclusions.holds_state(name) or name.startswith(":"):
                    yield held
                elif isinstance(held, Compound):
                    yield from entries(held)
            case Constant() | Attribute() if value.kind in ("list", "tuple"):
                yield part
            case _:
                pass
