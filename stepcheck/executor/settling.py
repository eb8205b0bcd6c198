"""An uncertain step is settled by a query, and an acknowledged one gets its output stored."""

import math

from stepcheck.executor.answers import Absent, Found, NoAnswer, Pending, Sighting
from stepcheck.executor.blobs import BlobError
from stepcheck.executor.events import Kind
from stepcheck.executor.ledger import TaskRow, Transaction
from stepcheck.executor.moves import Change, Job, context, give_to_person, look_again, make, wait
from stepcheck.executor.ops import Machine, PutBlob, Query
from stepcheck.executor.outputs import NotStorable, encode, inline
from stepcheck.executor.record import View, finish, write
from stepcheck.executor.states import State, StepState

STORE_TRIES = 3

OUTPUT_LOST = "its output cannot be obtained"


def ask(job: Job, seen: View) -> Machine[tuple[View, str | None]]:
    """Query once and record what it said; return the output too if the query found one.

    The time recorded is that of a transaction before the query was sent: an empty answer is never taken for
    younger than it is.
    """
    answer = yield from _query(job, seen)
    output: str | None = None
    said: dict[str, object] = {"verdict": _verdict(answer)}
    if isinstance(answer, NoAnswer):
        said["error"] = answer.error
    if isinstance(answer, Found):
        try:
            output = encode(answer.receipt)
        except NotStorable as error:
            said["error"] = str(error)
    short = inline(output)
    target = State.ACKED if isinstance(answer, Found) else State.UNCERTAIN

    def act(tx: Transaction, task: TaskRow, state: StepState) -> StepState:
        return write(
            tx, task, state, Kind.QUERIED, target, said=said, receipt=short, started_at=seen.clock_ms
        )

    return (yield from make(job.claim, seen, "queried", act)), output


def _query(job: Job, seen: View) -> Machine[Sighting]:
    answer: Sighting = yield Query(job.step, context(job.step, job.params, seen.state, math.inf), job.params)
    return answer


def _verdict(answer: Sighting) -> str:
    match answer:
        case Found():
            return "found"
        case Absent():
            return "absent"
        case Pending():
            return "pending"
        case NoAnswer():
            return "no answer"


def believe(proof: str) -> Change:
    """Return the change that takes an empty query for evidence of absence."""
    return lambda tx, task, state: write(tx, task, state, Kind.ABSENT, State.ABSENT, said={"proof": proof})


def store(job: Job, seen: View, fresh: str | None) -> Machine[View]:
    """Make what was acknowledged DONE: the output is readable and matches its digest from then on.

    `fresh` is an output that this run holds and the ledger does not. An output that nobody has any more is
    got by a query, never by a second call; where that fails, a person has the step.
    """
    output = seen.state.receipt if seen.state.answered else fresh
    if output is None:
        output = yield from _output_by_query(job, seen)
    if output is None:
        why = seen.state.reason or OUTPUT_LOST
        return (yield from give_to_person(job.claim, seen, f"it was acknowledged, and {why}"))
    sha256: str | None = None
    if inline(output) is None:
        stored = yield from _put(job, seen, output.encode())
        if isinstance(stored, View):
            return stored
        sha256 = stored
    text = output

    def act(tx: Transaction, task: TaskRow, state: StepState) -> StepState:
        return finish(tx, task, state, text, sha256)

    return (yield from make(job.claim, seen, "done", act))


def _put(job: Job, seen: View, data: bytes) -> Machine[str | View]:
    for tries in range(1, STORE_TRIES + 1):
        try:
            return str((yield PutBlob(data)))
        except BlobError as error:
            why = str(error)
        pause = job.step.backoff.delay_ms(f"store {seen.state.idempotency_key}", tries)
        seen = yield from wait(job.claim, seen, seen.clock_ms + pause)
        # A sibling that halted the task has put this step into the inbox already.
        if seen.state.state is not State.ACKED:
            return seen
    return (yield from give_to_person(job.claim, seen, f"it was acknowledged, and {why}"))


def _output_by_query(job: Job, seen: View) -> Machine[str | None]:
    if job.step.query is None:
        return None
    for tries in range(1, job.step.query_attempts + 1):
        answer = yield from _query(job, seen)
        if isinstance(answer, Found):
            try:
                return encode(answer.receipt)
            except NotStorable:
                return None
        if tries < job.step.query_attempts:
            pause = job.step.backoff.delay_ms(f"output {seen.state.idempotency_key}", tries)
            seen = yield from look_again(job.claim, seen)
            seen = yield from wait(job.claim, seen, seen.clock_ms + pause)
    return None
