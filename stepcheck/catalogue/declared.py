"""Words that tell how a function is declared: as the answer to a request, or as what brings about a state."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def group(name: str) -> frozenset[str]:
    """The words of a group of `declared.toml`."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return frozenset(table[name])
