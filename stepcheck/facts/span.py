"""Where something stands in a file."""

from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of one file.

    `path` is as the run names the file: relative to its working directory where the file is inside, with forward
    slashes. Lines and columns count from 1, columns in
    characters (code points); the end is exclusive. Spans order by place, so sorting findings needs no key.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def within(self, outer: "Span") -> bool:
        """Whether it lies in another one."""
        return self.path == outer.path and outer[1:3] <= self[1:3] and self[3:] <= outer[3:]
