"""A call and a query meet the simulated outside, in one of the ways they can go."""

from dataclasses import replace

from stepcheck.executor.answers import Answer, NoAnswer, Pending, Refused, Reply, Sighting, Unknown
from stepcheck.executor.ops import Call, CallContext, Query
from stepcheck.explorer.faults import Fault, Way
from stepcheck.explorer.interruption import Interrupted
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.service import Key, Reading, Service
from stepcheck.explorer.state import Beat, Request, State
from stepcheck.explorer.world import about, fail, land, pass_time, sight

CALL_MS = 1
"""What a call takes that is answered."""


class Dies(Exception):
    """The process goes in the middle of the operation."""


class Hangs(Exception):
    """The operation never ends."""


def send(
    scenario: Scenario, services: dict[str, Service], state: State, worker: int, op: Call, way: Way
) -> Reply:
    """Send one request; the reply is what the call makes of what came back. Raises Interrupted, Hangs."""
    if state.clock_ms / 1000 >= op.ctx.send_before:
        return Unknown(f"attempt {op.ctx.attempt} was not sent: its time to be sent had passed")
    service = services[op.step.name]
    request = _request(scenario, service, state, worker, op)
    if way.fault is Fault.CANCELLED_BEFORE:
        _beat(state, "call", request, way)
        raise Interrupted
    state.sent += (request,)
    _beat(state, "call", request, way)
    reply = _reply(state, services, request, service, op.ctx, way)
    for _ in range(service.client_retries if isinstance(reply, Unknown) else 0):
        state.sent += (request,)
        state.beats += (Beat(worker, state.clock_ms, "client retry", request.step, about(request)),)
        reply = land(state, request, service)
    if isinstance(reply, Unknown) and service.reading is Reading.SWALLOWED:
        return Answer(None)
    if isinstance(reply, Unknown) and service.reading is Reading.FAILURE:
        return Refused(reply.error)
    return reply


def ask(
    scenario: Scenario, services: dict[str, Service], state: State, worker: int, op: Query, way: Way
) -> Sighting:
    """Ask the other side for an effect."""
    service = services[op.step.name]
    request = _request(scenario, service, state, worker, op)
    found: Sighting
    match way.fault:
        case Fault.SILENT:
            pass_time(state, state.clock_ms + int(op.ctx.timeout * 1000), services)
            found = NoAnswer("TimeoutError: no answer")
        case Fault.PENDING:
            found = Pending()
        case _:
            pass_time(state, state.clock_ms + CALL_MS, services)
            found = sight(state, request, service, lag_ms=way.amount)
    _beat(state, "query", request, way, type(found).__name__.lower())
    return found


def too_many(state: State, op: Call, limit: int) -> bool:
    """Whether this address has been sent so often that it will never end."""
    address = (op.ctx.task_id, op.ctx.step_path)
    return sum((request.task_id, request.step_path) == address for request in state.sent) > limit


def _reply(
    state: State,
    services: dict[str, Service],
    request: Request,
    service: Service,
    ctx: CallContext,
    way: Way,
) -> Reply:
    now, timeout_ms = state.clock_ms, int(ctx.timeout * 1000)
    no_answer = Unknown(f"TimeoutError: no answer within {ctx.timeout:g} s")
    if service.refuses:
        return Refused("HTTP 422: refused")
    if not service.writes:
        return _read(state, services, service, timeout_ms, way)
    match way.fault:
        case Fault.NONE if service.down:
            return fail(state, request, service)
        case Fault.NONE:
            pass_time(state, now + CALL_MS, services)
            return land(state, request, service)
        case Fault.REQUEST_LOST:
            pass_time(state, now + timeout_ms, services)
            return no_answer
        case Fault.ANSWER_LOST:
            land(state, request, service)
            pass_time(state, now + timeout_ms, services)
            return no_answer
        case Fault.LATE:
            state.under_way += ((now + timeout_ms + way.amount, request),)
            pass_time(state, now + timeout_ms, services)
            return no_answer
        case Fault.ERROR_BEFORE:
            return fail(state, request, service)
        case Fault.ERROR_AFTER:
            land(state, request, service, fails=True)
            return Unknown("HTTP 500: server error", 500)
        case Fault.RESET:
            land(state, request, service)
            return Unknown("ConnectionResetError: connection reset by peer")
        case Fault.HALF:
            return land(state, request, service, parts=1)
        case Fault.REFUSED:
            return Refused("HTTP 403: refused")
        case Fault.CANCELLED_AFTER:
            land(state, request, service)
            raise Interrupted
        case Fault.HANGS:
            raise Hangs
    raise AssertionError(way)


def _read(
    state: State, services: dict[str, Service], service: Service, timeout_ms: int, way: Way
) -> Reply:
    match way.fault:
        case Fault.NONE if service.down:
            return Unknown("HTTP 503: unavailable", 503)
        case Fault.NONE:
            pass_time(state, state.clock_ms + CALL_MS, services)
            return Answer({"rows": "x" * 5_000 if service.long_output else ""})
        case Fault.ANSWER_LOST:
            pass_time(state, state.clock_ms + timeout_ms, services)
            return Unknown("TimeoutError: no answer")
        case Fault.ERROR_BEFORE:
            return Unknown("HTTP 503: unavailable", 503)
        case Fault.REFUSED:
            return Refused("HTTP 403: refused")
        case Fault.HANGS:
            raise Hangs
    raise AssertionError(way)


def _request(
    scenario: Scenario, service: Service, state: State, worker: int, op: Call | Query
) -> Request:
    ctx, life = op.ctx, state.workers[worker].life
    keys = {
        Key.GIVEN: ctx.idempotency_key,
        Key.NONE: None,
        Key.FRESH: f"{ctx.idempotency_key} {worker}.{life}.{ctx.attempt}",
        Key.NUMBERED: f"{ctx.idempotency_key} #{ctx.attempt}",
    }
    undone = op.compensates
    request = Request(
        step=op.step.name,
        identity=tuple(op.params.get(name) for name in scenario.identity),
        key=keys[service.key],
        payload=repr(sorted(op.params.items())),
        task_id=ctx.task_id,
        step_path=ctx.step_path,
        attempt=ctx.attempt,
        worker=worker,
        life=life,
        sent_ms=state.clock_ms,
    )
    return replace(request, undo=True) if undone else request


def _beat(state: State, kind: str, request: Request, way: Way, detail: str = "") -> None:
    state.beats += (
        Beat(request.worker, state.clock_ms, kind, request.step, about(request), way, detail),
    )
