"""Functions of a file that look like calls to the outside, and what a repeat of each probably does."""

import ast
import tomllib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stepcheck.catalogue.names import states_outcome, words
from stepcheck.facts import Effect

_KNOWN = tomllib.loads(Path(__file__).with_name("verbs.toml").read_text("utf-8"))
READS = frozenset(_KNOWN["reads"])
WRITES = frozenset(_KNOWN["writes"])
_CLIENTS = frozenset(_KNOWN["clients"])
_VERBS = {
    "get": Effect.READ,
    "head": Effect.READ,
    "options": Effect.READ,
    "put": Effect.IDEM_WRITE,
    "delete": Effect.IDEM_WRITE,
    "post": Effect.NON_IDEM_WRITE,
    "patch": Effect.NON_IDEM_WRITE,
}
_ORDER = (Effect.NON_IDEM_WRITE, Effect.IDEM_WRITE, Effect.READ)
"""The worst that a body does is what it does."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One function that may be a step's call."""

    name: str
    dotted: str
    line: int
    effect: Effect
    why: str
    """On what the effect rests; completes "guess: "."""


def guesses(data: bytes, module: str) -> Iterator[Guess]:
    """The functions at the top of a file that look like calls to the outside, where the file parses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith(
            ("_", "test")
        ):
            found = _effect(node)
            if found is not None:
                yield Guess(node.name, f"{module}.{node.name}", node.lineno, *found)


def asks_about(query: str, write: str) -> bool:
    """Whether that name asks whether the other happened: `find_ticket` for `create_ticket`."""
    asked, written = words(query), words(write)
    return len(written) > 1 and len(asked) > 1 and asked[0] in READS and asked[1:] == written[1:]


def _effect(node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[Effect, str] | None:
    called = [(effect, name) for effect, name in _outside(node)]
    first = (words(node.name) or ("",))[0]
    if called:
        worst, name = min(called, key=lambda each: _ORDER.index(each[0]))
        if worst is Effect.NON_IDEM_WRITE and states_outcome(node.name):
            return Effect.IDEM_WRITE, f"it calls {name}, and its name sets an outcome"
        if worst is Effect.NON_IDEM_WRITE and first in READS:
            return Effect.READ, f"its name starts with {first!r}, though it calls {name}"
        return worst, f"it calls {name}"
    if first in WRITES and len(words(node.name)) > 1 and _calls_a_service(node):
        effect = Effect.IDEM_WRITE if states_outcome(node.name) else Effect.NON_IDEM_WRITE
        return effect, f"its name starts with {first!r}"
    return None


def _outside(node: ast.AST) -> Iterator[tuple[Effect, str]]:
    """Calls of an HTTP client's verbs, with what each does."""
    for name in _called(node):
        *owner, verb = name.split(".")
        if owner and verb in _VERBS and _CLIENTS.intersection(words(owner[-1])):
            yield _VERBS[verb], name


def _calls_a_service(node: ast.AST) -> bool:
    """Whether the body calls a method whose name is that of a write: `smtp.send_message(...)`."""
    return any(
        "." in name and WRITES.intersection(words(name.rpartition(".")[2])[:1]) for name in _called(node)
    )


def _called(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            parts: list[str] = []
            function: ast.expr = inner.func
            while isinstance(function, ast.Attribute):
                parts.append(function.attr)
                function = function.value
            if isinstance(function, ast.Call):  # httpx.Client().post(...)
                function = function.func
                while isinstance(function, ast.Attribute):
                    parts.append(function.attr)
                    function = function.value
            if isinstance(function, ast.Name):
                yield ".".join([function.id, *reversed(parts)])
