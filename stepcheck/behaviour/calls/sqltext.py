"""What a statement in SQL reads, writes and asks for: its table, columns and literal values."""

import re
from dataclasses import dataclass
from functools import lru_cache

from stepcheck.catalogue import sql

_SET = re.compile(r"(?is)\bset\b(.*?)(?:\bwhere\b|\breturning\b|$)")
_WHERE = re.compile(
    r"(?is)\bwhere\b(.*?)(?:\border\s+by\b|\blimit\b|\bfor\s+update\b|\breturning\b|\bgroup\s+by\b|$)"
)
_COLUMNS = re.compile(r"(?is)\binto\s+[\w.\"`]+\s*\(([^)]*)\)")
_VALUE = re.compile(r"(?i)\"?(\w+)\"?\s*(?:=|\bis\b)\s*(?:'([\w -]*)'|(true|1\b|now\(\)|current_timestamp))?")
_LITERAL = re.compile(r"'([A-Za-z_][\w -]*)'")


@dataclass(frozen=True, slots=True)
class Text:
    """One statement, as far as its text tells."""

    verb: str
    """In upper case."""
    table: str
    writes: frozenset[str]
    """The columns it sets or inserts."""
    asks: frozenset[str]
    """The columns of its condition."""
    states: tuple[str, ...]
    """Literal texts that it writes, and the names of columns that it sets to true, or to now."""


@lru_cache(1024)
def read(text: str) -> Text | None:
    """The statement of a text; None for what is none that is known."""
    statement = sql.classify(text)
    if statement is None:
        return None
    where = _WHERE.search(text)
    asks = frozenset(name.lower() for name, _, _ in _VALUE.findall(where[1])) if where else frozenset[str]()
    writes: frozenset[str] = frozenset()
    states: list[str] = []
    if statement.verb == "UPDATE":
        found = _SET.search(text)
        pairs = _VALUE.findall(found[1]) if found else []
        writes = frozenset(name.lower() for name, _, _ in pairs)
        states = [value or name for name, value, flag in pairs if value or flag]
    elif statement.verb in ("INSERT", "REPLACE"):
        columns = _COLUMNS.search(text)
        writes = (
            frozenset(part.strip(' "`').lower() for part in columns[1].split(",")) if columns else frozenset()
        )
        states = _LITERAL.findall(text)
    return Text(statement.verb, statement.table, writes, asks, tuple(states))
