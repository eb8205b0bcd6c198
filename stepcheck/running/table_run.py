"""One run of a table: loaded, planned, carried on from wherever its task stands."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from stepcheck.executor.address import ReplayMismatch
from stepcheck.executor.canonical import CanonicalError
from stepcheck.executor.declared import BadTable
from stepcheck.executor.drivers import World, drive
from stepcheck.executor.ledger import Fenced, Item, TaskBusy, Transaction
from stepcheck.executor.loader import load_table
from stepcheck.executor.outcome import Outcome, Result
from stepcheck.executor.owner import is_dead, process_owner
from stepcheck.executor.record import View, look, view
from stepcheck.executor.step import ExecStep
from stepcheck.executor.task import Plan, run_machine
from stepcheck.executor.tasks import LEASE_MS, About, Owner
from stepcheck.running.places import ledger_for_a_run
from stepcheck.running.plan import input_hash, make_plan
from stepcheck.running.progress import Watch, watched
from stepcheck.running.refusal import CannotRun
from stepcheck.running.words import instant, one_line

DONE = 0
WAITS = 4
FAILED = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for."""

    table: str
    """`FILE` or `FILE:TABLE`."""
    task_id: str
    ledger: str
    params: Path | None = None
    allow_volatile: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How a task stands after a run."""

    asked: Asked
    status: str
    """running, halted, done, failed, compensating, compensated or abandoned."""
    steps: tuple[View, ...]
    items: tuple[Item, ...]
    held: Outcome | None
    """A step of which nothing was sent, because something else must be settled first."""
    stopped: str
    """Why the task was stopped where it asks for other than what is recorded; empty where it was not."""
    ahead: tuple[str, ...]
    """Steps of the table that were not begun."""

    @property
    def code(self) -> int:
        """The exit code: 0 all done, 4 something waits for a person, 5 failed, compensated or abandoned."""
        if self.items or self.held or self.stopped or self.status in ("halted", "compensating"):
            return WAITS
        return DONE if self.status == "done" else FAILED


def run_table(asked: Asked, watch: Watch) -> Standing:
    """Run the table's steps in order; what is recorded as done is not sent again. Raises CannotRun.

    An interruption leaves the ledger as it is: what was being called is uncertain to the next run, which
    queries first.
    """
    table = load(asked.table)
    plan = make_plan(table, asked.params)
    with ledger_for_a_run(asked.ledger, allow_volatile=asked.allow_volatile) as world:
        return _run(asked, table, plan, world, watch)


def load(place: str) -> dict[str, ExecStep]:
    """Return the table of a file, its callables imported. Raises CannotRun."""
    # Dotted paths may start from where the command is given, as the linter reads them.
    for root in (Path.cwd(), Path.cwd() / "src"):
        if root.is_dir() and str(root) not in sys.path:
            sys.path.append(str(root))
    try:
        return load_table(place)
    except BadTable as error:
        more = "; 'stepcheck check' says more of it" if str(error).startswith("step '") else ""
        raise CannotRun(f"{one_line(str(error))}{more}") from None
    except SystemExit:
        raise CannotRun(f"'{place}' cannot be imported: it ends the process when it is") from None


def _run(asked: Asked, table: Mapping[str, ExecStep], plan: Plan, world: World, watch: Watch) -> Standing:
    owner = Owner(process_owner(), LEASE_MS, is_dead)
    machine = run_machine(table, plan, asked.task_id, owner, _about(asked, plan))
    held, stopped = None, ""
    try:
        outcome = drive(watched(machine, watch), world)
        held = next((step for step in outcome.steps if step.state is Result.HELD), None)
    except ReplayMismatch as error:
        stopped = str(error)
        world.ledger.transact(lambda tx: _give_back(tx, asked.task_id, owner), durable=False)
    except CanonicalError as error:
        raise CannotRun(str(error)) from None
    except TaskBusy as error:
        raise CannotRun(
            f"another process runs task '{error.task_id}' ({error.owner}): wait for its end; "
            f"if it is gone, its lease ends at {instant(error.until_ms)}"
        ) from None
    except Fenced as error:
        raise CannotRun(f"{error}; this process adds nothing more") from None
    return world.ledger.transact(lambda tx: _standing(tx, asked, plan, held, stopped), durable=False)


def _give_back(tx: Transaction, task_id: str, owner: Owner) -> None:
    """End the lease of a run that was stopped: a run on another machine need not wait for it."""
    task = look(tx, task_id)
    if task.owner == owner.name:
        tx.take(task_id, task.fence, None, None)


def _standing(tx: Transaction, asked: Asked, plan: Plan, held: Outcome | None, stopped: str) -> Standing:
    task = look(tx, asked.task_id)
    rows = tx.steps(asked.task_id)
    views = (view(tx, task, row.step_path) for row in rows)
    begun = {row.step_path for row in rows}
    return Standing(
        asked=asked,
        status=task.status,
        steps=tuple(each for each in views if each is not None),
        items=tuple(tx.items(asked.task_id)),
        held=held,
        stopped=stopped,
        ahead=tuple(name for number, (name, _) in enumerate(plan, 1) if str(number) not in begun),
    )


def _about(asked: Asked, plan: Plan) -> About:
    path = Path(asked.table)
    file = path if path.is_file() else Path(asked.table.rpartition(":")[0])
    return About(
        workflow=asked.table,
        code_version=f"sha256:{sha256(file.read_bytes()).hexdigest()}",
        input_hash=input_hash(plan),
        input_ref="" if asked.params is None else str(asked.params),
    )
