"""Changes of rows, by SQL, by an ORM, in a document store: of which table, and by what they are picked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, ingredients
from stepcheck.catalogue import sql
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
    walk,
)
from stepcheck.facts import Evidence

EXECUTES = frozenset(
    {
        "execute",
        "executemany",
        "executescript",
        "exec_driver_sql",
        "fetchrow",
        "fetchval",
        "fetch",
        "text",
        "raw",
    }
)
_CHAINED = frozenset({"update", "delete", "aupdate", "adelete", "update_or_create", "aupdate_or_create"})
_DOCUMENTS = frozenset(
    {"update_one", "update_many", "replace_one", "delete_one", "delete_many", "find_one_and_update",
     "find_one_and_replace", "find_one_and_delete", "update_item", "delete_item"}
)  # fmt: skip
STATES = frozenset({"status", "state", "phase", "done", "outcome", "result", "output", "error"})
_STATE = re.compile(r"(?i)\b\w*(?:status|state|phase|result|output|outcome)\s*(?:=|<>|!=|\bIN\b|\bIS\b)")
_AGE = re.compile(
    r"(?i)\b\w*(?:created|updated|finished|closed|expires?|_at|_on|date|time|ts|age)\w*\s*<|\bINTERVAL\b|\bnow\("
)
UPSERTS = re.compile(r"(?i)\bDO\s+UPDATE\b|\bOR\s+REPLACE\b|\bON\s+DUPLICATE\b|^\s*REPLACE\b")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Change:
    """A change of rows, before it is told what the rows are."""

    table: str
    deletes: bool
    names: frozenset[str]
    """Of columns by which the rows are picked."""
    sets: frozenset[str]
    """Of columns that get another value; empty where that is not seen."""
    compares: bool
    call: Call
    evidence: Evidence


def changes(study: Study, flow: Flow) -> Iterator[Change]:
    """Every change or deletion of rows in a function."""
    for point, call in study.context.calls(flow):
        last = words.last(call.dotted) or (call.callee.name if isinstance(call.callee, Attribute) else "")
        if last in EXECUTES and call.arguments:
            yield from _by_sql(study, flow, point, call)
        elif last in _CHAINED:
            yield from _by_chain(study, flow, call, last)
        elif last in _DOCUMENTS:
            yield from _by_document(study, flow, call, last)
        elif last == "merge" and call.arguments:
            yield from _by_merge(study, flow, point, call)
    for point, one in flow.points():
        if isinstance(one, Assign) and isinstance(one.target, Attribute) and one.target.name in STATES:
            yield from _by_row(study, flow, point, one, one.target)


def _by_sql(study: Study, flow: Flow, point: Point, call: Call) -> Iterator[Change]:
    for text in texts(study, flow, call.arguments[0], point):
        for statement in sql.statements(text):
            upserts = statement.verb in ("INSERT", "REPLACE") and UPSERTS.search(text) is not None
            if statement.verb not in ("UPDATE", "DELETE", "TRUNCATE") and not upserts:
                continue
            upper, where = text.upper(), ""
            at = upper.find("WHERE")
            before, where = (text, "") if at < 0 else (text[:at], text[at:])
            if statement.verb in ("DELETE", "TRUNCATE") and _AGE.search(where):
                continue
            compares = statement.claims or (not upserts and bool(_STATE.search(where)))
            picked = frozenset(_NAME.findall(text if upserts else where))
            yield Change(
                statement.table, statement.verb in ("DELETE", "TRUNCATE"), picked,
                frozenset(name.lower() for name in _NAME.findall(before)), compares, call, Evidence.BODY,
            )  # fmt: skip
            return


def texts(study: Study, flow: Flow, value: Expression, point: Point) -> Iterator[str]:
    """The texts that a value may be, with `{}` for what is put into them."""
    for one in ingredients(study.context, flow, value, point):
        match one.value:
            case Compound(kind="text", parts=parts):
                yield "".join(str(part.value) if isinstance(part, Constant) else "{}" for part in parts)
            case Constant(value=str(text), kind="") if " " in text:
                yield text
            case Variable(name=name) if name.isupper():
                yield from _constant(study, name)
            case _:
                pass


def _constant(study: Study, name: str) -> Iterator[str]:
    """The text that a constant of the module holds."""
    for _, one in study.context.file.flows[0].points():
        match one:
            case Assign(target=Variable(name=bound), value=Constant(value=str(text))) if bound == name:
                yield text
            case _:
                pass


def _by_chain(study: Study, flow: Flow, call: Call, last: str) -> Iterator[Change]:
    """`StepLog.objects.filter(...).update(...)`, `session.query(StepLog).filter_by(...).delete()`."""
    if isinstance(call.callee, Variable) and call.arguments:
        chain = [call, *_followed(study, flow, call)]
    else:
        chain = [call, *_before(study, flow, call)]
    model = _model(chain)
    if not model:
        return
    states = [name for one in chain[1:] for name in _picked(one) if name.split("__")[0] in STATES]
    names = [name for one in chain if one is not call or "create" in last for name in _picked(one)]
    sets = frozenset(_picked(call)) if last.endswith("update") else frozenset[str]()
    deletes = "delete" in last
    if deletes and any("__lt" in name or name.endswith(("_at", "created")) for name in names):
        return
    yield Change(model, deletes, frozenset(names), sets, bool(states), call, Evidence.BODY)


def _before(study: Study, flow: Flow, call: Call) -> list[Call]:
    """The calls on whose answers a call is made, the nearest first."""
    found: list[Call] = []
    at: Expression = call.callee
    for _ in range(20):
        if isinstance(at, Attribute | Item):
            at = at.base
        elif isinstance(at, Result):
            made = study.context.operation(flow, at.number)
            if made is None or not isinstance(made[1], Call):
                break
            found.append(made[1])
            at = made[1].callee
        else:
            break
    return found


def _followed(study: Study, flow: Flow, call: Call) -> list[Call]:
    """The calls made on the answer of a call: `update(X).where(...).values(...)`."""
    found: list[Call] = []
    number = call.number
    for _, one in study.context.calls(flow):
        if isinstance(one.callee, Attribute) and one.callee.base == Result(number):
            if one.callee.name != "values":
                found.append(one)
            number = one.number
    return found


def _model(chain: list[Call]) -> str:
    """The class whose rows a chain of calls is about."""
    for one in reversed(chain):
        for value in (one.callee, *one.arguments):
            for part in walk(value):
                if isinstance(part, Variable) and part.name[:1].isupper() and not part.name.isupper():
                    return part.name
    return ""


def _picked(call: Call) -> Iterator[str]:
    """The names of columns among the arguments of a call."""
    yield from (word.name for word in call.keywords if word.name)
    for value in given(call):
        for part in walk(value):
            match part:
                case Attribute(base=Variable(name=name), name=column) if name[:1].isupper():
                    yield column
                case Compound(kind="entry", parts=(Constant(value=str(name)), _)):
                    yield name
                case _:
                    pass


def _by_document(study: Study, flow: Flow, call: Call, last: str) -> Iterator[Change]:
    """`db.step_log.update_one({...}, {"$set": ...})`, `table.update_item(Key={...})`."""
    if not isinstance(call.callee, Attribute):
        return
    match call.callee.base:
        case Item(index=Constant(value=str(name))):
            table = name
        case base:
            table = words.last(dotted(base)) or words.last(
                written(study.context, flow, call).rpartition(".")[0]
            )
    key = call.keyword("Key") or call.keyword("filter")
    first = key.value if key is not None else (call.arguments[0] if call.arguments else None)
    if first is None:
        return
    names = {part.parts[0].value for part in walk(first) if _entry(part)}  # type: ignore[union-attr]
    every = {str(part.value) for value in given(call) for part in walk(value) if isinstance(part, Constant)}
    pushes = any(text.startswith(("$push", "$addToSet", "list_append")) for text in every)
    if pushes:
        return
    conditional = call.keyword("ConditionExpression") is not None
    compares = conditional or bool(STATES.intersection(map(str, names)))
    yield Change(
        table, "delete" in last, frozenset(map(str, names)), frozenset(), compares, call, Evidence.BODY
    )  # fmt: skip


def _entry(part: Expression) -> bool:
    return (
        isinstance(part, Compound)
        and part.kind == "entry"
        and isinstance(part.parts[0], Constant)
        and isinstance(part.parts[0].value, str)
        and not part.parts[0].value.startswith("$")
    )


def _by_merge(study: Study, flow: Flow, point: Point, call: Call) -> Iterator[Change]:
    """`session.merge(StepLog(task_id=..., step=...))`."""
    for one in ingredients(study.context, flow, call.arguments[0], point):
        if isinstance(one.value, Call) and isinstance(one.value.callee, Variable) and one.value.keywords:
            name = one.value.callee.name
            if name[:1].isupper():
                names = frozenset(_picked(one.value))
                yield Change(name, False, names, frozenset(), False, call, Evidence.BODY)
                return


def _by_row(study: Study, flow: Flow, point: Point, one: Assign, target: Attribute) -> Iterator[Change]:
    """`row = StepLog.objects.get(...)`, then `row.status = "done"`."""
    if not isinstance(target.base, Variable):
        return
    for held in study.context.definitions(flow).of(target.base.name, point):
        value = held.value(flow)
        if not isinstance(value, Result):
            continue
        made = study.context.operation(flow, value.number)
        if made is None or not isinstance(made[1], Call):
            continue
        chain = [made[1], *_before(study, flow, made[1])]
        name = words.last(written(study.context, flow, made[1]))
        model = _model(chain)
        if not model or name[:1].isupper() or name in ("create", "acreate", "get_or_create"):
            continue
        names = frozenset(name for call in chain for name in _picked(call))
        states = any(name.split("__")[0] in STATES for name in names) or "select_for_update" in written(
            study.context, flow, made[1]
        )
        yield Change(
            model, False, names, frozenset({target.name}), states, _at(made[1], one), Evidence.BODY
        )  # fmt: skip
        return


def _at(call: Call, one: Assign) -> Call:
    """The call, as if it stood where the row is changed."""
    return Call(call.number, call.callee, call.dotted, "", (), (), False, one.span)
