"""What a run is asked to do: the table's steps in order, each with its params, checked before any is sent."""

import difflib
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from stepcheck.executor.canonical import CanonicalError, canonical
from stepcheck.executor.keys import idempotency_key
from stepcheck.executor.step import ExecStep
from stepcheck.executor.task import Plan
from stepcheck.running.refusal import CannotRun


def make_plan(table: Mapping[str, ExecStep], params: Path | None) -> Plan:
    """Return the steps to run with their params, in the table's order. Raises CannotRun.

    Steps that only make up for others are not among them. Without a file every step gets `{}`; with one,
    each step needs its entry, so that a misspelt name is no step without params.
    """
    undo = compensations(table)
    names = [name for name in table if name not in undo]
    if not names:
        raise CannotRun("the table has no step to run: each of its steps makes up for another")
    given = {name: {} for name in names} if params is None else _read(params)
    if params is not None:
        _match(given, names, undo, params)
    plan = [(name, given[name]) for name in names]
    for name, each in plan:
        _check(table[name], each, params)
    return plan


def compensations(table: Mapping[str, ExecStep]) -> dict[str, str]:
    """Return which steps of the table make up for which: they run when something failed, never forward."""
    return {
        step.compensation.name: name
        for name, step in table.items()
        if step.compensation is not None and step.compensation.name in table
    }


def input_hash(plan: Plan) -> str:
    """Return the digest of all that the steps are given."""
    return sha256(canonical(dict(plan))).hexdigest()


def _read(path: Path) -> dict[str, Mapping[str, Any]]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_no_name_twice)
    except OSError as error:
        raise CannotRun(f"the params file '{path}' cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise CannotRun(f"the params file '{path}' cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise CannotRun(f"the params file '{path}' holds no object from step names to params")
    for name, params in value.items():
        if not isinstance(params, dict):
            raise CannotRun(f"in the params file '{path}', '{name}' is no object of params, {{...}}")
    return value


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name '{name}' is there twice, and only one could count")
        found[name] = value
    return found


def _match(given: Mapping[str, Any], names: list[str], undo: Mapping[str, str], path: Path) -> None:
    wrong = []
    for name in given:
        if name in undo:
            wrong.append(f"'{name}' makes up for '{undo[name]}' and gets its params: take the entry out")
        elif name not in names:
            near = difflib.get_close_matches(name, names, 1)
            wrong.append(f"the table has no step '{name}'{f'; did you mean {near[0]!r}' if near else ''}")
    missing = [name for name in names if name not in given]
    wrong += [f"step '{name}' has no entry: add \"{name}\": {{}} if it needs no params" for name in missing]
    if wrong:
        raise CannotRun("\n".join(f"in the params file '{path}', {each}" for each in wrong))


def _check(step: ExecStep, params: Mapping[str, object], path: Path | None) -> None:
    """Refuse params that could not be recorded, before the first step is sent."""
    place = "give its params with --params FILE.json" if path is None else f"in the params file '{path}'"
    lacking = [name for name in step.identity if name not in params]
    if lacking:
        names = ", ".join(f"'{name}'" for name in lacking)
        raise CannotRun(f"step '{step.name}' has no {names}, which its identity names: {place}")
    try:
        canonical(params)
        idempotency_key("", "", params, identity=step.identity, volatile=step.volatile)
    except CanonicalError as error:
        raise CannotRun(f"step '{step.name}': {error}: {place}") from None
