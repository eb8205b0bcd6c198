"""Clients that are told to send again by themselves, and what is sent through them."""

from collections.abc import Iterator

from stepcheck.behaviour.again.writes import Sent
from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.literals import literals
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.values.trace import origins
from stepcheck.code.flow import (
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Keyword,
    Point,
    Variable,
)
from stepcheck.facts import Again, Effect, Evidence, KeyState, Limit, Outcome, RetriedCall

_RETRY = frozenset(
    {
        "urllib3.util.retry.Retry",
        "urllib3.Retry",
        "urllib3.util.Retry",
        "requests.packages.urllib3.util.retry.Retry",
    }
)
_ADDS = frozenset(
    {
        "incr", "incrby", "incrbyfloat", "decr", "decrby", "lpush", "rpush", "zincrby", "xadd", "append",
        "hincrby", "hincrbyfloat", "publish", "lpushx", "rpushx",
    }
)  # fmt: skip
_UNSAFE = frozenset({"POST", "PATCH"})


def policies(context: Context, sent: dict[int, tuple[Sent, ...]]) -> Iterator[RetriedCall]:
    """Writes that a client of the file is told to send again."""
    for flow in context.file.flows:
        for point, call in context.calls(flow):
            if call.qualified in _RETRY or call.qualified == "?Retry":
                yield from _urllib3(context, sent, flow, call, point)
    yield from _redis(context)
    yield from _elasticsearch(context)


def _urllib3(
    context: Context, sent: dict[int, tuple[Sent, ...]], flow: Flow, call: Call, point: Point
) -> Iterator[RetriedCall]:
    """`Retry(allowed_methods=None)`: every verb, as an empty collection of them, is sent again."""
    word = call.keyword("allowed_methods") or call.keyword("method_whitelist")
    if word is None or any(one.name == "" for one in call.keywords):
        return
    if any(_is_zero(call, name) for name in ("total", "read")) or not _lets_posts_in(
        context, flow, word.value, point
    ):
        return
    total = _number(call, "total")
    for some in sent.values():
        for one in some:
            if one.does.why not in ("it is a POST", "it is a PATCH"):
                continue
            again = Again(
                f"'Retry', whose {word.name!r} lets every verb in",
                word.span,
                Limit.BOUNDED,
                None if total is None else total + 1,
                Outcome.UNKNOWN,
                "",
                Evidence.KNOWN,
            )
            yield RetriedCall(
                one.name, one.call.span, one.flow.qualname, one.does.effect, one.does.evidence, one.does.why,
                keys.state(context, one.flow, one.call, one.point), again, queried=False,
            )  # fmt: skip


def _lets_posts_in(context: Context, flow: Flow, value: Expression, point: Point) -> bool:
    """Whether a list of verbs is empty, None or False, or has POST or PATCH in it."""
    match value:
        case Constant(value=None) | Constant(value=False):
            return True
        case Compound(kind="list" | "tuple" | "set" | "dict", parts=parts):
            return not parts or any(isinstance(one, Constant) and one.value in _UNSAFE for one in parts)
    made = list(origins(context, flow, value, point))
    if any(isinstance(one.value, Constant) and one.value.value in _UNSAFE for one in made):
        return True
    read = [one.value for one in made if not isinstance(one.value, Call)]
    calls = [one.value for one in made if isinstance(one.value, Call)]
    if any(words.last(call.dotted) not in ("list", "set", "frozenset", "tuple", "sorted") for call in calls):
        return False
    if not read:
        return True
    return len(read) == 1 and isinstance(read[0], Variable) and _empty_by_default(flow, read[0].name)


def _empty_by_default(flow: Flow, name: str) -> bool:
    for parameter in flow.parameters:
        if parameter.name == name and parameter.default is not None:
            value = parameter.default.value
            return (isinstance(value, Compound) and value.kind in ("tuple", "list") and not value.parts) or (
                isinstance(value, Constant) and value.value in (None, False)
            )
    return False


def _is_zero(call: Call, name: str) -> bool:
    word = call.keyword(name)
    return (
        word is not None
        and isinstance(word.value, Constant)
        and word.value.value in (0, False)
        and word.value.value is not None
    )


def _number(call: Call, name: str) -> int | None:
    word = call.keyword(name)
    value = word.value.value if word is not None and isinstance(word.value, Constant) else None
    return value if type(value) is int else None


def _clients(context: Context, classes: frozenset[str]) -> list[tuple[Flow, Call]]:
    return [
        (flow, call)
        for flow in context.file.flows
        for _, call in context.calls(flow)
        if call.qualified in classes
    ]


def _true(call: Call, name: str) -> bool:
    word = call.keyword(name)
    return word is not None and isinstance(word.value, Constant) and word.value.value is True


def _redis(context: Context) -> Iterator[RetriedCall]:
    """redis-py sends a command again whose answer did not come, where it was told to retry on timeouts."""
    classes = frozenset({"redis.Redis", "redis.StrictRedis", "redis.asyncio.Redis", "redis.client.Redis"})
    made = _clients(context, classes)
    told = [(flow, call) for flow, call in made if _true(call, "retry_on_timeout") or _retries(context, call)]
    if not told or len(told) != len(made):
        return
    setting = told[0][1].keyword("retry_on_timeout") or told[0][1].keyword("retry")
    assert setting is not None
    again = _told("redis-py", setting)
    for flow in context.file.flows:
        for _, call in context.calls(flow):
            base, _, command = call.qualified.rpartition(".")
            if base in classes and command in _ADDS:
                yield RetriedCall(
                    call.dotted or command, call.span, flow.qualname, Effect.NON_IDEM_WRITE, Evidence.KNOWN,
                    f"{command!r} adds once more", KeyState.ABSENT, again, queried=False,
                )  # fmt: skip


def _told(who: str, setting: Keyword) -> Again:
    """A client that sends again what was not answered, because a setting tells it to."""
    why = f"{who}, told so by {setting.name!r}"
    return Again(why, setting.span, Limit.BOUNDED, None, Outcome.UNKNOWN, "", Evidence.KNOWN)


def _retries(context: Context, call: Call) -> bool:
    """Whether `retry=Retry(backoff, n)` has an n that is not 0."""
    word = call.keyword("retry")
    if word is None:
        return False
    for one in context.file.flows:
        for _, made in context.calls(one):
            if (
                made.qualified in ("redis.retry.Retry", "redis.asyncio.retry.Retry")
                and len(made.arguments) > 1
            ):
                number = made.arguments[1]
                return not (isinstance(number, Constant) and number.value == 0)
    return False


def _elasticsearch(context: Context) -> Iterator[RetriedCall]:
    """The client sends again what timed out, where it is told so; without an id that is a second document."""
    classes = frozenset(
        {"elasticsearch.Elasticsearch", "elasticsearch.AsyncElasticsearch", "opensearchpy.OpenSearch"}
    )
    told = [
        call
        for _, call in _clients(context, classes)
        if _true(call, "retry_on_timeout") and _number(call, "max_retries") != 0
    ]
    if not told:
        return
    setting = told[0].keyword("retry_on_timeout")
    assert setting is not None
    again = _told("the client", setting)
    for flow in context.file.flows:
        for point, call in context.calls(flow):
            base, _, method = call.qualified.rpartition(".")
            bulk = method in ("bulk", "streaming_bulk", "async_bulk", "parallel_bulk") and base.endswith(
                "helpers"
            )
            if bulk:
                actions = call.arguments[1] if len(call.arguments) > 1 else None
                if actions is None or not _without_id(context, flow, actions, point):
                    continue
            elif not (base in classes and method == "index" and _no_id(call)):
                continue
            yield RetriedCall(
                call.dotted or method, call.span, flow.qualname, Effect.NON_IDEM_WRITE, Evidence.KNOWN,
                "the server makes up an id each time", KeyState.ABSENT, again, queried=False,
            )  # fmt: skip


def _no_id(call: Call) -> bool:
    return not any(word.name in ("id", "op_type", "") for word in call.keywords) and len(call.arguments) < 2


def _without_id(context: Context, flow: Flow, actions: Expression, point: Point) -> bool:
    """Whether the actions of a bulk request are written in this file, and none has an id."""
    found = False
    for literal in literals(context, flow, actions, point):
        names = {
            str(part.parts[0].value)
            for part in literal.parts
            if isinstance(part, Compound) and part.kind == "entry" and isinstance(part.parts[0], Constant)
        }
        if any(isinstance(part, Compound) and part.kind == "spread" for part in literal.parts):
            return False
        if "_id" in names or (names & {"_op_type"} and "delete" in str(literal)):
            return False
        found = found or bool(names & {"_index", "_source", "doc"})
    return found
