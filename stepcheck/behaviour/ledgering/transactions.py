"""Which parts of a function run inside a transaction of a database, and which of those may be run again."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.analysis.paths import begun, completed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import (
    Attribute,
    Call,
    Edge,
    EdgeKind,
    Enter,
    Evaluated,
    Expression,
    Flow,
    Leave,
    Point,
    Result,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Span


@dataclass(frozen=True, slots=True)
class Transaction:
    """A part of a function that a database commits, or takes back, as a whole."""

    who: str
    """As written: `transaction.atomic`, `session.commit`."""
    span: Span
    points: frozenset[Point] | None
    """None for the whole function."""
    rerun: bool
    """It is run again where the database aborts it."""
    manual: bool
    """From the first change to a `commit`: nothing but the order of calls tells it."""

    def holds(self, point: Point) -> bool:
        """Whether the place is inside."""
        return self.points is None or point in self.points


_CONNECTIONS = frozenset({"conn", "connection"})


def no_swallow(_block: int, edge: Edge) -> bool:
    """Follow all edges but those by which an unknown context manager would end an exception."""
    return edge.kind is not EdgeKind.SWALLOWED


def given(study: Study) -> dict[int, Transaction]:
    """The functions that are handed to something that runs them in a transaction, by their index."""
    found: dict[int, Transaction] = {}
    for flow in study.flows:
        for _, call in study.context.calls(flow):
            last = words.last(call.dotted) or getattr(call.callee, "name", "")
            if last not in ledgers.known().runs:
                continue
            for value in (*call.arguments, *(word.value for word in call.keywords)):
                for index in study.context.callees.named(flow, value):
                    found[index] = Transaction(call.dotted or last, call.span, None, rerun=True, manual=False)
    return found


def transactions(study: Study, flow: Flow) -> Iterator[Transaction]:
    """Every transaction that a function opens, or is put into by a decorator."""
    for made in flow.decorators:
        found = _around(made)
        if found is not None:
            yield found
    yield from _entered(study, flow)
    yield from _manual(study, flow)


def _around(made: Evaluated) -> Transaction | None:
    last = words.last(made.dotted)
    found = names.words(last)
    if last in ledgers.known().around:
        if ledgers.known().tracers.intersection(names.words(made.dotted)):
            return None
        return Transaction(made.dotted, made.span, None, rerun=_reruns(made.dotted), manual=False)
    call = made.call
    if call is None or not {"retry", "retrying", "retries", "retryable"}.intersection(found):
        return None
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            name = dotted(part) if isinstance(part, Variable | Attribute) else ""
            if name and _aborted(name):
                return Transaction(made.dotted, made.span, None, rerun=True, manual=False)
    return None


def _reruns(name: str) -> bool:
    """Whether the library runs the function again where the database aborts it."""
    return bool({"retry", "retrying", "firestore", "ndb"}.intersection(names.words(name)))


def _aborted(name: str) -> bool:
    found = names.words(words.last(name))
    if not {"error", "failure", "exception", "detected", "aborted"}.intersection(found):
        return False
    return bool(ledgers.known().aborted.intersection(found))


def _entered(study: Study, flow: Flow) -> Iterator[Transaction]:
    leaves: dict[int, set[Point]] = {}
    enters: list[tuple[Point, Enter]] = []
    for point, operation in flow.points():
        if isinstance(operation, Leave):
            leaves.setdefault(operation.number, set()).add(point)
        elif isinstance(operation, Enter):
            enters.append((point, operation))
    for point, enter in enters:
        who = _opens(study, flow, enter)
        if not who:
            continue
        ends = leaves.get(enter.number, set())
        inside = begun(flow, (completed(point),), ends, no_swallow) - ends
        yield Transaction(who, enter.span, inside, rerun=False, manual=False)


def _opens(study: Study, flow: Flow, enter: Enter) -> str:
    """What opens a transaction, as written; nothing for other context managers."""
    context: Expression = enter.context
    if isinstance(context, Result):
        made = study.context.operation(flow, context.number)
        if made is None or not isinstance(made[1], Call):
            return ""
        call = made[1]
        name = call.dotted or getattr(call.callee, "name", "")
        if any(_reads_only(word.name, word.value) for word in call.keywords):
            return ""
        if words.last(name) not in ledgers.known().entered or ledgers.known().tracers.intersection(
            names.words(name)
        ):
            return ""
        return name
    name = dotted(context)
    if words.last(name) in ledgers.known().entered or _CONNECTIONS.intersection(
        names.words(words.last(name))
    ):
        return name
    return ""


def _reads_only(name: str, value: Expression) -> bool:
    """`transaction.atomic(using=REPLICA)`, `conn.transaction(readonly=True)`."""
    found = set(names.words(words.last(dotted(value)) or str(getattr(value, "value", ""))))
    told = {"replica", "readonly", "reader", "slave"} & (found | ({name} if found == {"true"} else set()))
    return bool(told) or name in ("readonly", "read_only")


def _manual(study: Study, flow: Flow) -> Iterator[Transaction]:
    """From the first uncommitted change to the commit of the same session."""
    acts = study.acts(flow)
    commits = [act for act in acts if act.deed is Deed.COMMIT and act.call is not None]
    if not commits:
        return
    ends = {act.point for act in acts if act.deed in (Deed.COMMIT, Deed.ROLLBACK)}
    changes = [act.point for act in acts if _uncommitted(act)]
    if not changes:
        return
    inside: set[Point] = set(changes)
    for change in changes:
        if not begun(flow, (completed(change),), ends, no_swallow) <= inside | ends:
            inside |= begun(flow, (completed(change),), ends, no_swallow) - ends
    first = commits[0]
    yield Transaction(first.name, first.span, frozenset(inside), rerun=False, manual=True)


def _uncommitted(act: Act) -> bool:
    if act.deed is Deed.CLAIM:
        return act.name.endswith("execute")
    if act.deed is not Deed.RECORD:
        return False
    return act.call is not None or act.subject.partition(".")[0] not in ("self", "cls")
