"""Runs of steps that a program was handed: `step.call(**params)`, `HANDLERS[name](payload)`, `fn(*args)`."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.outward_keys import key_of
from stepcheck.behaviour.ledgering.claiming import Scene, claimed_around, guards
from stepcheck.behaviour.ledgering.looking import looked_up
from stepcheck.behaviour.ledgering.records import Row
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import Attribute, Call, Item, Variable
from stepcheck.facts import Evidence
from stepcheck.facts.ledgering import LedgeredWrite, Noted


def executed(scene: Scene) -> Iterator[LedgeredWrite]:
    """Every run of a step that the log of steps is told of afterwards, and of nothing before."""
    logged = [row for row in scene.rows if _logs(row)]
    if not logged:
        return
    for act in scene.study.acts(scene.flow):
        if act.deed is not Deed.OPAQUE or act.call is None or not _runs(act.call, act.name):
            continue
        behind = scene.after(act.point)
        after = next(
            (row for row in logged if row.point in behind and act.point in scene.made_of(row.point)), None
        )
        if after is None or _noticed(scene, act.point):
            continue
        yield LedgeredWrite(
            act.span, act.name or "the step", scene.flow.qualname, Evidence.BODY, "it runs a step",
            key_of(scene.study, scene.flow, act.call, act.point), None, None, None,
            Noted(after.name, after.span, after.states), False,
        )  # fmt: skip


def _noticed(scene: Scene, point: object) -> bool:
    """Whether anything was recorded, claimed or looked up before."""
    before = [*(row.point for row in scene.rows), *guards(scene)]
    before += [look.point for look in looked_up(scene.study, scene.flow)]
    return claimed_around(scene.flow) or any(point in scene.after(one) for one in before)


def _logs(row: Row) -> bool:
    """Whether a record is a row of the log of steps: in a ledger, or in a table named so."""
    if row.call is None:
        return False
    listed = ledgers.known()
    receiver = set(names.words(words.last(row.name.rpartition(".")[0])))
    found = set(names.words(row.subject))
    return bool(listed.logbooks & (receiver | found)) or bool(found & listed.steps and found & listed.logs)


def _runs(call: Call, name: str) -> bool:
    """Whether what is called was handed in, or looked up: a step, a handler, a tool."""
    listed = ledgers.known()
    match call.callee:
        case Item():
            return bool(listed.steps.intersection(names.words(name)))
        case Attribute(name=last):
            receiver = words.last(name.rpartition(".")[0])
            return last in listed.calls and bool(listed.steps.intersection(names.words(receiver)))
        case Variable(name=last):
            return last in listed.calls
        case _:
            return False
