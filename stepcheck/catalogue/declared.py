"""Words that tell how a function is declared: as the answer to a request, or as what brings about a state."""

from functools import cache

from stepcheck.catalogue.contents import contents


@cache
def group(name: str) -> frozenset[str]:
    """The words of a group of `declared.toml`."""
    table = contents("declared")
    return frozenset(table[name])
