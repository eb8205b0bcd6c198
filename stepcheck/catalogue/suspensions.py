"""Where a function stops and is later begun again from its top."""

from functools import cache
from typing import Any

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words


def by_call(qualified: str) -> str:
    """Who begins the function again after a call of that name, like `Call.qualified`; nothing for other calls."""
    if qualified.startswith((":", "builtins.")):
        return ""
    first, _, last = qualified.removeprefix("?").rpartition(".")
    for one in _table()["call"]:
        package = first.partition(".")[0]
        if last == one["name"] and (package == one["package"] or (qualified.startswith("?") and not first)):
            return str(one["who"])
    return ""


def by_class(name: str) -> str:
    """Who calls again after something of that class was raised or returned; nothing for other classes."""
    found = set(words(name.rpartition(".")[2]))
    return next((str(one["who"]) for one in _table()["ask"] if found.issuperset(one["words"])), "")


def replays(decorator: str) -> str:
    """Who runs a function with that decorator again from its top, as written; nothing for other decorators."""
    parts = decorator.removesuffix("()").split(".")
    names = {parts[-1], ".".join(parts[-2:])}
    return next(
        (str(one["who"]) for one in _table()["replay"] if not names.isdisjoint(one["decorators"])), ""
    )


def kept(decorator: str) -> bool:
    """Whether the answer of a function with that decorator is kept, as written."""
    return decorator.removesuffix("()").rpartition(".")[2] in _table()["steps"]["decorators"]


@cache
def _table() -> dict[str, Any]:
    return contents("suspensions")
