"""Writes of handlers that are delivered to more than once, with nothing that tells a second delivery."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.paths import START, begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.outward import Outward, Surety, of_act
from stepcheck.behaviour.ledgering.claiming import Scene, claimed_around, guards
from stepcheck.behaviour.ledgering.deliveries import Delivery
from stepcheck.behaviour.ledgering.looking import looked_up
from stepcheck.behaviour.ledgering.second_delivery import knows_event, turns_away
from stepcheck.behaviour.ledgering.works import dispatches
from stepcheck.behaviour.study import DEPTH, Study
from stepcheck.catalogue import ledgers, names, receivers
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Attribute,
    Call,
    Constant,
    Expression,
    Flow,
    Item,
    Point,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Evidence, KeyState, Span
from stepcheck.facts.ledgering import DeliveredWrite


@dataclass(frozen=True, slots=True)
class _Reached:
    name: str
    point: Point
    span: Span
    call: Call | None
    evidence: Evidence
    why: str
    local: bool


def delivered(scene: Scene, delivery: Delivery) -> Iterator[DeliveredWrite]:
    """The first write that a delivery reaches unguarded, with the others that it reaches."""
    if claimed_around(scene.flow):
        return
    found = [one for one in _reached(scene, delivery, DEPTH) if not _guarded(scene, delivery, one)]
    found.sort(key=lambda one: (one.local, one.point))
    if not found:
        return
    first, *others = found
    evidence = Evidence.NAME if Evidence.NAME in (first.evidence, delivery.evidence) else Evidence.BODY
    yield DeliveredWrite(
        first.span, first.name, scene.flow.qualname, evidence, first.why, delivery.who, delivery.told, first.local,
        tuple(dict.fromkeys(one.span for one in others if one.span != first.span)),
    )  # fmt: skip


def _reached(scene: Scene, delivery: Delivery, left: int) -> Iterator[_Reached]:
    study, flow = scene.study, scene.flow
    for act in study.acts(flow):
        if delivery.blocks is None or act.point.block in delivery.blocks:
            found = _of_act(scene, delivery, act, left)
            if found is not None:
                yield found
    for point, call in study.context.calls(flow) if left > 0 else ():
        if delivery.blocks is not None and point.block not in delivery.blocks:
            continue
        for helper in study.context.called(flow, call)[:2] if not _moves(call.dotted) else ():
            if helper.index == flow.index or study.context.large(helper):
                continue
            inner = next(_within(study, helper, delivery, left - 1), None)
            if inner is not None:
                yield _Reached(
                    call.dotted or helper.name, point, call.span, call, inner.evidence, inner.why, inner.local
                )


def _of_act(scene: Scene, delivery: Delivery, act: Act, left: int) -> _Reached | None:
    """The write that an act is, where a repeat of it matters."""
    study, flow, call = scene.study, scene.flow, act.call

    def made(evidence: Evidence, why: str, *, local: bool = False) -> _Reached:
        return _Reached(act.name or "the handler", act.point, act.span, call, evidence, why, local)

    one = of_act(study, flow, act)
    if one is not None:
        counts = (
            one.key is not KeyState.STABLE and not _moves(one.name) and _counts(study, one, delivery, left)
        )
        return made(one.evidence, one.why) if counts else None
    if call is None:
        adds = act.additive and act.subject.partition(".")[0] not in ("self", "cls")
        return made(Evidence.BODY, act.why, local=True) if adds else None
    if delivery.late and _billed(study, flow, act):
        return made(Evidence.NAME, "it is billed")
    if _adds(act):
        return made(Evidence.BODY, act.why, local=True)
    hands = act.deed is Deed.OPAQUE and not delivery.late and dispatches(scene, call)
    if hands and _whole_event(call, delivery) and not _claims_somewhere(study):
        return made(Evidence.NAME, "what it runs is looked up by the kind of the event")
    return None


def _moves(name: str) -> bool:
    """Whether a call of that name moves messages that failed: `send_to_dlq`."""
    return bool(ledgers.known().machinery.intersection(names.words(words.last(name))))


def _within(study: Study, helper: Flow, delivery: Delivery, left: int) -> Iterator[_Reached]:
    """The unguarded writes of a helper."""
    scene = Scene(study, helper)
    if claimed_around(helper) or left <= 0:
        return
    passed = Delivery(
        delivery.who, delivery.told, delivery.evidence, None,
        frozenset(one.name for one in helper.parameters) - {"self", "cls"}, delivery.late,
    )  # fmt: skip
    for one in _reached(scene, passed, left):
        if not _guarded(scene, passed, one):
            yield one


def _billed(study: Study, flow: Flow, act: Act) -> bool:
    """Whether a model is asked for one item after the other: a lost worker makes all of them be paid again."""
    if act.deed is not Deed.ASKS or not receivers.model(act.name.rpartition(".")[0]):
        return False
    return any(act.point.block in loop.blocks for loop in study.context.loops(flow))


def _counts(study: Study, one: Outward, delivery: Delivery, left: int) -> bool:
    """Whether a repeat of the write matters here; what is handed to a queue is judged by what the task does."""
    if not one.enqueues:
        loose = (
            not delivery.late and one.verb in ledgers.known().adds and (one.verb != "add" or "." in one.name)
        )
        return one.surety > Surety.LOOSE or loose
    target = one.name.rpartition(".")[0]
    tasks = [flow for flow in study.context.file.flows if flow.name == words.last(target) and target]
    if tasks:
        return any(next(_within(study, flow, delivery, left - 1), None) is not None for flow in tasks[:2])
    told = verb(target)
    return told is not None and told.grave


def _adds(act: Act) -> bool:
    """Whether it adds to rows of our own: `balance + 1`, or one row more each time."""
    if act.deed is not Deed.RECORD or act.call is None:
        return False
    given = act.call.keyword("UpdateExpression")
    if (
        given is not None
        and isinstance(given.value, Constant)
        and str(given.value.value).lstrip().startswith("ADD ")
    ):
        return True
    if act.additive:
        return words.last(act.name) not in ("append",)
    if words.last(act.name) not in ("create", "acreate", "insert_one") and "INSERT" not in act.why:
        return False
    if _ledger(act.subject) or act.evidence is Evidence.NAME:
        return False
    return not any(
        _identifies(value) for value in (*act.call.arguments, *(word.value for word in act.call.keywords))
    )


def _ledger(subject: str) -> bool:
    return bool(ledgers.known().ledgers.intersection(names.words(subject))) or "audit" in names.words(subject)


def _identifies(value: Expression) -> bool:
    """Whether a value is, or holds, an id that comes with the event."""
    for part in walk(value):
        name = ""
        if isinstance(part, Attribute | Variable):
            name = words.last(dotted(part)) or getattr(part, "name", "")
        elif isinstance(part, Item) and isinstance(part.index, Constant):
            name = str(part.index.value)
        if {"id", "key", "uuid", "ref", "reference", "number", "no", "pk"}.intersection(names.words(name)):
            return True
    return False


def _whole_event(call: Call, delivery: Delivery) -> bool:
    return any(isinstance(value, Variable) and value.name in delivery.event for value in call.arguments)


def _claims_somewhere(study: Study) -> bool:
    """Whether anything in the file claims: then the handlers may."""
    return any(
        act.deed in (Deed.CLAIM, Deed.LOCK) or ledgers.claims(words.last(act.name))
        for flow in study.flows
        for act in study.acts(flow)
    )


def _guarded(scene: Scene, delivery: Delivery, one: _Reached) -> bool:
    """Whether something on the way may tell a second delivery."""
    before = {point for point in guards(scene) if one.point in scene.after(point)}
    if before:
        return True
    acks = {act.point for act in scene.study.acts(scene.flow) if act.deed is Deed.ACK}
    if acks and one.point not in begun(scene.flow, (START,), acks, scene.onward):
        return True
    if one.call is not None and knows_event(one.call, delivery):
        return True
    for look in looked_up(scene.study, scene.flow):
        if one.point in scene.after(look.point) and turns_away(scene, look.point, one.point):
            return True
    return False
