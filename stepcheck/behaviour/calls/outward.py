"""The writes of a function that surely leave the process and the database, each with its place and its key."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.effects import does
from stepcheck.behaviour.calls.outward_keys import key_of
from stepcheck.behaviour.study import DEPTH, Study
from stepcheck.catalogue import ledgers, names, receivers, verbs
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import Attribute, Call, Constant, Flow, Point, Variable, dotted
from stepcheck.facts import Effect, Evidence, KeyState, Span


class Surety(IntEnum):
    """How sure it is that a call leaves the process and the database."""

    LOOSE = 0
    """A verb that much code of our own has too: `create_invoice`, `team.add_credit`."""
    GRAVE = 1
    """A verb that moves money, goods or messages: `send_welcome`, `order.ship`."""
    CLIENT = 2
    """It is asked of something that speaks with others: `bank.transfer`."""
    SURE = 3
    """The catalogue knows it, or it is an HTTP verb."""


@dataclass(frozen=True, slots=True)
class Outward:
    """A call that does something outside, itself or by a helper of the file."""

    name: str
    verb: str
    """The word that tells: `send`, `post`."""
    point: Point
    span: Span
    call: Call
    evidence: Evidence
    why: str
    surety: Surety
    key: KeyState
    enqueues: bool
    """It hands the work to a queue, and is over at once."""
    inner: Span | None = None
    """Where the helper does it."""

    def said_by(self, states: Iterable[str]) -> bool:
        """Whether a state says that just this was done: `sent` of `send`, `refunded` of `Refund.create`."""
        told = {self.verb, *names.words(".".join(self.name.split(".")[-2:]))}
        return any(ledgers.says(state, verb) for state in states for verb in sorted(told))


_HERE = frozenset(
    {
        "sql",
        "orm",
        "file",
        "process",
        "llm",
        "search",
        "vector",
        "data",
        "mongo",
        "redis",
        "infra",
        "http_server",
    }
)
"""Kinds of calls that stay in the house, or whose repeats matter to nobody but the bill."""
_OWN = frozenset({"self", "cls", "super", "super()"})
_RECEIVES = (("receive",), ("poll",), ("pull",), ("consume",), ("subscribe",), ("connect",))
_STARTS = (("start",), ("run",), ("trigger",), ("launch",), ("begin",), ("submit",), ("schedule",))
_LOCAL_RECEIVERS = frozenset({"list", "dict", "set", "tuple", "str"})


def outward(study: Study, flow: Flow) -> tuple[Outward, ...]:
    """Every such write of a function, those in a `finally` once; helpers that only send are followed."""
    found: dict[tuple[Span, Point], Outward] = {}
    for one in _outward(study, flow, DEPTH):
        found.setdefault((one.span, one.point), one)
    return tuple(found.values())


def _outward(study: Study, flow: Flow, left: int) -> Iterator[Outward]:
    for act in study.acts(flow):
        one = of_act(study, flow, act)
        if one is not None:
            yield one
    for point, call in study.context.calls(flow) if left > 0 else ():
        for helper in study.context.called(flow, call)[:2]:
            if helper.index == flow.index or helper.generator or study.context.large(helper):
                continue
            if not study.done(helper).may.isdisjoint(
                {Deed.CLAIM, Deed.LOCK, Deed.RECORD, Deed.LOOKUP, Deed.COMMIT}
            ):
                continue
            told = verb(helper.name)
            if told is not None and told.effect is not Effect.NON_IDEM_WRITE:
                continue
            if any(ledgers.claims(other.dotted) for _, other in study.context.calls(helper)):
                continue
            inner = next(_outward(study, helper, left - 1), None)
            if inner is not None:
                name = call.dotted or helper.name
                state = key_of(study, flow, call, point)
                state = inner.key if state is not KeyState.STABLE else state
                yield replace(
                    inner, name=name, point=point, span=call.span, call=call, inner=inner.span, key=state
                )


def of_act(study: Study, flow: Flow, act: Act) -> Outward | None:
    """The write that an act is, where it leaves the house."""
    call = act.call
    if call is None or (act.deed is not Deed.WRITE and not _delayed(act)):
        return None
    last = words.last(act.name)
    found = names.words(last)
    receiver = words.last(act.name.rpartition(".")[0])
    fact = study.context.fact(call, call.qualified or act.name)
    enqueues = last in ledgers.known().hands_over or (fact is not None and fact.kind == "enqueue")
    if fact is not None and fact.kind in _HERE and (fact.evidence is Evidence.KNOWN or "*" not in fact.name):
        return None
    if fact is not None and fact.kind == "http" and does(study.context, flow, call) is None:
        return None
    told = verb(act.name)
    if found[:1] in _RECEIVES or verbs.made_here(last) or (told is not None and told.effect is Effect.READ):
        return None
    if act.evidence is Evidence.NAME and (
        ledgers.known().light.intersection(found[1:])
        or (found[:1] in _STARTS and ledgers.known().looking.intersection(found[1:]))
        or _ours(call)
        or receivers.store(receiver)
        or (receivers.plumbing(receiver) and not (told is not None and told.grave))
    ):
        return None
    if told is not None and told.word == "create" and _light(act.name):
        return None
    surety = _surety(act, found, receiver, enqueues=enqueues)
    if surety is None:
        return None
    word = told.word if told is not None else (found[0] if found else "")
    if enqueues:
        named = verb(act.name.rpartition(".")[0])
        word = named.word if named is not None else word
    state = key_of(study, flow, call, act.point)
    return Outward(act.name, word, act.point, call.span, call, act.evidence, act.why, surety, state, enqueues)


def _of_house(receiver: str) -> bool:
    """Whether a service may be a part of this program: `invoice_service`, unlike `stripe_service`."""
    found = names.words(receiver)
    if found[-1:] not in (("service",), ("svc",)):
        return False
    return not any(words.client(word) or word in ledgers.known().outside for word in found[:-1])


def _ours(call: Call) -> bool:
    """Whether a call is handed a session of our database: then it works there."""
    given = (*call.arguments, *(word.value for word in call.keywords))
    return any(
        words.last(dotted(value)) in _SESSIONS for value in given if isinstance(value, Variable | Attribute)
    )


def _light(name: str) -> bool:
    """Whether what is made is nothing until somebody uses it: `stripe.checkout.Session.create`."""
    return bool(ledgers.known().unused.intersection(names.words(".".join(name.split(".")[-2:]))))


_SESSIONS = frozenset(
    {"session", "db", "db_session", "conn", "connection", "tx", "cursor", "cur", "transaction"}
)


def _delayed(act: Act) -> bool:
    """`send_invoice.delay(order_id)`, which hands a task to a queue."""
    call = act.call
    if call is None or not act.name.endswith((".delay", ".apply_async", ".kiq")) or act.deed is Deed.CLAIM:
        return False
    given = call.arguments
    return not (
        len(given) == 1 and isinstance(given[0], Constant) and isinstance(given[0].value, int | float)
    )


def _surety(act: Act, found: tuple[str, ...], receiver: str, *, enqueues: bool) -> Surety | None:
    call = act.call
    listed = ledgers.known()
    if act.evidence is not Evidence.NAME and not act.weak:
        return Surety.SURE
    if _delayed(act):
        return Surety.SURE
    if act.evidence is Evidence.KNOWN:
        return Surety.SURE if not enqueues or "send" in found else Surety.LOOSE
    if call is None or not found or any(word.name == "sender" for word in call.keywords):
        return None
    where = frozenset(names.words(receiver))
    told = verb(act.name)
    if told is None and not words.writes(act.name):
        return None
    path = frozenset(names.words(act.name.rpartition(".")[0]))
    if (words.client(receiver) and not _of_house(receiver)) or (
        listed.outside.intersection(where | path) and not listed.inside.intersection(where)
    ):
        if told is not None and told.local and not told.grave:
            return None
        return Surety.CLIENT
    if listed.inside.intersection(where) or receiver in _LOCAL_RECEIVERS or enqueues:
        return None
    if call.qualified.startswith("builtins."):
        return None
    if told is not None and told.grave and not act.weak and not (receiver in _OWN and len(found) == 1):
        return Surety.GRAVE
    if told is not None and told.local and len(found) == 1:
        return None
    return Surety.LOOSE
