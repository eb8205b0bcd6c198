"""What must hold when all is quiet: judged by the world's effects and the ledger's rows alone."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from stepcheck.executor.address import ReplayMismatch
from stepcheck.executor.events import Event, Kind
from stepcheck.executor.ledger import Fenced
from stepcheck.executor.outputs import digest
from stepcheck.executor.states import State as StepStateName
from stepcheck.explorer.notes import Notes
from stepcheck.explorer.rows import RESTING, Row, Standing, of_ledger, of_notes
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.state import Effect, Identity, State
from stepcheck.facts.effect import Effect as EffectClass


class Harm(StrEnum):
    """What a run has done that it must not do."""

    DUPLICATE = "duplicate"
    GHOST = "ghost"
    """An effect that no row covers."""
    LOST = "lost"
    """Recorded as done, and no effect."""
    FALSE_FAILURE = "false-failure"
    """Recorded as failed or absent, and the effect is there."""
    STUCK = "stuck"
    """Unsettled, and in nobody's inbox."""
    WRONG_COMPENSATION = "wrong-compensation"
    """Of nothing, twice, before its effect, or too late."""
    DANGLING = "dangling"
    """Done, and its output cannot be read."""
    UNBOUNDED = "unbounded"
    OUT_OF_ORDER = "out-of-order"
    """A step started before the one before it was done, or was made up for before a later one."""
    DRIFT = "drift"
    """Two names or two inputs at one address, or others sent than recorded."""
    BROKEN = "broken"
    """The executor ended with an error of its own."""
    NEEDLESS = "needless"
    """Without any fault, something is not done, was sent twice, or waits for a person."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """One harm, in a sentence."""

    harm: Harm
    text: str


def judge(scenario: Scenario, state: State) -> list[Wrong]:
    """Return all that is wrong at the end of a run."""
    plain = isinstance(state.image, Notes)
    rows = ledger_rows(scenario, state)
    wrong = [
        *_duplicates(state),
        *_ghosts(state, rows),
        *_contradictions(scenario, state, rows),
        *_stuck(scenario, state, rows),
        *_compensations(scenario, state, rows),
        *_outputs(state, rows),
        *_sends(scenario, state),
    ]
    if not plain:
        wrong += [*_broken(state), *_replays(state, rows)]
        for _, events in sorted(state.image.events.items()):
            wrong += [*_order(events), *_drift(events)]
    if not state.faults and scenario.smooth:
        wrong += _needless(scenario, state, rows)
    return wrong


def ledger_rows(scenario: Scenario, state: State) -> list[Row]:
    """Return what the ledger says of each step."""
    if isinstance(state.image, Notes):
        return of_notes(state.image)
    return of_ledger(state.image, scenario.identity)


def _named(step: str, identity: Identity) -> str:
    about = ", ".join(str(part) for part in identity if part is not None)
    return f"'{step}' for {about}" if about else f"'{step}'"


def _duplicates(state: State) -> Iterator[Wrong]:
    counts = Counter(
        (one.request.step, one.request.identity, one.part) for one in state.effects if not one.request.undo
    )
    for (step, identity, _), count in counts.items():
        if count > 1:
            yield Wrong(Harm.DUPLICATE, f"{_named(step, identity)} happened {count} times")


def _ghosts(state: State, rows: list[Row]) -> Iterator[Wrong]:
    known = {(row.task_id, row.step_path): row for row in rows}
    for effect in state.effects:
        request = effect.request
        row = known.get((request.task_id, request.step_path))
        if row is None:
            covered = False
        elif request.undo:
            covered = row.undo_intents > 0
        else:
            covered = request.attempt in row.intents or row.acknowledged or not row.writes
        if not covered:
            yield Wrong(Harm.GHOST, f"{_named(request.step, request.identity)} happened, and no row says so")


def _contradictions(scenario: Scenario, state: State, rows: list[Row]) -> Iterator[Wrong]:
    services = scenario.other_sides
    happened: dict[tuple[str, Identity], set[int]] = defaultdict(set)
    for effect in state.effects:
        if not effect.request.undo:
            happened[effect.request.step, effect.request.identity].add(effect.part)
    for row in rows:
        service = services[row.step]
        there = len(happened[row.step, row.identity])
        claimed = row.acknowledged or row.standing in (Standing.DONE, Standing.UNDONE)
        if claimed and service.writes and there < service.parts:
            what = "never happened" if not there else "happened only in part"
            yield Wrong(Harm.LOST, f"{_named(row.step, row.identity)} is recorded as done, and {what}")
        own = [one for one in state.effects if _of(one, row) and not one.request.undo]
        if row.standing is Standing.FAILED and own:
            yield Wrong(
                Harm.FALSE_FAILURE, f"{_named(row.step, row.identity)} is recorded as failed, and it happened"
            )
        if any(one.request.attempt <= row.absent_upto for one in own):
            yield Wrong(
                Harm.FALSE_FAILURE,
                f"{_named(row.step, row.identity)} was recorded as absent, and it happened",
            )


def _of(effect: Effect, row: Row) -> bool:
    return (effect.request.task_id, effect.request.step_path) == (row.task_id, row.step_path)


def _stuck(scenario: Scenario, state: State, rows: list[Row]) -> Iterator[Wrong]:
    waiting = {row.task_id for row in rows if row.waits}
    for row in rows:
        open_row = row.standing not in RESTING and row.standing is not Standing.PLANNED
        if open_row and not row.waits:
            text = f"{_named(row.step, row.identity)} is {row.standing.value}, and in nobody's inbox"
            yield Wrong(Harm.STUCK, text)
    if waiting or state.runaway or scenario.restarts == 0:
        return
    known = {(row.task_id, row.step_path): row for row in rows}
    ended = {row.task_id for row in rows if row.standing in RESTING and row.standing is not Standing.DONE}
    for job in scenario.asked(max(worker.life for worker in state.workers)):
        if job.if_unsettled or job.task_id in ended:
            continue
        for number, item in enumerate(job.plan, start=1):
            reached = known.get((job.task_id, item.path or str(number)))
            if reached is None or reached.standing is Standing.PLANNED:
                text = f"'{item.name}' of task '{job.task_id}' was never done, and nobody waits"
                yield Wrong(Harm.STUCK, text)
                break


def _compensations(scenario: Scenario, state: State, rows: list[Row]) -> Iterator[Wrong]:
    forward: dict[tuple[str, str], list[Effect]] = defaultdict(list)
    for effect in state.effects:
        if not effect.request.undo:
            forward[effect.request.task_id, effect.request.step_path].append(effect)
    within = {
        (row.task_id, row.step_path): scenario.table[row.step].compensate_within_ms
        for row in rows
        if row.step in scenario.table
    }
    steps = {(row.task_id, row.step_path): row.step for row in rows}
    seen: Counter[tuple[str, str]] = Counter()
    for undone in (one for one in state.effects if one.request.undo):
        address = (undone.request.task_id, undone.request.step_path)
        name = f"'{undone.request.step}', which makes up for '{steps.get(address, address[1])}',"
        seen[address] += 1
        if seen[address] == 2:
            yield Wrong(Harm.WRONG_COMPENSATION, f"{name} happened twice")
        made = forward[address]
        if not made:
            yield Wrong(Harm.WRONG_COMPENSATION, f"{name} happened, and there was nothing to make up for")
        elif undone.at_ms < min(one.at_ms for one in made):
            yield Wrong(Harm.WRONG_COMPENSATION, f"{name} happened before what it makes up for")
        first = [one.sent_ms for one in state.sent if (one.task_id, one.step_path) == address]
        limit = within.get(address)
        late = limit is not None and undone.request.sent_ms >= min(first) + limit
        touched = scenario.touched_ms
        if late or (touched is not None and made and undone.request.sent_ms >= made[0].at_ms + touched):
            yield Wrong(Harm.WRONG_COMPENSATION, f"{name} was sent after others had acted")


def _outputs(state: State, rows: list[Row]) -> Iterator[Wrong]:
    for row in rows:
        if row.standing is Standing.DONE and row.blob is not None:
            data = state.blobs.get(row.blob)
            if data is None or digest(data) != row.blob:
                yield Wrong(
                    Harm.DANGLING,
                    f"{_named(row.step, row.identity)} is done, and its output cannot be read",
                )


def _sends(scenario: Scenario, state: State) -> Iterator[Wrong]:
    if state.runaway:
        yield Wrong(Harm.UNBOUNDED, "it is tried again and again, for ever")
        return
    if scenario.skeleton is not None:
        return
    counts: Counter[tuple[object, ...]] = Counter()
    for request in state.sent:
        step = scenario.table.get(request.step)
        reads = step is not None and step.effect is EffectClass.READ
        who = (request.worker, request.life) if reads else ()
        counts[request.task_id, request.step_path, request.step, request.undo, who] += 1
    for (_, path, name, undo, _), count in counts.items():
        step = scenario.table.get(str(name))
        once = undo or step is None
        limit = 1 if once or step is None else _budget(scenario, str(name))
        if count > limit * (1 + scenario.other_sides[str(name)].client_retries):
            yield Wrong(Harm.UNBOUNDED, f"'{name}' at '{path}' was sent {count} times, {limit} allowed")


def _budget(scenario: Scenario, name: str) -> int:
    step = scenario.table[name]
    if step.effect is EffectClass.NON_IDEM_WRITE and not step.retry_absent:
        return 1
    return step.max_attempts


def _replays(state: State, rows: list[Row]) -> Iterator[Wrong]:
    recorded = {(row.task_id, row.step_path): row.payload for row in rows}
    for request in state.sent:
        payload = recorded.get((request.task_id, request.step_path), request.payload)
        if request.payload != payload:
            yield Wrong(Harm.DRIFT, f"'{request.step}' was sent with other params than the ledger has")
            return


def _broken(state: State) -> Iterator[Wrong]:
    for worker in state.workers:
        if isinstance(worker.result, Exception) and not isinstance(worker.result, Fenced | ReplayMismatch):
            yield Wrong(Harm.BROKEN, f"{type(worker.result).__name__}: {worker.result}")


def _order(events: list[Event]) -> Iterator[Wrong]:
    standing: dict[int, str] = {}
    writes: set[int] = set()
    for event in events:
        started = event.kind is Kind.CALL_INTENT or (event.kind is Kind.DONE and event.attempt == 0)
        straight = event.step_path == str(event.step_seq)
        before = [seq for seq in standing if straight and seq < event.step_seq]
        if started and any(standing[seq] != StepStateName.DONE for seq in before):
            yield Wrong(Harm.OUT_OF_ORDER, f"step '{event.step_path}' started before the one before was done")
        later = [seq for seq in writes if seq > event.step_seq]
        if event.kind is Kind.COMP_INTENT and any(standing[seq] == StepStateName.DONE for seq in later):
            yield Wrong(Harm.OUT_OF_ORDER, f"step '{event.step_path}' was made up for before a later one")
        if event.kind is Kind.CALL_INTENT:
            writes.add(event.step_seq)
        standing[event.step_seq] = event.status


def _drift(events: list[Event]) -> Iterator[Wrong]:
    said: dict[str, tuple[str, str]] = {}
    for event in events:
        first = said.setdefault(event.step_path, (event.step_name, event.input_hash))
        if first != (event.step_name, event.input_hash):
            yield Wrong(Harm.DRIFT, f"address '{event.step_path}' holds two different requests")


def _needless(scenario: Scenario, state: State, rows: list[Row]) -> list[Wrong]:
    wrong = [
        Wrong(Harm.NEEDLESS, f"{_named(row.step, row.identity)} is {row.standing.value}, without any fault")
        for row in rows
        if row.standing is not Standing.DONE
    ]
    sends = Counter((one.task_id, one.step_path, one.undo) for one in state.sent)
    wrong += [
        Wrong(Harm.NEEDLESS, f"step '{path}' was sent {count} times, without any fault")
        for (_, path, _), count in sends.items()
        if count != 1
    ]
    asked = sum(len(job.plan) for job in scenario.asked(1) if not job.if_unsettled)
    if len({(row.task_id, row.step_path) for row in rows}) < asked:
        wrong.append(Wrong(Harm.NEEDLESS, "a step was never reached, without any fault"))
    return wrong
