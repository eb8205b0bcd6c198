"""One name for what goes by several: classes under their short and long paths, and what factories give."""

from collections.abc import Mapping
from functools import cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.patterns import Pattern, parts


def canonical(name: str) -> str:
    """The name that the tables use: `sqlite3.connect().execute` is `sqlite3.Connection.execute`.

    An item is a segment of its own (`client.[].[].insert_one`). Longer beginnings win; what begins like nothing
    in the table stays as it is.
    """
    exact, patterns = _known()
    name = name.replace("[]", ".[]")
    for _ in range(4):
        found = _once(name, exact, patterns)
        if found == name:
            break
        name = found
    return name


def _once(name: str, exact: Mapping[str, str], patterns: tuple[tuple[Pattern, str], ...]) -> str:
    segments = parts(name)
    if segments[0] not in _tops():
        return name
    for end in range(len(segments), 0, -1):
        found = exact.get(".".join(segments[:end]))
        if found is not None:
            return ".".join((found, *segments[end:]))
    for pattern, meant in patterns:
        for end in range(len(segments), len(pattern.segments) - 1, -1):
            if pattern.fits(segments[:end]):
                return ".".join((meant, *segments[end:]))
    return name


@cache
def _known() -> tuple[Mapping[str, str], tuple[tuple[Pattern, str], ...]]:
    table: dict[str, list[str]] = contents("aliases")
    exact: dict[str, str] = {}
    patterns: list[tuple[Pattern, str]] = []
    for meant, names in table.items():
        for name in names:
            if "*" in name:
                patterns.append((Pattern.of(name), meant))
            else:
                exact[name] = meant
    return exact, tuple(sorted(patterns, key=lambda found: (-found[0].weight[0], found[1])))


@cache
def _tops() -> frozenset[str]:
    exact, patterns = _known()
    return frozenset(parts(name)[0] for name in exact) | frozenset(found.segments[0] for found, _ in patterns)
