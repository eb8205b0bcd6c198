"""A step table with the code beside it, ready to be run: its files as modules that import each other."""

import ast
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from stepcheck.executor.loader import DATA, as_table, data_table, definitions
from stepcheck.harms.declared import declared
from stepcheck.harms.life import executed
from stepcheck.harms.prepared import MODULE, Prepared, called, quoted_in
from stepcheck.harms.process import Process
from stepcheck.harms.rewrite import Runnable, runnable
from stepcheck.harms.sites import Sites, sites
from stepcheck.page import Example

if TYPE_CHECKING:
    from stepcheck.stepdef import StepDef

_APART = 10_000
"""Lines between the beginnings of two files, so that no two of their calls stand at one place."""


@dataclass(frozen=True, slots=True)
class Program:
    """The files of an example whose table is run."""

    prepared: Prepared
    """All its code together."""
    modules: Mapping[str, Runnable]
    data: Mapping[str, Any]
    """The table of a data file, as it is written; empty where it stands in one of the modules."""
    replaced: tuple[str, ...] = ()
    """Calls of steps that a later step of the same name takes the place of."""


def has_bodies(example: Example) -> bool:
    """Whether an example tells what a function of it does: more than `...`."""
    trees = [ast.parse(text) for name, text in example.files.items() if name.endswith(".py")]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    return any(ast.unparse(one.body[0]) != "..." for one in functions)


def program(example: Example, twin: "Program | None" = None) -> Program:
    """Make an example ready. What findings take for writes in the bad one is a write in its twin."""
    python = [(name, text) for name, text in example.files.items() if name.endswith(".py")]
    modules: dict[str, Runnable] = {}
    found: list[Sites] = []
    number = 0
    for at, (name, text) in enumerate(python):
        modules[Path(name).stem] = runnable(text, number, at * _APART)
        number += len(modules[Path(name).stem].calls)
        found.append(sites(name, text, at * _APART))
    quoted = {name for _, text in python for name in quoted_in(example) & called(ast.parse(text))}
    joined = Prepared(
        _joined(list(modules.values())),
        Sites(
            {place: call for each in found for place, call in each.calls.items()},
            tuple(function for each in found for function in each.functions),
        ),
        MODULE,
        "step",
        twin.prepared.writes if twin else frozenset(quoted),
    )
    return Program(joined, modules, _data(example), tuple(_replaced(example)))


def steps(program: Program, process: Process) -> "dict[str, StepDef]":
    """Execute the files in a process, and give the steps of their table with the process's functions."""
    made: dict[str, SimpleNamespace] = {}

    def module(name: str) -> SimpleNamespace:
        if name not in made:
            made[name] = SimpleNamespace()
            vars(made[name]).update(executed(program.modules[name], process, imported))
        return made[name]

    def imported(dotted: str) -> Any:
        name, _, last = dotted.partition(".")
        if name not in program.modules:
            return process.thing(dotted)
        return getattr(module(name), last) if last else module(name)

    def resolved(value: object) -> object:
        return process.thing(value) if isinstance(value, str) and value not in program.data else value

    if program.data:
        table = {
            name: {field: resolved(value) if field in _CALLED else value for field, value in entry.items()}
            for name, entry in program.data.items()
        }
        return definitions(table)
    for name in program.modules:
        for value in vars(module(name)).values():
            found = as_table(value)
            if found is not None:
                return definitions(found)
    raise ValueError("there is no step table in the example")


_CALLED = frozenset({"call", "query", "compensate"})
_CALL = re.compile(r"""\bcall["']?: *([\w.]+)""")


def _data(example: Example) -> Mapping[str, Any]:
    for name, text in example.files.items():
        if Path(name).suffix in DATA:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / name
                path.write_text(text, "utf-8")
                return data_table(path, "")
    return {}


def _replaced(example: Example) -> Iterator[str]:
    for table in dict.fromkeys(one.table for one in declared(example)):
        for repeated in table.repeated:
            lines = example.files[repeated.first.path].splitlines()[repeated.first.line - 1 :]
            found = _CALL.search("\n".join(lines))
            if found:
                yield found[1]


def _joined(parts: list[Runnable]) -> Runnable:
    whole = runnable("")
    return replace(
        whole,
        calls=tuple(call for part in parts for call in part.calls),
        handled=tuple(dict.fromkeys(name for part in parts for name in part.handled)),
        raised=tuple(dict.fromkeys(name for part in parts for name in part.raised)),
        tested=any(part.tested for part in parts),
        unwinds=any(part.unwinds for part in parts),
    )
