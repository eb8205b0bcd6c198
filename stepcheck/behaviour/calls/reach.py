"""What calling a function comes to, one act at a time, through the functions that it calls."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Call, Flow, FlowKind, Point, Variable
from stepcheck.code.flow import Function as Made

DEPTH = 5
"""Calls followed from a function to what it does."""
MOST = 60
"""Functions looked into for one question; beyond, less is known, and nothing wrong."""
_TELLS_NOTHING = frozenset({Deed.OPAQUE, Deed.HARMLESS, Deed.PAUSE})

Body: TypeAlias = tuple[Study, Flow]
"""A function with the study of its file."""
Follow: TypeAlias = Callable[[Study, Flow, Call], Sequence[Body]]
"""The functions that a call runs, as far as they are known."""


@dataclass(frozen=True, slots=True)
class Place:
    """A point of a function."""

    study: Study
    flow: Flow
    point: Point


@dataclass(frozen=True, slots=True)
class Reached:
    """An act that calling a function comes to."""

    act: Act
    place: Place
    way: tuple[Place, ...]
    """The calls that lead to it, outermost first."""


def inside(study: Study, flow: Flow, call: Call) -> list[Body]:
    """The functions of the same file that a call runs, and those that are handed to it."""
    found = [*study.context.called(flow, call)]
    if not found:
        for value in (*call.arguments, *(word.value for word in call.keywords)):
            if isinstance(value, Made | Variable):
                indices = study.context.callees.named(flow, value)
                found += [study.context.file.flows[index] for index in indices]
    return [(study, one) for one in found if one.kind in (FlowKind.FUNCTION, FlowKind.LAMBDA)]


def reached(study: Study, flow: Flow, follow: Follow = inside) -> list[Reached]:
    """Every act, those of the function first met first. Acts in a `finally` are there once."""
    return list(_Reaching(follow).of(study, flow, (), DEPTH))


class _Reaching:
    """One question, and the functions that it has looked into."""

    def __init__(self, follow: Follow) -> None:
        self.follow = follow
        self.seen: set[tuple[str, int]] = set()

    def of(self, study: Study, flow: Flow, way: tuple[Place, ...], left: int) -> Iterator[Reached]:
        key = (flow.span.path, flow.index)
        if key in self.seen or len(self.seen) >= MOST or study.context.large(flow):
            return
        self.seen.add(key)
        own = {act.point: act for act in study.acts(flow)}
        told: set[object] = set()
        calls = dict(study.context.calls(flow))
        for point in sorted({*own, *calls}):
            act, call = own.get(point), calls.get(point)
            span = call.span if call is not None else act.span if act is not None else None
            if (span, point.position if call is None else -1) in told:
                continue
            told.add((span, point.position if call is None else -1))
            here = Place(study, flow, point)
            found: list[Reached] = []
            if call is not None and left > 0 and (act is None or act.deed not in (Deed.HARMLESS, Deed.CLAIM)):
                for other, body in self.follow(study, flow, call):
                    found += self.of(other, body, (*way, here), left - 1)
            yield from found
            if act is not None and all(one.act.deed in _TELLS_NOTHING for one in found):
                yield Reached(act, here, way)
