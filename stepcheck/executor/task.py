"""A whole task: taken, its open steps settled, its steps run in order, made up for where one failed."""

from collections.abc import Callable, Mapping, Sequence

from stepcheck.executor.address import find_or_plan, recorded_params, request
from stepcheck.executor.compensation import compensate_machine, settle_compensation
from stepcheck.executor.decisions import LEFT_IN_FLIGHT
from stepcheck.executor.events import Kind
from stepcheck.executor.ledger import Transaction
from stepcheck.executor.machine import Table, settle, step_machine
from stepcheck.executor.ops import Choose, Machine, Txn
from stepcheck.executor.outcome import Outcome, Result, TaskOutcome, outcome_of
from stepcheck.executor.record import Claim, View, enter, look, open_item, park, view, write
from stepcheck.executor.snapshots import task_states
from stepcheck.executor.states import COMPENSATING, OPEN, WAITING, State
from stepcheck.executor.tasks import About, Owner, give_back, set_status, take

Plan = Sequence[tuple[str, Mapping[str, object]]]
"""Steps in order, by their names, each with its params; the first has the address '1'."""

BEYOND_THE_PLAN = "it was planned and never sent, and this run's plan ends before it"


def begin_machine(table: Table, task_id: str, owner: Owner, about: About | None = None) -> Machine[Claim]:
    """Take a task and settle what an earlier owner left open, before anything new. Raises TaskBusy."""
    claim: Claim = yield Txn("take", take(task_id, owner, about or About()))
    yield from recover_machine(table, claim)
    return claim


def recover_machine(table: Table, claim: Claim) -> Machine[list[Outcome]]:
    """Settle every open step of a task, in order: what older owners left in flight is uncertain now.

    Nobody is forgotten: whenever no worker is running, every unresolved step has an open inbox row.
    """
    outcomes = []
    for seen in (yield Txn("recover", _sweep(claim))):
        if seen.state.state in COMPENSATING:
            outcomes.append((yield from settle_compensation(table, claim, seen)))
        else:
            fresh = yield Txn("look", _look(claim, seen.state.step_path))
            outcomes.append((yield from settle(table, claim, fresh)))
    return outcomes


def _sweep(claim: Claim) -> Callable[[Transaction], list[View]]:
    def work(tx: Transaction) -> list[View]:
        task = enter(tx, claim)
        open_steps = []
        for row in tx.steps(claim.task_id):
            if row.state not in OPEN | COMPENSATING:
                continue
            seen = view(tx, task, row.step_path)
            assert seen is not None
            if seen.state.state is State.IN_FLIGHT and seen.state.fence != claim.fence:
                said = {"error": LEFT_IN_FLIGHT}
                write(tx, task, seen.state, Kind.UNCERTAIN, State.UNCERTAIN, said=said)
            open_steps.append(seen)
        return open_steps

    return work


def _look(claim: Claim, step_path: str) -> Callable[[Transaction], View | None]:
    return lambda tx: view(tx, enter(tx, claim), step_path)


def choose_machine(
    table: Table, claim: Claim, step_path: str, decide: Callable[[], tuple[str, Mapping[str, object]]]
) -> Machine[tuple[str, Mapping[str, object]]]:
    """Ask the model once for the step at an address, and log its choice before it is acted upon.

    Every later run is given the logged choice, and the model is not asked. Raises KeyError for a step the
    table lacks: the model chooses among steps, never how one is retried.
    """
    seen = yield Txn("look", _look(claim, step_path))
    if seen is None:
        name, params = yield Choose(decide)
        wanted = yield from request(table[name], params)
        seen = yield from find_or_plan(claim, step_path, wanted)
        if isinstance(seen, Outcome):
            return name, params
    return seen.state.step_name, (yield from recorded_params(seen.state))


def run_machine(
    table: Table, plan: Plan, task_id: str, owner: Owner, about: About | None = None
) -> Machine[TaskOutcome]:
    """Run a task's steps in order, from where it stands; no step starts before the one before it is done.

    After a definite refusal, what was done is made up for in reverse order. Raises TaskBusy, Fenced,
    ReplayMismatch, CanonicalError, LedgerError.
    """
    claim = yield from begin_machine(table, task_id, owner, about)
    status: str = yield Txn("look", lambda tx: look(tx, task_id).status)
    outcomes: list[Outcome] = []
    if status in ("running", "halted", "done"):
        for number, (name, params) in enumerate(plan, start=1):
            outcomes.append((yield from step_machine(table, claim, str(number), name, params)))
            if outcomes[-1].state is not Result.DONE:
                break
    yield from _conclude(table, claim, status, outcomes)
    held = outcomes[-1] if outcomes and outcomes[-1].state is Result.HELD else None
    end: TaskOutcome = yield Txn("give_back", _end(claim, held))
    return end


def _end(claim: Claim, held: Outcome | None) -> Callable[[Transaction], TaskOutcome]:
    """Return the transaction that gives the task back and says how each of its steps stands."""

    def work(tx: Transaction) -> TaskOutcome:
        task = look(tx, claim.task_id)
        give_back(claim)(tx)
        states = sorted(task_states(tx, claim.task_id).items())
        steps = [outcome_of(state, open_item(tx, state)) for _, state in states]
        if held is not None:
            steps = [step for step in steps if step.step_path != held.step_path] + [held]
        return TaskOutcome(claim.task_id, task.status, tuple(steps))

    return work


def _conclude(table: Table, claim: Claim, status: str, outcomes: list[Outcome]) -> Machine[None]:
    last = outcomes[-1].state if outcomes else None
    if status == "compensating" or last is Result.FAILED:
        reason = (
            f"step '{outcomes[-1].step_path}' failed: {outcomes[-1].reason}" if outcomes else "a step failed"
        )
        yield from compensate_machine(table, claim, reason)
    elif last is Result.ABANDONED:
        yield Txn("status", set_status(claim, "abandoned"))
    elif status in ("running", "halted", "done") and last in (None, Result.DONE):
        yield Txn("status", _finish(claim))


def _finish(claim: Claim) -> Callable[[Transaction], None]:
    """Return the transaction that makes a task done, or halts it while a recorded step is not settled.

    A plan may be shorter than the one before it: the steps beyond its end are not forgotten.
    """

    def work(tx: Transaction) -> None:
        task = enter(tx, claim)
        for row in tx.steps(claim.task_id):
            seen = view(tx, task, row.step_path) if row.state == State.PLANNED else None
            if seen is not None:
                park(tx, task, seen.state, BEYOND_THE_PLAN)
        unsettled = any(row.state in OPEN | COMPENSATING | WAITING for row in tx.steps(claim.task_id))
        tx.set_status(claim.task_id, "halted" if unsettled or tx.items(claim.task_id) else "done")

    return work
