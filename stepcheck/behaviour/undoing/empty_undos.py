"""Undos in plain code that do nothing, of something that is done for somebody."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.alterations import alterations
from stepcheck.behaviour.calls.reach import reached
from stepcheck.behaviour.steps.emptiness import empty
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names, undo
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import Call, Class, Expression, Flow, Function, Variable, dotted
from stepcheck.facts import Effect, Evidence, Span
from stepcheck.facts.undoing import EmptyUndo

_DOES = frozenset(
    {"execute", "run", "do", "action", "perform", "invoke", "call", "forward", "apply", "handle", "process",
     "__call__", "act", "on_execute"}
)  # fmt: skip
_UNDOES = frozenset(
    {"compensate", "undo", "rollback", "revert", "roll_back", "compensation", "on_compensate", "reverse"}
)


def empty_undos(study: Study) -> Iterator[EmptyUndo]:
    """Every method named for undoing, and every function given as an undo, that does nothing."""
    flows = study.context.file.flows
    for made in study.context.file.classes:
        yield from _of_class(study, flows, made)
    for flow in study.flows:
        for _, call in study.context.calls(flow):
            yield from _given(study, flow, call)


def _of_class(study: Study, flows: tuple[Flow, ...], made: Class) -> Iterator[EmptyUndo]:
    methods = dict(made.methods)
    if any(words.last(base) in ("ABC", "Protocol", "ABCMeta") for base in made.bases):
        return
    for name in sorted(_UNDOES & methods.keys()):
        undoing = flows[methods[name]]
        if any("abstract" in one.dotted for one in undoing.decorators):
            continue
        why = empty(study, undoing)
        for doing in sorted(_DOES & methods.keys()) if why else ():
            writes = [one for one in alterations(reached(study, flows[methods[doing]])) if not one.ours]
            if writes:
                yield EmptyUndo(
                    undoing.span, undoing.qualname, why, writes[0].name, writes[0].span, writes[0].evidence
                )
                return


def _given(study: Study, flow: Flow, call: Call) -> Iterator[EmptyUndo]:
    """`saga.add_step(charge, compensation=lambda result: None)`."""
    for word in call.keywords:
        found = names.words(word.name)
        if not (undo.generic(word.name) or (found[:1] in (("undo",), ("compensate",)))):
            continue
        for undoing in _functions(study, flow, word.value):
            why = empty(study, undoing)
            done = next(_writes(study, flow, call), None) if why else None
            if done is not None:
                name, span = done
                yield EmptyUndo(word.span, undoing.qualname, why, name, span, Evidence.NAME)


def _writes(study: Study, flow: Flow, call: Call) -> Iterator[tuple[str, Span]]:
    """What else the call is given that does something, by its body or its name."""
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for made in _functions(study, flow, value):
            for write in alterations(reached(study, made)):
                yield write.name, write.span
        name = dotted(value)
        told = verb(name) if name else None
        if told is not None and told.effect is Effect.NON_IDEM_WRITE and not undo.undoes(name):
            yield name, call.span


def _functions(study: Study, flow: Flow, value: Expression) -> list[Flow]:
    if not isinstance(value, Function | Variable):
        return []
    return [study.context.file.flows[index] for index in study.context.callees.named(flow, value)]
