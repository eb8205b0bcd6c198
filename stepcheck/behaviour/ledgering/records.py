"""What a function notes in rows of our own, and what it looks up there: whose rows, which fields, which states."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed, written
from stepcheck.behaviour.calls.named_fields import (
    chain,
    fields_of,
    is_state,
    model,
    positional,
    state,
    statement,
)
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
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


@dataclass(frozen=True, slots=True)
class Row:
    """One look at, or change of, rows of our own."""

    point: Point
    span: Span
    name: str
    """As written: `Order.objects.create`, `mail.status`."""
    subject: str
    """Whose rows: a model, a table, a store, or the variable that holds the record."""
    fields: frozenset[str]
    """Those written, or asked for."""
    states: tuple[str, ...]
    """Those written: literal texts, and the names of fields set to true or to a time."""
    given: frozenset[str]
    """The variables and attributes handed in, as written."""
    ledger: bool
    """It is a row for each step, event, message or call, by its name."""
    evidence: Evidence
    call: Call | None
    cached: bool = False
    """In a cache."""

    @property
    def over(self) -> bool:
        """Whether it says that something is over, or was done."""
        return any(ledgers.over(state) for state in self.states)


def noted(study: Study, flow: Flow) -> tuple[Row, ...]:
    """Every note of a function, in the order of its blocks."""
    return tuple(sorted(_noted(study, flow), key=lambda row: row.point))


def _noted(study: Study, flow: Flow) -> Iterator[Row]:
    met: set[Point] = set()
    for act in study.acts(flow):
        row = None
        if act.call is None or _unread(act):
            continue
        if act.deed in (Deed.RECORD, Deed.CLAIM) or (
            act.deed in (Deed.OPAQUE, Deed.SETS, Deed.WRITE) and _notes(act)
        ):
            row = of_act(study, flow, act)
        elif act.deed is Deed.HARMLESS and words.last(act.name) == "set":
            row = of_act(study, flow, act, cached=True)
        if row is not None:
            met.add(act.point)
            yield row
    for point, operation in flow.points():
        if point in met:
            continue
        match operation:
            case Assign(target=Attribute(base=Variable() as base, name=field), value=value):
                yield Row(
                    point, operation.span, f"{dotted(base)}.{field}", dotted(base), frozenset({field}),
                    state(field, value), _names(value), _ledger(dotted(base)), Evidence.BODY, None,
                )  # fmt: skip
            case Assign(target=Item(base=base, index=index)) if dotted(base) and not isinstance(
                index, Constant
            ):
                yield Row(
                    point, operation.span, dotted(base), dotted(base), frozenset(), (),
                    _names(index) | _names(operation.value) | {dotted(base)}, _ledger(dotted(base)), Evidence.NAME,
                    None, cached=True,
                )  # fmt: skip
            case Call() if study.context.called(flow, operation) and _marks(operation.dotted):
                yield Row(
                    point, operation.span, operation.dotted, words.last(operation.dotted), frozenset(),
                    _marked(operation.dotted), handed(study, flow, operation), True, Evidence.NAME, operation,
                )  # fmt: skip
            case _:
                pass


def _unread(act: Act) -> bool:
    """`request.execute()`, which may be a statement and may be anything."""
    return act.weak and words.last(act.name) in ("execute", "exec", "run")


def _notes(act: Act) -> bool:
    """`mark_sent(order)`, `ledger.append(...)`."""
    found = names.words(words.last(act.name))
    if not found or found[0] not in ledgers.known().notes or ledgers.claims(words.last(act.name)):
        return False
    receiver = frozenset(names.words(words.last(act.name.rpartition(".")[0])))
    if {
        "ledger",
        "journal",
        "outbox",
        "checkpoint",
        "checkpoints",
        "idempotency",
        "processed",
        "steplog",
    } & receiver:
        return True
    if {"log", "history"} & receiver and len(receiver) > 1:
        return True
    return _marks(act.name)


def _marks(name: str) -> bool:
    found = names.words(words.last(name))
    return (
        len(found) > 1
        and found[0] in ("mark", "record", "remember", "set", "note", "log", "save", "store")
        and any(is_state(word) for word in found[1:])
    )


def _marked(name: str) -> tuple[str, ...]:
    return tuple(word for word in names.words(words.last(name))[1:] if is_state(word))


def of_act(study: Study, flow: Flow, act: Act, *, cached: bool = False) -> Row:
    """The row that an act, which is a call, reads or writes."""
    call = act.call
    assert call is not None
    text = statement(study, flow, call)
    if text is not None:
        fields = text.asks if text.verb == "SELECT" else text.writes
        subject, states = text.table, text.states
    else:
        fields, states = fields_of(study, flow, call)
        subject = act.subject.partition(".")[0] if act.name[:1].isupper() else act.subject
        states = (*states, *_marked(act.name), *positional(call))
    if not subject or subject in (
        "session",
        "db",
        "self.session",
        "db.session",
        "self.db",
        "session.query()",
    ):
        subject = model(study, flow, call) or subject
    ledger = _ledger(subject) or _ledger(act.subject) or bool(_marked(act.name))
    ledger = ledger or (
        words.last(act.name) in ("sadd", "zadd", "hset") and any(ledgers.over(one) for one in states)
    )
    return Row(
        act.point,
        act.span,
        act.name,
        subject,
        fields,
        states,
        handed(study, flow, call),
        ledger,
        act.evidence,
        call,
        cached,
    )


def _ledger(name: str) -> bool:
    return bool(ledgers.known().ledgers.intersection(names.words(name)))


def handed(study: Study, flow: Flow, call: Call) -> frozenset[str]:
    """What a call is told, as written: through the calls that it is chained to, and those that give its arguments."""
    found: set[str] = set()
    waiting = [(one, 2) for one in (call, *chain(study, flow, call))]
    while waiting:
        one, left = waiting.pop()
        for value in (*one.arguments, *(word.value for word in one.keywords)):
            found |= _names(value)
            for part in walk(value) if left > 0 else ():
                made = study.context.operation(flow, part.number) if isinstance(part, Result) else None
                if made is not None and isinstance(made[1], Call):
                    waiting.append((made[1], left - 1))
    return frozenset(found)


def _names(value: Expression) -> frozenset[str]:
    return frozenset(
        name
        for part in walk(value)
        if isinstance(part, Variable | Attribute | Item) and (name := _text(part))
    )


def _text(value: Expression) -> str:
    if isinstance(value, Item) and isinstance(value.index, Constant):
        base = _text(value.base)
        return f"{base}[{value.index.value}]" if base else ""
    return dotted(value)


def name_of(study: Study, flow: Flow, call: Call) -> str:
    """A call's name as written."""
    return written(study.context, flow, call)
