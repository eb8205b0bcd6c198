"""An example made ready to be run: its files, what is believed of their calls, and where a run begins."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from stepcheck.catalogue import undo
from stepcheck.facts.seen import SeenCall
from stepcheck.harms.rewrite import Runnable, runnable
from stepcheck.harms.sites import Sites, sites
from stepcheck.page import Example

MODULE = "<module>"
"""Where a run begins that is an import of the file."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One Python file of an example."""

    code: Runnable
    sites: Sites
    entry: str
    """The function that is run, `Bank.transfer`, or MODULE."""
    role: str
    """What it is run as, by the linter: `task`, `webhook`; empty where only other code calls it."""

    writes: frozenset[str] = frozenset()
    """Names of calls that its findings take for writes."""
    then: tuple[str, ...] = ()
    """Further steps that its engine runs after it, each by itself."""

    @property
    def undoing(self) -> frozenset[str]:
        """Calls that take back what another call of the example did."""
        calls = self.sites.calls.values()
        sent = {one.name for one in calls if one.deed in ("write", "sets")}
        sent |= {one.name for one in calls if one.deed == "opaque" and one.name in self.writes}
        taking = {name for name in sent if any(undo.undoes(part) for part in name.split(".")[-2:])}
        taking |= {name for name in _names(self.code) if undo.generic(name.rpartition(".")[2])}
        return frozenset(
            taking if sent - taking or not sent else {one for one in taking if undo.generic(one)}
        )

    @property
    def commits(self) -> bool:
        """Whether it says itself when its database keeps what was written."""
        return any(name.endswith(".commit") for name in _names(self.code))

    def site(self, number: int) -> SeenCall | None:
        """What the call of that number is for."""
        return self.sites.at(self.code.calls[number])


def prepared(example: Example, twin: "Prepared | None" = None) -> Prepared | None:
    """Make an example ready; None where it holds no code. The good twin begins where the bad one does."""
    python = [(name, text) for name, text in example.files.items() if name.endswith(".py")]
    if len(python) != 1:
        return None
    path, text = python[0]
    tree = ast.parse(text)
    found = sites(path, text)
    functions = _functions(tree)
    if twin is not None:
        entry = twin.entry if twin.entry in functions or twin.entry == MODULE else _last(functions)
    else:
        lines = [mark.line for mark in example.marks]
        entry = _around(functions, lines[0] if lines else 0)
    roles = {seen.name: seen.runs[0].role for seen in found.functions if seen.runs}
    quoted = twin.writes if twin else frozenset(quoted_in(example) & called(tree))
    role = roles.get(entry, "")
    steps = [name for name in functions if roles.get(name) == "step" and name != entry] if twin else []
    return Prepared(runnable(text), found, entry, role, quoted, tuple(steps))


def _names(code: Runnable) -> set[str]:
    return {ast.unparse(call.func) for call in code.calls if not isinstance(call.func, ast.Call)}


def called(tree: ast.Module) -> set[str]:
    """Names that are called, or handed on to be called."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {ast.unparse(one) for call in calls for one in (call.func, *call.args)}


def quoted_in(example: Example) -> set[str]:
    """Names that the findings of an example quote."""
    return set(_QUOTED.findall(" ".join(mark.text for mark in example.marks)))


_QUOTED = re.compile(r"'([\w.]+)'")


def _functions(tree: ast.Module) -> Mapping[str, ast.AST]:
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found[node.name] = node
            case ast.ClassDef():
                for inner in node.body:
                    if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        found[f"{node.name}.{inner.name}"] = inner
    return found


def _around(functions: Mapping[str, ast.AST], line: int) -> str:
    """The function around a line, or the one that calls it."""
    for name, node in functions.items():
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])  # type: ignore[attr-defined]
        if first <= line <= (node.end_lineno or 0):  # type: ignore[attr-defined]
            callers = [other for other, body in functions.items() if other != name and _calls(body, name)]
            return callers[0] if callers else name
    return MODULE


def _calls(body: ast.AST, name: str) -> bool:
    last = name.rpartition(".")[2]
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == last
        for node in ast.walk(body)
    )


def _last(functions: Mapping[str, ast.AST]) -> str:
    return list(functions)[-1] if functions else MODULE
