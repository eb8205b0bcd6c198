"""Who runs a function, told by its decorators, class, name and parameters: brokers, web servers, models."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from stepcheck.behaviour import words
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import names
from stepcheck.code.flow import Call, Constant, Evaluated, Flow, walk
from stepcheck.facts import Evidence, Span


class Role(Enum):
    """What a function is run as."""

    TASK = "task"
    """A broker runs it: Celery, Dramatiq, Huey, RQ, Airflow."""
    CONSUMER = "consumer"
    """It is given messages that come again until they are acknowledged: SQS, Kafka, Pub/Sub."""
    WEBHOOK = "webhook"
    """Another company calls it, and calls again when it gets no answer in time."""
    READ = "read"
    """It answers GET requests, which browsers, proxies and crawlers repeat at will."""
    ROUTE = "route"
    """It answers other requests."""
    TOOL = "tool"
    """A model calls it."""
    STEP = "step"
    """An engine runs it, and runs it again: a Temporal activity, a DBOS step."""
    WORKFLOW = "workflow"
    """An engine replays it from its beginning."""


@dataclass(frozen=True, slots=True)
class Runs:
    """One way in which a function is run."""

    role: Role
    who: str
    """For messages: `Celery`, `the sender of the webhook`, `a browser`."""
    span: Span
    """The decorator, or the function's name."""
    evidence: Evidence
    made: Evaluated | None
    """The decorator, where it is one."""


_TASKS = frozenset({"task", "shared_task", "actor", "job", "periodic_task", "db_task", "background_task"})
_ROUTES = frozenset({"post", "put", "patch", "delete", "route", "api_view", "view_config"})
_READS = frozenset({"get", "head", "require_GET", "require_safe", "resource"})
_TOOLS = frozenset({"tool", "function_tool", "ai_function", "kernel_function"})
_STEPS = frozenset({"activity", "step", "defn"})
_HOOKS = frozenset({"webhook", "webhooks", "hook", "hooks", "callback", "ipn"})
_EVENTS = frozenset({"event", "message", "record", "records", "msg", "delivery", "body", "payload"})
_CONSUMES = frozenset(
    {"handler", "handle", "consume", "consumer", "on", "process", "callback", "receive", "lambda"}
)


def roles(context: Context, flow: Flow) -> tuple[Runs, ...]:
    """Every role of a function; none for one that only other code calls."""
    return tuple(_roles(context, flow))


def _roles(context: Context, flow: Flow) -> Iterator[Runs]:
    del context
    hooks = bool(_HOOKS.intersection(names.words(flow.name)))
    for made in flow.decorators:
        last = words.last(made.dotted)
        texts = _texts(made.call)
        if any(_HOOKS.intersection(names.words(text)) for text in texts) or (hooks and last in _ROUTES):
            yield Runs(Role.WEBHOOK, "the sender of the webhook", made.span, Evidence.BODY, made)
        elif last in _READS or (
            last in ("route", "api_view") and {text.upper() for text in texts} == {"GET"}
        ):
            yield Runs(Role.READ, "a browser", made.span, Evidence.BODY, made)
        elif last in _ROUTES:
            yield Runs(Role.ROUTE, "a client", made.span, Evidence.BODY, made)
        elif last in _TASKS:
            yield Runs(Role.TASK, f"the broker of {made.dotted!r}", made.span, Evidence.BODY, made)
        elif last in _TOOLS:
            yield Runs(Role.TOOL, "a model", made.span, Evidence.BODY, made)
        elif last in _STEPS:
            yield Runs(Role.STEP, f"the engine of {made.dotted!r}", made.span, Evidence.BODY, made)
    if flow.decorators:
        return
    given = {parameter.name for parameter in flow.parameters}
    if hooks and given:
        yield Runs(Role.WEBHOOK, "the sender of the webhook", flow.span, Evidence.NAME, None)
    elif {"event", "context"} <= given or (
        _CONSUMES.intersection(names.words(flow.name)) and _EVENTS.intersection(given)
    ):
        yield Runs(Role.CONSUMER, "the queue", flow.span, Evidence.NAME, None)


def _texts(call: Call | None) -> tuple[str, ...]:
    """The texts among a decorator's arguments."""
    if call is None:
        return ()
    values = (*call.arguments, *(word.value for word in call.keywords))
    return tuple(
        part.value
        for value in values
        for part in walk(value)
        if isinstance(part, Constant) and isinstance(part.value, str)
    )
