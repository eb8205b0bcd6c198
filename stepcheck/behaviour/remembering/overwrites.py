"""Changes and deletions of rows that say what steps did: by SQL, by an ORM, in a document store."""

from collections.abc import Iterable, Iterator

from stepcheck.behaviour.calls import rowchanges, words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given
from stepcheck.catalogue import sql
from stepcheck.catalogue.memory import says, within
from stepcheck.catalogue.names import words as split
from stepcheck.code.flow import (
    Attribute,
    Call,
    Flow,
    Result,
)
from stepcheck.facts.remembering import RowChange

_STEP = frozenset({"step", "step_name", "step_key", "node", "activity", "action", "call_id", "tool_call_id"})


def overwrites(study: Study) -> Iterator[RowChange]:
    """Every change of rows of a log, or of rows that are picked by task and step."""
    found = [one for flow in study.flows for one in rowchanges.changes(study, flow) if _concerns(one)]
    if not found:
        return
    logs = {table for flow in study.flows for table in _added(study, flow)}
    for one in found:
        keyed = _keyed(one.names)
        log = bool(within("log", one.table)) and (keyed or _of_runs(one.table))
        beside = any(table != one.table for table in logs)
        yield RowChange(
            one.call.span, one.table, one.deletes, log, keyed, one.compares, beside and not log, one.evidence
        )


def _of_runs(table: str) -> bool:
    """Whether a table's name says that it is a log of what was carried out: `step_log`, `WorkflowEvent`."""
    return bool(within("run", table)) and len(split(table)) > 1


def _concerns(change: rowchanges.Change) -> bool:
    if within("derived", change.table):
        return False
    if within("log", change.table):
        return _keyed(change.names) or _of_runs(change.table)
    return (
        (not change.table or bool({"step", "steps"}.intersection(split(change.table))))
        and _keyed(change.names)
        and (change.deletes or not change.sets or bool(rowchanges.STATES.intersection(change.sets)))
    )


def _keyed(names: Iterable[str]) -> bool:
    """Whether there is a task's column among the names, and a step's."""
    found = set(names)
    steps = {
        name for name in found if name.lower() in _STEP or (says("number", name) and not says("task", name))
    }
    return bool(steps) and any(says("task", name) for name in found - steps)


def _added(study: Study, flow: Flow) -> Iterator[str]:
    """The logs that a function adds rows to."""
    for point, call in study.context.calls(flow):
        last = words.last(call.dotted) or (call.callee.name if isinstance(call.callee, Attribute) else "")
        if last in rowchanges.EXECUTES and call.arguments:
            for text in rowchanges.texts(study, flow, call.arguments[0], point):
                for statement in sql.statements(text):
                    if statement.verb == "INSERT" and not rowchanges.UPSERTS.search(text):
                        yield from [statement.table] if within("log", statement.table) else []
        elif last in ("create", "acreate", "bulk_create", "add", "insert_one", "append", "put"):
            name = written(study.context, flow, call)
            for part in (name, *(one.dotted for one in _made(study, flow, call))):
                for word in part.split("."):
                    if within("log", word):
                        yield word
                        break


def _made(study: Study, flow: Flow, call: Call) -> Iterator[Call]:
    """The calls whose answers are arguments of a call."""
    for value in given(call):
        made = study.context.operation(flow, value.number) if isinstance(value, Result) else None
        if made is not None and isinstance(made[1], Call):
            yield made[1]
