"""What each call of a function is for, as far as retries go: writes, questions, claims, and records of our own."""

from collections.abc import Iterator
from dataclasses import replace

from stepcheck.behaviour.calls import looks, named, states
from stepcheck.behaviour.calls.act import Act, Deed
from stepcheck.behaviour.calls.asked import Asked, Asking
from stepcheck.behaviour.calls.chains import chain, decorating
from stepcheck.behaviour.calls.familiar import familiar
from stepcheck.behaviour.calls.guessed import guessed
from stepcheck.behaviour.calls.named import Told
from stepcheck.behaviour.calls.own import own_fact
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import names, receivers
from stepcheck.catalogue.harmless import calm
from stepcheck.code.flow import Assign, Attribute, Call, Constant, Flow, Item, Point, Variable, dotted
from stepcheck.facts import Effect, Evidence

__all__ = ["Act", "Deed", "acts", "written"]

_OWN_ROWS = {Effect.READ: Deed.LOOKUP, Effect.IDEM_WRITE: Deed.RECORD, Effect.NON_IDEM_WRITE: Deed.RECORD}
_OUTSIDE = {Effect.READ: Deed.ASKS, Effect.IDEM_WRITE: Deed.SETS, Effect.NON_IDEM_WRITE: Deed.WRITE}
_OURS = frozenset({Deed.RECORD, Deed.LOOKUP, Deed.CLAIM, Deed.DELETE, Deed.LOCK})


def acts(context: Context, flow: Flow) -> tuple[Act, ...]:
    """Every act of a function, in the order of its blocks; calls of functions of the file are not among them."""
    return tuple(_acts(Asking.of(context, flow)))


def written(context: Context, flow: Flow, call: Call) -> str:
    """A call's name as written, with `()` for the answer of another: `Order.objects.filter().update`."""
    known = context.names.get(id(call))
    if known is None:
        known = context.names[id(call)] = call, chain(context, flow, call).written
    return known[1]


def _acts(asking: Asking) -> Iterator[Act]:
    made = decorating(asking.flow)
    said = bool(asking.context.own.written)
    for point, operation in asking.flow.points():
        if isinstance(operation, Assign):
            yield from _of_store(asking, point, operation)
        elif not isinstance(operation, Call):
            continue
        elif said and (told := _said(asking, asked := asking.asked(point, operation))) is not None:
            yield _act(asking, asked, told)
        elif asking.context.called(asking.flow, operation):
            continue
        elif operation.number in made:
            yield _harmless(point, operation, "it decorates")
        elif calm(operation.qualified, operation.dotted):
            yield _harmless(point, operation, "it computes, logs or counts")
        else:
            yield from _of_call(asking, asking.asked(point, operation))


def _harmless(point: Point, call: Call, why: str) -> Act:
    name = call.dotted or dotted(call.callee)
    return Act(
        Deed.HARMLESS, name, point, call.span, call, Evidence.BODY, why, subject=name.rpartition(".")[0]
    )


def _said(asking: Asking, asked: Asked) -> Told | None:
    """What the user's configuration says."""
    fact = own_fact(asking.context, asked.call, asked.name, asked.given)
    if fact is None:
        return None
    deeds = _OWN_ROWS if fact.local else _OUTSIDE
    deed = Deed.CLAIM if fact.claims else deeds[fact.effect]
    return Told(deed, fact.evidence, "the configuration says so", additive=fact.additive)


def _act(asking: Asking, asked: Asked, told: Told) -> Act:
    ours = told.deed in _OURS
    subject = asking.rows.written_to(asked.point, asked.call, asked.given) if ours else asked.receiver
    if ours and subject:
        asking.rows.known[asked.call.number] = subject
    said = states.of_call(asked.call, asked.given, asked.name) if ours else ()
    return Act(
        told.deed, asked.name, asked.point, asked.call.span, asked.call, told.evidence, told.why, told.weak,
        subject, said, told.additive,
    )  # fmt: skip


def _of_call(asking: Asking, asked: Asked) -> Iterator[Act]:
    act = _act(asking, asked, familiar(asking, asked) or guessed(asking, asked))
    guards = act.deed is Deed.COMMIT or (act.deed is Deed.RECORD and asked.last in named.MAKES)
    if guards and looks.refused_once_done(asking.context, asking.flow, asked.point):
        yield replace(act, deed=Deed.CLAIM, why="a duplicate is refused, and that is handled")
        if act.deed is not Deed.COMMIT:
            return
    yield act


def _of_store(asking: Asking, point: Point, operation: Assign) -> Iterator[Act]:
    """`row.status = "done"`, `row["state"] = "done"`, `journal[key] = answer`."""
    match operation.target:
        case Attribute(base=base, name=name) | Item(base=base, index=Constant(value=str(name))):
            row = asking.rows.of(base, point) if isinstance(base, Variable) else ""
            if row not in asking.rows.known.values() and not names.tells_state(name):
                return
            text = f"{dotted(base)}.{name}".lstrip(".")
            said = states.of_store(name, operation.value)
            subject = row or dotted(base)
            why = f"it sets {name!r}" if names.tells_state(name) else f"it changes a row of {row!r}"
            yield Act(Deed.RECORD, text, point, operation.span, None, Evidence.BODY, why, subject == "self",
                      subject, said, operation.augmented)  # fmt: skip
        case Item(base=base) if receivers.store(dotted(base)):
            text = dotted(base)
            yield Act(Deed.RECORD, text, point, operation.span, None, Evidence.NAME, f"it keeps it in {text!r}",
                      weak=True, subject=text)  # fmt: skip
        case _:
            return
