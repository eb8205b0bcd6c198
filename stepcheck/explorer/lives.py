"""One life of a process with the reference executor: the tasks it is asked for, then what others left."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from stepcheck.executor.ledger import TaskBusy
from stepcheck.executor.machine import step_machine
from stepcheck.executor.ops import Choose, Machine, Sleep, Txn
from stepcheck.executor.outcome import Result
from stepcheck.executor.task import begin_machine, choose_machine, run_machine
from stepcheck.executor.tasks import Owner, give_back
from stepcheck.explorer.scenario import Item, Job, Scenario

LEASE_MS = 60_000
ORDERED = ("makes the plan", "makes the plan once more, and it comes out in another order")


@dataclass(frozen=True)
class Among:
    """Stands for a model, or for anything else that may come out differently when it is asked once more."""

    options: tuple[Any, ...]
    told: tuple[str, str] = ("asks the model what to do", "asks the model once more, and is told otherwise")
    """What a worker does when it asks, and when something else comes out than the time before."""
    anew: bool = True
    """Whether the second is told of asking once more, and not of the second option."""

    def __call__(self) -> Any:
        """The first option."""
        return self.options[0]


def process_name(worker: int, life: int) -> str:
    """Return the name a process owns tasks by."""
    return f"w{worker}.{life}"


def reference_life(
    scenario: Scenario, worker: int, life: int, is_dead: Callable[[str], bool]
) -> Machine[None]:
    """Run every task that this life is asked for, then settle what the ledger has left of others."""
    owner = Owner(process_name(worker, life), LEASE_MS, is_dead)
    asked = scenario.asked(life)
    done = False
    for job in asked:
        if not (job.if_unsettled and done):
            done = yield from patiently(partial(_job, scenario, job, owner))
    names = {job.task_id for job in asked}
    known: list[str] = yield Txn("look", lambda tx: [task.task_id for task in tx.tasks()])
    for task_id in known:
        if task_id not in names:
            yield from patiently(partial(_settle, scenario, task_id, owner))


def patiently(make: Callable[[], Machine[bool]]) -> Machine[bool]:
    """Run a machine, and once more when the lease that kept it out has ended."""
    while True:
        try:
            return (yield from make())
        except TaskBusy as busy:
            yield Sleep(0, busy.until_ms)


def plan_of(job: Job) -> Machine[tuple[Item, ...]]:
    """Return the task's plan in the order that comes out this time."""
    if not job.orders:
        return job.plan
    plan: tuple[Item, ...] = yield Choose(Among((job.plan, *job.orders), ORDERED))
    return plan


def _job(scenario: Scenario, job: Job, owner: Owner) -> Machine[bool]:
    """Run one task; True where every step of it is done."""
    items = yield from plan_of(job)
    if any(item.others or item.path for item in items):
        return (yield from _step_by_step(scenario, job, items, owner))
    plan = [(item.name, item.params) for item in items]
    outcome = yield from run_machine(scenario.table, plan, job.task_id, owner)
    return outcome.status == "done"


def _step_by_step(scenario: Scenario, job: Job, items: tuple[Item, ...], owner: Owner) -> Machine[bool]:
    claim = yield from begin_machine(scenario.table, job.task_id, owner)
    for number, item in enumerate(items, start=1):
        path = item.path or str(number)
        name, params = item.name, item.params
        if item.others:
            decide = Among(tuple((item.name, each) for each in (item.params, *item.others)))
            name, params = yield from choose_machine(scenario.table, claim, path, decide)
        outcome = yield from step_machine(scenario.table, claim, path, name, params)
        if outcome.state is not Result.DONE:
            break
    yield Txn("give_back", give_back(claim))
    return outcome.state is Result.DONE


def _settle(scenario: Scenario, task_id: str, owner: Owner) -> Machine[bool]:
    claim = yield from begin_machine(scenario.table, task_id, owner)
    yield Txn("give_back", give_back(claim))
    return True
