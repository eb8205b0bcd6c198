"""A naive executor, of the kind that teams write first: the bad half of many demonstrations."""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from stepcheck.executor.answers import Answer, Found, Refused, Reply, Sighting, Unknown
from stepcheck.executor.blobs import BlobError
from stepcheck.executor.ops import Call, CallContext, Choose, Elapsed, Machine, PutBlob, Query, Txn
from stepcheck.executor.outputs import RECEIPT_LIMIT, encode
from stepcheck.executor.step import ExecStep
from stepcheck.explorer.interruption import Interrupted
from stepcheck.explorer.lives import Among, plan_of
from stepcheck.explorer.notes import Address, Belief, Note, Notes
from stepcheck.explorer.rows import Standing
from stepcheck.explorer.scenario import Item, Job, Scenario
from stepcheck.explorer.skeleton_options import Cancelled, Skeleton, Then
from stepcheck.explorer.state import Identity

T = TypeVar("T")

REMEMBERED = ("reads the conversation", "reads the conversation, which has been cut")


class EscapedError(Exception):
    """An error that nobody catches: the task is over, and nobody was told."""


@dataclass(frozen=True)
class Start:
    """One life of the process."""

    scenario: Scenario
    how: Skeleton
    ms: int
    """When it began, on the elapsed clock."""


@dataclass(frozen=True)
class Turn:
    """One step of a task, as the naive executor comes to it."""

    scenario: Scenario
    how: Skeleton
    step: ExecStep
    address: Address
    key: str
    params: dict[str, object]
    identity: Identity
    started_ms: int
    """Of the process, in milliseconds."""

    def belief(self, standing: Standing, blob: str | None = None) -> Belief:
        """Return what the task believes of this step from now on."""
        return Belief(self.step.name, self.identity, standing, blob, self.step.effect.writes)


Undoing = Callable[[Turn], Machine[None]]
"""Makes up for one step."""


def note(label: str, work: Callable[[Notes], T]) -> Txn[T]:
    """Return a transaction of the naive ledger."""
    return Txn(label, cast("Callable[[Any], T]", work), durable=True)


def skeleton_life(scenario: Scenario, life: int, undo: Undoing) -> Machine[None]:
    """Run every task that this life is asked for, in the naive way."""
    started: float = yield Elapsed()
    start = Start(scenario, scenario.skeleton or Skeleton(), int(started * 1000))
    done = False
    for job in scenario.asked(life):
        if job.if_unsettled and done:
            continue
        standing = yield from _job(start, job, undo)
        if standing is Standing.WAITING and not start.how.stops_for_person:
            standing = yield from _job(start, job, undo)
        done = standing is Standing.DONE


def _job(start: Start, job: Job, undo: Undoing) -> Machine[Standing]:
    """Run a task's steps in order; return where the last one that was reached stands."""
    if start.how.reads_history and (yield Choose(Among((False, True), REMEMBERED, anew=False))):
        yield note("cut", _cut)
    done: list[Turn] = []
    for number, item in enumerate((yield from plan_of(job)), start=1):
        path = item.path or str(number)
        if start.how.live_seq and (yield note("look", _believed_done((job.task_id, path)))):
            continue
        seq = str(len(done) + 1) if start.how.live_seq else path
        turn = yield from _turn(start, job, item, path, seq)
        standing = yield from run_step(turn, undo)
        if standing is Standing.FAILED:
            for earlier in reversed(done):
                yield from undo(earlier)
        if standing is not Standing.DONE:
            return standing
        done.append(turn)
    return Standing.DONE


def _cut(notes: Notes) -> None:
    notes.history = frozenset()


def _believed_done(address: Address) -> Callable[[Notes], bool]:
    def work(notes: Notes) -> bool:
        belief = notes.beliefs.get(address)
        return belief is not None and belief.standing is Standing.DONE

    return work


def _turn(start: Start, job: Job, item: Item, path: str, seq: str) -> Machine[Turn]:
    params = dict(item.params)
    if item.others:
        params = dict((yield Choose(Among((item.params, *item.others)))))
    scenario, how = start.scenario, start.how
    identity = tuple(params.get(name) for name in scenario.identity)
    parts = {
        "task": job.task_id,
        "seq": seq,
        "name": item.name,
        "params": repr(sorted(params.items())),
        "identity": repr(identity),
    }
    key = how.separator.join(parts[part] for part in how.key)
    step = scenario.table[item.name]
    return Turn(scenario, how, step, (job.task_id, path), key, params, identity, start.ms)


def run_step(turn: Turn, undo: Undoing) -> Machine[Standing]:
    """Run one step: what is done is not done again, unless one of the options lets it."""
    row, told = yield note("look", lambda notes: (notes.rows.get(turn.key), turn.address in notes.history))
    if told if turn.how.reads_history else row is not None and row.standing is Standing.DONE:
        believed = turn.belief(Standing.DONE, None if row is None else row.blob)
        yield note(
            "reuse", lambda notes: notes.believe(turn.address, notes.beliefs.get(turn.address, believed))
        )
        return Standing.DONE
    if row is not None and row.standing is Standing.UNDONE:
        return Standing.DONE
    if row is None or (turn.how.reads_history and row.standing is Standing.DONE):
        return (yield from _send(turn, Note(Standing.OPEN), undo))
    if row.standing is Standing.FAILED:
        return Standing.FAILED
    if row.standing is Standing.WAITING and turn.how.stops_for_person:
        return Standing.WAITING
    if row.standing is Standing.WAITING:
        return (yield from _send(turn, row, undo))
    return (yield from _settle(turn, row, undo))


def _send(turn: Turn, row: Note, undo: Undoing) -> Machine[Standing]:
    while True:
        clock = yield Elapsed()
        first = row.first_ms or int(clock * 1000)
        row = replace(row, standing=Standing.OPEN, attempts=row.attempts + 1, first_ms=first)
        if turn.how.intent_first:
            yield note("call_intent", _intent(turn, row))
        if turn.how.done_first:
            yield from write(turn, row, "done", Standing.DONE)
        try:
            reply: Reply = yield Call(turn.step, context(turn, row), turn.params)
        except Interrupted:
            yield from _cancelled(turn, row)
            raise
        if isinstance(reply, Answer):
            return (yield from _finish(turn, row, reply.value))
        if isinstance(reply, Refused) and (row.attempts == 1 or turn.how.refusals_definite):
            return (yield from write(turn, row, "failed", Standing.FAILED))
        timeout = isinstance(reply, Unknown) and reply.error.startswith("TimeoutError")
        if not turn.how.catches_all and not timeout:
            raise EscapedError(reply.error)
        again = turn.step.effect in turn.how.resends
        if not again or (turn.how.attempts is not None and row.attempts >= turn.how.attempts):
            return (yield from _settle(turn, row, undo))


def _settle(turn: Turn, row: Note, undo: Undoing) -> Machine[Standing]:
    """An outcome that nobody knows, found at a start or after a call."""
    tries_left = turn.how.attempts is None or row.attempts < turn.how.attempts
    if turn.step.effect in turn.how.resends and tries_left:
        return (yield from _send(turn, row, undo))
    then = turn.how.unknown
    if turn.step.query is not None and then is not Then.UNDO:
        answer: Sighting = yield Query(turn.step, context(turn, row), turn.params)
        if isinstance(answer, Found):
            return (yield from _finish(turn, row, answer.receipt))
        then = turn.how.absent
    match then:
        case Then.CALL if row.attempts < (turn.how.attempts or math.inf):
            return (yield from _send(turn, row, undo))
        case Then.FAILED:
            return (yield from write(turn, row, "failed", Standing.FAILED))
        case Then.UNDO:
            yield from undo(turn)
            return Standing.UNDONE
        case _:
            return (yield from write(turn, row, "needs_human", Standing.WAITING))


def _finish(turn: Turn, row: Note, value: object) -> Machine[Standing]:
    output = encode(value)
    if len(output) <= RECEIPT_LIMIT:
        return (yield from write(turn, replace(row, output=output), "done", Standing.DONE))
    data = output.encode()
    name = hashlib.sha256(data).hexdigest()
    row = replace(row, output=None, blob=name)
    if not turn.how.output_first:
        yield from write(turn, row, "done", Standing.DONE)
    try:
        yield PutBlob(data)
    except BlobError:
        return (yield from write(turn, row, "needs_human", Standing.WAITING))
    return (yield from write(turn, row, "done", Standing.DONE))


def write(turn: Turn, row: Note, label: str, standing: Standing) -> Machine[Standing]:
    """Record where the step stands from now on."""

    def work(notes: Notes) -> None:
        notes.put(turn.key, replace(row, standing=standing))
        notes.believe(turn.address, turn.belief(standing, row.blob))
        if standing is Standing.DONE:
            notes.history |= {turn.address}
        if standing is Standing.WAITING and turn.how.inbox:
            notes.inbox |= {turn.address}
        elif standing is not Standing.WAITING:
            notes.inbox -= {turn.address}

    told = "raises" if label == "needs_human" and not turn.how.inbox else label
    yield note(told, work)
    return standing


def _intent(turn: Turn, row: Note) -> Callable[[Notes], None]:
    def work(notes: Notes) -> None:
        notes.put(turn.key, row)
        notes.believe(turn.address, turn.belief(Standing.OPEN))
        notes.intents |= {(*turn.address, row.attempts)}

    return work


def _cancelled(turn: Turn, row: Note) -> Machine[None]:
    match turn.how.cancelled:
        case Cancelled.LEAVES:
            return
        case Cancelled.FAILED:
            yield from write(turn, row, "failed", Standing.FAILED)
        case Cancelled.DELETES:

            def work(notes: Notes) -> None:
                notes.rows = {key: kept for key, kept in notes.rows.items() if key != turn.key}

            yield note("delete", work)


def context(turn: Turn, row: Note) -> CallContext:
    """Return what a call is told."""
    return CallContext(
        task_id=turn.address[0],
        step_path=turn.address[1],
        step_seq=0,
        attempt=row.attempts,
        idempotency_key=turn.key,
        identity={},
        timeout=turn.step.timeout_ms / 1000,
        send_before=math.inf,
    )
