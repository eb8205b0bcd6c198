"""A call and a query meet the simulated outside, in one of the ways they can go."""

from dataclasses import dataclass

from stepcheck.executor.answers import Answer, NoAnswer, Pending, Refused, Reply, Sighting, Unknown
from stepcheck.executor.ops import Call, Query
from stepcheck.explorer.faults import SMOOTH, Fault, Way
from stepcheck.explorer.interruption import Interrupted
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.service import Key, Reading, Service
from stepcheck.explorer.state import Beat, Request, State
from stepcheck.explorer.world import LONG, about, fail, knows, land, pass_time, sight

CALL_MS = 1
"""What a call takes that is answered."""


class DiesError(Exception):
    """The process goes in the middle of the operation."""


class HangsError(Exception):
    """The operation never ends."""


@dataclass(frozen=True, slots=True)
class Sender:
    """A worker before the simulated outside."""

    scenario: Scenario
    state: State
    worker: int

    def wait(self, duration_ms: int) -> None:
        """Let time pass."""
        pass_time(self.state, self.state.clock_ms + duration_ms, self.scenario.other_sides)


def send(sender: Sender, op: Call, way: Way) -> Reply:
    """Send one request; the reply is what the call makes of it. Raises Interrupted, HangsError."""
    state = sender.state
    if state.clock_ms / 1000 >= op.ctx.send_before:
        return Unknown(f"attempt {op.ctx.attempt} was not sent: its time to be sent had passed")
    service = sender.scenario.other_sides[op.step.name]
    request = _request(sender, service, op)
    _beat(state, "call", request, way, "known" if knows(state, request, service) else "")
    if way.fault is Fault.CANCELLED_BEFORE:
        raise Interrupted
    state.sent += (request,)
    reply = _reply(sender, request, service, int(op.ctx.timeout * 1000), way)
    for _ in range(service.client_retries if isinstance(reply, Unknown) else 0):
        state.sent += (request,)
        _beat(state, "client retry", request, SMOOTH)
        reply = land(state, request, service)
    if isinstance(reply, Unknown) and service.reading is Reading.SWALLOWED:
        return Answer(None)
    if isinstance(reply, Unknown) and service.reading is Reading.FAILURE:
        return Refused(reply.error)
    return reply


def ask(sender: Sender, op: Query, way: Way) -> Sighting:
    """Ask the other side for an effect."""
    service = sender.scenario.other_sides[op.step.name]
    request = _request(sender, service, op)
    found: Sighting
    made = 0
    match way.fault:
        case Fault.SILENT:
            sender.wait(int(op.ctx.timeout * 1000))
            found = NoAnswer("TimeoutError: no answer")
        case Fault.PENDING:
            found = Pending()
        case _:
            sender.wait(CALL_MS)
            made = len(sender.state.effects)
            found = sight(sender.state, request, service, lag_ms=way.amount)
            made = len(sender.state.effects) - made
    _beat(sender.state, "query", request, way, type(found).__name__.lower())
    if made:
        _beat(sender.state, "query writes", request, SMOOTH)
    return found


def too_many(state: State, op: Call, limit: int) -> bool:
    """Whether this address has been sent so often that it will never end."""
    address = (op.ctx.task_id, op.ctx.step_path)
    return sum((request.task_id, request.step_path) == address for request in state.sent) > limit


def _reply(sender: Sender, request: Request, service: Service, timeout_ms: int, way: Way) -> Reply:
    if service.refuses:
        return Refused("HTTP 422: refused")
    if not service.writes:
        return _read(sender, service, timeout_ms, way)
    if way.fault in (Fault.REQUEST_LOST, Fault.ANSWER_LOST, Fault.LATE):
        return _silence(sender, request, service, timeout_ms, way)
    state = sender.state
    match way.fault:
        case Fault.NONE if service.down:
            return fail(state, request, service)
        case Fault.NONE:
            sender.wait(CALL_MS)
            return land(state, request, service)
        case Fault.ERROR_BEFORE:
            return fail(state, request, service)
        case Fault.REFUSED:
            return Refused("HTTP 403: refused")
        case Fault.HALF:
            return land(state, request, service, parts=1)
        case Fault.HANGS:
            raise HangsError
    land(state, request, service, fails=way.fault is Fault.ERROR_AFTER)
    if way.fault is Fault.CANCELLED_AFTER:
        raise Interrupted
    if way.fault is Fault.ERROR_AFTER:
        return Unknown("HTTP 500: server error", 500)
    return Unknown("ConnectionResetError: connection reset by peer")


def _silence(sender: Sender, request: Request, service: Service, timeout_ms: int, way: Way) -> Reply:
    """No answer comes within the timeout; whether and when the request lands is another matter."""
    state = sender.state
    if way.fault is Fault.ANSWER_LOST:
        land(state, request, service)
    if way.fault is Fault.LATE:
        state.under_way += ((state.clock_ms + timeout_ms + way.amount, request),)
    sender.wait(timeout_ms)
    return Unknown("TimeoutError: no answer in time")


def _read(sender: Sender, service: Service, timeout_ms: int, way: Way) -> Reply:
    match way.fault:
        case Fault.NONE if not service.down:
            sender.wait(CALL_MS)
            return Answer({"rows": LONG if service.long_output else ""})
        case Fault.ANSWER_LOST:
            sender.wait(timeout_ms)
            return Unknown("TimeoutError: no answer in time")
        case Fault.CANCELLED_BEFORE:
            raise Interrupted
        case Fault.REFUSED:
            return Refused("HTTP 403: refused")
        case Fault.HANGS:
            raise HangsError
        case _:
            return Unknown("HTTP 503: unavailable", 503)


def _request(sender: Sender, service: Service, op: Call | Query) -> Request:
    state, worker, ctx = sender.state, sender.worker, op.ctx
    life = state.workers[worker].life
    keys = {
        Key.GIVEN: ctx.idempotency_key,
        Key.NONE: None,
        Key.FRESH: f"{ctx.idempotency_key} {worker}.{life}.{ctx.attempt}",
        Key.NUMBERED: f"{ctx.idempotency_key} #{ctx.attempt}",
    }
    return Request(
        step=op.step.name,
        identity=tuple(op.params.get(name) for name in sender.scenario.identity),
        key=keys[service.key],
        payload=repr(sorted(op.params.items())),
        task_id=ctx.task_id,
        step_path=ctx.step_path,
        attempt=ctx.attempt,
        worker=worker,
        life=life,
        sent_ms=state.clock_ms,
        undo=op.compensates,
    )


def _beat(state: State, kind: str, request: Request, way: Way, detail: str = "") -> None:
    state.beats += (Beat(request.worker, state.clock_ms, kind, request.step, about(request), way, detail),)
