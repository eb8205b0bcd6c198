"""What a statement of SQL in an example does to the rows of its table."""

import re
from typing import TYPE_CHECKING, Any

from stepcheck.facts.seen import SeenCall
from stepcheck.harms import objects
from stepcheck.harms.effects import request
from stepcheck.harms.thing import Thing, text_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

_VERB = re.compile(r"^\s*(INSERT|UPDATE|DELETE|SELECT)\s", re.IGNORECASE)
_TABLE = re.compile(r"(?:INTO|UPDATE|FROM)\s+(\w+)", re.IGNORECASE)
_COLUMNS = re.compile(r"\(([^)]*)\)")
_EQUAL = re.compile(r"(\w+)\s*=\s*'([^']*)'")
_HISTORY = "ledger"
"""A table of that name is only added to, and equal rows in it are no harm."""


class Cursor(Thing):
    """What is given back for a statement that changes rows."""

    __slots__ = ("rowcount",)
    rowcount: int

    def __init__(self, process: "Process", table: str, count: int) -> None:
        super().__init__(process, f"{table}()")
        object.__setattr__(self, "rowcount", count)


def states(text: object) -> bool:
    """Whether a text is a statement."""
    return isinstance(text, str) and _VERB.match(text) is not None


def execute(process: "Process", site: SeenCall, text: str, args: tuple[Any, ...]) -> Any:
    """Carry a statement out; a SELECT gives the one row that was there before the run."""
    matched, named = _VERB.match(text), _TABLE.search(text)
    verb = matched[1].upper() if matched else "SELECT"
    table = named[1] if named else site.subject
    if verb != "SELECT" and process.prepared.commits and not process.store.open:
        process.store.begin()
    given = list(args[0]) if args and isinstance(args[0], (list, tuple)) else []
    head, _, tail = text.partition("WHERE")
    if verb == "INSERT":
        return _insert(process, site, table, text, given)
    wanted = dict(_EQUAL.findall(tail))
    if verb == "SELECT":
        return objects.found(process, table, wanted)
    if verb == "DELETE":
        world = process.world
        left = [one for one in world.effects if all(one is not gone for gone in world.removed)]
        world.removed += [one for one in left if table in one.about]
    key = text_of(given[-1]) if given else "row"
    row = process.store.rows(table).get(key)
    if row is None and f"{table}:{key}" not in process.store.seeded:
        process.store.seeded[f"{table}:{key}"] = key
        row = process.store.rows(table)[key] = dict(wanted)
    if row is None or any(text_of(row.get(name)) != value for name, value in wanted.items()):
        return Cursor(process, table, 0)
    if verb == "DELETE":
        del process.store.rows(table)[key]
    else:
        row.update(_EQUAL.findall(head))
    return Cursor(process, table, 1)


def _insert(process: "Process", site: SeenCall, table: str, text: str, given: list[Any]) -> Cursor:
    columns = _COLUMNS.search(text)
    names = [name.strip() for name in columns[1].split(",")] if columns else []
    row = dict(zip(names, given, strict=False))
    inserted = request(f"INSERT INTO {table}", tuple(given), {})
    process.store.new(table, row or {"state": site.states[-1] if site.states else ""})
    if not site.states and _HISTORY not in table:
        (process.inserted if process.prepared.commits else process.world.effects).append(inserted)
    return Cursor(process, table, 1)
