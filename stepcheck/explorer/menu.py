"""Which ways an operation can go from where a run stands."""

from stepcheck.executor.ops import Call, Choose, Op, PutBlob, Query, Txn
from stepcheck.explorer.faults import READ_FAULTS, SMOOTH, WRITE_FAULTS, Fault, Way
from stepcheck.explorer.lives import Among
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.service import Service
from stepcheck.explorer.state import State


class End:
    """Stands for the end of a life: nothing more is asked, and the process has still to tell."""


def menu(scenario: Scenario, state: State, op: Op | End, *, deadly: bool, other: bool) -> list[Way]:
    """Return the ways, the smooth one first.

    `deadly` says whether dying here differs from dying earlier, `other` whether another worker could go on.
    """
    ways = [SMOOTH, *_of(op, scenario.other_sides)]
    if isinstance(op, Call | Txn | End):
        if deadly:
            ways.append(Way(Fault.DIES))
        # A commit that nothing in the world has followed is lost by a death before it just as well.
        ways += [
            Way(Fault.POWER, lost)
            for lost, (_, progress) in enumerate(reversed(state.unsynced), start=1)
            if progress != state.progress
        ]
    if other:
        ways.append(Way(Fault.SWITCH))
    return [way for way in ways if way.fault is Fault.NONE or way.fault in scenario.faults]


def _of(op: Op | End, services: dict[str, Service]) -> list[Way]:
    match op:
        case Call():
            return _call(services[op.step.name])
        case Query():
            service = services[op.step.name]
            stale = [Way(Fault.STALE, service.lag_ms)] if service.lag_ms else []
            return [*stale, Way(Fault.SILENT), Way(Fault.PENDING)]
        case PutBlob():
            return [Way(Fault.TORN), Way(Fault.STORE_DOWN)]
        case Choose(Among(options)):
            return [Way(Fault.OTHER_CHOICE, number) for number in range(1, len(options))]
        case _:
            return []


def _call(service: Service) -> list[Way]:
    if service.down or service.refuses:
        return []
    if not service.writes:
        ways = [Way(fault) for fault in READ_FAULTS]
    else:
        ways = [Way(fault) for fault in WRITE_FAULTS]
        ways += [Way(Fault.LATE, late) for late in service.late_ms]
        if service.parts > 1:
            ways.append(Way(Fault.HALF))
    if not service.bounded:
        ways.append(Way(Fault.HANGS))
    return ways
