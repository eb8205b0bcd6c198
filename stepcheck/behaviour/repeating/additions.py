"""Calls and assignments that add to what is there, so that a repeat adds once more."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.paths import begun, completed
from stepcheck.behaviour.calls import keys
from stepcheck.behaviour.calls.acts import written
from stepcheck.behaviour.calls.own import own_fact
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.repeating.repeated_writes import last_of
from stepcheck.catalogue import arguments, names
from stepcheck.catalogue.calls import known
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
    reads,
    walk,
)
from stepcheck.facts import Effect, Evidence, KeyState, Span

_COUNTS = frozenset(
    {
        "attempt", "attempts", "audit", "cache", "changelog", "counter", "counts", "cursor", "debug", "depth",
        "epoch", "error", "errors", "events", "fail", "fails", "failure", "failures", "gauge", "heartbeat",
        "history", "hit", "hits", "idx", "index", "iteration", "iterations", "journal", "level", "limit",
        "log", "logger", "logging", "logs", "metric", "metrics", "offset", "output", "position",
        "progress", "rate", "ratelimit", "report", "requests", "retries", "retry", "revision", "runs", "seen",
        "stat", "stats", "stdout", "step", "steps", "throttle", "trace", "tries", "try", "turn", "turns",
        "version", "view", "views", "visit", "visits",
    }
)  # fmt: skip
"""Words of what counts attempts, visits or places: it counts right when it counts a repeat as well."""
_SAVES = frozenset(
    {
        "save",
        "asave",
        "commit",
        "flush",
        "put",
        "put_item",
        "merge",
        "replace_one",
        "upsert",
        "bulk_update",
        "update",
    }
)
_APPENDS = frozenset({"append", "WRITE_APPEND"})
_MODES = frozenset(
    {"mode", "to_gbq", "to_sql", "to_csv", "to_parquet", "saveAsTable", "insertInto", "writeTo", "to_delta"}
)


@dataclass(frozen=True, slots=True)
class Addition:
    """One of them."""

    name: str
    point: Point
    span: Span
    why: str
    evidence: Evidence
    local: bool
    """A transaction of a database takes it back."""


def additions(context: Context, flow: Flow) -> Iterator[Addition]:
    """Every addition of a function that is no count of attempts, visits or lines of a log."""
    made = {call.number: call for _, call in context.calls(flow)}
    told: set[Span] = set()
    for point, operation in flow.points():
        match operation:
            case Call():
                found = _of_call(context, flow, point, operation, made)
            case Assign(target=Attribute() | Item()):
                found = _of_assignment(context, flow, point, operation)
            case _:
                found = None
        if found is not None and found.span not in told:
            told.add(found.span)
            yield found


def _of_call(
    context: Context, flow: Flow, point: Point, call: Call, made: dict[int, Call]
) -> Addition | None:
    def follow(value: Expression) -> Expression:
        return _constant(context, flow, value, point)

    given = arguments.read(call, made, follow)
    name = written(context, flow, call) or call.dotted
    last = last_of(call)
    texts = " ".join(str(word) for one in given.all() for word in sorted(one.words))
    subject = f"{name} {texts}" if len(texts) < 400 else name
    said = own_fact(context, call, call.dotted)
    if said is not None and (
        said.effect is not Effect.NON_IDEM_WRITE or keys.state(context, flow, call, point) is KeyState.STABLE
    ):
        return None
    fact = known(call.qualified or name, given)
    if fact is not None and fact.additive and fact.effect is Effect.NON_IDEM_WRITE:
        if fact.kind == "file":
            if _counts(texts) or _counts(name) or not _of_lines(context, flow, point):
                return None
            return Addition(name, point, call.span, "it opens the file to append", fact.evidence, local=False)
        if (fact.kind not in ("sql", "orm") and _counts(subject)) or _writer(name):
            return None
        why = fact.why and f"{fact.why} that adds" if "SQL" in fact.why else f"{last!r} adds to what is there"
        return Addition(name, point, call.span, why, fact.evidence, local=fact.local)
    if last in _MODES and any(
        isinstance(part, Constant) and part.value in _APPENDS
        for value in (*call.arguments[:3], *(word.value for word in call.keywords))
        for part in (follow(value),)
    ):
        return Addition(name, point, call.span, "it appends", Evidence.BODY, local=False)
    for word in call.keywords:
        if word.name == "write_disposition" and "WRITE_APPEND" in str(follow(word.value)):
            return Addition(name, point, call.span, "it appends", Evidence.BODY, local=False)
    return None


def _constant(context: Context, flow: Flow, value: Expression, point: Point) -> Expression:
    """What a variable holds, where it is one constant of the function or of the module."""
    if not isinstance(value, Variable):
        return value
    found = [one.value(flow) for one in context.definitions(flow).of(value.name, point)]
    if not found and flow.index:
        module = context.file.flows[0]
        found = [
            operation.value
            for _, operation in module.points()
            if isinstance(operation, Assign)
            and isinstance(operation.target, Variable)
            and operation.target.name == value.name
        ]
    only = found[0] if len(found) == 1 else None
    return (
        only
        if isinstance(only, Constant | Result) and not (isinstance(only, Result) and not flow.index)
        else value
    )


def _of_lines(context: Context, flow: Flow, point: Point) -> bool:
    """Whether something is written to the file that was opened; a log's lines are about the run itself."""
    for place, other in context.calls(flow):
        if place != point and last_of(other) in (
            "write",
            "writelines",
            "writerow",
            "writerows",
            "dump",
            "print",
        ):
            texts = [
                part.value
                for value in reads(other)
                for part in walk(value)
                if isinstance(part, Constant) and isinstance(part.value, str)
            ]
            return not any(words_ & _COUNTS for text in texts for words_ in (set(names.words(text)),))
    return False


def _writer(name: str) -> bool:
    """Whether it is the end of a chain whose `mode` says what it does: `df.write.mode("append").save()`."""
    return ".write." in f".{name}" or ".writeStream." in f".{name}"


def _counts(text: str) -> bool:
    return bool(_COUNTS.intersection(names.words(text)))


def _of_assignment(context: Context, flow: Flow, point: Point, operation: Assign) -> Addition | None:
    """`account.balance += amount`, which is then saved."""
    target = operation.target
    if (
        isinstance(target, Variable)
        or not isinstance(operation.value, Compound)
        or operation.value.kind != "binary"
    ):
        return None
    if operation.value.text not in ("+", "-") or target not in operation.value.parts:
        return None
    base = target.base
    name = target.name if isinstance(target, Attribute) else str(getattr(target.index, "value", ""))
    held = dotted(base)
    if not held or held in ("self", "cls") or not name or _counts(name) or _counts(held):
        return None
    if any(isinstance(part, Constant) and isinstance(part.value, str) for part in operation.value.parts):
        return None
    if any(
        isinstance(part, Compound) and part.kind in ("text", "list", "tuple", "dict")
        for part in operation.value.parts
    ):
        return None
    after = begun(flow, (completed(point),))
    for place, call in context.calls(flow):
        last = last_of(call)
        if place not in after or last not in _SAVES:
            continue
        receiver = dotted(call.callee.base) if isinstance(call.callee, Attribute) else ""
        given = any(
            dotted(part) == held
            for value in (*call.arguments, *(word.value for word in call.keywords))
            for part in walk(value)
        )
        session = bool({"session", "db", "conn", "connection", "tx"} & set(names.words(receiver)))
        if receiver == held or given or (last in ("commit", "flush") and session):
            text = f"{held}.{name}" if isinstance(target, Attribute) else f"{held}[{name!r}]"
            return Addition(
                text,
                point,
                operation.span,
                "it adds to the value that was stored before",
                Evidence.BODY,
                local=True,
            )
    return None
