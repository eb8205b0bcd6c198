"""Calls as they are written, read the way the linter reads them."""

from collections.abc import Callable

import pytest

from stepcheck.catalogue.arguments import Arguments, read
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.calls import known
from stepcheck.code.flow import read_flows


@pytest.fixture
def written() -> Callable[[str], tuple[str, Arguments]]:
    """Gives the qualified name and the arguments of the last call of a module."""

    def last_call(source: str) -> tuple[str, Arguments]:
        flow = read_flows("m.py", source.encode()).flows[0]
        calls = [call for _, call in flow.calls()]
        return calls[-1].qualified, read(calls[-1], {call.number: call for call in calls})

    return last_call


@pytest.fixture
def told(written: Callable[[str], tuple[str, Arguments]]) -> Callable[[str], CallFact | None]:
    """Gives what the catalogue knows of the last call of a module."""
    return lambda source: known(*written(source))
