"""Things that stand for rows: one row, the rows of a table as far as they fit, and a method of these."""

from stepcheck.harms.store import Row
from stepcheck.harms.thing import Here, Thing


class Query(Thing):
    """Rows of a table as far as they fit."""

    __slots__ = ("of_table", "wanted_fields")
    of_table: str
    wanted_fields: Row

    def __init__(self, here: Here, name: str, table: str, wanted: Row) -> None:
        super().__init__(here, name)
        object.__setattr__(self, "of_table", table)
        object.__setattr__(self, "wanted_fields", wanted)


class Method(Thing):
    """A method of a query, not called yet."""

    __slots__ = ("of_query",)
    of_query: Query

    def __init__(self, here: Here, name: str, query: Query) -> None:
        super().__init__(here, name)
        object.__setattr__(self, "of_query", query)


class RowThing(Thing):
    """One row, as an object."""

    __slots__ = ("of_table", "row_key")
    of_table: str
    row_key: str

    def __init__(self, here: Here, table: str, key: str) -> None:
        name = key if key.startswith(f"{table.lower()}-") else f"{table}[{key}]"
        super().__init__(here, f"{table}:{key}", name)
        object.__setattr__(self, "of_table", table)
        object.__setattr__(self, "row_key", key)
