"""Words of names by which code that makes and sends keys is told."""

from functools import cache
from typing import Any

from stepcheck.catalogue.contents import contents


def key_words(group: str) -> frozenset[str]:
    """The words of one group; what they tell stands beside them in the data."""
    return frozenset(_known()[group]["words"])


@cache
def _known() -> dict[str, Any]:
    return contents("key_words")
