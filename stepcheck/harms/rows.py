"""What the calls of an example do to rows: the ways of ORMs, SQL and key-value stores, told by verbs and arguments."""

import re
from typing import TYPE_CHECKING, Any

from stepcheck.catalogue import keys, names
from stepcheck.facts.seen import SeenCall
from stepcheck.harms.effects import request
from stepcheck.harms.store import ADDED, Row
from stepcheck.harms.thing import Thing, name_of, text_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

_NARROWS = frozenset(
    "filter exclude where all order_by select_for_update select_related values values_list only using limit distinct".split()
)
_READS_ONE = frozenset("first get one one_or_none last find fetchone scalar find_one latest lookup".split())
_READS = frozenset("exists count fetchall scalars iterator list where find_all query".split())
_MAKES = frozenset(
    "create add insert append put record save_run note log push sadd store write enqueue".split()
)
_SETS = frozenset("set setnx setex hset update put save upsert".split())
_DELETES = frozenset("delete remove pop discard srem delete_one unlink".split())
_SQL = re.compile(r"^\s*(?P<verb>INSERT|UPDATE|DELETE|SELECT)\b", re.IGNORECASE)
_TABLE = re.compile(r"(?:INTO|UPDATE|FROM)\s+(?P<table>\w+)", re.IGNORECASE)
_SET = re.compile(r"(\w+)\s*=\s*(?:'([^']*)'|(%s|\?|:\w+))", re.IGNORECASE)


class Query(Thing):
    """Rows of a table as far as they fit."""

    __slots__ = ("_table", "_wanted")
    _table: str
    _wanted: Row

    def __init__(self, here: Any, name: str, table: str, wanted: Row) -> None:
        super().__init__(here, name)
        object.__setattr__(self, "_table", table)
        object.__setattr__(self, "_wanted", wanted)


class Method(Thing):
    """A method of a query, not called yet."""

    __slots__ = ("_of",)
    _of: Query

    def __init__(self, here: Any, name: str, of: Query) -> None:
        super().__init__(here, name)
        object.__setattr__(self, "_of", of)


class RowThing(Thing):
    """One row, as an object."""

    __slots__ = ("_key", "_table")
    _table: str
    _key: str

    def __init__(self, here: Any, table: str, key: str) -> None:
        super().__init__(here, f"{table}:{key}", key)
        object.__setattr__(self, "_table", table)
        object.__setattr__(self, "_key", key)


def narrows(callee: Thing) -> bool:
    """Whether a call only says which rows of a table are meant: tables are named like classes."""
    name = name_of(callee)
    of_table = isinstance(callee, Method) or (name[:1].isupper() and ":" not in name)
    return of_table and name.rpartition(".")[2] in _NARROWS


def narrowed(process: "Process", callee: Thing, words: dict[str, Any]) -> Query:
    """The query that a call like `Mail.objects.filter(status="queued")` makes."""
    before = callee._of if isinstance(callee, Method) else None
    table = before._table if before else table_of(name_of(callee))
    wanted = {**(before._wanted if before else {}), **words}
    _seed(process, table, wanted)
    return Query(process, f"{name_of(callee)}()", table, wanted)


def table_of(name: str) -> str:
    """The table of a manager or store: `Payout` of `Payout.objects.filter`, `redis` of `self.redis.set`."""
    parts = name.removeprefix("self.").split(".")
    kept = [part for part in parts[:-1] if part not in ("objects", "query")]
    return ".".join(kept) or parts[0]


def matching(process: "Process", query: Query) -> list[RowThing]:
    """The rows of a query."""
    found = []
    for key, row in process.store.rows(query._table).items():
        if all(_fits(key, row, field, value) for field, value in query._wanted.items()):
            found.append(RowThing(process, query._table, key))
    return found


def perform(
    process: "Process", site: SeenCall, callee: Thing, args: tuple[Any, ...], words: dict[str, Any]
) -> Any:
    """Do to the rows what a call does. The answer is what its kind of library gives."""
    last = name_of(callee).rpartition(".")[2]
    if args and isinstance(args[0], str) and _SQL.match(args[0]):
        return _sql(process, site, args[0], args[1:])
    if isinstance(callee, Method):
        return _of_query(process, callee._of, last, words)
    owner = process.owner(callee)
    if last in ("get_or_create", "update_or_create"):
        return _get_or_create(process, table_of(name_of(callee)), words)
    if isinstance(owner, RowThing) and last in ("save", "update", "refresh"):
        process.keep(owner, words)
        return owner
    if isinstance(owner, RowThing) and last in _DELETES:
        process.store.rows(owner._table).pop(owner._key, None)
        return None
    if last in ("save", "asave") and not args:
        process.keep(owner, words)
        return owner
    if last == "add" and args and isinstance(args[0], Thing):
        process.pending.append(args[0])
        return None
    if last in ("commit", "flush"):
        process.commit()
        return None
    if last == "rollback":
        process.pending.clear()
        process.store.roll_back()
        return None
    table = table_of(name_of(callee))
    if words.get("nx") or last in ("setnx", "claim", "acquire", "add_nx") or site.deed == "claim":
        return _claim(process, table or site.subject or last, args)
    if last in _DELETES:
        process.store.rows(table).pop(text_of(args[0]) if args else "", None)
        return None
    if last in ("create", "objects_create") and words:
        key = process.store.new(table, words, text_of(words["id"]) if "id" in words else "")
        return RowThing(process, table, key)
    if site.deed in ("lookup", "asks"):
        return _look(process, table, last, args, words)
    if last in _SETS and args:
        process.store.rows(table)[text_of(args[0])] = _fields(site, args[1:], words)
        return True
    key = process.store.new(table or site.subject or last, _fields(site, args, words))
    return RowThing(process, table or site.subject or last, key)


def _fields(site: SeenCall, args: tuple[Any, ...], words: dict[str, Any]) -> Row:
    made: Row = {f"value{number}": value for number, value in enumerate(args)}
    made |= words
    if site.states and not any(names.tells_state(name) for name in made):
        made["state"] = site.states[-1]
    return made


def _look(process: "Process", table: str, last: str, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
    if words or (args and last in ("get", "find", "one") and table[:1].isupper()):
        wanted = words or {"pk": args[0]}
        _seed(process, table, wanted, always=last == "get")
        found = matching(process, Query(process, table, table, wanted))
        return found[0] if found else None
    if (
        args
        and table[:1].isupper() is False
        and isinstance(args[0], Thing)
        and name_of(args[0])[:1].isupper()
    ):
        return RowThing(process, name_of(args[0]), process.seed(name_of(args[0]), {}))
    key = text_of(args[0]) if args else ""
    if last in _NARROWS:
        return Thing(process, f"{table}.{last}()")
    if table[:1].isupper() or process.uncertain:
        return RowThing(process, table, process.seed(table, {}))
    row = process.store.rows(table).get(key)
    if row is None:
        return args[1] if len(args) > 1 else None
    return row.get("value0", RowThing(process, table, key))


def _of_query(process: "Process", query: Query, last: str, words: dict[str, Any]) -> Any:
    found = matching(process, query)
    if last == "update":
        if any("F(" in text_of(value) for value in words.values()):
            process.moment(f"before {query}")
            about = ", ".join(text_of(one) for one in words.values())
            process.store.new(ADDED, {"meant": f"{name_of(query)}({about})"})
            return 1
        for one in found:
            process.store.rows(one._table)[one._key].update(words)
        return len(found)
    if last in _DELETES:
        for one in found:
            process.store.rows(one._table).pop(one._key, None)
        return len(found)
    if last == "exists":
        return bool(found)
    if last == "count":
        return len(found)
    if last in _READS_ONE:
        return found[0] if found else None
    return found


def _get_or_create(process: "Process", table: str, words: dict[str, Any]) -> tuple[RowThing, bool]:
    defaults = words.pop("defaults", {})
    found = matching(process, Query(process, table, table, words))
    if found:
        return found[0], False
    fields = {"result": None, **words, **defaults, "claim": True}
    return RowThing(process, table, process.store.new(table, fields)), True


def _claim(process: "Process", table: str, args: tuple[Any, ...]) -> bool:
    key = text_of(args[0]) if args else "claim"
    if key in process.store.rows(table):
        return False
    process.store.rows(table)[key] = {"claim": True}
    return True


def _seed(process: "Process", table: str, wanted: Row, *, always: bool = False) -> None:
    """What is looked for by its state was there before the run began; what is looked for by a key was not."""
    states = {
        name: value for name, value in wanted.items() if names.tells_state(name) and isinstance(value, str)
    }
    if states or always or any(name in ("pk", "id") for name in wanted):
        process.seed(table, wanted)


def _fits(key: str, row: Row, field: str, value: Any) -> bool:
    if field in ("pk", "id") and field not in row:
        return text_of(value) in (key, text_of(row.get("pk", "")))
    field, _, way = field.partition("__")
    if way == "in":
        return any(text_of(row.get(field)) == text_of(one) for one in value)
    if way:
        return True
    return text_of(row.get(field)) == text_of(value)


def _sql(process: "Process", site: SeenCall, text: str, args: tuple[Any, ...]) -> Any:
    verb = _SQL.match(text)["verb"].upper()  # type: ignore[index]
    found = _TABLE.search(text)
    table = found["table"] if found else site.subject
    given = list(args[0]) if args and isinstance(args[0], (list, tuple)) else []
    condition = text.upper().find("WHERE")
    head, tail = (text[:condition], text[condition:]) if condition >= 0 else (text, "")
    if verb == "INSERT":
        columns = re.search(r"\(([^)]*)\)", text)
        listed = [name.strip() for name in columns[1].split(",")] if columns else []
        literal = dict(zip(listed, given, strict=False))
        if not site.states and "ledger" not in table:
            process.world.effects.append(request(f"INSERT INTO {table}", tuple(given), {}))
        key = process.store.new(table, literal or {"state": site.states[-1] if site.states else ""})
        return _Cursor(process, table, 1)
    wanted = {name: value for name, value, _ in _SET.findall(tail) if value}
    if verb == "DELETE":
        world = process.world
        world.removed += [
            one
            for one in world.effects
            if table in one.about and all(one is not gone for gone in world.removed)
        ]
    parameters = tuple(text_of(one) for one in given)
    if verb == "SELECT":
        key = process.seed(table, wanted)
        return [RowThing(process, table, key)]
    key = parameters[-1] if parameters else "row"
    row = process.store.rows(table).get(key)
    if row is None and key not in process.store.seeded.values():
        process.store.seeded[f"{table}:{key}"] = key
        row = process.store.rows(table)[key] = dict(wanted)
    if row is None or any(text_of(row.get(name)) != value for name, value in wanted.items()):
        return _Cursor(process, table, 0)
    if verb == "DELETE":
        process.store.rows(table).pop(key, None)
    else:
        row |= {name: value for name, value, _ in _SET.findall(head) if value}
    return _Cursor(process, table, 1)


class _Cursor(Thing):
    __slots__ = ("rowcount",)
    rowcount: int

    def __init__(self, here: Any, table: str, count: int) -> None:
        super().__init__(here, f"{table}()")
        object.__setattr__(self, "rowcount", count)


def is_key(name: str) -> bool:
    """Whether an argument of that name is a key."""
    return keys.names_key(name)
