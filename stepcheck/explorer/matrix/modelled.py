"""From what a table declares of a step to the scenarios that an executor which follows it goes through."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from stepcheck.executor.step import AbsenceProof, DedupePromise, ExecStep
from stepcheck.explorer.faults import EVERY, Fault
from stepcheck.explorer.matrix.events import Event
from stepcheck.explorer.scenario import HOUR_MS, Item, Job, Scenario, declare
from stepcheck.explorer.service import Match, Service
from stepcheck.explorer.skeleton_options import Skeleton, Then, Undo
from stepcheck.facts import Effect, Step, StepTable, Unlimited
from stepcheck.report import Finding

THING = None
"""What every modelled step is about: the same thing, whatever it is."""

LAG_MS = 2_000
LATE_MS = 30 * 24 * HOUR_MS
"""How late a request may land where nothing is declared: later than anything waits."""
TOUCHED_MS = 20 * 60_000
ATTEMPTS = 3
MOST = 5
"""Attempts that are simulated of any higher number."""
AFTER = "the next step"

ALONE = EVERY - {Fault.CANCELLED_BEFORE, Fault.CANCELLED_AFTER, Fault.POWER, Fault.STORE_DOWN}
"""To be cancelled is to die; what is left out lies with the executor and not with the table."""
OTHER_WORKER = frozenset({Fault.SWITCH, Fault.DIES, Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.LATE})
UNDOING = frozenset(
    {Fault.DIES, Fault.REQUEST_LOST, Fault.ANSWER_LOST, Fault.ERROR_AFTER, Fault.REFUSED, Fault.SILENT}
)


@dataclass(frozen=True)
class Doubts:
    """What the linter knows of a step beyond its fields."""

    rules: frozenset[str] = frozenset()
    """The rules with a finding about it."""

    def by(self, rule: str) -> bool:
        """Whether that rule has one."""
        return rule in self.rules


def doubts(table: StepTable, findings: Iterable[Finding]) -> dict[str, Doubts]:
    """What these findings say about each step of a table, by its name."""
    rules: dict[str, set[str]] = {step.name: set() for step in table.steps}
    for found in findings:
        if found.step in rules:
            rules[found.step].add(found.rule)
    return {name: Doubts(frozenset(some)) for name, some in rules.items()}


@dataclass(frozen=True)
class Part:
    """One scenario of a step, and the columns that it answers for."""

    scenario: Scenario
    events: frozenset[Event]


@dataclass(frozen=True)
class Model:
    """A declared step as it is simulated."""

    step: ExecStep
    parts: tuple[Part, ...]
    skeleton: Skeleton | None = None
    """How the executor that follows the declaration is naive; None for the reference executor."""
    undo: ExecStep | None = None
    endless: bool = False
    """Whether nothing says until when it may be undone."""
    follows: str = ""
    """What an executor that follows the declaration does against all sense; empty where that is nothing."""


def model(step: Step, table: StepTable, doubts: Doubts) -> Model | None:
    """Return the scenarios of a declared step; None for one whose effect class is not known."""
    if step.effect.value is None:
        return None
    service = _service(step, doubts)
    run = _exec_step(step, step.effect.value)
    skeleton, follows = _naive(step, doubts)
    plain = Scenario({step.name: run}, _plan(step, doubts), {step.name: service}, skeleton, faults=ALONE)
    own = frozenset(Event) - {Event.SECOND_WORKER, Event.DOWN, Event.COMPENSATION}
    down = replace(service, down=True)
    # Two workers are kept apart by the executor, not by the table: that column is the reference executor's.
    two = Scenario({step.name: run}, _plan(step, Doubts()), {step.name: service}, workers=2)
    parts = [
        Part(plain, own),
        Part(replace(two, faults=OTHER_WORKER), frozenset({Event.SECOND_WORKER})),
        Part(
            replace(plain, services={step.name: down}, smooth=False, faults=frozenset()),
            frozenset({Event.DOWN}),
        ),
    ]
    undo = _undo(step, table)
    if undo is not None:
        parts += _compensated(step, run, undo, service)
    return Model(run, tuple(parts), skeleton, undo, undo is not None and _unending(step), follows)


def _exec_step(step: Step, effect: Effect) -> ExecStep:
    known: dict[str, Any] = {}
    if effect is Effect.IDEM_WRITE and step.keyed:
        known["dedupe"] = _promise(step)
    if step.on_absent.value == "retry":
        known |= {"retry_absent": True, "absence": _proof(step)}
    attempts = step.retry.attempts
    limit = attempts if isinstance(attempts, int) else ATTEMPTS
    if effect is Effect.NON_IDEM_WRITE:
        limit = max(limit, ATTEMPTS) if step.on_absent.value == "retry" else 1
    return declare(
        step.name,
        effect.value,
        query=not step.query.absent,
        ask_person=step.left_to_person,
        max_attempts=min(limit, MOST),
        timeout_ms=_timeout_ms(step),
        **known,
    )


def _service(step: Step, doubts: Doubts) -> Service:
    effect = step.effect.value
    if effect is Effect.READ:
        return Service(writes=False, bounded=not _endless(step, doubts))
    honours = step.keyed or (effect is Effect.IDEM_WRITE and not doubts.by("unproven-idempotence"))
    proof = _proof(step)
    service = Service(
        honours_key=honours,
        bounded=not _endless(step, doubts),
        lag_ms=0 if step.query.absent else LAG_MS if proof is None else proof.query_lag_ms,
        late_ms=(LATE_MS,) if proof is None else (1, proof.late_bound_ms),
        query=Match.WRITES if doubts.by("effectful-query") else Match.IDENTITY,
    )
    if effect is Effect.IDEM_WRITE:
        # How long a keyed request may be under way is the same promise as how long its key is remembered.
        promise = _promise(step)
        window = promise.window_ms
        late = (LATE_MS,) if not honours else (1,) if window is None else (1, window // 2)
        return replace(service, late_ms=late, window_ms=window, stored_errors=promise.stored_errors, lag_ms=0)
    return service


def _naive(step: Step, doubts: Doubts) -> tuple[Skeleton | None, str]:
    """Return the naive executor that does what the table says, and what that is; None for the reference."""
    effect, attempts = step.effect.value, step.retry.attempts
    unlimited = isinstance(attempts, Unlimited)
    limit = None if unlimited else attempts if isinstance(attempts, int) else ATTEMPTS
    if doubts.by("volatile-key"):
        return Skeleton(attempts=limit), "it looks for the step by a key that changes from attempt to attempt"
    if step.retried_unguarded or _retried_without_query(step):
        often = "for ever" if unlimited else f"up to {limit} times"
        return Skeleton(resends=frozenset(Effect), attempts=limit), f"it sends the write {often}"
    if effect is Effect.NON_IDEM_WRITE and step.on_absent.value == "retry" and _proof(step) is None:
        tries = 2 if limit == 1 else limit
        return Skeleton(absent=Then.CALL, attempts=tries), "it sends again as soon as a query finds nothing"
    if unlimited and effect is not Effect.NON_IDEM_WRITE:
        return Skeleton(attempts=None), "it tries for ever"
    return None, ""


def _retried_without_query(step: Step) -> bool:
    """As `Step.retried_unguarded`, for a table as it would run: no executor reads a misspelt field."""
    return (
        step.effect.value is Effect.NON_IDEM_WRITE
        and step.query.absent
        and not step.keyed
        and not step.left_to_person
        and step.retry.repeats is True
        and step.retry.attempts != 1
    )


def _plan(step: Step, doubts: Doubts) -> tuple[tuple[Job, ...], ...]:
    def job(params: Mapping[str, object]) -> tuple[Job, ...]:
        return (Job("t1", (Item(step.name, params),)),)

    if doubts.by("volatile-key"):
        return tuple(job({"item": THING, "at": f"12:0{life}"}) for life in range(1, 5))
    return (job({"item": THING}),)


def _undo(step: Step, table: StepTable) -> ExecStep | None:
    if step.compensate.absent or step.effect.value is Effect.READ:
        return None
    named = step.compensate.value
    other = table.step(named.name) if named is not None else None
    name = named.name if named is not None else f"compensation of {step.name}"
    queried = other is not None and not other.query.absent
    return declare(name if name != step.name else f"{name} (again)", query=queried, max_attempts=1)


def _compensated(step: Step, run: ExecStep, undo: ExecStep, service: Service) -> list[Part]:
    within = step.compensate_deadline.value
    limit_ms = None if within is None else _ms(within.length)
    whole = replace(run, compensation=undo, compensate_within_ms=limit_ms)
    plan = (Job("t1", (Item(step.name, {"item": THING}), Item(AFTER, {"item": THING}))),)
    saga = Scenario(
        {step.name: whole, AFTER: declare(AFTER)},
        (plan,),
        {step.name: replace(service, late_ms=()), AFTER: Service(refuses=True)},
        smooth=False,
        faults=UNDOING,
    )
    if _unending(step):
        endless = Skeleton(undo=Undo(bounded=False))
        saga = replace(saga, skeleton=endless, downtime_ms=HOUR_MS, touched_ms=TOUCHED_MS)
        return [Part(saga, frozenset({Event.COMPENSATION}))]
    outage = replace(saga, downtime_ms=(limit_ms or HOUR_MS) + 60_000)
    return [Part(each, frozenset({Event.COMPENSATION})) for each in (saga, outage)]


def _unending(step: Step) -> bool:
    """Whether it is known that no deadline ends its compensation; a text that is no duration ends nothing."""
    return step.compensate_deadline.value is None and not step.compensate_deadline.opaque


def _promise(step: Step) -> DedupePromise:
    dedupe = step.dedupe.value
    if dedupe is None:
        return DedupePromise()
    window = None if dedupe.window is None else _ms(dedupe.window.length)
    return DedupePromise(window, bool(dedupe.stored_errors))


def _proof(step: Step) -> AbsenceProof | None:
    absence = step.absence.value
    if absence is None or absence.query_lag is None or absence.late_bound is None:
        return None
    return AbsenceProof(_ms(absence.query_lag.length), _ms(absence.late_bound.length))


def _endless(step: Step, doubts: Doubts) -> bool:
    return isinstance(step.timeout.value, Unlimited) or doubts.by("missing-timeout")


def _timeout_ms(step: Step) -> int:
    timeout = step.timeout.value
    return 60_000 if timeout is None or isinstance(timeout, Unlimited) else _ms(timeout.length)


def _ms(length: timedelta) -> int:
    return int(length.total_seconds() * 1000)
