"""Calls that are no effects for us: logs, metrics, traces, caches, pauses."""

import tomllib
from functools import cache
from pathlib import Path

from stepcheck.catalogue.patterns import Pattern, parts


def harmless(qualified: str, dotted: str = "") -> bool:
    """Whether repeating the call harms nothing: by what it is, or by what it is called on (`self.logger.info`)."""
    exact, patterns, receivers, methods = _known()
    name = qualified.removeprefix("?")
    if name:
        segments = parts(name)
        if name in exact or any(pattern.fits(segments) for pattern in patterns.get(segments[0], ())):
            return True
    written = (dotted or name.removeprefix(":")).split(".")
    if len(written) < 2:
        return False
    return written[-2].removesuffix("()").lower() in receivers or written[-1] in methods


@cache
def _known() -> tuple[frozenset[str], dict[str, list[Pattern]], frozenset[str], frozenset[str]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    patterns: dict[str, list[Pattern]] = {}
    for name in table["names"]:
        if "*" in name:
            patterns.setdefault(parts(name)[0], []).append(Pattern.of(name))
    exact = frozenset(name for name in table["names"] if "*" not in name)
    return exact, patterns, frozenset(table["receivers"]), frozenset(table["methods"])
