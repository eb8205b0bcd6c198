"""Where the numbers of steps come from, that stand beside their task in records and keys."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.remembering import counters
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import given, ingredients
from stepcheck.catalogue.memory import says
from stepcheck.catalogue.names import words as split
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
    Result,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.remembering import Numbering, StepNumber

_COUNTS = frozenset({"builtins.len", "builtins.next"})
_KEEPS = frozenset(
    {"ledger", "journal", "log", "event", "events", "intent", "intents", "store", "db", "session", "repo", "record",
     "records", "append", "insert", "execute", "save", "create", "begin", "claim", "reserve", "key", "idempotency",
     "outbox", "checkpoint", "row", "persist", "put", "remember"}
)  # fmt: skip
_MEASURES = frozenset(
    {"metric", "metrics", "scalar", "scalars", "progress", "callback", "trace", "span", "wandb", "mlflow", "summary",
     "tensorboard", "writer", "tracker", "telemetry", "report", "print", "debug", "info"}
)  # fmt: skip
_LISTS = frozenset(
    {"history", "events", "steps", "messages", "journal", "ledger", "records", "results", "done", "completed",
     "calls", "actions", "turns", "entries", "executed"}
)  # fmt: skip


def step_numbers(study: Study) -> Iterator[StepNumber]:
    """Every number of a step beside its task that a restart may give once more."""
    for flow in study.flows:
        counts = any(call.qualified in _COUNTS for _, call in study.context.calls(flow))
        if not counts and not any(says("number", name) for name in _names(flow)):
            continue
        for point, span, name, value in _given(study, flow):
            found = _numbering(study, flow, value, point)
            if found is not None:
                text, numbering = found
                yield StepNumber(span, name, text, numbering, Evidence.BODY)
                break


def _names(flow: Flow) -> Iterator[str]:
    for _, one in flow.points():
        if isinstance(one, Call):
            yield from (word.name for word in one.keywords)
            for value in given(one):
                yield from _inside(value)
        elif isinstance(one, Assign):
            yield from _inside(one.value)


def _inside(value: Expression) -> Iterator[str]:
    for part in walk(value):
        match part:
            case Variable() | Attribute():
                yield dotted(part)
            case Compound(kind="entry", parts=(Constant(value=str(name)), _)):
                yield name
            case _:
                pass


def _given(study: Study, flow: Flow) -> Iterator[tuple[Point, Span, str, Expression]]:
    """Every value given as the number of a step, where its task is given too: in a record, or in a key."""
    for point, one in flow.points():
        match one:
            case Call() if _keeps(study, flow, one):
                named = [(word.name, word.value) for word in one.keywords]
                named += [("", value) for value in one.arguments]
                yield from _beside(named, point, one.span)
            case Assign(target=Variable(name=name), value=Compound(kind="text" | "tuple") as value) if {
                "key",
                "idempotency",
                "token",
            }.intersection(split(name)):
                yield from _beside([("", value)], point, one.span, keyed=True)
            case _:
                pass


def _keeps(study: Study, flow: Flow, call: Call) -> bool:
    found = set(split(written(study.context, flow, call)))
    if _MEASURES.intersection(found):
        return False
    return bool(_KEEPS.intersection(found)) or any(words.is_key(word.name) for word in call.keywords)


def _beside(
    named: list[tuple[str, Expression]], point: Point, span: Span, keyed: bool = False
) -> Iterator[tuple[Point, Span, str, Expression]]:
    flat: list[tuple[str, Expression]] = []
    for name, value in named:
        for part in walk(value):
            match part:
                case Compound(kind="entry", parts=(Constant(value=str(key)), held)):
                    flat.append((key, held))
                case Compound(kind="format" | "tuple" | "text" | "list", parts=parts):
                    flat += [(_named(inner), inner) for inner in parts]
                case _:
                    pass
        flat.append((name or dotted(value), value))
    if any(says("task", name) for name, _ in flat):
        for name, value in flat:
            if name and says("number", name) and not says("task", name):
                yield point, span, name, value
            elif keyed and not name and isinstance(value, Result):
                yield point, span, "the key", value


def _named(value: Expression) -> str:
    """What a value is called: by its own name, or by that of the field that it is in."""
    if isinstance(value, Item) and isinstance(value.index, Constant):
        return str(value.index.value)
    return dotted(value)


def _numbering(study: Study, flow: Flow, value: Expression, point: Point) -> tuple[str, Numbering] | None:
    """Where a number comes from, with what it is made of as written; None where nothing is wrong with it."""
    counted = counters.counter(study, flow, value)
    if counted is not None:
        return counted
    for one in ingredients(study.context, flow, value, point):
        match one.value:
            case Call(qualified="builtins.len", arguments=(listed,)):
                name = dotted(listed) or _named(listed)
                if name and _LISTS.intersection(split(name)) and _in_memory(study, flow, listed, one.point):
                    return f"len({name})", Numbering.LENGTH
                return None
            case Call(qualified="builtins.enumerate", arguments=(listed, *_)):
                return counters.ordered(study, flow, listed, one.point)
            case Call(qualified="builtins.next", arguments=(counts, *_)):
                if counters.counts(study, flow, counts, one.point):
                    return f"next({dotted(counts)})", Numbering.COUNTER
            case Call() as call if not call.qualified.startswith("builtins.") and "count" not in call.dotted:
                return None
            case _:
                pass
    return counters.skipping(study, flow, value)


def _in_memory(study: Study, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a list is one of the process: given to the function, or held by the object."""
    return not any(
        isinstance(one.value, Call) and not one.value.qualified.startswith("builtins.")
        for one in ingredients(study.context, flow, value, point)
    )
