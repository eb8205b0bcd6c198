"""Answers of any length that are put into rows of a log of steps."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import rowchanges, words
from stepcheck.behaviour.calls.acts import Deed, written
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, numbers
from stepcheck.catalogue import sql
from stepcheck.catalogue.memory import within
from stepcheck.catalogue.names import why_bulky
from stepcheck.catalogue.names import words as split
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Variable,
    dotted,
)
from stepcheck.facts import Evidence
from stepcheck.facts.remembering import StoredOutput

_FIELDS = {
    "text": "a response's body", "content": "a response's body", "body": "a response's body",
    "html": "a page", "stdout": "what a process printed", "page_content": "a document", "markdown": "a document",
}  # fmt: skip
_CALLS = {
    "json": "a response's body", "read": "all of a file or body", "read_text": "all of a file",
    "read_bytes": "all of a file", "readlines": "all of a file", "fetchall": "every row", "all": "every row",
    "mappings": "every row", "to_dicts": "every row", "to_list": "every row",
    "to_json": "every row", "to_csv": "every row", "to_html": "every row", "getvalue": "all of a buffer",
    "text": "a response's body", "getText": "a page", "get_text": "a page", "find_all": "every match",
    "aread": "a response's body",
}  # fmt: skip
_CARRY = frozenset(
    {"dumps", "str", "loads", "decode", "encode", "list", "strip", "dict", "repr", "join", "Jsonb", "Json"}
)
_ADDS = frozenset(
    {"append", "add", "record", "write", "put", "insert", "log", "done", "finish", "complete", "emit"}
)
_SAVES = frozenset({"add", "add_all", "merge", "save", "insert", "insert_one", "bulk_create"})
_LOGS = frozenset({"ledger", "journal", "wal"})
_DEPTH = 8


def stored(study: Study) -> Iterator[StoredOutput]:
    """Every such answer, one a row."""
    for flow in study.flows:
        for point, call in study.context.calls(flow):
            log = _log(study, flow, point, call)
            if not log:
                continue
            for value in (*call.arguments, *(word.value for word in call.keywords)):
                found = _long(study, flow, value, point, _DEPTH)
                if found is not None:
                    text, why, evidence = found
                    yield StoredOutput(call.span, log, text, why, evidence)
                    break


def _log(study: Study, flow: Flow, point: Point, call: Call) -> str:
    """The log that a call adds a row to, as written, or nothing."""
    last = words.last(call.dotted) or (call.callee.name if isinstance(call.callee, Attribute) else "")
    if last in rowchanges.EXECUTES and len(call.arguments) > 1:
        for text in rowchanges.texts(study, flow, call.arguments[0], point):
            for statement in sql.statements(text):
                if statement.verb in ("INSERT", "UPDATE") and _rows(statement.table):
                    return statement.table
        return ""
    if isinstance(call.callee, Variable):
        made = call.callee.name
        row = made[:1].isupper() and _rows(made) and bool(call.keywords) and _saved(study, flow, call)
        return made if row else ""
    if not isinstance(call.callee, Attribute):
        return ""
    name = written(study.context, flow, call)
    if last == "values":
        return _inserted(study, flow, call)
    parts = name.split(".")
    receiver = words.last(name.rpartition(".")[0])
    if last in ("create", "acreate") and parts[0][:1].isupper():
        return parts[0] if _rows(parts[0]) else ""
    if last == "insert_one":
        return receiver if _rows(receiver) else ""
    adds = bool(_ADDS.intersection(split(last)))
    return receiver if adds and (_LOGS.intersection(split(receiver)) or _rows(receiver)) else ""


def _inserted(study: Study, flow: Flow, call: Call) -> str:
    """The log that `insert(step_log).values(...)` adds a row to."""
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    made = study.context.operation(flow, base.number) if isinstance(base, Result) else None
    if made is None or not isinstance(made[1], Call) or words.last(made[1].dotted) != "insert":
        return ""
    name = next((dotted(value) for value in made[1].arguments if dotted(value)), "")
    return name if _rows(words.last(name)) else ""


def _saved(study: Study, flow: Flow, made: Call) -> bool:
    """Whether what a call makes is put into a session or a table, and is not only an object."""
    return any(
        words.last(call.dotted) in _SAVES
        and any(made.number in numbers(study.context, flow, value, point) for value in given(call))
        for point, call in study.context.calls(flow)
    ) or any(
        isinstance(call.callee, Attribute)
        and call.callee.name in ("save", "asave", "insert")
        and made.number in numbers(study.context, flow, call.callee.base, point)
        for point, call in study.context.calls(flow)
    )


def _rows(name: str) -> bool:
    """Whether rows of that name say what was carried out: `step_log`, `AgentEvent`, `ledger`."""
    if within("derived", name):
        return False
    return bool(within("log", name)) and (bool(within("run", name)) or bool(_LOGS.intersection(split(name))))


def _long(
    study: Study, flow: Flow, value: Expression, point: Point, left: int
) -> tuple[str, str, Evidence] | None:
    """The first part of a value that may be of any length, as written, with why; None where there is none."""
    if left <= 0:
        return None
    context = study.context
    match value:
        case Variable(name=name):
            held = [(one.value(flow), one.point) for one in context.definitions(flow).of(name, point)]
            parts = [(part, place) for part, place in held if part is not None and place is not None]
            return _first(study, flow, parts, left)
        case Attribute(base=base, name=name) if name in _FIELDS and _read(study, flow, base, point):
            return (dotted(value) or f".{name}"), _FIELDS[name], Evidence.BODY
        case Compound(kind="dict" | "list" | "tuple" | "text" | "format" | "binary" | "choice", parts=inner):
            return _first(study, flow, [(part, point) for part in inner], left)
        case Compound(kind="entry", parts=(_, held)):
            return _long(study, flow, held, point, left - 1)
        case Result(number=number):
            made = context.operation(flow, number)
            if made is not None and isinstance(made[1], Call):
                return _answer(study, flow, made[1], made[0], left)
        case _:
            pass
    return None


def _first(
    study: Study, flow: Flow, parts: list[tuple[Expression, Point]], left: int
) -> tuple[str, str, Evidence] | None:
    found = (_long(study, flow, part, place, left - 1) for part, place in parts)
    return next((one for one in found if one is not None), None)


def _answer(
    study: Study, flow: Flow, call: Call, point: Point, left: int
) -> tuple[str, str, Evidence] | None:
    name = written(study.context, flow, call)
    last = words.last(name)
    if last in _CARRY:
        base = [call.callee.base] if isinstance(call.callee, Attribute) else []
        return _first(study, flow, [(value, point) for value in (*call.arguments, *base)], left)
    if last in _CALLS and isinstance(call.callee, Attribute):
        reads = last not in ("json", "text", "read", "aread") or _read(study, flow, call.callee.base, point)
        return (f"{name}()", _CALLS[last], Evidence.BODY) if reads and not _bounded(call) else None
    word = why_bulky(name)
    if word and not study.context.called(flow, call) and _deed(study, flow, call) is not Deed.WRITE:
        return f"{name}()", f"by the word {word!r} in its name", Evidence.NAME
    return None


def _bounded(call: Call) -> bool:
    """Whether a call says how much it reads."""
    return any(isinstance(value, Constant) and isinstance(value.value, int) for value in call.arguments)


def _deed(study: Study, flow: Flow, call: Call) -> Deed | None:
    act = study.act(flow, call)
    return None if act is None else act.deed


def _read(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a value is the answer of something that only asks, and no receipt of a write."""
    for _ in range(_DEPTH):
        match value:
            case Attribute(base=base) | Item(base=base):
                value = base
            case Variable(name=name):
                held = [one.value(flow) for one in study.context.definitions(flow).of(name, point)]
                known = [one for one in held if one is not None]
                if not known or len(known) != len(held):
                    return False
                value = known[0]
            case Result(number=number):
                made = study.context.operation(flow, number)
                if made is None or not isinstance(made[1], Call):
                    return made is not None and not isinstance(made[1], Assign)
                deed = _deed(study, flow, made[1])
                return deed not in (Deed.WRITE, Deed.SETS, Deed.RECORD, Deed.CLAIM, None)
            case _:
                return False
    return False
