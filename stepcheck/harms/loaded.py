"""A step table as the reference executor's loader takes or refuses it, before anything runs."""

import ast
import importlib
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stepcheck import engine
from stepcheck.demo import Message
from stepcheck.executor.declared import BadTable
from stepcheck.executor.loader import DATA, load_table
from stepcheck.harms import rewrite
from stepcheck.harms.judge import Wrong
from stepcheck.harms.outside import Beat
from stepcheck.harms.trial import Played
from stepcheck.page import Example
from stepcheck.settings import Settings

_STUB = "def {}(params, ctx): ...\n"
_OUTSIDE = "the_outside"
"""The module that holds what an example leaves undefined."""
_EXECUTOR = "executor"


def loaded(example: Example) -> Played:
    """Give the first file of an example to the loader."""
    name = next(iter(example.files))
    with tempfile.TemporaryDirectory() as folder:
        _write(example, Path(folder))
        try:
            with _imports(Path(folder)):
                table, why = load_table(str(Path(folder) / name)), ""
        except BadTable as error:
            table, why = {}, str(error).replace(f"{folder}/", "")
    steps = ", ".join(f"'{step}'" for step in table)
    told = f"It refuses to begin: {why}" if why else f"It takes the table, and can begin: {steps}"
    short = "refuses the table" if why else "takes the table"
    return Played(
        (),
        (),
        (Beat(told, (Message(_EXECUTOR, _EXECUTOR, f"{short} in {name}"),)),),
        (Wrong("refused", why),) if why else (),
        (),
        tuple((step, "not begun") for step in table),
    )


@contextmanager
def _imports(folder: Path) -> Iterator[None]:
    """Import from a folder what it holds, whatever has the same names already, and leave no trace of that."""
    path = list(sys.path)
    own = {file.stem for file in folder.iterdir() if file.is_dir() or file.suffix == ".py"}
    hidden = {name: sys.modules.pop(name) for name in _of(own)}
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = path
        for name in _of(own):
            del sys.modules[name]
        sys.modules.update(hidden)


def _of(own: set[str]) -> list[str]:
    """The modules that are imported from one of these, or are one."""
    return [name for name in sys.modules if name.partition(".")[0] in own]


def _write(example: Example, folder: Path) -> None:
    """Write the files of an example, and beside them what they name and do not hold."""
    for name, text in example.files.items():
        (folder / name).write_text(text, "utf-8")
    outside: dict[str, list[str]] = {}
    for dotted in _named(example, folder):
        module, _, last = dotted.rpartition(".")
        if module and f"{module}.py" not in example.files:
            outside.setdefault(module, []).append(last)
    for name, text in example.files.items():
        undefined = rewrite.undefined(_parsed(text)) if name.endswith(".py") else ()
        if undefined:
            outside.setdefault(_OUTSIDE, []).extend(undefined)
            (folder / name).write_text(f"from {_OUTSIDE} import {', '.join(undefined)}\n{text}", "utf-8")
    for module, names in outside.items():
        place = folder.joinpath(*module.split(".")).with_suffix(".py")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(_STUB.format(name) for name in dict.fromkeys(names)), "utf-8")


def _named(example: Example, folder: Path) -> Iterator[str]:
    """The dotted paths that tables in data files give, and what Python files import."""
    tables = engine.tables(Settings(root=folder), ["."], cwd=folder)
    for table in tables:
        if Path(table.span.path).suffix in DATA:
            for step in table.steps:
                found = (step.call.value, step.query.value, step.compensate.value)
                yield from (one.name for one in found if one is not None)
    for name, text in example.files.items():
        for node in ast.walk(_parsed(text)) if name.endswith(".py") else ():
            if isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Module([], [])
