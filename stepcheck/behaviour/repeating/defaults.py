"""Writes that a client or an engine sends again by itself although nobody told it to."""

from collections.abc import Iterator

from stepcheck.behaviour.again.writes import Sent
from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.literals import literals
from stepcheck.behaviour.calls.own import own_fact
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import names
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.retries import Client, client, made_by
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Point,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Again, Effect, Evidence, KeyState, Limit, Outcome, RetriedCall

_KINDS = frozenset(
    {"aws", "gcp", "azure", "queue", "email", "chat", "sms", "push", "payment", "scm", "tracker", "crm", "alert",
     "calendar", "doc", "workflow"}
)  # fmt: skip
"""Kinds of calls whose second effect somebody notices."""
_ACTIVITIES = frozenset(
    {"execute_activity", "start_activity", "execute_activity_method", "start_activity_method"}
    | {"execute_local_activity", "start_local_activity", "execute_activity_class"}
)
_QUEUES = frozenset({"lpush", "rpush", "xadd", "incrby", "decrby", "hincrby", "incrbyfloat", "zincrby"})
"""Commands of Redis that put work or amounts somewhere; plain counters are mostly of visits."""


def defaults(context: Context, sent: dict[int, tuple[Sent, ...]]) -> Iterator[RetriedCall]:
    """Every write that is sent again by default."""
    off = _switched(context)
    for flow in context.file.flows:
        if context.large(flow):
            continue
        for point, call in context.calls(flow):
            last = words.last(call.dotted) or getattr(call.callee, "name", "")
            if last in _ACTIVITIES:
                yield from _activity(context, sent, flow, point, call)
            elif last == "ToolRetryMiddleware":
                yield from _tools(context, sent, flow, point, call)
            elif call.qualified and "." in call.qualified:
                yield from _client(context, flow, point, call, off)


def _switched(context: Context) -> frozenset[str]:
    """Clients of which the file says itself how they retry: those are left to who reads that."""
    found: set[str] = set()
    for flow in context.file.flows:
        for _, call in context.calls(flow):
            made = made_by(call.qualified) if call.qualified else None
            if made is None:
                continue
            given = {word.name: word.value for word in call.keywords}
            told = made.option in given and _says(context, flow, made, given[made.option])
            if told or "" in given or any(name in given for name in made.opens):
                found.add(made.name)
    return frozenset(found)


def _says(context: Context, flow: Flow, made: Client, value: Expression) -> bool:
    """Whether the value says anything of retries: botocore's `Config(read_timeout=5)` does not."""
    if made.name != "botocore":
        return True
    for part in walk(value):
        number = getattr(part, "number", None)
        found = context.operation(flow, number) if isinstance(number, int) else None
        if found and isinstance(found[1], Call):
            return any(word.name in ("retries", "") for word in found[1].keywords)
        if isinstance(part, Variable):
            for other in context.file.flows:
                for _, call in context.calls(other):
                    if words.last(call.qualified) == "Config":
                        return any(word.name in ("retries", "") for word in call.keywords)
    return True


def _client(
    context: Context, flow: Flow, point: Point, call: Call, off: frozenset[str]
) -> Iterator[RetriedCall]:
    """`boto3.client("lambda").invoke(...)`: the client retries, as its authors chose."""
    fact = context.fact(call, call.qualified)
    if fact is None or not fact.client or fact.client in off:
        return
    found = client(fact.client)
    if found is None or not found.repeats_writes or not _hurts(fact, call):
        return
    if any(word.name in (found.option, "") for word in call.keywords):
        return
    said = own_fact(context, call, call.dotted)
    if said is not None and said.effect is not Effect.NON_IDEM_WRITE:
        return
    if fact.key is not None and (fact.key.autofill or _keyed(context, flow, point, call, fact.key.name)):
        return
    state = keys.state(context, flow, call, point)
    if state is not KeyState.ABSENT:
        return
    again = Again(
        f"{found.name}'s default",
        call.span,
        Limit.NONE if found.attempts < 0 and not found.seconds else Limit.BOUNDED,
        found.attempts if found.attempts > 0 else None,
        Outcome.UNKNOWN,
        "",
        Evidence.KNOWN,
        pauses=True,
        default=True,
    )
    yield _retried(flow, call, fact.evidence, f"{fact.name!r} does it once more", again)


def _hurts(fact: CallFact, call: Call) -> bool:
    if fact.effect is not Effect.NON_IDEM_WRITE or not fact.settled or fact.evidence is Evidence.NAME:
        return False
    last = words.last(call.dotted) or getattr(call.callee, "name", "")
    if names.words(last)[:1] == ("receive",):
        # What was hidden from others by a lost answer is delivered again.
        return False
    return fact.kind in _KINDS or (fact.kind == "redis" and last in _QUEUES)


def _keyed(context: Context, flow: Flow, point: Point, call: Call, name: str) -> bool:
    if call.keyword(name) is not None:
        return True
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for literal in literals(context, flow, value, point):
            for entry in literal.parts:
                match entry:
                    case Compound(kind="entry", parts=(Constant(value=str(key)), _)) if key == name:
                        return True
                    case Compound(kind="spread"):
                        return True
                    case _:
                        pass
    return False


def _activity(
    context: Context, sent: dict[int, tuple[Sent, ...]], flow: Flow, point: Point, call: Call
) -> Iterator[RetriedCall]:
    """`workflow.execute_activity(ship, order, start_to_close_timeout=...)` with no policy: for ever."""
    if any(word.name in ("retry_policy", "") for word in call.keywords) or not call.arguments:
        return
    receiver = call.qualified.removeprefix("?").rpartition(".")[0]
    if words.last(receiver) not in ("workflow", "temporalio") and not receiver.startswith("temporalio"):
        return
    evidence = _writes(context, sent, flow, call.arguments[0])
    if evidence is None or _carries_key(context, flow, point, call):
        return
    again = Again(
        "Temporal's default", call.span, Limit.NONE, None, Outcome.UNKNOWN, "", Evidence.KNOWN, pauses=True,
        default=True,
    )  # fmt: skip
    name = _named(call.arguments[0])
    yield RetriedCall(
        name, call.span, flow.qualname, Effect.NON_IDEM_WRITE, evidence, "it is an activity that writes",
        KeyState.ABSENT, again, queried=False,
    )  # fmt: skip


def _tools(
    context: Context, sent: dict[int, tuple[Sent, ...]], flow: Flow, point: Point, call: Call
) -> Iterator[RetriedCall]:
    """`create_agent(tools=[...], middleware=[ToolRetryMiddleware()])`: every tool, after every exception."""
    given = {word.name: word.value for word in call.keywords}
    if {"tools", "retry_on", ""} & set(given) or getattr(given.get("max_retries"), "value", None) == 0:
        return
    for other, agent in context.calls(flow):
        middleware, tools = agent.keyword("middleware"), agent.keyword("tools")
        if middleware is None or tools is None or other < point:
            continue
        for part in walk(tools.value):
            if not isinstance(part, Variable | Attribute):
                continue
            evidence = _writes(context, sent, flow, part, tool=True)
            if evidence is None:
                continue
            again = Again(
                "'ToolRetryMiddleware', for every tool and every exception by default", call.span, Limit.BOUNDED,
                None, Outcome.UNKNOWN, "", Evidence.KNOWN, pauses=True, default=True,
            )  # fmt: skip
            yield RetriedCall(
                _named(part), call.span, flow.qualname, Effect.NON_IDEM_WRITE, evidence, "it is a tool that writes",
                KeyState.ABSENT, again, queried=False,
            )  # fmt: skip
            return


def _writes(
    context: Context, sent: dict[int, tuple[Sent, ...]], flow: Flow, value: Expression, *, tool: bool = False
) -> Evidence | None:
    """On what it rests that a function given somewhere writes with no key: its body, or else its name."""
    known_here = context.callees.named(flow, value)
    if known_here:
        bodies = [one for index in known_here for one in sent.get(index, ())]
        bare = [one for one in bodies if _bare(context, one)]
        return bare[0].does.evidence if bare else None
    name = _named(value)
    word = verb(name)
    if word is not None:
        told = word.effect is Effect.NON_IDEM_WRITE and not (word.word == "post" and "_" in name)
        return Evidence.NAME if told else None
    first = names.words(name)[:1]
    return Evidence.NAME if tool and first and _writes_by(first[0]) else None


def _writes_by(word: str) -> bool:
    found = verb(word)
    return found is not None and found.effect is Effect.NON_IDEM_WRITE


def _bare(context: Context, one: Sent) -> bool:
    return keys.state(context, one.flow, one.call, one.point) is KeyState.ABSENT


def _named(value: Expression) -> str:
    match value:
        case Constant(value=str(text)):
            return text
        case Variable() | Attribute():
            return dotted(value)
        case _:
            return ""


def _carries_key(context: Context, flow: Flow, point: Point, call: Call) -> bool:
    """Whether what is handed to an activity has to do with a key: the run's own id is one that stays."""
    values = [*call.arguments[1:], *(word.value for word in call.keywords)]
    for value in values:
        for part in walk(value):
            match part:
                case Variable(name=name) | Attribute(name=name) if _key_like(name):
                    return True
                case _:
                    pass
            number = getattr(part, "number", None)
            made = context.operation(flow, number) if isinstance(number, int) else None
            if made and isinstance(made[1], Call) and words.last(made[1].dotted) in ("uuid4", "info", "uuid"):
                return True
    return keys.state(context, flow, call, point) is not KeyState.ABSENT


def _key_like(name: str) -> bool:
    return words.mentions_key(name) or {"workflow", "id"} <= set(names.words(name))


def _retried(flow: Flow, call: Call, evidence: Evidence, why: str, again: Again) -> RetriedCall:
    name = call.dotted or getattr(call.callee, "name", "") or "the call"
    return RetriedCall(
        name, call.span, flow.qualname, Effect.NON_IDEM_WRITE, evidence, why, KeyState.ABSENT, again, queried=False
    )  # fmt: skip
