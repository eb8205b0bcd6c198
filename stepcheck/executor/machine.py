"""A step from its address to its outcome: the one generator that threads, asyncio and the explorer drive."""

import math
from collections.abc import Mapping

from stepcheck.executor.address import Request, find_or_plan, recorded_params, request
from stepcheck.executor.answers import Answer, Refused, Reply, Unknown
from stepcheck.executor.blobs import BlobError
from stepcheck.executor.decisions import Ask, Believe, Doubt, Park, Read, Send, Settled, Store, Wait, decide
from stepcheck.executor.moves import Job, context, give_to_person, look_again, make, wait
from stepcheck.executor.ops import Call, Machine
from stepcheck.executor.outcome import Outcome, outcome_of
from stepcheck.executor.outputs import NotStorable, encode
from stepcheck.executor.record import Claim, View
from stepcheck.executor.sending import doubt, send
from stepcheck.executor.settling import ask, believe, store
from stepcheck.executor.states import OPEN, State
from stepcheck.executor.step import ExecStep

Table = Mapping[str, ExecStep]


def step_machine(
    table: Table,
    claim: Claim,
    step_path: str,
    name: str | None = None,
    params: Mapping[str, object] | None = None,
) -> Machine[Outcome]:
    """Run the step at an address until it is settled or waits for a person.

    Without params, the recorded ones are taken; without a name too, the address must hold a step already. A
    step that is done gives its recorded output again and sends nothing.

    Intent first: no write is sent before a synced `call_intent` for that (task, address, attempt) exists,
    and each intent permits at most one send. A read is sent at most max_attempts times in one run, and the
    recorded answer is what every replay sees. Raises KeyError for a name the table lacks, CanonicalError,
    ReplayMismatch, Fenced, TaskBusy, LedgerError.
    """
    wanted: Request | None = None
    if name is not None and params is not None:
        wanted = yield from request(table[name], params)
    found = yield from find_or_plan(claim, step_path, wanted)
    if isinstance(found, Outcome):
        return found
    return (yield from settle(table, claim, found))


def settle(table: Table, claim: Claim, seen: View) -> Machine[Outcome]:
    """Bring a planned or open step to where automation ends."""
    if seen.state.state not in OPEN | {State.PLANNED}:
        return outcome_of(seen.state, seen.item)
    step = table.get(seen.state.step_name)
    try:
        params = yield from recorded_params(seen.state)
    except BlobError as error:
        params, unreadable = {}, str(error)
    else:
        unreadable = ""
    why = unreadable or _not_as_planned(step, seen)
    if why or step is None:
        seen = yield from give_to_person(claim, seen, why)
        return outcome_of(seen.state, seen.item)
    return (yield from _settle(Job(step, claim, params), seen))


def _settle(job: Job, seen: View) -> Machine[Outcome]:
    fresh: str | None = None
    """An output too long for the event, while this run still has it."""
    while True:
        match decide(job.step, seen.state, seen.clock_ms, job.claim.fence):
            case Settled():
                return outcome_of(seen.state, seen.item)
            case Read():
                seen = yield from _read(job, seen)
            case Send(attempt):
                sent = yield from send(job, seen, attempt)
                if isinstance(sent, Outcome):
                    return sent
                seen, fresh = sent
            case Ask():
                seen, fresh = yield from ask(job, seen)
            case Store():
                seen = yield from store(job, seen, fresh)
            case Doubt() | Believe() | Wait() | Park() as decision:
                seen = yield from _note(job.claim, seen, decision)


def _note(claim: Claim, seen: View, decision: Doubt | Believe | Wait | Park) -> Machine[View]:
    match decision:
        case Doubt(reason):
            return (yield from make(claim, seen, "uncertain", doubt(Unknown(reason))))
        case Believe(proof):
            return (yield from make(claim, seen, "absent", believe(proof)))
        case Wait(until_ms):
            return (yield from wait(claim, seen, until_ms))
        case Park(reason):
            return (yield from give_to_person(claim, seen, reason))


def _not_as_planned(step: ExecStep | None, seen: View) -> str:
    """Return how the table has changed under an unsettled step, nothing where it has not."""
    if step is None:
        return f"the table has no step '{seen.state.step_name}' any more"
    if seen.state.effect is not step.effect:
        return f"it was planned as '{seen.state.effect}', and the table now says '{step.effect}'"
    return ""


def _read(job: Job, seen: View) -> Machine[View]:
    step, claim, tries = job.step, job.claim, 0
    while True:
        tries += 1
        reply: Reply = yield Call(step, context(step, job.params, seen.state, math.inf), job.params)
        match reply:
            case Answer(value):
                try:
                    output = encode(value)
                except NotStorable as error:
                    return (yield from give_to_person(claim, seen, str(error)))
                return (yield from store(job, seen, output))
            case Refused(error):
                return (yield from give_to_person(claim, seen, f"the read was refused: {error}"))
            case Unknown(error) if tries >= step.max_attempts:
                why = f"the read has no answer, tries: {tries}: {error}"
                return (yield from give_to_person(claim, seen, why))
        pause = step.backoff.delay_ms(seen.state.idempotency_key, tries)
        seen = yield from look_again(claim, seen)
        seen = yield from wait(claim, seen, seen.clock_ms + pause)
        if seen.state.state is not State.PLANNED:
            return seen
