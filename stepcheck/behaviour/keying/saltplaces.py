"""Where a hash that is salted would be looked for again by another process: stored fields, files, shared stores."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.keying.keyplaces import Placed, Use
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import Call, Compound, Constant, Expression, Flow, Point, reads, walk

_FIELDS = key_words("fields")
_STORES = key_words("shared_stores")
_READS = key_words("store_calls")
_FILES = key_words("file_calls")
_MEMBERS = ("sadd", "sismember", "hset", "hget", "hexists", "srem", "zadd", "smove")


def salted(survey: Survey, flow: Flow, told: frozenset[tuple[Point, str]]) -> Iterator[Placed]:
    """Every name or field of ours in a function that calls `hash()`, but for those told of already."""
    context = survey.context
    helpers = [helper for _, call in context.calls(flow) for helper in context.called(flow, call)]
    if not any(_hashes(survey, one) for one in (flow, *helpers)):
        return
    met = set(told)
    for point, call in context.calls(flow):
        for name, value in _named(survey, flow, point, call):
            if (point, name) not in met:
                met.add((point, name))
                yield Placed(name, value, point, call.span, Use.CLAIM, call, point)


def _hashes(survey: Survey, flow: Flow) -> bool:
    calls = survey.context.calls(flow)
    return flow.name != "__hash__" and any(call.qualified == "builtins.hash" for _, call in calls)


def _passes(flow: Flow, path: Expression) -> bool:
    """Whether a file is one of those that are gone with the process."""
    texts = [getattr(part, "name", "") for part in walk(path)]
    texts += [call.dotted for _, call in flow.calls()]
    return any("temp" in text.lower() or "tmp" in text.lower() for text in texts)


def stores_in(receiver: str) -> bool:
    """Whether something of that name is a store that processes share."""
    return bool(_STORES.intersection(names.words(receiver)))


def _named(survey: Survey, flow: Flow, point: Point, call: Call) -> Iterator[tuple[str, Expression]]:
    last = words.last(call.dotted) or getattr(call.callee, "name", "")
    receiver = words.last(call.dotted.rpartition(".")[0])
    first = call.arguments[0] if call.arguments else None
    if stores_in(receiver) and last in _MEMBERS and len(call.arguments) > 1:
        yield "member", call.arguments[1]
    stores = stores_in(receiver)
    if first is not None and ((stores and last in _READS) or last in ("sismember", "setex", "hsetnx")):
        yield "key", first
    if (
        first is not None
        and last in _FILES
        and not _passes(flow, first)
        and (last != "exists" or "path" in receiver.lower())
    ):
        yield "file name", first
    keeps = stores or survey.does(flow, point, Deed.RECORD, Deed.CLAIM, Deed.LOOKUP, Deed.WRITE, Deed.SETS)
    if not keeps:
        return
    for word in call.keywords:
        found = names.words(word.name)
        if found and found[-1] in _FIELDS:
            yield word.name, word.value
    for expression in reads(call):
        for part in walk(expression):
            match part:
                case Compound(kind="entry", parts=(Constant(value=str(name)), value)):
                    if (names.words(name) or ("",))[-1] in _FIELDS:
                        yield name, value
                case _:
                    pass
