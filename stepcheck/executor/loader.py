"""A table from a file, to be run: here, and nowhere else, the module a table stands in is imported."""

import importlib
import json
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from stepcheck.executor.declared import BadTable, exec_table
from stepcheck.executor.step import ExecStep

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from stepcheck.stepdef import StepDef

DATA = frozenset({".yaml", ".yml", ".toml", ".json"})


def load_table(place: str) -> dict[str, ExecStep]:
    """Return the table at `FILE` or `FILE:TABLE`, ready to run, its steps in the order written.

    A Python file is imported as the module it is, with the packages it stands in; a YAML, TOML or JSON file
    has its callables imported. Both run code: only for files one would run anyway. Raises BadTable.
    """
    path, name = _split(place)
    if path.is_dir():
        raise BadTable(f"'{path}' is a folder: name a file in it")
    if not path.is_file():
        raise BadTable(f"there is no file '{path}'")
    if path.suffix in DATA:
        return exec_table(definitions(data_table(path, name)), _resolver(path.parent))
    return exec_table(definitions(_python_table(path, name)), _resolver(path.parent))


def _split(place: str) -> tuple[Path, str]:
    path, colon, name = place.rpartition(":")
    # A name has no separator in it: 'C:\\steps.py' has no table named '\\steps.py'.
    return (Path(path), name) if colon and name.isidentifier() else (Path(place), "")


def definitions(table: Mapping[str, Any]) -> dict[str, "StepDef"]:
    """Return the entries of a table as steps, each field checked. Raises BadTable."""
    from pydantic import ValidationError  # noqa: PLC0415 - only a run needs the model

    from stepcheck.stepdef import StepDef  # noqa: PLC0415

    definitions = {}
    for name, entry in table.items():
        if isinstance(entry, StepDef):
            definitions[name] = entry
            continue
        try:
            definitions[name] = StepDef.from_document(entry)
        except ValidationError as error:
            raise BadTable(f"step '{name}': {_told(error.errors()[0])}") from None
    return definitions


def _told(error: "ErrorDetails") -> str:
    """What is wrong with a step: the field and why, without pydantic's talk of inputs."""
    field = ".".join(str(part) for part in error["loc"])
    where = f"{field}: " if field else ""
    match error["type"]:
        case "missing":
            return f"{where}every step needs one"
        case "extra_forbidden":
            return f"{where}steps have no field of that name"
        case "enum":
            return f"{where}{error['input']!r} is none of {error['ctx']['expected']}"
        case _:
            return where + error["msg"].removeprefix("Value error, ")


def _python_table(path: Path, name: str) -> Mapping[str, Any]:
    module = import_file(path)
    if name:
        table = as_table(getattr(module, name, None))
        if table is None:
            raise BadTable(f"'{path}' has no step table '{name}'")
        return table
    found = {key: table for key, value in vars(module).items() if (table := as_table(value)) is not None}
    return _only(found, path)


def _only(found: dict[str, Mapping[str, Any]], path: Path) -> Mapping[str, Any]:
    if len(found) != 1:
        names = ", ".join(f"'{path}:{key}'" for key in sorted(found))
        raise BadTable(f"'{path}' has {len(found)} step tables: {names or 'none with steps in it'}")
    return next(iter(found.values()))


def as_table(value: object) -> Mapping[str, Any] | None:
    """Return the value as a mapping of steps, None for anything else."""
    if isinstance(value, list | tuple) and value and all(_named(entry) for entry in value):
        return {_named(entry): entry for entry in value}
    if not isinstance(value, Mapping) or not value:
        return None
    steps = all(isinstance(key, str) and _is_called(entry) for key, entry in value.items())
    return value if steps and any(_is_step(entry) for entry in value.values()) else None


def _named(entry: object) -> str:
    name = entry.get("name") if isinstance(entry, Mapping) else getattr(entry, "name", None)
    return name if isinstance(name, str) and _is_step(entry) else ""


def _is_called(entry: object) -> bool:
    """Whether it may be meant as a step: one without its effect class is refused, and not overlooked."""
    return (isinstance(entry, Mapping) and "call" in entry) or _is_step(entry)


def _is_step(entry: object) -> bool:
    if isinstance(entry, Mapping):
        return "call" in entry and bool({"effect", "effect_class"} & set(entry))
    return type(entry).__name__ == "StepDef"


def import_file(path: Path) -> ModuleType:
    """Import a file under the name its packages give it: relative imports work. Raises BadTable."""
    path = path.resolve()
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    if parts[-1] == "__init__":
        parts.pop()
    name = ".".join(parts)
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        module = importlib.import_module(name)
    except Exception as error:
        raise BadTable(
            f"'{path}' cannot be imported: {type(error).__name__}: {error}{_cure(error)}"
        ) from error
    if Path(module.__file__ or "").resolve() != path:
        raise BadTable(f"'{path}' cannot be imported as '{name}': '{module.__file__}' has that name already")
    return module


def _cure(error: Exception) -> str:
    absent = isinstance(error, ModuleNotFoundError)
    return "; what it imports has to be installed in the environment that stepcheck runs in" if absent else ""


def _resolver(root: Path) -> Callable[[str], Callable[..., Any]]:
    """Return what follows a dotted path, `shop.calls.create` or `shop.calls:create`, from a folder."""

    def resolve(dotted: str) -> Callable[..., Any]:
        if str(root.resolve()) not in sys.path:
            sys.path.insert(0, str(root.resolve()))
        module_name, _, attribute = dotted.replace(":", ".").rpartition(".")
        outer: list[str] = []
        while module_name:
            try:
                found: Any = importlib.import_module(module_name)
            except ModuleNotFoundError as error:
                if error.name is None or not (module_name + ".").startswith(error.name + "."):
                    raise BadTable(f"'{dotted}' cannot be imported: {error}") from error
                module_name, _, last = module_name.rpartition(".")
                outer.insert(0, last)
                continue
            except Exception as error:
                raise BadTable(f"'{dotted}' cannot be imported: {type(error).__name__}: {error}") from error
            for part in (*outer, attribute):
                found = getattr(found, part, None)
            if not callable(found):
                raise BadTable(f"'{dotted}' names nothing that can be called")
            return found  # type: ignore[no-any-return]
        raise BadTable(f"'{dotted}' names no module that can be imported from '{root}'")

    return resolve


def data_table(path: Path, name: str) -> Mapping[str, Any]:
    """Return a table of a data file as it is written: the one of that name, or the only one. Raises BadTable."""
    found: dict[str, Mapping[str, Any]] = {}
    for document in _read(path):
        whole = document if isinstance(document, Mapping) else {"steps": document}
        tables = whole.get("tables")
        places = [("steps", whole), *whole.items(), *(tables.items() if isinstance(tables, Mapping) else ())]
        for key, value in places:
            inner = value.get("steps") if isinstance(value, Mapping) and "steps" in value else value
            table = as_table(inner)
            if table is not None and table not in found.values():
                found[str(key)] = table
    if not name:
        return _only(found, path)
    if name not in found:
        raise BadTable(f"'{path}' has no step table '{name}'")
    return found[name]


def _read(path: Path) -> list[object]:
    """Return the file's documents: several in YAML, one elsewhere."""
    import yaml  # noqa: PLC0415 - only a run of a data file needs it

    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            return [json.loads(text)]
        return [tomllib.loads(text)] if path.suffix == ".toml" else list(yaml.safe_load_all(text))
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f" (line {error.problem_mark.line + 1})"
        raise BadTable(f"'{path}' cannot be read: {error.problem}{line}") from None
    except (ValueError, OSError, yaml.YAMLError) as error:
        raise BadTable(f"'{path}' cannot be read: {error}") from None
