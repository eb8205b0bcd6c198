"""What the catalogue, or the SQL that it executes, tells of a call."""

from dataclasses import replace

from stepcheck.behaviour.calls import given, looks, states
from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.calls.asked import Asked, Asking
from stepcheck.behaviour.calls.effects import does, only_asks
from stepcheck.behaviour.calls.named import Told
from stepcheck.catalogue import receivers, sql
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.claims import Claim, claim
from stepcheck.catalogue.harmless import harmless, pauses
from stepcheck.facts import Effect, Evidence

_OWN = frozenset({"sql", "orm", "mongo", "redis"})
_TABLES = (
    "boto3.resource('dynamodb')",
    "boto3.client('dynamodb')",
    "google.cloud.firestore.",
    "azure.cosmos.",
)
_LIGHT = frozenset({"process", "llm", "search", "vector", "data", "infra"})
"""Kinds of calls that stay here, or whose repeats matter to nobody but the bill."""
_BUILDS = frozenset(
    {"on_conflict_do_nothing", "on_conflict_do_update", "prefix_with", "on_duplicate_key_update"}
)
_ENDS = frozenset({"commit", "rollback", "acommit", "arollback"})
_TAKES = frozenset(
    {"xreadgroup", "xread", "xautoclaim", "blpop", "brpop", "lpop", "rpop", "bzpopmin", "bzpopmax"}
)
_FOLDERS = frozenset(
    {"rmtree", "mkdir", "makedirs", "remove", "unlink", "rmdir", "removedirs", "chmod", "chown", "touch"}
)
"""What makes and clears away files, and keeps nothing."""
_PUSHES = frozenset({"lpush", "rpush", "xadd", "publish", "rpoplpush", "lmove"})
_DEEDS = {Effect.READ: Deed.ASKS, Effect.IDEM_WRITE: Deed.SETS, Effect.NON_IDEM_WRITE: Deed.WRITE}
_CONTROLS = {"COMMIT": Deed.COMMIT, "END": Deed.COMMIT, "ROLLBACK": Deed.ROLLBACK}
_FIRST = "the number of rows is 0 for all but the first"


def familiar(asking: Asking, asked: Asked) -> Told | None:
    """What is known of a call; None for one that only its name could tell of."""
    call, name = asked.call, asked.name
    if call.keyword("ReceiptHandle") is not None and asked.last.startswith("delete"):
        return Told(Deed.ACK, Evidence.BODY, "it takes a message off the queue")
    if asked.last in _ENDS:
        return None
    made = claim(name, asked.given) or (claim(call.qualified, asked.given) if call.qualified else None)
    if made is not None:
        told = _of_claim(asking, asked, made)
        if told is not None:
            return told
    fact = known(call.qualified or name, asked.given)
    if fact is None and call.qualified:
        fact = known(name, asked.given) if "()" in name or "." not in call.qualified else None
    if fact is None and (meant := receivers.stands_for(asked.receiver)):
        fact = known(f"?{meant}.{asked.last}", asked.given)
        fact = None if fact is None else replace(fact, evidence=Evidence.NAME)
    if fact is not None and fact.evidence is Evidence.KNOWN:
        return _of_fact(asking, asked, fact)
    enqueues = fact is not None and fact.kind == "enqueue" and not given.counts(asked.given)
    if pauses(call.qualified, name) and not enqueues:
        return Told(Deed.PAUSE, Evidence.BODY, "it waits")
    if harmless(call.qualified, name):
        return Told(Deed.HARMLESS, Evidence.KNOWN, "a repeat of it hurts nobody")
    ours = receivers.store(asked.receiver) and given.of_class(call)
    asks = fact is not None and (fact.kind != "http" or (fact.effect is Effect.READ and not ours))
    if fact is not None and asks and asked.last not in ("commit", "flush"):
        return _of_fact(asking, asked, fact)
    return None


def _of_claim(asking: Asking, asked: Asked, made: Claim) -> Told | None:
    if asked.last in _BUILDS:
        return Told(Deed.HARMLESS, Evidence.BODY, "it builds a statement")
    if made.lock:
        return Told(Deed.LOCK, Evidence.KNOWN, made.tells)
    if made.compares and not states.compares(asked.chain):
        return None
    looked = made.raises or looks.looked_at(asking.flow, asked.call, made.position)
    if not looked and made.position is None:
        looked = looks.rows_looked_at(asking.flow, asked.call)
    if looked:
        return Told(Deed.CLAIM, Evidence.KNOWN, made.tells)
    return Told(Deed.RECORD, Evidence.KNOWN, "a second one does nothing, and nobody looks who was first")


def _of_fact(asking: Asking, asked: Asked, fact: CallFact) -> Told:
    if asked.last in _TAKES or (asked.last.startswith("receive_") and fact.kind in ("aws", "azure", "queue")):
        return Told(Deed.ASKS, fact.evidence, "it fetches messages")
    why = fact.why or f"it goes by {fact.name!r}"
    ours = fact.kind in _OWN or fact.name.startswith(_TABLES)
    if ours and asked.last in _PUSHES:
        return Told(Deed.WRITE, fact.evidence, why, additive=fact.additive)
    if ours:
        return _of_row(asking, asked, fact, why)
    if fact.kind == "file" and asked.last in _FOLDERS:
        return Told(Deed.HARMLESS, fact.evidence, why, weak=True)
    if fact.kind == "file":
        deed = Deed.LOOKUP if fact.effect is Effect.READ else Deed.RECORD
        return Told(deed, fact.evidence, why, weak=True, additive=fact.additive)
    what = does(asking.context, asking.flow, asked.call)
    if what is not None:
        return Told(Deed.WRITE, what.evidence, what.why, additive=fact.additive)
    if fact.kind == "http" and fact.effect is Effect.NON_IDEM_WRITE and only_asks(asked.call):
        return Told(Deed.ASKS, Evidence.NAME, "by its address it only asks", weak=True)
    by_shape = "*" in fact.name and fact.evidence is Evidence.NAME and not fact.why.startswith("its ")
    weak = not fact.settled or fact.kind in _LIGHT or (by_shape and fact.kind != "enqueue")
    return Told(_DEEDS[fact.effect], fact.evidence, why, weak=weak, additive=fact.additive)


def _of_row(asking: Asking, asked: Asked, fact: CallFact, why: str) -> Told:
    if fact.kind == "sql" and not fact.settled and asked.last in ("execute", "exec"):
        return _of_statement(asking, asked, fact)
    statement = _statement(asked)
    if statement is not None and statement.control:
        return _control(statement.verb)
    if statement is not None and statement.compares and looks.rows_looked_at(asking.flow, asked.call):
        return Told(Deed.CLAIM, Evidence.BODY, _FIRST)
    removes = asked.last.lstrip("a").startswith("delete") or (
        statement is not None and statement.verb == "DELETE"
    )
    changes = Deed.DELETE if removes else Deed.RECORD
    deed = Deed.LOOKUP if fact.effect is Effect.READ else changes
    return Told(deed, fact.evidence, why, additive=fact.additive)


def _control(verb: str) -> Told:
    return Told(_CONTROLS.get(verb, Deed.HARMLESS), Evidence.BODY, f"the SQL is {verb}")


def _of_statement(asking: Asking, asked: Asked, fact: CallFact) -> Told:
    """A statement built by other calls, or kept elsewhere."""
    built = states.built(asking.context, asking.flow, asked.call)
    if built is None:
        return Told(Deed.RECORD, Evidence.NAME, "it executes a statement", weak=True)
    verb, compares = built
    if verb == "select":
        return Told(Deed.LOOKUP, fact.evidence, "the SQL is built by 'select'")
    if verb == "update" and compares and looks.rows_looked_at(asking.flow, asked.call):
        return Told(Deed.CLAIM, Evidence.BODY, _FIRST)
    deed = Deed.DELETE if verb == "delete" else Deed.RECORD
    return Told(deed, fact.evidence, f"the SQL is built by {verb!r}")


def _statement(asked: Asked) -> sql.Statement | None:
    argument = next(iter(asked.given.all()), None)
    return sql.classify(argument.text) if argument is not None and argument.text else None
