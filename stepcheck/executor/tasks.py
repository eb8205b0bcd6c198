"""A task is taken by an owner, and given back: fences and leases."""

from collections.abc import Callable
from dataclasses import dataclass

from stepcheck.executor.canonical import CanonicalError
from stepcheck.executor.clock import ledger_ms
from stepcheck.executor.ledger import TaskBusy, TaskRow, Transaction
from stepcheck.executor.record import Claim, enter

LEASE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Owner:
    """Who runs tasks: a name no other living process has."""

    name: str
    lease_ms: int = LEASE_MS
    is_dead: Callable[[str], bool] = lambda _name: False
    """Whether the owner of that name is known to be gone; a lease is not waited for then."""


@dataclass(frozen=True, slots=True)
class About:
    """What is recorded of a task when it is first taken."""

    workflow: str = ""
    code_version: str = ""
    input_hash: str = ""
    input_ref: str = ""


def take(task_id: str, owner: Owner, about: About) -> Callable[[Transaction], Claim]:
    """Return the transaction that takes a task, and adds it if it is new: the fence goes up by one.

    Raises TaskBusy while another living owner's lease runs.
    """
    if not 1 <= len(task_id) <= 200 or not task_id.isprintable():
        raise CanonicalError("task_id", f"is {task_id!r}: it must be 1 to 200 printable characters")

    def work(tx: Transaction) -> Claim:
        row = tx.task(task_id)
        if row is None:
            fresh = TaskRow(
                task_id=task_id,
                workflow=about.workflow,
                code_version=about.code_version,
                input_hash=about.input_hash,
                input_ref=about.input_ref,
                status="running",
                fence=0,
                owner=None,
                lease_until_ms=None,
                clock_ms=tx.wall_ms(),
            )
            tx.add_task(fresh)
            row = tx.task(task_id) or fresh
        clock = ledger_ms(row.clock_ms, tx.wall_ms())
        living = (row.lease_until_ms or 0) > clock
        if row.owner not in (None, owner.name) and living and not owner.is_dead(row.owner or ""):
            raise TaskBusy(task_id, row.owner or "", row.lease_until_ms or 0)
        tx.take(task_id, row.fence + 1, owner.name, clock + owner.lease_ms)
        tx.touch(task_id, clock)
        # A task that halted for a mismatch alone has nobody to wait for: the next run compares again.
        if row.status == "halted" and not tx.items(task_id):
            tx.set_status(task_id, "running")
        return Claim(task_id, row.fence + 1, owner.lease_ms)

    return work


def give_back(claim: Claim) -> Callable[[Transaction], None]:
    """Return the transaction that ends the lease, so that the next owner need not wait. Raises Fenced."""

    def work(tx: Transaction) -> None:
        task = enter(tx, claim)
        tx.take(claim.task_id, task.fence, None, None)

    return work


def set_status(claim: Claim, status: str) -> Callable[[Transaction], None]:
    """Return the transaction that records what the task has come to. Raises Fenced."""

    def work(tx: Transaction) -> None:
        enter(tx, claim)
        tx.set_status(claim.task_id, status)

    return work
