"""What a call is for by the words of its name and by what it is called on, where nothing is known of it."""

from dataclasses import replace

from stepcheck.behaviour.calls import given, looks, named, states
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.calls.asked import Asked, Asking
from stepcheck.behaviour.calls.effects import bears_itself, does, only_asks
from stepcheck.behaviour.calls.named import Told
from stepcheck.behaviour.calls.rows import is_class
from stepcheck.catalogue import receivers, verbs
from stepcheck.catalogue.harmless import plain
from stepcheck.code.flow import Attribute, Compound, Constant, Result, Variable
from stepcheck.facts import Evidence

_OF_ROWS = {
    "delete": Deed.DELETE,
    "adelete": Deed.DELETE,
    "delete_instance": Deed.DELETE,
    "save": Deed.RECORD,
    "asave": Deed.RECORD,
    "update": Deed.RECORD,
    "refresh_from_db": Deed.LOOKUP,
}
"""Methods of rows."""
_STATEMENTS = frozenset({"insert", "select", "update", "delete"})
_ENDS = frozenset({"commit", "rollback", "acommit", "arollback"})
_CALM = frozenset({"begin", "transaction", "connect", "close", "done", "cursor"})
"""With nothing given, they begin or end something in the process."""


def guessed(asking: Asking, asked: Asked) -> Told:
    """What the words of the name tell."""
    last, call = asked.last, asked.call
    if last in _ENDS:
        if named.consumes(asked.receiver):
            return Told(Deed.ACK, Evidence.NAME, "it keeps the place of a consumer")
        return Told(Deed(last.removeprefix("a")), Evidence.BODY, f"{last!r} in its name")
    if last in _CALM and not (call.arguments or call.keywords):
        return Told(Deed.HARMLESS, Evidence.NAME, f"{last!r} of something in the process")
    if (
        last in ("get", "result")
        and [word.name for word in call.keywords] == ["timeout"]
        and not call.arguments
    ):
        return Told(Deed.HARMLESS, Evidence.BODY, "it waits for an answer")
    if named.acknowledges(asked.name):
        return Told(Deed.ACK, Evidence.NAME, "it acknowledges a message")
    literal = isinstance(asked.chain.head, Constant | Compound) and "." not in asked.call.dotted
    if literal or plain(asked.call.qualified, asked.name, classes=is_class):
        return Told(Deed.HARMLESS, Evidence.BODY, "it computes or makes something in memory")
    what = does(asking.context, asking.flow, asked.call)
    posts = asked.last in ("post", "patch") and (
        receivers.client(asked.receiver) or call.keyword("json") is not None
    )
    if what is None and posts and only_asks(call):
        return Told(Deed.ASKS, Evidence.NAME, "by its address it only asks", weak=True)
    if what is not None and not (receivers.store(asked.receiver) and not receivers.client(asked.receiver)):
        word = verbs.verb(asked.name)
        grave = word is not None and word.grave
        loose = what.evidence is Evidence.NAME and not grave and not receivers.acts_outside(asked.receiver)
        return Told(Deed.WRITE, what.evidence, what.why, weak=loose)
    if asked.name in _STATEMENTS and given.of_class(call):
        return Told(Deed.HARMLESS, Evidence.BODY, "it builds a statement")
    if bears_itself(call):
        return Told(Deed.SETS, Evidence.NAME, "it does nothing where the thing is there already")
    local, session = _in_memory(asking, asked), asked.receiver in asking.sessions
    told = _of_record(asking, asked) or named.told(
        asked.name, call, asked.given, local=local, session=session
    )
    if told.deed is Deed.CLAIM and not looks.looked_at(asking.flow, asked.call):
        told = replace(told, deed=Deed.RECORD)
    return told


def _of_record(asking: Asking, asked: Asked) -> Told | None:
    """What a method of a row does, where the query that gave it was seen: `order.delete()`."""
    base = asked.call.callee.base if isinstance(asked.call.callee, Attribute) else None
    answers = isinstance(base, Result) and base.number in asking.rows.known
    if not answers and isinstance(base, Variable):
        answers = asking.rows.queried(base, asked.point)
    if answers and asked.last in named.ROW_READS:
        return Told(Deed.LOOKUP, Evidence.BODY, "it reads the answer of a query")
    if asked.last not in _OF_ROWS or not isinstance(asked.chain.head, Variable) or len(asked.chain.links) > 1:
        return None
    row = asking.rows.of(asked.chain.head, asked.point)
    if row not in asking.rows.known.values():
        return None
    return Told(_OF_ROWS[asked.last], Evidence.BODY, f"it is called on a row of {row!r}")


def _in_memory(asking: Asking, asked: Asked) -> bool:
    """Whether it is called on a container that this function made."""
    head = asked.chain.head
    if not isinstance(head, Variable) or len(asked.chain.links) > 1:
        return False
    found = asking.context.definitions(asking.flow).of(head.name, asked.point)
    held = [one.value(asking.flow) for one in found]
    return bool(held) and all(
        value is not None and states.container(asking.context, asking.flow, value) for value in held
    )
