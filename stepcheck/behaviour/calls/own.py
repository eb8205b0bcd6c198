"""What the user's configuration says of calls: it goes before everything else."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from stepcheck.behaviour.context import Context
from stepcheck.catalogue.arguments import NOTHING, Arguments
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.call_table import EMPTY, Table, read_table
from stepcheck.catalogue.calls import told
from stepcheck.code.flow import Call
from stepcheck.facts import Evidence

SECTION = "[tool.stepcheck.calls]"


def own_table(written: Mapping[str, Mapping[str, Any]]) -> Table:
    """The entries of the configuration as a table; a key's name stands for an argument of the call."""
    if not written:
        return EMPTY
    calls = []
    for name, entry in written.items():
        key = {"name": entry["key"], "in": "keyword", "effect": "idem_write"} if entry.get("key") else None
        calls.append(
            {
                "names": [name],
                "effect": entry["effect"],
                "kind": "orm" if entry.get("rows") else "project",
                "claims": entry.get("claims", False),
                **({"key": key} if key else {}),
            }
        )
    return read_table({"source": SECTION, "calls": calls})


def own_fact(context: Context, call: Call, name: str, given: Arguments = NOTHING) -> CallFact | None:
    """What the configuration says of a call: by its dotted path, from whatever root, or as it is written (`name`).

    A pattern that begins with `*.` fits whatever the rest is called on.
    """
    if not context.own.written:
        return None
    for one in _names(context.file.path, call.qualified, name):
        entry = context.own.find(one)
        if entry is not None:
            return replace(told(entry, given), evidence=Evidence.DECLARED)
    return None


def _names(path: str, qualified: str, name: str) -> Iterator[str]:
    module = path.removesuffix(".py").removesuffix("/__init__").split("/")
    if qualified.startswith(":"):
        for start in range(len(module)):
            yield ".".join((*module[start:], qualified[1:]))
    elif qualified.startswith("."):
        ups = len(qualified) - len(qualified.lstrip("."))
        package = module[: max(len(module) - ups, 0)]
        for start in range(len(package) + 1):
            yield ".".join((*package[start:], qualified.lstrip(".")))
    elif qualified:
        yield qualified.removeprefix("?")
    if name:
        yield name
        yield f"_.{name}"
