"""The executor: machines driven over one ledger by one owner."""

import json
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from stepcheck.executor.blobs import BlobError
from stepcheck.executor.claims import Claims
from stepcheck.executor.compensation import compensate_machine
from stepcheck.executor.drivers import World, adrive, drive
from stepcheck.executor.inbox import Word, resolve_machine
from stepcheck.executor.ledger import Item
from stepcheck.executor.machine import step_machine
from stepcheck.executor.ops import Machine, Txn
from stepcheck.executor.outcome import Outcome, TaskOutcome
from stepcheck.executor.outputs import BLOB
from stepcheck.executor.owner import is_dead, process_owner
from stepcheck.executor.record import Claim
from stepcheck.executor.step import ExecStep
from stepcheck.executor.task import Plan, begin_machine, choose_machine, recover_machine, run_machine
from stepcheck.executor.tasks import LEASE_MS, About, Owner, give_back

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")


class StepBusy(Exception):
    """The address is being worked on in this process already."""


class Executor:
    """Runs the steps of one table, as one owner, over one ledger.

    For a non_idem_write with `on_absent: human`: at most one send in the step's life, unless a named person
    authorises another. With `on_absent: retry`: at most one effect provided the declared bounds hold. For
    an idem_write: at least one send until answered or budget spent, always the same key; at most one effect
    provided the downstream deduplicates for `window`.
    """

    def __init__(
        self,
        table: Mapping[str, ExecStep],
        world: World,
        *,
        owner: Owner | None = None,
        about: About | None = None,
    ) -> None:
        self.table = table
        self.world = world
        self.owner = owner or Owner(process_owner(), LEASE_MS, is_dead)
        self.about = about or About()
        self._claims = Claims()
        self._busy: set[tuple[str, str]] = set()
        self._lock = Lock()

    def claim(self, task_id: str) -> Claim:
        """Take the task, if not yet taken, and settle what its earlier owners left. Raises TaskBusy."""
        return self._claims.get(
            task_id, lambda: drive(begin_machine(self.table, task_id, self.owner, self.about), self.world)
        )

    async def aclaim(self, task_id: str) -> Claim:
        """See `claim`."""
        return await self._claims.aget(
            task_id, lambda: adrive(begin_machine(self.table, task_id, self.owner, self.about), self.world)
        )

    def run_step(
        self,
        task_id: str,
        step_path: str,
        name: str | None = None,
        params: Mapping[str, object] | None = None,
    ) -> Outcome:
        """Run the step at an address until it is settled or waits for a person; see `step_machine`."""
        with self._alone(task_id, step_path), self._claims.valid(self.claim(task_id)) as claim:
            return drive(step_machine(self.table, claim, step_path, name, params), self.world)

    async def arun_step(
        self,
        task_id: str,
        step_path: str,
        name: str | None = None,
        params: Mapping[str, object] | None = None,
    ) -> Outcome:
        """As `run_step`; coroutines run on the event loop."""
        with self._alone(task_id, step_path), self._claims.valid(await self.aclaim(task_id)) as claim:
            return await adrive(step_machine(self.table, claim, step_path, name, params), self.world)

    def choose(
        self, task_id: str, step_path: str, decide: Callable[[], tuple[str, Mapping[str, object]]]
    ) -> tuple[str, Mapping[str, object]]:
        """Ask the model once for the step at an address; every later run is given the logged choice."""
        with self._alone(task_id, step_path), self._claims.valid(self.claim(task_id)) as claim:
            return drive(choose_machine(self.table, claim, step_path, decide), self.world)

    def run(self, task_id: str, plan: Plan) -> TaskOutcome:
        """Run a whole task from where it stands; see `run_machine`. A claim held before is fenced off."""
        self._claims.drop(task_id)
        return drive(run_machine(self.table, plan, task_id, self.owner, self.about), self.world)

    def recover(self, task_id: str) -> list[Outcome]:
        """Settle every open step of the task; see `recover_machine`."""
        with self._claims.valid(self.claim(task_id)) as claim:
            return drive(recover_machine(self.table, claim), self.world)

    def compensate(self, task_id: str, reason: str) -> list[Outcome]:
        """Make up for what the task has done; see `compensate_machine`."""
        with self._claims.valid(self.claim(task_id)) as claim:
            return drive(compensate_machine(self.table, claim, reason), self.world)

    def resolve(self, word: Word) -> Outcome:
        """Record a person's word on an inbox item; see `resolve_machine`."""
        return drive(resolve_machine(word, self.table), self.world)

    def inbox(self, task_id: str | None = None) -> list[Item]:
        """What waits for a person, oldest first."""
        return self.world.ledger.transact(lambda tx: tx.items(task_id), durable=False)

    def output(self, outcome: Outcome) -> Any:
        """Return what a step that is done gave. Raises BlobError where it is not readable any more."""
        if outcome.receipt is not None:
            return json.loads(outcome.receipt)
        if outcome.output_ref is None:
            raise BlobError(
                f"step '{outcome.step_path}' of task '{outcome.task_id}' is not done: it has no output"
            )
        return json.loads(self.world.blobs.get(outcome.output_ref.removeprefix(BLOB)))

    def give_back(self, task_id: str) -> None:
        """End the lease, so that the next owner need not wait. Raises Fenced."""
        claim = self._claims.drop(task_id)
        if claim is not None:
            drive(_once(give_back(claim)), self.world)

    @contextmanager
    def _alone(self, task_id: str, step_path: str) -> "Iterator[None]":
        address = (task_id, step_path)
        with self._lock:
            if address in self._busy:
                raise StepBusy(
                    f"address '{step_path}' of task '{task_id}' is being worked on in this process"
                )
            self._busy.add(address)
        try:
            yield
        finally:
            with self._lock:
                self._busy.discard(address)


def _once(work: Callable[[Any], T]) -> Machine[T]:
    result: T = yield Txn("give_back", work)
    return result
