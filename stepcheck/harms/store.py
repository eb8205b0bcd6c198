"""The rows that outlive a process: made, changed and looked up by what an example calls."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]
ADDED = "added"
"""The table of what was added to rows: `points = points + 5`."""


@dataclass(slots=True)
class Store:
    """What is committed, by table and key, and what open transactions would change."""

    tables: dict[str, dict[str, Row]] = field(default_factory=dict)
    open: list[dict[str, dict[str, Row]]] = field(default_factory=list)
    """A copy of the tables for each transaction that may be rolled back to."""
    count: int = 0
    """Numbers of rows are given once."""
    seeded: dict[str, str] = field(default_factory=dict)
    """Rows that were there from the beginning, by table."""

    def rows(self, table: str) -> dict[str, Row]:
        """The rows of a table, by their keys."""
        return self.tables.setdefault(table, {})

    def new(self, table: str, fields: Row, key: str = "") -> str:
        """Add a row; give its key."""
        self.count += 1
        key = key or f"{table}-{self.count}"
        self.rows(table)[key] = dict(fields)
        return key

    def begin(self) -> None:
        """From here on all can be taken back."""
        self.open.append(_copy(self.tables))

    def commit(self) -> None:
        """All since the innermost beginning stays, as far as the transaction around it does."""
        if self.open:
            self.open.pop()

    def roll_back(self) -> None:
        """Take back all since the innermost beginning."""
        if self.open:
            self.tables = self.open.pop()

    def crash(self) -> None:
        """A process ends: what it has not committed is gone."""
        if self.open:
            self.tables = self.open[0]
            self.open.clear()

    def every(self) -> Iterator[tuple[str, str, Row]]:
        """Every row with its table and key."""
        for table, rows in self.tables.items():
            for key, row in rows.items():
                yield table, key, row


def _copy(tables: dict[str, dict[str, Row]]) -> dict[str, dict[str, Row]]:
    return {table: {key: dict(row) for key, row in rows.items()} for table, rows in tables.items()}
