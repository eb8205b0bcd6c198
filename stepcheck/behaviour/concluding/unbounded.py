"""Writes by clients that wait for ever when the other side says nothing."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.effects import does
from stepcheck.behaviour.concluding.ended import ended
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import arguments
from stepcheck.catalogue.arguments import Argument, Arguments
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.imports import usual
from stepcheck.code.flow import Call, Flow, FlowKind
from stepcheck.facts import Effect, Evidence, Span
from stepcheck.facts.concluding import UnboundedWrite

_POSITIONS = {"urllib.request.urlopen": 2}
"""Where the time limit stands that may be given by position."""
_UNTIMED = {
    "smtplib.SMTP": 3,
    "smtplib.SMTP_SSL": 5,
    "http.client.HTTPConnection": 2,
    "http.client.HTTPSConnection": 4,
}
"""Clients that wait for ever unless they are made with a `timeout`, with its place. Python 3.14."""
_TIMED = frozenset({"httpx.Client", "httpx.AsyncClient", "aiohttp.ClientSession"})
"""Clients that have a time limit unless they are told to have none."""
_SESSIONS = frozenset({"requests.Session", "requests.sessions.Session", "urllib3.PoolManager"})
_LIBRARIES = frozenset({"requests", "urllib", "urllib3", "httpx", "aiohttp", "smtplib", "http"})
_SENDS = frozenset({"sendmail", "send_message", "request"})


def unbounded(study: Study, flow: Flow) -> Iterator[UnboundedWrite]:
    """Every such write of a function."""
    if flow.kind not in (FlowKind.FUNCTION, FlowKind.LAMBDA) or ended(flow):
        return
    told: set[Span] = set()
    for _, call in study.context.calls(flow):
        name = usual(call.qualified)
        if name.partition(".")[0] not in _LIBRARIES or call.span in told:
            continue
        given = arguments.read(call)
        found = _by_argument(study, flow, call, given) or _by_client(study, flow, call, name, given)
        if found is not None:
            told.add(call.span)
            yield found


def _by_argument(study: Study, flow: Flow, call: Call, given: Arguments) -> UnboundedWrite | None:
    """A call without the argument that would bound it."""
    fact = known(call.qualified, given)
    if (
        fact is None
        or (fact.evidence is not Evidence.KNOWN and not study.runs(flow))
        or not fact.bound
        or fact.kind != "http"
        or not _writes(study, flow, call, fact)
    ):
        return None
    limit = given.get(fact.bound, _POSITIONS.get(fact.name))
    if (limit is None and given.open) or (limit is not None and not _is_none(limit)):
        return None
    if any(fact.name.startswith(client) for client in _SESSIONS) and _bounded_otherwise(study):
        return None
    return _fact(flow, call, fact.bound, None, fact.evidence)


def _writes(study: Study, flow: Flow, call: Call, fact: CallFact) -> bool:
    if fact.effect is Effect.READ or not fact.settled:
        return False
    if fact.effect is Effect.IDEM_WRITE or fact.name.startswith("urllib."):
        return True
    return does(study.context, flow, call) is not None


def _by_client(study: Study, flow: Flow, call: Call, name: str, given: Arguments) -> UnboundedWrite | None:
    """A write through a client that was made without a time limit, or told to have none."""
    client, _, method = name.rpartition(".")
    if client in _UNTIMED and method in _SENDS:
        made = _made(study, client)
        if method == "request" and ((given.get("method", 0) or Argument()).text or "").upper() not in (
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
        ):
            return None
        if not made or any(_limited(one, _UNTIMED[client]) for one in made) or _bounded_otherwise(study):
            return None
        return _fact(flow, call, "timeout", made[0].span)
    package = name.partition(".")[0]
    if client in _TIMED or name in (
        "httpx.post",
        "httpx.put",
        "httpx.patch",
        "httpx.delete",
        "httpx.request",
    ):
        fact = known(call.qualified, given)
        if fact is None or not _writes(study, flow, call, fact):
            return None
        own = given.get("timeout")
        if own is not None:
            told_so = package == "httpx" and _is_none(own)
            return _fact(flow, call, "timeout", None) if told_so else None
        made = _made(study, client) if client in _TIMED and not given.open else []
        if made and all(_unlimited(study, one) for one in made):
            return _fact(flow, call, "timeout", made[0].span)
    return None


def _fact(
    flow: Flow, call: Call, bound: str, made: Span | None, evidence: Evidence = Evidence.KNOWN
) -> UnboundedWrite:
    name = call.dotted or getattr(call.callee, "name", "") or "the call"
    return UnboundedWrite(call.span, name, flow.qualname, evidence, bound, made)


def _is_none(value: Argument) -> bool:
    return value.literal and value.value is None


def _made(study: Study, client: str) -> list[Call]:
    """Where the file makes clients of that class."""
    return [
        call
        for flow in study.context.file.flows
        for _, call in study.context.calls(flow)
        if usual(call.qualified) == client
    ]


def _limited(made: Call, position: int) -> bool:
    """Whether a client may be made with a time limit."""
    given = arguments.read(made)
    limit = given.get("timeout", position)
    return given.open or (limit is not None and not _is_none(limit))


def _unlimited(study: Study, made: Call) -> bool:
    """Whether a client is told to wait for ever: `timeout=None`, `ClientTimeout(total=None)`."""
    results = {
        call.number: call
        for flow in study.context.file.flows
        for _, call in study.context.calls(flow)
        if any(one.span == made.span for _, one in study.context.calls(flow))
    }
    limit = arguments.read(made, results).get("timeout")
    if limit is None:
        return False
    if _is_none(limit):
        return not made.qualified.startswith("aiohttp.")
    for inner in limit.calls:
        last = words.last(inner.name)
        values = list(inner.arguments.all())
        if last in ("Timeout", "ClientTimeout") and values and not inner.arguments.open:
            return all(_is_none(value) for value in values)
    return False


def _bounded_otherwise(study: Study) -> bool:
    """Whether a limit may come from elsewhere: an adapter, a default of all sockets, a changed `request`."""
    for flow in study.context.file.flows:
        for _, call in study.context.calls(flow):
            if words.last(call.dotted) in ("mount", "setdefaulttimeout", "settimeout") or "timeout" in {
                word.name for word in call.keywords if words.last(call.dotted) in ("PoolManager", "partial")
            }:
                return True
        for _, operation in flow.points():
            target = getattr(operation, "target", None)
            if getattr(target, "name", "") in ("request", "timeout", "send"):
                return True
    return False
