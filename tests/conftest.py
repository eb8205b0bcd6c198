"""How long properties are tried (no time limit for one example: machines are slow), and how time is taken."""

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("here", deadline=None, max_examples=50)
settings.register_profile("everywhere", deadline=None)
settings.load_profile("everywhere" if os.environ.get("CI") else "here")


@pytest.fixture
def untraced() -> Iterator[None]:
    """Coverage's tracing costs as much again as the work whose time is claimed."""
    tracing = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracing)
