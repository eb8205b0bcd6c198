"""Objects of a process and their rows: what is kept of an object, and what a commit makes of all."""

from typing import TYPE_CHECKING

from stepcheck.catalogue import names
from stepcheck.harms.effects import request
from stepcheck.harms.queries import RowThing
from stepcheck.harms.store import Row
from stepcheck.harms.thing import Thing, name_of, text_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process


def row_of(process: "Process", thing: Thing) -> Row | None:
    """The row of an object; None where it has none yet."""
    if isinstance(thing, RowThing):
        return process.store.rows(thing.of_table).get(thing.row_key)
    table, _, key = name_of(thing).partition(":")
    return process.store.tables.get(table, {}).get(key or "row")


def owner(process: "Process", callee: Thing) -> Thing:
    """What a method is called on: `row` of `row.delete`."""
    name = name_of(callee).rpartition(".")[0]
    table, _, key = name.partition(":")
    if key and key in process.store.rows(table):
        return RowThing(process, table, key)
    return Thing(process, name)


def keep(process: "Process", thing: Thing, words: Row) -> None:
    """Make what is in memory of an object its row."""
    table, key = (thing.of_table, thing.row_key) if isinstance(thing, RowThing) else (name_of(thing), "row")
    process.store.rows(table).setdefault(key, {}).update(fields(process, thing) | words)


def commit(process: "Process") -> None:
    """Make rows of what was added, refusing what is there, and keep what was changed.

    The answer can be lost, or the database aborts it, where the example reckons with that.
    """
    outside, errors = process.outside, process.errors
    lost = [name for name in errors.lost("sqlalchemy") if "sqlalchemy" in name]
    if process.pending and lost and process.pick(["nothing", "lost"]) == "lost":
        _store_pending(process)
        outside.strike("answer lost")
        outside.writes("The database commits, and the answer is lost", "commit, the answer is lost")
        raise errors.of("sqlalchemy.exc.OperationalError")("lost")
    way = process.pick(["", *process.aborts]) if process.aborts else ""
    if way:
        outside.strike("the database aborts")
        outside.writes("The database aborts the transaction", "aborted")
        raise errors.of(way)(way)
    _store_pending(process)
    for name in dict.fromkeys(of for of, field in process.memory if names.tells_state(field)):
        keep(process, owner(process, Thing(process, f"{name}.save")), {})
    process.world.effects += process.inserted
    process.inserted.clear()
    process.store.commit()


def _store_pending(process: "Process") -> None:
    for made in process.pending:
        row, table = fields(process, made), name_of(made).partition("#")[0]
        key = text_of(row["id"]) if "id" in row else ""
        if key and key in process.store.rows(table):
            process.pending.clear()
            process.outside.writes("The database refuses the row: it is there already", "refused")
            raise process.errors.of("sqlalchemy.exc.IntegrityError")(key)
        process.store.new(table, row, key)
        if key:
            process.world.effects.append(request(f"INSERT INTO {table}", tuple(row.values()), {}))
    process.pending.clear()


def fields(process: "Process", thing: Thing) -> Row:
    """What was put into an object in this process."""
    return {name: value for (of, name), value in process.memory.items() if of == name_of(thing)}


def seed(process: "Process", table: str, wanted: Row) -> str:
    """See that a table has a row that fits, from before the run; give its key."""
    store = process.store
    if table not in store.seeded:
        key = text_of(wanted.get("pk", wanted.get("id", ""))) or f"{table.lower()}-0"
        store.seeded[table] = key
        given = {name: value for name, value in wanted.items() if "__" not in name}
        for tables in (store.tables, *store.open):
            tables.setdefault(table, {}).setdefault(key, dict(given))
    return store.seeded[table]


def found(process: "Process", table: str, wanted: Row) -> list[RowThing]:
    """The one row of a table that fits, from before the run."""
    return [RowThing(process, table, seed(process, table, wanted))]
