"""Who runs a function, told by its decorators, class, name, parameters and body: brokers, web servers, models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from stepcheck.behaviour.calls import consumers, hooks
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import names
from stepcheck.catalogue import roles as known
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Class,
    Constant,
    Evaluated,
    Expression,
    Flow,
    FlowKind,
    Variable,
    dotted,
    reads,
    walk,
)
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
    """The decorator, the call that hands it over, or the function's name."""
    evidence: Evidence
    made: Evaluated | None
    """The decorator, where it is one."""


Handed = Mapping[int, tuple[Call, ...]]
"""For each function the calls that it is an argument of."""
_NOUNS = {
    Role.TASK: "the broker of",
    Role.CONSUMER: "the queue of",
    Role.STEP: "the engine of",
    Role.WORKFLOW: "the engine of",
}
_SENDER = "the sender of the webhook"
_GIVEN_FIRST = ("request", "req")


def handed(context: Context) -> Handed:
    """The calls of the file that are given one of its functions: `basic_consume(on_message_callback=charge)`."""
    found: dict[int, list[Call]] = {}
    for flow in context.file.flows:
        for _, call in context.calls(flow):
            for value in (*call.arguments, *(word.value for word in call.keywords)):
                for part in walk(value):
                    for index in context.callees.named(flow, part):
                        found.setdefault(index, []).append(call)
    return {index: tuple(calls) for index, calls in found.items()}


def roles(context: Context, flow: Flow, given_to: Handed | None = None) -> tuple[Runs, ...]:
    """Every role of a function; none for one that only other code calls."""
    if flow.kind is not FlowKind.FUNCTION:
        return ()
    found = [
        *_decorated(flow),
        *_handed(flow, given_to or {}),
        *_of_class(context, flow),
        *_listed(context, flow),
    ]
    if not any(runs.role in (Role.TASK, Role.STEP, Role.WORKFLOW, Role.TOOL) for runs in found):
        found += _told(context, flow, found)
    hook = _hook(context, flow, found)
    if hook is not None:
        kept = [runs for runs in found if runs.role not in (Role.ROUTE, Role.READ, Role.CONSUMER)]
        found = [hook, *kept]
    return tuple(dict.fromkeys(found))


def _decorated(flow: Flow) -> Iterator[Runs]:
    for made in flow.decorators:
        found = known.decorated(made.qualified, made.dotted)
        if found is None:
            continue
        role = Role(found.runner.role)
        if found.runner.methods:
            role = _by_methods(made)
        named = found.sure or role not in _NOUNS or found.runner.who[:1].isupper()
        who = found.runner.who if named else f"{_NOUNS[role]} {made.dotted!r}"
        if role is Role.ROUTE:
            who = "a client"
        yield Runs(role, who, made.span, Evidence.BODY, made)


def _by_methods(made: Evaluated) -> Role:
    """What `route(..., methods=[...])`, `api_view([...])` and kin answer."""
    texts = {text.upper() for text in _texts(made.call)}
    listed = texts & {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"}
    if not listed:
        opaque = made.call is not None and any(word.name == "methods" for word in made.call.keywords)
        return Role.ROUTE if opaque else Role.READ
    return Role.READ if listed <= {"GET", "HEAD", "OPTIONS"} else Role.ROUTE


def _handed(flow: Flow, given_to: Handed) -> Iterator[Runs]:
    for call in given_to.get(flow.index, ()):
        written = call.dotted or getattr(call.callee, "name", "")
        for runner, keyword in known.handed(written):
            if keyword and call.keywords and not _by_keyword(call, keyword):
                continue
            yield Runs(Role(runner.role), runner.who, call.span, Evidence.BODY, None)
            break


def _listed(context: Context, flow: Flow) -> Iterator[Runs]:
    """A function in the list of an arq worker: `class WorkerSettings: functions = [charge]`."""
    first = next(iter(flow.parameters), None)
    if not flow.asynchronous or first is None or first.name not in ("ctx", "context", "_ctx"):
        return
    for one in context.file.classes:
        if not one.qualname.endswith("Settings"):
            continue
        for _, operation in context.file.flows[one.flow].points():
            listed = isinstance(operation, Assign) and dotted(operation.target) in ("functions", "cron_jobs")
            if listed and any(
                flow.index in context.callees.named(context.file.flows[one.flow], part)
                for value in reads(operation)
                for part in walk(value)
            ):
                yield Runs(Role.TASK, "arq", operation.span, Evidence.BODY, None)


def _by_keyword(call: Call, keyword: str) -> bool:
    """Whether the function is the argument of that name, or a positional one."""
    for word in call.keywords:
        if word.name == keyword:
            return True
    return not any(
        word.name.endswith(("callback", "func", "fn", "handler", "callable")) for word in call.keywords
    )


def _of_class(context: Context, flow: Flow) -> Iterator[Runs]:
    """Methods by which classes answer requests, or do what a model asks for."""
    reads_, writes = known.words("class", "reads"), known.words("class", "writes")
    tools = known.words("class", "runs")
    if flow.name not in reads_ | writes | tools:
        return
    found = next((one for one in context.file.classes if one.flow == flow.parent), None)
    if found is None:
        return
    bases = [base.rpartition(".")[2].lstrip("?:") for base in found.bases]
    if flow.name in tools and known.words("class", "tools").intersection(bases):
        yield Runs(Role.TOOL, "a model", flow.span, Evidence.BODY, None)
    elif flow.name in reads_ | writes and _answers(found, bases, flow):
        role = Role.READ if flow.name in reads_ else Role.ROUTE
        who = "a browser" if role is Role.READ else "a client"
        yield Runs(role, who, flow.span, Evidence.BODY if bases else Evidence.NAME, None)


def _answers(found: Class, bases: list[str], flow: Flow) -> bool:
    """Whether methods of a class answer requests."""
    views = known.words("class", "views")
    if known.words("class", "handlers").intersection(bases) or any(
        views.intersection(names.words(base)[-1:]) for base in bases
    ):
        return True
    if flow.name not in ("get", "post", "put", "patch", "delete"):
        return False
    given = [parameter.name for parameter in flow.parameters]
    return given[1:2] == ["request"] or (
        bool(bases) and found.qualname.endswith(("View", "Resource", "Endpoint"))
    )


def _told(context: Context, flow: Flow, found: list[Runs]) -> Iterator[Runs]:
    """What the parameters, the name and the body tell of a function."""
    consumes = consumers.consumes(context, flow)
    if consumes is not None and not found:
        who, span, evidence = consumes
        yield Runs(Role.CONSUMER, who, span, evidence, None)
    elif not found and flow.parent == 0 and _is_view(flow):
        yield Runs(Role.ROUTE, "a client", flow.span, Evidence.NAME, None)


def _hook(context: Context, flow: Flow, found: list[Runs]) -> Runs | None:
    """Where another company calls it: told by the address, the name, or the signature that is looked at."""
    answers = next((runs for runs in found if runs.role in (Role.ROUTE, Role.READ)), None)
    if answers is None or any(
        runs.role in (Role.TASK, Role.STEP, Role.TOOL, Role.WORKFLOW) for runs in found
    ):
        return None
    verifies = _verifies(context, flow)
    if answers.role is Role.READ and not verifies:
        return None
    addressed = not hooks.manages(flow.name) and any(hooks.addressed(text) for text in _addresses(flow))
    if hooks.named(flow.name) or addressed:
        return replace(answers, role=Role.WEBHOOK, who=_SENDER)
    if verifies:
        return replace(answers, role=Role.WEBHOOK, who=_SENDER, evidence=Evidence.BODY)
    return None


def _addresses(flow: Flow) -> Iterator[str]:
    """The addresses among the arguments of the decorators."""
    for made in flow.decorators:
        for value in made.call.arguments if made.call is not None else ():
            if text := _text(value):
                yield text
        for word in made.call.keywords if made.call is not None else ():
            if word.name in ("path", "rule", "url", "uri", "route") and (text := _text(word.value)):
                yield text


def _is_view(flow: Flow) -> bool:
    """Whether a function is one that Django calls: it takes a request, and reads it or makes an answer."""
    first = next(iter(flow.parameters), None)
    if first is None or first.name not in _GIVEN_FIRST or flow.name.startswith("_"):
        return False
    read, made = known.words("webhook", "reads"), known.words("webhook", "answers")
    for block in flow.blocks:
        for operation in block.operations:
            for value in reads(operation):
                for part in walk(value):
                    named = part.name if isinstance(part, Variable | Attribute) else ""
                    asked = isinstance(part, Attribute) and dotted(part.base) == first.name and named in read
                    if asked or named in made:
                        return True
    return False


def _verifies(context: Context, flow: Flow) -> bool:
    """Whether a function looks who has signed what it was sent."""
    verifies, headers = known.words("webhook", "verifies"), known.words("webhook", "headers")
    for _, call in context.calls(flow):
        last = (call.dotted or getattr(call.callee, "name", "")).rpartition(".")[2]
        if last in verifies:
            return True
    for block in flow.blocks:
        for operation in block.operations:
            for value in reads(operation):
                for part in walk(value):
                    if isinstance(part, Constant) and str(part.value).lower() in headers:
                        return True
    return any(parameter.name.lower().replace("_", "-") in headers for parameter in flow.parameters)


def _texts(call: Call | None) -> tuple[str, ...]:
    """The texts among a decorator's arguments."""
    if call is None:
        return ()
    values = (*call.arguments, *(word.value for word in call.keywords))
    return tuple(text for value in values for part in walk(value) if (text := _text(part)))


def _text(value: Expression) -> str:
    if isinstance(value, Constant) and isinstance(value.value, str):
        return value.value
    return value.name if isinstance(value, Attribute) and value.name.isupper() else ""
