"""Where something stands in a file."""

from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of one file.

    `path` is relative to the run's root, with forward slashes. Lines and columns count from 1, columns in
    characters (code points); the end is exclusive. Spans order by place, so sorting findings needs no key.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
