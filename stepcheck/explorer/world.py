"""The outside, simulated: requests land, keys are remembered, queries answer, time passes."""

from stepcheck.executor.answers import Absent, Answer, Found, Refused, Reply, Sighting, Unknown
from stepcheck.explorer.service import Match, Service
from stepcheck.explorer.state import Beat, Effect, Memory, Request, State

LONG = "x" * 5_000
"""Makes an output too long for an event."""


def pass_time(state: State, until_ms: int, services: dict[str, Service]) -> None:
    """Let the clock go on to `until_ms`; what is under way lands when its time comes."""
    while state.under_way and (due := min(state.under_way, key=lambda one: one[0]))[0] <= until_ms:
        state.clock_ms = max(state.clock_ms, due[0])
        state.under_way = tuple(one for one in state.under_way if one is not due)
        request = due[1]
        state.beats += (Beat(request.worker, state.clock_ms, "land", request.step, about(request)),)
        land(state, request, services[request.step])
    state.clock_ms = max(state.clock_ms, until_ms)


def deliver_all(state: State, services: dict[str, Service]) -> None:
    """Let everything land that is still under way."""
    if state.under_way:
        pass_time(state, max(due for due, _ in state.under_way), services)


def land(state: State, request: Request, service: Service, *, fails: bool = False, parts: int = 0) -> Reply:
    """A request reaches the other side, which answers; with `fails` it is a server error all the same.

    Of a call's several effects only the first `parts` happen, all of them for 0.
    """
    known = knows(state, request, service)
    if known is not None:
        if service.compares_payload and known.payload != request.payload:
            return Refused("HTTP 422: this key was used with other params")
        if known.failed and service.stored_errors:
            return Unknown("HTTP 500: the stored answer to the first request", 500)
        return _answer(state, request, service)
    wanted = parts or service.parts
    state.effects += tuple(Effect(request, state.clock_ms, part) for part in range(1, wanted + 1))
    _remember(state, request, service, failed=fails)
    if fails or wanted < service.parts:
        return Unknown("HTTP 500: server error", 500)
    return _answer(state, request, service)


def knows(state: State, request: Request, service: Service) -> Memory | None:
    """Return what the other side still remembers of the request's key; None where it knows nothing of it."""
    known = state.remembered.get(request.key) if request.key and service.honours_key else None
    return known if known is not None and _remembers(service, known, state.clock_ms) else None


def fail(state: State, request: Request, service: Service) -> Reply:
    """A request reaches the other side, which has no effect and answers with a server error."""
    if service.stored_errors:
        _remember(state, request, service, failed=True)
    return Unknown("HTTP 503: unavailable", 503)


def sight(state: State, request: Request, service: Service, *, lag_ms: int = 0) -> Sighting:
    """Return what a query for this request finds, as of `lag_ms` ago."""
    if service.query is Match.NEIGHBOUR:
        return Found({"number": 0, "of": "somebody else"})
    if service.query is Match.WRITES:
        land(state, request, service)
    for number, effect in enumerate(state.effects, start=1):
        same = (effect.request.step, effect.request.identity) == (request.step, request.identity)
        if same and effect.request.undo == request.undo and effect.at_ms <= state.clock_ms - lag_ms:
            return Found(_output(number, service))
    return Absent()


def about(request: Request) -> str:
    """Return what a request is about, in words."""
    return ", ".join(str(part) for part in request.identity if part is not None)


def _remembers(service: Service, known: Memory, clock_ms: int) -> bool:
    return service.window_ms is None or clock_ms < known.at_ms + service.window_ms


def _remember(state: State, request: Request, service: Service, *, failed: bool) -> None:
    if request.key and service.honours_key:
        memory = Memory(state.clock_ms, request.payload, failed)
        state.remembered = {**state.remembered, request.key: memory}


def _answer(state: State, request: Request, service: Service) -> Answer:
    for number, effect in enumerate(state.effects, start=1):
        if effect.request.key == request.key and effect.request.identity == request.identity:
            return Answer(_output(number, service))
    return Answer(_output(0, service))


def _output(number: int, service: Service) -> dict[str, object]:
    return {"number": number, "text": LONG} if service.long_output else {"number": number}
