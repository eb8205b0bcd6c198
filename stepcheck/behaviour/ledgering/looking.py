"""What a function looks up in rows of our own, or asks whether it was done, before it acts."""

from collections.abc import Iterator
from dataclasses import replace

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.named_fields import chain, fields_of
from stepcheck.behaviour.ledgering.records import Row, handed, of_act
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import Flow
from stepcheck.facts import Evidence


def _asks(last: str) -> bool:
    found = names.words(last)
    return (
        len(found) > 1
        and bool(ledgers.known().asking.intersection(found))
        and not ledgers.known().notes.intersection(found[:1])
    )


_PUTS = frozenset({"set", "setex", "put", "add", "save", "store"})


def looked_up(study: Study, flow: Flow) -> tuple[Row, ...]:
    """Every look at rows of our own, and every question whether something was done already."""
    found = list(_looks(study, flow))
    for point, call in study.context.calls(flow):
        if study.context.called(flow, call) and _asks(words.last(call.dotted)):
            name = call.dotted
            found.append(
                Row(
                    point, call.span, name, words.last(name), frozenset(), (), handed(study, flow, call), True,
                    Evidence.NAME, call,
                )
            )  # fmt: skip
    return tuple(found)


def _looks(study: Study, flow: Flow) -> Iterator[Row]:
    executed: dict[str, Row] = {}
    kept = _kept(study, flow)
    for act in study.acts(flow):
        if act.call is None:
            continue
        last = words.last(act.name)
        receiver = act.name.rpartition(".")[0]
        if act.deed is Deed.LOOKUP:
            row = _whole(study, flow, of_act(study, flow, act))
            if last == "execute":
                executed[receiver] = row
            elif last.startswith("fetch") and receiver in executed:
                row = replace(executed[receiver], point=act.point)
            yield row
        elif last in ("get", "exists", "has_key") and receiver in kept:
            yield of_act(study, flow, act, cached=act.deed is Deed.HARMLESS)
        elif act.deed in (Deed.OPAQUE, Deed.ASKS) and _asks(last):
            yield of_act(study, flow, act)


def _kept(study: Study, flow: Flow) -> frozenset[str]:
    """What keeps things under keys in this function: what it also writes to."""
    return frozenset(
        act.name.rpartition(".")[0]
        for act in study.acts(flow)
        if words.last(act.name) in _PUTS and "." in act.name
    )


def _whole(study: Study, flow: Flow, row: Row) -> Row:
    """A look with what the calls that are chained to it ask for: `session.query(Job).filter(Job.status == "new")`."""
    if row.call is None:
        return row
    fields, given = set(row.fields), set(row.given)
    for _, call in study.context.calls(flow):
        if any(link.number == row.call.number for link in chain(study, flow, call)):
            fields |= fields_of(study, flow, call)[0]
            given |= handed(study, flow, call)
    return replace(row, fields=frozenset(fields), given=frozenset(given))
