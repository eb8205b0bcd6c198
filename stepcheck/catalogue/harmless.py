"""Calls that are no effects for us: logs, metrics, traces, caches, pauses."""

from collections.abc import Callable
from functools import cache, lru_cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.imports import usual
from stepcheck.catalogue.names import words
from stepcheck.catalogue.patterns import Pattern, parts


def harmless(qualified: str, dotted: str = "") -> bool:
    """Whether repeating the call harms nothing: by what it is, or by what it is called on (`self.logger.info`)."""
    exact, patterns, receivers, methods = _known()
    name = usual(qualified)
    if name:
        segments = parts(name)
        if name in exact or any(pattern.fits(segments) for pattern in patterns.get(segments[0], ())):
            return True
    written = (dotted or name.removeprefix(":")).split(".")
    if len(written) < 2:
        return False
    return written[-2].removesuffix("()").lower() in receivers or written[-1] in methods


def pauses(qualified: str, dotted: str = "") -> bool:
    """Whether a call waits: `time.sleep`, `self._stop.wait`, `pause_before_retry`."""
    known, name = _told()["pauses"], usual(qualified)
    if name in known:
        return True
    if "." in name and name.partition(".")[0] in _told()["packages"]:
        return False
    last = dotted.rpartition(".")[2]
    found = words(last)
    return (
        bool(found)
        and found[0] in known
        and last[:1].islower()
        and found[0:1] != found[1:2]
        and len(found) < 4
    )


@lru_cache(4096)
def calm(qualified: str, dotted: str) -> bool:
    """Whether a call surely only computes, logs or counts: most calls do, and need not be asked about further."""
    if qualified.startswith("builtins.") and not {"(", "[", "."}.intersection(qualified[9:]):
        return qualified[9:] not in _told()["builtins_that_act"]
    pieces = dotted.split(".")
    return len(pieces) > 1 and pieces[-2].lower() in _told()["logs"] and pieces[-1] in _told()["levels"]


def mentions_pause(name: str) -> bool:
    """Whether a word of a name, wherever it stands, is one of waiting."""
    return bool(_told()["pauses"].intersection(words(name)))


def plain(qualified: str, dotted: str, *, classes: Callable[[str], bool]) -> bool:
    """Whether a call only computes or makes something in memory: builtins, methods of texts, classes called."""
    told = _told()
    name = usual(qualified)
    if name.startswith("builtins.") and not {"(", "["}.intersection(name):
        return name.removeprefix("builtins.").split(".")[0] not in told["builtins_that_act"]
    last = (dotted or name).rpartition(".")[2]
    if name.partition(".")[0] in told["packages"]:
        return True
    if classes(last) and not last.isupper():
        return True
    return "." in dotted and (last in told["computes"] or last.startswith(tuple(told["computes_beginning"])))


@cache
def _told() -> dict[str, frozenset[str]]:
    table = contents("harmless")
    names = ("pauses", "computes", "computes_beginning", "packages", "builtins_that_act", "logs", "levels")
    return {name: frozenset(table[name]) for name in names}


@cache
def _known() -> tuple[frozenset[str], dict[str, list[Pattern]], frozenset[str], frozenset[str]]:
    table = contents("harmless")
    patterns: dict[str, list[Pattern]] = {}
    for name in table["names"]:
        if "*" in name:
            patterns.setdefault(parts(name)[0], []).append(Pattern.of(name))
    exact = frozenset(name for name in table["names"] if "*" not in name)
    return exact, patterns, frozenset(table["receivers"]), frozenset(table["methods"])
