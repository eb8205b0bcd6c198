"""Writes that are begun again where it is known that they may have been done already."""

from collections.abc import Iterator
from typing import TypeAlias

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed, written
from stepcheck.behaviour.calls.outgoing import Write, keyed
from stepcheck.behaviour.concluding.endings import asks
from stepcheck.behaviour.concluding.uncertain import Doubt, places
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import conclusions, names
from stepcheck.code.flow import (
    Attribute,
    Constant,
    Edge,
    Flow,
    Item,
    Point,
    dotted,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.concluding import UncertainCall

_Question: TypeAlias = tuple[Point, Span, str]
"""Where is asked, and with whom: nothing for the other side, a receiver that may be it, or `?` for our own."""
_RANKS = [Evidence.NAME, Evidence.BODY, Evidence.KNOWN, Evidence.DECLARED]


def doubts(study: Study, flow: Flow, made: tuple[Write, ...]) -> Iterator[UncertainCall]:
    """Every write that is begun on a path from such a place; one fact a write."""
    told: set[Span] = set()
    every = (*made, *_steps(study, flow))
    questions: list[_Question] | None = None
    for doubt in places(study, flow, every, made):
        for write in doubt.writes:
            if write.span in told or (doubt.only is not None and write.point not in doubt.only):
                continue
            if questions is None:
                questions = [*_questions(study, flow)]
            found = _begun(study, flow, doubt, write, questions)
            if found is not None:
                told.add(write.span)
                yield found


def _begun(
    study: Study, flow: Flow, doubt: Doubt, write: Write, asked_at: list[_Question]
) -> UncertainCall | None:
    def follow(_block: int, edge: Edge) -> bool:
        return edge.target not in doubt.heads

    if write.point not in begun(flow, doubt.starts, (), follow):
        return None
    questions = [(point, span) for point, span, _ in asked_at if point != write.point]
    receiver = write.name.rpartition(".")[0]
    strict = [
        (point, span)
        for point, span, whose in asked_at
        if whose in ("", receiver)
        and point != write.point
        and (doubt.inside is None or point in doubt.inside)
    ]
    unasked = begun(flow, doubt.starts, [point for point, _ in questions], follow)
    if write.point in unasked:
        if not doubt.recorded:
            return None
        asked = None
    else:
        passed = begun(flow, doubt.starts, [point for point, _ in strict], follow)
        first = [span for point, span in strict if point in passed]
        if not first or write.point in passed or _claimed(study, flow, doubt.starts, write.point):
            return None
        asked = min(first)
    waits = any(act.deed is Deed.PAUSE and act.point in unasked for act in study.acts(flow))
    evidence = write.evidence if doubt.recorded else min(write.evidence, Evidence.BODY, key=_RANKS.index)
    return UncertainCall(
        write.span, write.name, flow.qualname, evidence, doubt.span, doubt.how, asked, waits,
        keyed(study, flow, write),
    )  # fmt: skip


def _claimed(study: Study, flow: Flow, starts: tuple[Point, ...], point: Point) -> bool:
    claims = study.places(flow, Deed.CLAIM, surely=False)
    return bool(claims) and point not in begun(flow, starts, claims)


def _questions(study: Study, flow: Flow) -> Iterator[_Question]:
    """Calls that ask."""
    for act in study.acts(flow):
        if act.call is None:
            continue
        if asks(act):
            yield act.point, act.span, _whom(act)
        elif act.deed in (Deed.LOOKUP, Deed.ASKS):
            yield act.point, act.span, "?"
    for point, call in study.context.calls(flow):
        helpers = study.context.called(flow, call)
        if helpers:
            name = written(study.context, flow, call)
            named = words.asks(name)
            if named or any(asks(act) for helper in helpers for act in study.acts(helper)):
                yield point, call.span, "" if named and not _vague(name) else "?"


def _whom(act: Act) -> str:
    """Who is asked, as far as a name tells: `get_delay()` asks nobody."""
    receiver = act.name.rpartition(".")[0]
    if (not act.weak and act.deed is Deed.ASKS) or not _vague(act.name) or words.client(receiver):
        return ""
    return receiver or "?"


def _vague(name: str) -> bool:
    """Whether a question of that name is also put to anything here: `get_delay`, `is_open`."""
    return bool(conclusions.listed("asks_anyone").intersection(names.words(words.last(name))[:1]))


def _steps(study: Study, flow: Flow) -> Iterator[Write]:
    """Calls of what a step is defined to do: `step.call(params)`, `definition["call"](params)`."""
    for point, call in study.context.calls(flow):
        match call.callee:
            case Attribute(base=base, name=name) if name in conclusions.listed("calls"):
                whose, text = names.words(words.last(dotted(base))), call.dotted
            case Item(base=base, index=Constant(value=str(name))) if name in conclusions.listed("calls"):
                whose, text = ("step",), f"{dotted(base)}[{name}]"
            case _:
                continue
        if whose and conclusions.listed("steps") & {whose[0], whose[-1]}:
            yield Write(point, call.span, text or "the call", Evidence.BODY, call, True, False, call)
