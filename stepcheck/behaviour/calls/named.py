"""What the words of a call's name tell of it, where nothing else is known: the last resort."""

from dataclasses import dataclass

from stepcheck.behaviour.calls import given as given_as
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.calls.rows import is_class
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import http, keys, names, receivers, verbs
from stepcheck.catalogue.arguments import Arguments
from stepcheck.code.flow import Call, Flow
from stepcheck.facts import Effect, Evidence

MAKES = frozenset(
    {"create", "acreate", "insert", "add", "add_all", "insert_one", "insert_many", "execute", "executemany", "save",
     "asave", "bulk_create", "flush", "put_item", "put", "set", "merge", "append"}
)  # fmt: skip
"""Methods that a store refuses when the row is there already."""
ROW_READS = frozenset(
    {
        "get",
        "first",
        "one",
        "scalar",
        "scalars",
        "all",
        "exists",
        "one_or_none",
        "fetch",
        "fetchone",
        "fetchall",
        "scalar_one",
        "filter",
        "filter_by",
        "where",
        "options",
        "join",
        "outerjoin",
        "limit",
        "offset",
        "distinct",
        "exclude",
        "select_related",
        "prefetch_related",
        "group_by",
        "with_entities",
        "scalar_one_or_none",
        "aggregate",
        "mappings",
        "unique",
        "last",
        "count",
        "values",
        "values_list",
        "iterator",
        "order_by",
    }
)
_ACKS = frozenset(
    {"ack", "basic_ack", "acknowledge", "ack_message", "mark_as_read", "delete_message", "ack_job"}
)
_OWN = frozenset({"self", "cls", "super", "super()"})
_CONSUMERS = frozenset({"consumer", "reader", "subscriber", "subscription"})


_MODEL_READS = (
    "by_",
    "find",
    "get",
    "for_",
    "with_",
    "first",
    "all",
    "select",
    "exists",
    "where",
    "query",
    "lookup",
)
_MODEL_CHANGES = frozenset(
    {
        "create",
        "insert",
        "add",
        "save",
        "update",
        "upsert",
        "bulk_create",
        "insert_many",
        "replace",
        "append",
        "register",
    }
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a name tells."""

    deed: Deed
    evidence: Evidence
    why: str
    weak: bool = False
    additive: bool = False


def acknowledges(name: str) -> bool:
    """Whether a call of that name tells a queue that a message need not come again."""
    return name.rpartition(".")[2] in _ACKS


def consumes(receiver: str) -> bool:
    """Whether something of that name reads a queue: its `commit` keeps a place, and no transaction."""
    return bool(_CONSUMERS.intersection(names.words(receiver.rpartition(".")[2])))


def sessions(context: Context, flow: Flow) -> frozenset[str]:
    """What the function commits, rolls back or executes statements with: `s` of `s.commit()`."""
    ends = (".commit", ".rollback", ".execute", ".cursor", ".begin_nested")
    names_ = (call.dotted for _, call in context.calls(flow))
    found = {name.rpartition(".")[0] for name in names_ if name.endswith(ends)}
    return frozenset(name for name in found if not consumes(name) and name not in ("self", "cls"))


def told(name: str, call: Call, given: Arguments, *, local: bool, session: bool = False) -> Told:
    """What a call does by its name.

    `local` where it is called on a container made in the same function, `session` where that commits, or executes
    statements, with what it is called on.
    """
    receiver, _, last = name.rpartition(".")
    word = verbs.verb(name)
    on = _On(receiver, receivers.client(receiver) and not session, receivers.store(receiver) or session)
    if local and (word is None or word.local):
        return Told(Deed.HARMLESS, Evidence.BODY, "it changes something in memory")
    return (
        _by_http(last, call, given, on)
        or _keyed(word, call, on)
        or _special(last, receiver)
        or _of_model(last, receiver)
        or _passed_over(last, on)
        or _by_verb(word, last, call, given, on)
    )


@dataclass(frozen=True, slots=True)
class _On:
    """What a call is made on."""

    name: str
    client: bool
    store: bool


def _by_http(last: str, call: Call, given: Arguments, on: _On) -> Told | None:
    """`api.put(url)`."""
    effect = http.effect_of_verb(last)
    addressed = given_as.names_address(call, given) if on.store else given_as.addressed(given)
    if not on.client or not addressed or effect not in (Effect.IDEM_WRITE, Effect.READ):
        return None
    deed = Deed.SETS if effect is Effect.IDEM_WRITE else Deed.ASKS
    return Told(deed, Evidence.BODY, f"it is a {last.upper()}")


def _keyed(word: verbs.Verb | None, call: Call, on: _On) -> Told | None:
    """`shop.voucher(claim, idempotency_key=key)`."""
    if on.store or not any(keys.names_key(one.name) for one in call.keywords):
        return None
    if word is not None and word.effect is Effect.READ:
        return None
    return Told(Deed.WRITE, Evidence.BODY, "it takes an idempotency key")


def _passed_over(last: str, on: _On) -> Told | None:
    """What makes something here, hands on what waits, or asks a model."""
    if receivers.model(on.name):
        return Told(Deed.ASKS, Evidence.NAME, "it asks a model", weak=True)
    factory = (
        last in ("create", "acreate", "make", "build") and is_class(on.name.rpartition(".")[2]) and on.client
    )
    if factory or (verbs.made_here(last) and not on.store):
        return Told(Deed.HARMLESS, Evidence.NAME, "it makes something that stays here", weak=True)
    if last in ("flush", "aflush"):
        return Told(
            Deed.RECORD if on.store else Deed.HARMLESS, Evidence.NAME, "it hands on what waits", weak=True
        )
    return None


def _by_verb(word: verbs.Verb | None, last: str, call: Call, given: Arguments, on: _On) -> Told:
    if "cache" in names.words(on.name.rpartition(".")[2]) and not on.client:
        reads = word is not None and word.effect is Effect.READ
        return Told(Deed.LOOKUP if reads else Deed.RECORD, Evidence.NAME, f"{last!r} of a cache", weak=True)
    if word is None:
        if on.store and last in ROW_READS:
            return Told(Deed.LOOKUP, Evidence.NAME, f"{last!r} on {on.name!r}")
        if call.arguments and receivers.ledger(on.name):
            return Told(Deed.RECORD, Evidence.NAME, f"{last!r} on {on.name!r}", weak=True)
        return Told(Deed.OPAQUE, Evidence.NAME, "nothing tells what it does")
    why = f"{word.word!r} in its name"
    if word.effect is Effect.READ:
        if on.store or (not on.client and given_as.of_class(call)):
            return Told(Deed.LOOKUP, Evidence.NAME, why, weak=True)
        return _read(word, on.name, last, given, why)
    if (on.store and (word.local or not on.client or not word.grave)) or last in ("save", "asave"):
        removes = word.word in ("delete", "remove")
        return Told(Deed.DELETE if removes else Deed.RECORD, Evidence.NAME, why)
    if word.local and not on.client:
        return Told(Deed.HARMLESS, Evidence.NAME, f"{last!r} of something in memory", weak=True)
    if word.effect is Effect.IDEM_WRITE:
        return Told(Deed.SETS, Evidence.NAME, why, weak=True)
    if (
        receivers.plumbing(on.name)
        and not receivers.acts_outside(on.name)
        and (not word.grave or word.message)
    ):
        return Told(Deed.OPAQUE, Evidence.NAME, f"{why}, though of something in the process")
    return Told(Deed.WRITE, Evidence.NAME, why, weak=not _strong(word, on.name, call))


def _read(word: verbs.Verb, receiver: str, last: str, given: Arguments, why: str) -> Told:
    if receivers.client(receiver) or receivers.model(receiver):
        return Told(Deed.ASKS, Evidence.NAME, why, weak=True)
    if verbs.computes(last):
        return Told(Deed.HARMLESS, Evidence.NAME, f"{word.word!r} in its name", weak=True)
    if word.local and (not receiver or given_as.item(given)):
        return Told(Deed.HARMLESS, Evidence.NAME, f"{last!r} of something in memory", weak=True)
    return Told(Deed.ASKS, Evidence.NAME, why, weak=True)


def _of_model(last: str, receiver: str) -> Told | None:
    """`Order.create(...)`, `Team.by_customer(...)`: on a class of our own, rows of it."""
    owner = receiver.removesuffix(".query").removesuffix(".objects").rpartition(".")[2]
    if not is_class(owner) or receivers.client(owner) or receiver.count(".") > 1:
        return None
    why = f"{last!r} of a class"
    if last.startswith(_MODEL_READS):
        return Told(Deed.LOOKUP, Evidence.NAME, why, weak=True)
    if last in _MODEL_CHANGES:
        return Told(Deed.RECORD, Evidence.NAME, why)
    return Told(Deed.DELETE, Evidence.NAME, why) if last in ("delete", "delete_many", "remove") else None


def _special(last: str, receiver: str) -> Told | None:
    """Names that keep, claim or tell what happened: `mark_sent`, `claim_event`, `already_processed`."""
    kind = verbs.bookkeeping(last)
    if kind == "locks" and receivers.plumbing(receiver):
        return Told(Deed.HARMLESS, Evidence.NAME, f"{last!r} of something in the process")
    if kind == "past" and len(names.words(last)) == 1 and receiver and not receivers.store(receiver):
        return None
    if not kind or (receivers.client(receiver) and not receivers.store(receiver)):
        return None
    why = f"{last!r} by its name"
    deeds = {"records": Deed.RECORD, "claims": Deed.CLAIM, "locks": Deed.LOCK, "past": Deed.LOOKUP}
    return Told(deeds[kind], Evidence.NAME, why)


def _strong(word: verbs.Verb, receiver: str, call: Call) -> bool:
    """Whether a verb that people notice is done to somebody outside: `bank.transfer(...)`, not `sock.send(...)`."""
    if not receiver:
        return word.grave
    if receivers.wire(receiver) or call.keyword("sender") is not None:
        return False
    if receivers.acts_outside(receiver):
        return word.grave or bool(verbs.repeats(word.word))
    given = bool(call.arguments or call.keywords)
    return word.grave and given and receiver not in _OWN and not receivers.plumbing(receiver)
