"""What the calls of an example do to rows: the ways of ORMs and key-value stores, told by verbs and arguments."""

from typing import TYPE_CHECKING, Any

from stepcheck.catalogue import names
from stepcheck.facts.seen import SeenCall
from stepcheck.harms import objects, sql
from stepcheck.harms.queries import Method, Query, RowThing
from stepcheck.harms.recorded import named
from stepcheck.harms.store import ADDED, Row
from stepcheck.harms.thing import Thing, name_of, text_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

_NARROWS = frozenset(
    [
        "filter",
        "exclude",
        "where",
        "all",
        "order_by",
        "select_for_update",
        "select_related",
        "values",
        "values_list",
        "only",
        "using",
        "limit",
        "distinct",
    ]
)
_READS_ONE = frozenset(
    [
        "first",
        "get",
        "one",
        "one_or_none",
        "last",
        "find",
        "fetchone",
        "scalar",
        "find_one",
        "latest",
        "lookup",
    ]
)
_SETS = frozenset(["set", "setnx", "setex", "hset", "update", "put", "save", "upsert"])
_DELETES = frozenset(["delete", "remove", "pop", "discard", "srem", "delete_one", "unlink"])
_CLAIMS = frozenset(["setnx", "claim", "acquire", "add_nx"])


def narrows(callee: Thing) -> bool:
    """Whether a call only says which rows of a table are meant: tables are named like classes."""
    name = name_of(callee)
    of_table = isinstance(callee, Method) or (name[:1].isupper() and ":" not in name)
    return of_table and name.rpartition(".")[2] in _NARROWS


def narrowed(process: "Process", callee: Thing, words: Row) -> Query:
    """The query that a call like `Mail.objects.filter(status="queued")` makes."""
    before = callee.of_query if isinstance(callee, Method) else None
    table = before.of_table if before else _table(name_of(callee))
    wanted = {**(before.wanted_fields if before else {}), **words}
    _seed(process, table, wanted)
    return Query(process, f"{name_of(callee)}()", table, wanted)


def matching(process: "Process", query: Query) -> list[RowThing]:
    """The rows of a query."""
    rows = process.store.rows(query.of_table).items()
    fits = [key for key, row in rows if all(_fits(key, row, *one) for one in query.wanted_fields.items())]
    return [RowThing(process, query.of_table, key) for key in fits]


def read(process: "Process", query: Query) -> list[RowThing]:
    """The same, as the example reads them one by one."""
    found = matching(process, query)
    about = ", ".join(f"{name}={text_of(value)}" for name, value in query.wanted_fields.items())
    call = f"'{name_of(query).removesuffix('()')}'{f' ({about})' if about else ''}"
    told = ", ".join(map(text_of, found)) or "nothing is there"
    process.outside.writes(f"It looks up {call}: {told}", f"{query.of_table}: lookup")
    return found


def perform(process: "Process", site: SeenCall, callee: Thing, args: tuple[Any, ...], words: Row) -> Any:
    """Do to the rows what a call does. The answer is what its kind of library gives."""
    last, table = name_of(callee).rpartition(".")[2], _table(name_of(callee))
    if args and sql.states(args[0]):
        return sql.execute(process, site, args[0], args[1:])
    if isinstance(callee, Method):
        return _of_query(process, callee.of_query, last, words)
    if last in ("get_or_create", "update_or_create"):
        return _get_or_create(process, table, words)
    owner = objects.owner(process, callee)
    if isinstance(owner, RowThing) and last in _DELETES:
        return process.store.rows(owner.of_table).pop(owner.row_key, None)
    if (isinstance(owner, RowThing) and last == "update") or (last in ("save", "asave") and not args):
        objects.keep(process, owner, words)
        return owner
    if last == "add" and args and isinstance(args[0], Thing):
        return process.pending.append(args[0])
    if last in ("commit", "flush"):
        return objects.commit(process)
    if last == "rollback":
        process.pending.clear()
        return process.store.roll_back()
    return _of_store(process, site, callee, args, words)


def _of_store(process: "Process", site: SeenCall, callee: Thing, args: tuple[Any, ...], words: Row) -> Any:
    last = name_of(callee).rpartition(".")[2]
    table = _table(name_of(callee)) or site.subject or last
    rows, key = process.store.rows(table), text_of(args[0]) if args else ""
    if words.get("nx") or last in _CLAIMS or site.deed == "claim":
        return _claim(rows, key or "claim")
    if last in _DELETES:
        return rows.pop(key, None)
    if last == "create" and words:
        made = process.store.new(table, words, text_of(words["id"]) if "id" in words else "")
        return RowThing(process, table, made)
    if site.deed in ("lookup", "asks"):
        return _look(process, table, last, args, words)
    if last in _SETS and args:
        rows[key] = _fields(site, args[1:], words)
        return True
    return RowThing(process, table, process.store.new(table, _fields(site, args, words)))


def _fields(site: SeenCall, args: tuple[Any, ...], words: Row) -> Row:
    made: Row = {f"value{number}": value for number, value in enumerate(args)} | words
    if site.states and not any(names.tells_state(name) for name in made):
        made["state"] = site.states[-1]
    return made


def _look(process: "Process", table: str, last: str, args: tuple[Any, ...], words: Row) -> Any:
    model = table[:1].isupper()
    if len(args) > 1 and not model and name_of(args[0])[:1].isupper():  # `session.get(Sale, sale_id)`
        return objects.found(process, name_of(args[0]), {"pk": args[1]})[0]
    if words or (args and last in ("get", "find", "one") and model):
        wanted = words or {"pk": args[0]}
        _seed(process, table, wanted, always=last == "get")
        found = matching(process, Query(process, table, table, wanted))
        return found[0] if found else None
    if last in _NARROWS:
        return Thing(process, f"{table}.{last}()", table.rpartition(":")[2])
    if model or process.life.uncertain:
        return objects.found(process, table, {})[0]
    key = text_of(args[0]) if args else ""
    row = process.store.rows(table).get(key)
    if row is None:
        return args[1] if len(args) > 1 else None
    return row.get("value0", RowThing(process, table, key))


def _of_query(process: "Process", query: Query, last: str, words: Row) -> Any:
    found = matching(process, query)
    rows = process.store.rows(query.of_table)
    if last == "update" and any("F(" in text_of(value) for value in words.values()):
        told = ", ".join(f"{name} = {text_of(one)}" for name, one in words.items())
        of = named(query.of_table, found[0].row_key) if found else query.of_table
        process.store.new(ADDED, {"meant": f"{told} of {of}", "of": of, "fields": ", ".join(words)})
    elif last == "update":
        for one in found:
            rows[one.row_key].update(words)
    elif last in _DELETES:
        for one in found:
            del rows[one.row_key]
    elif last == "exists":
        return bool(found)
    elif last in _READS_ONE:
        return found[0] if found else None
    elif last != "count":
        return found
    return len(found)


def _get_or_create(process: "Process", table: str, words: Row) -> tuple[RowThing, bool]:
    looked = {name: value for name, value in words.items() if name != "defaults"}
    found = matching(process, Query(process, table, table, looked))
    if found:
        return found[0], False
    fields = {"result": None, **looked, **words.get("defaults", {}), "claim": True}
    return RowThing(process, table, process.store.new(table, fields)), True


def _claim(rows: dict[str, Row], key: str) -> bool:
    first = key not in rows
    rows.setdefault(key, {"claim": True})
    return first


def _seed(process: "Process", table: str, wanted: Row, *, always: bool = False) -> None:
    """What is looked for by its state was there before the run began; what is looked for by a key was not."""
    by_state = any(names.tells_state(name) and isinstance(value, str) for name, value in wanted.items())
    if by_state or always or "pk" in wanted or "id" in wanted:
        objects.seed(process, table, wanted)


def _fits(key: str, row: Row, field: str, value: Any) -> bool:
    if field in ("pk", "id") and field not in row:
        return text_of(value) in (key, text_of(row.get("pk", "")))
    field, _, way = field.partition("__")
    if way == "in":
        return any(text_of(row.get(field)) == text_of(one) for one in value)
    return bool(way) or text_of(row.get(field)) == text_of(value)


def _table(name: str) -> str:
    """The table of a manager or store: `Payout` of `Payout.objects.filter`, `redis` of `self.redis.set`."""
    parts = name.removeprefix("self.").split(".")
    kept = [part for part in parts[:-1] if part not in ("objects", "query")]
    return ".".join(kept) or parts[0]
