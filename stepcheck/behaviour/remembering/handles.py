"""Work that is submitted elsewhere and waited for by its handle, in one unit that is begun again."""

from collections.abc import Iterator

from stepcheck.analysis.paths import START, begun, completed, no_exception
from stepcheck.behaviour.again.rerun import Rerun, reruns
from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, ingredients, numbers
from stepcheck.catalogue.memory import says
from stepcheck.catalogue.names import words as split
from stepcheck.catalogue.volatility import source
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
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Change, Evidence, KeyState, Span
from stepcheck.facts.remembering import WaitedHandle

_IDS = (
    "id", "job id", "run id", "task id", "request id", "external id", "reference", "reference id", "execution id",
    "operation id", "batch id", "transaction id", "client id", "uuid",
)  # fmt: skip
"""Names of parameters by which the other side may tell a repeat."""
_STARTS = frozenset({"start", "run", "trigger", "invoke", "launch", "execute", "submit", "begin"})
"""Verbs that start what goes by a name, as often as they are called; what is created by a name is there once."""
_WAITS = frozenset({"wait", "poll", "wait_until_complete", "wait_for_completion", "block", "watch"})
_FUTURES = frozenset({"result", "join"})
"""What is waited for by these may be a thread of the process, and is not where the submission is known."""
_ASKED_FOR = frozenset({"Prefect", "the engine"})
"""Engines that begin a step again only where it says so."""
_FRESH = frozenset({Change.RANDOM, Change.CLOCK, Change.ATTEMPT})
_SEEN = (Deed.HARMLESS, Deed.ASKS, Deed.LOOKUP, Deed.PAUSE)
_OPERATORS = {"reattach_on_restart": False, "force_rerun": True, "reattach": False}
"""Parameters of Airflow's operators by which they do not look for what an earlier try started.

From the reference of apache-airflow-providers-cncf-kubernetes, -google and -amazon.
"""


def handles(study: Study) -> Iterator[WaitedHandle]:
    """Every such submission."""
    yield from _operators(study)
    if not any(_submits(study, flow) for flow in study.flows):
        return
    told: set[Span] = set()
    for unit in reruns(study):
        if not unit.again.doubtful or not (unit.sure or _handed(study, unit.flow)):
            continue
        if not _again(study, unit):
            continue
        for index in sorted({unit.flow, *unit.reach}):
            flow = study.context.file.flows[index]
            if study.context.large(flow):
                continue
            for act in _submits(study, flow):
                if act.span not in told and unit.holds(index, act.point):
                    found = _waited(study, flow, unit, act)
                    if found is not None:
                        told.add(act.span)
                        yield found


def _handed(study: Study, index: int) -> bool:
    """Whether a function is handed to an operator that says how often it is retried."""
    for flow in study.context.file.flows:
        for _, call in study.context.calls(flow):
            named = [
                word.value for word in call.keywords if word.name in ("python_callable", "func", "callable")
            ]
            if any(index in study.context.callees.named(flow, value) for value in named):
                return call.keyword("retries") is not None and _retries(study, call)
    return False


def _again(study: Study, unit: Rerun) -> bool:
    """Whether a unit is begun again unless something is said: a Prefect task is not, nor a program's own loop."""
    flow = study.context.file.flows[unit.flow]
    if not unit.handled:
        return True
    if unit.again.who in _ASKED_FOR:
        made = [one.call for one in flow.decorators if one.call is not None]
        return any(word.name.startswith("retr") for call in made for word in call.keywords)
    return bool(flow.parameters)


def _submits(study: Study, flow: Flow) -> list[Act]:
    found = []
    for act in study.acts(flow):
        last = words.last(act.name)
        if act.call is not None and act.deed in (Deed.WRITE, Deed.OPAQUE) and "." in act.name:
            word = says("submitted", last)
            if word and (act.deed is Deed.WRITE or split(last)[:1] == tuple(word.split()[:1])):
                found.append(act)
    return found


def _waited(study: Study, flow: Flow, unit: Rerun, act: Act) -> WaitedHandle | None:
    call = act.call
    if call is None:
        return None
    wait = _wait(study, flow, act, call)
    if wait is None or not unit.holds(flow.index, wait):
        return None
    return WaitedHandle(
        act.span,
        act.name,
        _holds(study, flow, call),
        unit.again.who,
        flow.blocks[wait.block].operations[wait.position].span,
        _keyed(study, flow, act, call),
        wait in begun(flow, (START,), (act.point,), no_exception),
        _stored(study, flow, act, call, wait),
        Evidence.NAME if unit.again.evidence is Evidence.NAME else act.evidence,
    )


def _wait(study: Study, flow: Flow, act: Act, call: Call) -> Point | None:
    """Where the submitted work is waited for by its handle."""
    after = begun(flow, (completed(act.point),), (), no_exception)
    context = study.context
    loops = [loop for loop in context.loops(flow) if act.point.block not in loop.blocks]
    for point, one in context.calls(flow):
        if point not in after or one is call or not _of(study, flow, call, one, point):
            continue
        looped = [loop for loop in loops if point.block in loop.blocks]
        if looped and (
            _pauses(study, flow, looped[0].blocks) or looped[0].written is None or _while(looped[0].written)
        ):
            return point
        last = words.last(one.dotted) or getattr(one.callee, "name", "")
        if one.qualified.removeprefix("?").startswith(("asyncio.", "concurrent.")):
            continue
        if last in _FUTURES and act.evidence is Evidence.NAME:
            continue
        if last in _WAITS | _FUTURES or (split(last)[:1] in (("wait",), ("poll",))):
            return point
        helpers = context.called(flow, one)
        if any(loop.kind == "while" for helper in helpers for loop in helper.loops):
            return point
    return None


def _while(written: object) -> bool:
    return written is None or getattr(written, "kind", "") == "while"


def _pauses(study: Study, flow: Flow, blocks: frozenset[int]) -> bool:
    return any(act.deed is Deed.PAUSE and act.point.block in blocks for act in study.acts(flow))


def _of(study: Study, flow: Flow, call: Call, one: Call, point: Point) -> bool:
    """Whether a call is given the handle, or made on it."""
    values = [*given(one), *([one.callee.base] if isinstance(one.callee, Attribute) else [])]
    return any(call.number in numbers(study.context, flow, value, point) for value in values)


def _holds(study: Study, flow: Flow, call: Call) -> str:
    """The variable that holds the handle."""
    assigned = [(point, one) for point, one in flow.points() if isinstance(one, Assign)]
    names = (
        dotted(one.target)
        for point, one in assigned
        if call.number in numbers(study.context, flow, one.value, point)
    )
    return next(filter(None, names), "")


def _keyed(study: Study, flow: Flow, act: Act, call: Call) -> bool:
    """Whether the other side can tell a repeat by what goes with the submission."""
    named = [(word.name, word.value) for word in call.keywords]
    for value in given(call):
        for part in walk(value):
            match part:
                case Compound(kind="entry", parts=(Constant(value=str(name)), held)):
                    named.append((name, held))
                case _:
                    pass
    starts = bool(_STARTS.intersection(split(words.last(act.name))[:1]))
    carries = [value for name, value in named if _tells(name, value, starts)]
    if carries:
        return any(_derived(study, flow, value, act.point) for value in carries)
    return keys.state(study.context, flow, call, act.point) in (KeyState.STABLE, KeyState.OPAQUE)


def _tells(name: str, value: Expression, starts: bool) -> bool:
    """Whether a parameter of that name may tell a repeat from something new."""
    if isinstance(value, Constant):
        return False
    found = split(name)
    if "token" in found:
        return not {"access", "auth", "api", "session", "bearer", "page", "next"} & set(found)
    if "name" in found:
        return not (starts and isinstance(value, Variable | Attribute))
    return " ".join(found) in _IDS


def _derived(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether nothing in a value is drawn anew each time."""
    for one in ingredients(study.context, flow, value, point):
        if isinstance(one.value, Call):
            known = source(one.value.qualified or one.value.dotted)
            if known is not None and known.change in _FRESH:
                return False
    return True


def _stored(study: Study, flow: Flow, act: Act, call: Call, wait: Point) -> bool:
    """Whether the handle may be put somewhere before it is waited for."""
    between = begun(flow, (completed(act.point),), (wait,), no_exception)
    seen = {one.call.number for one in study.acts(flow) if one.call is not None and one.deed in _SEEN}
    for point in between:
        operations = flow.blocks[point.block].operations
        one = operations[point.position] if point.position < len(operations) else None
        match one:
            case Call() if one is not call and point != wait and one.number not in seen:
                if not one.dotted[:1].isupper() and _of(study, flow, call, one, point) and not _waits(one):
                    return True
            case Assign(target=Attribute(base=base) | Item(base=base), value=value):
                own = isinstance(base, Variable) and base.name in ("self", "cls")
                if not own and call.number in numbers(study.context, flow, value, point):
                    return True
            case _:
                pass
    return False


def _waits(call: Call) -> bool:
    return call.qualified.startswith("builtins.") or words.last(call.dotted) in _WAITS | {
        "get",
        "status",
        "json",
    }


def _operators(study: Study) -> Iterator[WaitedHandle]:
    """Airflow's operators that are retried, and told not to look for what they started before."""
    for flow in study.flows:
        for point, call in study.context.calls(flow):
            name = words.last(call.dotted)
            if not name.endswith("Operator") or not _retries(study, call):
                continue
            for word in call.keywords:
                wanted = _OPERATORS.get(word.name)
                told = isinstance(word.value, Constant) and wanted is not None and word.value.value is wanted
                drawn = word.name == "job_id" and not _derived(study, flow, word.value, point)
                if told or drawn:
                    yield WaitedHandle(
                        word.span, name, "", "Airflow", call.span, False, False, False, Evidence.KNOWN
                    )  # fmt: skip


def _retries(study: Study, call: Call) -> bool:
    """Whether an operator is retried: by its own parameter, or by the defaults of the file."""
    own = call.keyword("retries")
    if own is not None:
        return not isinstance(own.value, Constant) or bool(own.value.value)
    for flow in study.context.file.flows:
        for _, one in flow.points():
            if isinstance(one, Assign) and isinstance(one.value, Compound):
                for part in walk(one.value):
                    if (
                        isinstance(part, Compound)
                        and part.kind == "entry"
                        and part.parts[0] == Constant("retries")
                    ):
                        return part.parts[1] != Constant(0)
    return False
