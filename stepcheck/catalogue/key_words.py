"""Words of names by which code that makes and sends keys is told."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def key_words(group: str) -> frozenset[str]:
    """The words of one group; what they tell stands beside them in the data."""
    return frozenset(_known()[group]["words"])


@cache
def _known() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
