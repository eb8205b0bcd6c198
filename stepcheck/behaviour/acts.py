"""What each call of a function is for, as far as retries go: writes, questions, claims, and records of our own."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from stepcheck.behaviour import words
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.effects import does
from stepcheck.catalogue import arguments, http, names
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.claims import claim
from stepcheck.catalogue.harmless import harmless
from stepcheck.catalogue.verbs import verb
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
from stepcheck.facts import Effect, Evidence, Span


class Deed(Enum):
    """What a call is for."""

    WRITE = "write"
    """It does something outside that a repeat does once more, as far as is known."""
    SETS = "sets"
    """It does something outside that a repeat leaves as it is: a PUT, an upsert."""
    ASKS = "asks"
    """It asks the outside."""
    LOOKUP = "lookup"
    """It reads rows of our own."""
    CLAIM = "claim"
    """Of several only the first carries it out."""
    LOCK = "lock"
    """It keeps others out for a while."""
    RECORD = "record"
    """It makes or changes rows of our own, or the state of a record in memory (`row.status = "done"`)."""
    DELETE = "delete"
    """It deletes rows of our own."""
    COMMIT = "commit"
    ROLLBACK = "rollback"
    PAUSE = "pause"
    HARMLESS = "harmless"
    """Logs, metrics, pauses, plain computing: nothing that a repeat would hurt."""
    OPAQUE = "opaque"
    """It is not known: it may do anything."""


@dataclass(frozen=True, slots=True)
class Act:
    """One call, or one assignment of a record's state, with what it is for."""

    deed: Deed
    name: str
    """As written: `Order.objects.create`, `mail.status`."""
    point: Point
    span: Span
    call: Call | None
    """None for an assignment."""
    evidence: Evidence
    why: str
    """In words: `it is a POST`."""
    weak: bool = False
    """Told by a word that many harmless calls have too: to be believed only where other things fit."""
    subject: str = ""
    """What the record is of or in: `Order`, `mail`, the SQL's table; nothing where that is not told."""
    states: tuple[str, ...] = ()
    """The states written or asked for: the texts of arguments or assignments named status, state and kin."""


_STATES = frozenset({"status", "state", "stage", "phase", "done", "processed", "sent", "paid", "handled"})
_ROW_READS = frozenset({"get", "first", "one", "scalar", "scalars", "all", "exists", "one_or_none"})
_STORES = frozenset(
    {"session", "db", "database", "repo", "repository", "store", "storage", "ledger", "table", "dao", "redis",
     "cache", "cursor", "conn", "connection", "collection", "tx", "journal", "outbox", "inbox"}
)  # fmt: skip
"""Words of what holds records of our own."""


def acts(context: Context, flow: Flow) -> tuple[Act, ...]:
    """Every act of a function, in the order of its blocks; calls of functions of the file are not among them."""
    found: list[Act] = []
    for point, operation in flow.points():
        match operation:
            case Call() if not context.called(flow, operation):
                found.append(_of_call(context, flow, point, operation))
            case Assign(
                target=Attribute(base=base, name=name) | Item(base=base, index=Constant(value=str(name)))
            ):
                if _STATES.intersection(names.words(name)):
                    text = f"{dotted(base)}.{name}".lstrip(".")
                    states = _texts((operation.value,))
                    found.append(
                        Act(Deed.RECORD, text, point, operation.span, None, Evidence.BODY, f"it sets {name!r}",
                            subject=dotted(base), states=states)
                    )  # fmt: skip
            case _:
                pass
    return tuple(found)


def _of_call(context: Context, flow: Flow, point: Point, call: Call) -> Act:
    name = written(context, flow, call)
    subject = name.partition(".")[0] if name[:1].isupper() else name.rpartition(".")[0]

    def act(deed: Deed, evidence: Evidence, why: str, *, weak: bool = False) -> Act:
        return Act(deed, name, point, call.span, call, evidence, why, weak, subject, _states(call))

    given = arguments.read(call)
    last = words.last(name)
    if words.pauses(name):
        return act(Deed.PAUSE, Evidence.BODY, "it waits")
    if harmless(call.qualified, call.dotted):
        return act(Deed.HARMLESS, Evidence.KNOWN, "")
    if last in ("commit", "rollback"):
        return act(Deed(last), Evidence.BODY, f"{last!r} in its name")
    made = claim(name, given)
    if made is not None:
        return act(Deed.LOCK if made.lock else Deed.CLAIM, Evidence.KNOWN, made.tells)
    fact = known(call.qualified or name, given)
    if fact is not None and fact.local:
        if last.endswith("delete"):
            return act(Deed.DELETE, fact.evidence, fact.name)
        deed = Deed.LOOKUP if fact.effect is Effect.READ else Deed.RECORD
        return act(deed, fact.evidence, fact.why or fact.name)
    what = does(context, flow, call)
    if what is not None:
        return act(Deed.WRITE, what.evidence, what.why)
    if fact is not None and fact.evidence is Evidence.KNOWN:
        deeds = {Effect.READ: Deed.ASKS, Effect.IDEM_WRITE: Deed.SETS, Effect.NON_IDEM_WRITE: Deed.WRITE}
        return act(deeds[fact.effect], fact.evidence, fact.why or fact.name, weak=not fact.settled)
    return _by_name(act, name, last)


class _Make(Protocol):
    def __call__(self, deed: Deed, evidence: Evidence, why: str, *, weak: bool = False) -> Act: ...


def _by_name(act: _Make, name: str, last: str) -> Act:
    receiver = name.rpartition(".")[0]
    stores = bool(_STORES.intersection(names.words(words.last(receiver))))
    word = verb(name)
    if words.client(receiver) and http.effect_of_verb(last) is Effect.IDEM_WRITE:
        return act(Deed.SETS, Evidence.BODY, f"it is a {last.upper()}")
    if word is None:
        return act(Deed.LOOKUP if stores and last in _ROW_READS else Deed.OPAQUE, Evidence.NAME, "")
    if word.effect is Effect.READ:
        return act(
            Deed.LOOKUP if stores else Deed.ASKS, Evidence.NAME, f"{word.word!r} in its name", weak=True
        )
    if stores or last in ("save", "asave", "flush"):
        deed = Deed.DELETE if word.word in ("delete", "remove") else Deed.RECORD
        return act(deed, Evidence.NAME, f"{word.word!r} in its name")
    deed = Deed.SETS if word.effect is Effect.IDEM_WRITE else Deed.WRITE
    return act(deed, Evidence.NAME, f"{word.word!r} in its name", weak=True)


def written(context: Context, flow: Flow, call: Call) -> str:
    """A call's name as written, with `()` for the answer of another: `Order.objects.filter().update`."""
    pieces: list[str] = []
    at: Expression = call.callee
    for _ in range(20):
        match at:
            case Attribute(base=base, name=name):
                pieces.append(name)
                at = base
            case Item(base=base):
                at = base
            case Result(number=number):
                made = context.operation(flow, number)
                if made is None or not isinstance(made[1], Call):
                    break
                at = made[1].callee
                if isinstance(at, Attribute):
                    pieces.append(at.name + "()")
                    at = at.base
                elif isinstance(at, Variable):
                    pieces.append(at.name + "()")
                    break
            case Variable(name=name):
                pieces.append(name.partition("@")[0])
                break
            case _:
                break
    return ".".join(reversed(pieces))


def _states(call: Call) -> tuple[str, ...]:
    found: list[Expression] = []
    for word in call.keywords:
        if _STATES.intersection(names.words(word.name)) or word.name in ("defaults", "values"):
            found.append(word.value)
    return _texts(found)


def _texts(values: Iterable[Expression]) -> tuple[str, ...]:
    return tuple(
        str(part.value)
        for value in values
        for part in walk(value)
        if isinstance(part, Constant) and isinstance(part.value, str | bool)
    )
