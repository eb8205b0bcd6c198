"""What is recorded, as a story tells it: each row by its name, with what it says."""

from collections import Counter
from collections.abc import Iterator

from stepcheck.catalogue import names
from stepcheck.harms.store import ADDED, Row, Store
from stepcheck.harms.thing import shortened, text_of

_OURS = ("value", "claim", "meant")
"""Fields of rows that no example has written."""


def records(store: Store) -> Iterator[tuple[str, str]]:
    """Every row, by its name, with what it says; what is known of one by its key alone is no record."""
    added = Counter((row["of"], row["fields"]) for table, _, row in store.every() if table == ADDED)
    yield from ((of, f"{fields} added to {_often(times)}") for (of, fields), times in added.items())
    for table, key, row in store.every():
        if row and table != ADDED and not only_sought(store, table, key, row):
            yield named(table, key), _told(row)


def named(table: str, key: str) -> str:
    """A row by its key, where that is no number that the store has given."""
    return table if key == "row" or key.startswith(table) else f"{table}[{key}]"


def only_sought(store: Store, table: str, key: str, row: Row) -> bool:
    """Whether a row was there before the run, and says nothing but by what it was looked for."""
    return (
        store.seeded.get(table) == key and not any(names.tells_state(name) for name in row) and len(row) <= 1
    )


def _often(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


def _told(row: Row) -> str:
    if set(row) == {"value0"}:
        return shortened(text_of(row["value0"]))
    told = [
        f"{name} {shortened(text_of(value))}"
        for name, value in row.items()
        if not name.startswith(_OURS) and value is not None
    ]
    told += [shortened(text_of(value)) for name, value in row.items() if name.startswith("value")]
    return ", ".join(told) or "claimed"
