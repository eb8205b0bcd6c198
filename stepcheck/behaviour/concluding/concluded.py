"""What an operation says of how a write ended: records, answers and raises of `failed`, `done`, `unknown`."""

from dataclasses import dataclass

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.concluding.answers import answers, code, quoted, spelled, state, text
from stepcheck.behaviour.concluding.stated import entries, statement
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import conclusions, names
from stepcheck.catalogue.conclusions import Ended
from stepcheck.catalogue.harmless import harmless
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    Expression,
    Flow,
    Item,
    Operation,
    Point,
    Raise,
    Result,
    Return,
    dotted,
)
from stepcheck.facts import Span

_STATEMENTS = frozenset(
    {"execute", "executemany", "exec_driver_sql", "fetchrow", "fetchval", "fetch_one", "run"}
)
_ADDS = frozenset({"add", "append", "sadd"})
_FAILS = frozenset({"fail", "decline", "reject"})


@dataclass(frozen=True, slots=True)
class Concluded:
    """One thing said of how something ended."""

    ended: Ended
    how: str
    """For messages: `'cart.status' is set to 'failed'`."""
    point: Point
    span: Span
    record: bool
    """It is written down; else it is answered or raised."""
    plain: bool = True
    """It is said in so many words; else by a status or a flag, which people use loosely."""


def concluded(context: Context, flow: Flow, point: Point, operation: Operation) -> Concluded | None:
    """What the operation says, or None."""
    match operation:
        case Assign(target=Attribute() | Item()):
            return _assigned(point, operation)
        case Call():
            return _called(context, flow, point, operation)
        case Return(value=value):
            return _answered(context, flow, point, value, operation.span)
        case Raise():
            return _raised(context, flow, point, operation)
        case _:
            return None


def _assigned(point: Point, operation: Assign) -> Concluded | None:
    target = operation.target
    match target:
        case Attribute(name=name):
            text = dotted(target) or name
        case Item(base=base, index=Constant(value=str(name))):
            text = f"{dotted(base)}[{name}]"
        case _:
            return None
    if conclusions.holds_state(name):
        found = state(operation.value)
        if found is None:
            return None
        return Concluded(
            found[1], f"{quoted(text)} is set to {quoted(found[0])}", point, operation.span, record=True
        )
    if isinstance(operation.value, Constant) and operation.value.value is False:
        if name in conclusions.listed("answer_flag") and isinstance(target, Attribute):
            how = f"{quoted(text)} is set to False"
            return Concluded(Ended.FAILED, how, point, operation.span, record=False, plain=False)
    elif isinstance(operation.value, Constant) and operation.value.value is True:
        said = conclusions.of_flag(name)
        if said is not None and (isinstance(target, Attribute) or len(names.words(name)) < 3):
            return Concluded(said, f"{quoted(text)} is set to True", point, operation.span, record=True)
    return None


def _called(context: Context, flow: Flow, point: Point, call: Call) -> Concluded | None:
    name = written(context, flow, call)
    if not name or harmless(call.qualified, call.dotted):
        return None
    last = words.last(name)
    shown = _shown(name, last, call)
    if shown is not None and last[:1].isupper() and _raises(flow, call):
        return None
    if shown is not None:
        ended, how, plain = shown
        return Concluded(ended, how, point, call.span, record=False, plain=plain)
    found = _recorded(name, last, call)
    return None if found is None else Concluded(*found, point, call.span, record=True)


def _raises(flow: Flow, call: Call) -> bool:
    """Whether what the call makes is raised: then the raise tells of it."""
    made = Result(call.number)
    return any(isinstance(one, Raise) and one.value == made for _, one in flow.points())


def _shown(name: str, last: str, call: Call) -> tuple[Ended, str, bool] | None:
    """What a call that answers says, how, and whether in so many words: `abort(402)`, `flash("... failed")`."""
    if last == "abort" and call.arguments:
        status = code(call.arguments[0])
        if status is not None:
            return *status, False
    if last[:1].isupper():
        made = conclusions.of_state(last)
        return (Ended.FAILED, f"{last!r} is made", True) if made is Ended.FAILED else None
    speaks = last == "abort" or name in ("messages.error", "messages.warning")
    if not speaks and not conclusions.listed("says").intersection(names.words(last)):
        return None
    for value in call.arguments:
        texts = list(text(value))
        event = state(value)
        if event is not None and event[1] is Ended.FAILED and not speaks:
            return Ended.FAILED, f"{name!r} is told {quoted(event[0])}", True
        if texts and texts[0][0] is Ended.FAILED:
            return Ended.FAILED, texts[0][1].replace("it is answered with", f"{name!r} says"), False
    return None


def _recorded(name: str, last: str, call: Call) -> tuple[Ended, str] | None:
    """What a call writes down, and how."""
    receiver = name.rpartition(".")[0]
    if last in _STATEMENTS:
        return statement(call)
    if last in _ADDS:
        holder = conclusions.of_flag(words.last(receiver).removesuffix("_ids"))
        if holder is Ended.DONE:
            return Ended.DONE, f"it is put into {receiver!r}"
        return (Ended.OPEN, "it is kept for later") if holder is Ended.FAILED else None
    if last in _FAILS:
        whose = words.last(receiver).lower()
        ours = whose and whose not in conclusions.listed("ends_a_run") and not whose.endswith("()")
        return (Ended.FAILED, f"{name!r} is called") if ours else None
    if last in conclusions.listed("stores"):
        return _by_name(name, "", call)
    if conclusions.only_tells(last):
        return None
    return _by_keyword(name, last, call) or (
        _by_name(name, last, call) if conclusions.records(last) else None
    )


def _by_keyword(name: str, last: str, call: Call) -> tuple[Ended, str] | None:
    """`update(status="failed")`, `update_or_create(defaults={"state": "done"})`, `update(sent=True)`."""
    for word in call.keywords:
        if conclusions.holds_state(word.name) or word.name in ("defaults", "values"):
            for value in (word.value, *entries(word.value)):
                found = state(value)
                if found is not None and not last[:1].isupper():
                    return found[1], f"{name!r} is told {quoted(found[0])}"
        elif isinstance(word.value, Constant) and word.value.value is True and last in ("update", "aupdate"):
            said = conclusions.of_flag(word.name)
            if said is not None:
                return said, f"{word.name!r} is set to True"
    return None


def _by_name(name: str, last: str, call: Call) -> tuple[Ended, str] | None:
    """`mark_failed(row)`, `set_status(row, Status.FAILED)`."""
    said = conclusions.of_flag(last)
    if said is not None and not {"failure", "success"} & set(names.words(last)):
        return said, f"{name!r} is called"
    for value in (*call.arguments, *(word.value for word in call.keywords if not last)):
        for part in (value, *entries(value)):
            found = state(part)
            if found is not None:
                return found[1], f"{name!r} is told {quoted(found[0])}"
    return None


def _answered(context: Context, flow: Flow, point: Point, value: Expression, span: Span) -> Concluded | None:
    """What an answer says: its flags and states first, then its status, then its text."""
    found = [*answers(context, flow, value, 3)]
    for ended in (Ended.OPEN, Ended.UNCERTAIN, Ended.FAILED, Ended.DONE):
        plain = [one for one in found if one[0] is ended]
        if plain:
            how, spoken = plain[0][1], plain[0][2]
            return Concluded(ended, how, point, span, record=False, plain=spoken)
    return None


def _raised(context: Context, flow: Flow, point: Point, operation: Raise) -> Concluded | None:
    """`raise PaymentFailed(...)`, `raise HTTPException(402, ...)`."""
    if operation.value is None:
        return None
    name = words.last(operation.qualified.lstrip("?:")) or words.last(dotted(operation.value))
    call: Call | None = None
    if isinstance(operation.value, Result):
        made = context.operation(flow, operation.value.number)
        call = made[1] if made is not None and isinstance(made[1], Call) else None
        name = name or (words.last(call.dotted) if call is not None else "")
    if not name[:1].isupper():
        return None
    if call is not None:
        given = [
            *(call.arguments[:1]),
            *(word.value for word in call.keywords if word.name in conclusions.listed("answer_status")),
        ]
        if names.words(name)[:1] in (("http",), ("api",)) or name == "HTTPException":
            for value in given:
                status = code(value)
                if status is not None:
                    return Concluded(*status, point, operation.span, record=False, plain=False)
    said = conclusions.of_state(name.removesuffix("Error").removesuffix("Exception"))
    sentence = next(iter(call.arguments), None) if call is not None else None
    if said is None and sentence is not None and conclusions.plainly_failed(spelled(sentence)):
        how = f"{quoted(spelled(sentence))} is raised"
        return Concluded(Ended.FAILED, how, point, operation.span, record=False, plain=False)
    if said is None:
        return None
    return Concluded(said, f"{name!r} is raised", point, operation.span, record=False)
