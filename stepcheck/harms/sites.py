"""Where an example calls something, and what the linter believes that each call is for."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from stepcheck.behaviour.reading import behaviour
from stepcheck.code import source
from stepcheck.code.flow import lower_flows
from stepcheck.facts.seen import Seen, SeenCall

Place = tuple[int, int]
"""Line and column, both from 1, where a call ends: of the calls of a chain each ends elsewhere."""


@dataclass(frozen=True, slots=True)
class Sites:
    """What is believed of the code of one file."""

    calls: Mapping[Place, SeenCall]
    functions: tuple[Seen, ...]

    def at(self, call: ast.Call) -> SeenCall | None:
        """What a call is for; None for one of which nothing is said."""
        return self.calls.get((call.end_lineno or 0, (call.end_col_offset or 0) + 1))

    def named(self, name: str) -> SeenCall | None:
        """The same of what is handed on to be called: `asyncio.to_thread(mailer.send, guest)`."""
        return next((call for call in self.calls.values() if call.name == name), None)


def sites(path: str, text: str, down: int = 0) -> Sites:
    """Read a file as the linter does, its calls so many lines further down. Raises Unreadable."""
    read, tree = source.read(path, text.encode())
    seen = behaviour(lower_flows(path, read.text.encode(), tree), show=True).seen
    calls = {
        (call.span.end_line + down, call.span.end_column): call
        for function in seen
        for call in function.calls
        if call.span.end_column
    }
    return Sites(calls, seen)
