"""Calls that do what a claim is for: writes, and what an event is handed to."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.outward import Outward, Surety
from stepcheck.behaviour.ledgering.claiming import Scene
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import (
    Assign,
    Call,
    Constant,
    Item,
    Point,
    Result,
    Variable,
)
from stepcheck.facts import Evidence, KeyState, Span


@dataclass(frozen=True, slots=True)
class Work:
    """A call that does the thing a claim is for."""

    name: str
    point: Point
    span: Span
    evidence: Evidence
    keyed: bool = False


def works(scene: Scene, writes: tuple[Outward, ...]) -> Iterator[Work]:
    """The writes of a function, and what it hands an event to: `HANDLERS[kind](event)`, `process(event)`."""
    for one in writes:
        if not one.enqueues and one.surety > Surety.LOOSE:
            yield Work(one.name, one.point, one.span, one.evidence, one.key is KeyState.STABLE)
    for act in scene.study.acts(scene.flow):
        if act.call is None or act.deed not in (Deed.OPAQUE, Deed.SETS, Deed.WRITE):
            continue
        if act.deed is Deed.SETS and act.evidence is not Evidence.NAME:
            yield Work(act.name, act.point, act.span, act.evidence)
        elif act.deed is Deed.OPAQUE and dispatches(scene, act.call):
            yield Work(act.name or "the handler", act.point, act.span, Evidence.BODY)
        elif act.call.arguments and (
            _works_on(words.last(act.name)) or (act.deed is Deed.OPAQUE and _told_done(scene, act))
        ):
            yield Work(act.name, act.point, act.span, Evidence.NAME)


def _works_on(last: str) -> bool:
    """`process_event(event)`."""
    return bool(ledgers.known().works.intersection(names.words(last)[:1])) and not last.endswith(
        ("log", "error", "exception")
    )


def _told_done(scene: Scene, act: Act) -> bool:
    """`machine.dispense(order)`, and then `status = 'dispensed'`: a record behind it says that just this was done."""
    verb = names.words(words.last(act.name))[:1]
    return bool(verb) and any(
        row.point in scene.after(act.point) and any(ledgers.says(state, verb[0]) for state in row.states)
        for row in scene.rows
    )


def dispatches(scene: Scene, call: Call) -> bool:
    """Whether what is called is looked up by the kind of an event: `HANDLERS[event["type"]](event)`."""
    callee = call.callee
    if isinstance(callee, Item):
        return bool(call.arguments) and not isinstance(callee.index, Constant)
    return isinstance(callee, Variable) and bool(call.arguments) and _looked(scene, callee)


def _looked(scene: Scene, callee: Variable) -> bool:
    """`handler = HANDLERS.get(event.type)`."""
    for _, operation in scene.flow.points():
        if not isinstance(operation, Assign) or operation.target != callee:
            continue
        value = operation.value
        if isinstance(value, Item) and not isinstance(value.index, Constant):
            return True
        if isinstance(value, Result):
            made = scene.study.context.operation(scene.flow, value.number)
            if made is not None and isinstance(made[1], Call) and _table(made[1].dotted):
                return True
    return False


def _table(name: str) -> bool:
    return name.endswith((".get", ".pop")) and bool(
        {"handler", "handlers", "dispatch", "registry", "callbacks", "actions", "processors"}.intersection(
            names.words(name)
        )
    )
