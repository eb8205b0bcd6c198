"""What the words of a call's name tell of it, where nothing else is known: the last resort."""

from dataclasses import dataclass

from stepcheck.behaviour.act import Deed
from stepcheck.behaviour.rows import is_class
from stepcheck.catalogue import http, keys, names, receivers, verbs
from stepcheck.catalogue.arguments import Arguments
from stepcheck.code.flow import Call, dotted
from stepcheck.facts import Effect, Evidence

MAKES = frozenset(
    {"create", "acreate", "insert", "add", "add_all", "insert_one", "insert_many", "execute", "executemany", "save",
     "asave", "bulk_create", "flush", "put_item", "put", "set", "merge", "append"}
)  # fmt: skip
"""Methods that a store refuses when the row is there already."""
_ROW_READS = frozenset(
    {"get", "first", "one", "scalar", "scalars", "all", "exists", "one_or_none", "fetch", "fetchone"}
)
_ACKS = frozenset(
    {"ack", "basic_ack", "acknowledge", "ack_message", "mark_as_read", "delete_message", "ack_job"}
)
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


def counts(given: Arguments) -> bool:
    """Whether all that is given is one number: `delay(5)` waits, `task.delay(order_id)` hands over."""
    first = next(iter(given.positional), None)
    return not given.keywords and len(given.positional) == 1 and first is not None and _number(first.value)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def told(name: str, call: Call, given: Arguments, *, local: bool) -> Told:
    """What a call does by its name; `local` where it is called on a container made in the same function."""
    receiver, _, last = name.rpartition(".")
    word = verbs.verb(name)
    client, store = receivers.client(receiver), receivers.store(receiver)
    if local and (word is None or word.local):
        return Told(Deed.HARMLESS, Evidence.BODY, "it changes something in memory")
    speaks = client and not (store and of_class(call))
    if speaks and http.effect_of_verb(last) in (Effect.IDEM_WRITE, Effect.READ) and _addressed(given):
        deed = Deed.SETS if http.effect_of_verb(last) is Effect.IDEM_WRITE else Deed.ASKS
        return Told(deed, Evidence.BODY, f"it is a {last.upper()}")
    takes_key = not store and any(keys.names_key(one.name) for one in call.keywords)
    if takes_key and (word is None or word.effect is not Effect.READ):
        return Told(Deed.WRITE, Evidence.BODY, "it takes an idempotency key")
    special = _special(last, receiver) or _of_model(last, receiver)
    if special is not None:
        return special
    if verbs.made_here(last) and not store:
        return Told(Deed.HARMLESS, Evidence.NAME, "it makes something that stays here", weak=True)
    if word is None:
        deed = Deed.LOOKUP if store and last in _ROW_READS else Deed.OPAQUE
        return Told(
            deed,
            Evidence.NAME,
            f"{last!r} on {receiver!r}" if deed is Deed.LOOKUP else "nothing tells what it does",
        )
    why = f"{word.word!r} in its name"
    if word.effect is Effect.READ:
        if not store and not client and of_class(call):
            return Told(Deed.LOOKUP, Evidence.NAME, f"{why}, of a class", weak=True)
        return _read(word, receiver, last, given, why)
    if (store and (word.local or not client)) or last in ("save", "asave", "flush", "aflush"):
        removes = word.word in ("delete", "remove")
        return Told(Deed.DELETE if removes else Deed.RECORD, Evidence.NAME, why)
    if word.local and not client:
        return Told(Deed.HARMLESS, Evidence.NAME, f"{last!r} of something in memory", weak=True)
    if word.effect is Effect.IDEM_WRITE:
        return Told(Deed.SETS, Evidence.NAME, why, weak=True)
    if receivers.plumbing(receiver) and not client and not word.grave:
        return Told(Deed.OPAQUE, Evidence.NAME, f"{why}, though of something in the process")
    return Told(Deed.WRITE, Evidence.NAME, why, weak=not _strong(word, receiver, call))


def _read(word: verbs.Verb, receiver: str, last: str, given: Arguments, why: str) -> Told:
    if receivers.store(receiver):
        return Told(Deed.LOOKUP, Evidence.NAME, why, weak=True)
    if receivers.client(receiver) or receivers.model(receiver):
        return Told(Deed.ASKS, Evidence.NAME, why, weak=True)
    if verbs.computes(last):
        return Told(Deed.HARMLESS, Evidence.NAME, f"{word.word!r} in its name", weak=True)
    if word.local and (not receiver or _item(given)):
        return Told(Deed.HARMLESS, Evidence.NAME, f"{last!r} of something in memory", weak=True)
    return Told(Deed.ASKS, Evidence.NAME, why, weak=True)


def _of_model(last: str, receiver: str) -> Told | None:
    """`Order.create(...)`, `Team.by_customer(...)`: on a class of our own, rows of it."""
    if "." in receiver or not is_class(receiver) or receivers.client(receiver):
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
    if not kind or (receivers.client(receiver) and not receivers.store(receiver)):
        return None
    why = f"{last!r} by its name"
    deeds = {"records": Deed.RECORD, "claims": Deed.CLAIM, "locks": Deed.LOCK, "past": Deed.LOOKUP}
    return Told(deeds[kind], Evidence.NAME, why)


def _strong(word: verbs.Verb, receiver: str, call: Call) -> bool:
    """Whether a verb that people notice is done to somebody outside: `bank.transfer(...)`, not `sock.send(...)`."""
    if not receiver:
        return word.grave
    if receivers.client(receiver):
        return word.grave or not word.local
    given = bool(call.arguments or call.keywords)
    return word.grave and given and not receivers.plumbing(receiver)


def _addressed(given: Arguments) -> bool:
    """Whether the first argument may be an address."""
    first = given.get("url", 0)
    if first is None:
        return given.open
    return not first.literal or (isinstance(first.value, str) and "/" in first.value)


def of_class(call: Call) -> bool:
    """Whether the first argument is a class: `session.get(Order, id)` asks for a row of it."""
    first = call.arguments[0] if call.arguments else None
    return first is not None and is_class(dotted(first).rpartition(".")[2])


def _item(given: Arguments) -> bool:
    """Whether the arguments are those of a dict's `get`: a literal, and perhaps a default."""
    first = next(iter(given.positional), None)
    return not given.keywords and (first is None or first.literal)
