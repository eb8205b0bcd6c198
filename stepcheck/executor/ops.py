"""All that a machine can ask of the world: whoever drives it (threads, asyncio, the explorer) answers these.

A machine is a generator that yields these and does nothing else; whatever is not determined by its arguments
comes in as the answer to one of them.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from stepcheck.executor.ledger import Transaction
from stepcheck.executor.step import ExecStep

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a `call` and a `query` are told beside their params."""

    task_id: str
    step_path: str
    step_seq: int
    attempt: int
    idempotency_key: str
    identity: Mapping[str, object]
    """The params that carry business meaning: what a query must be unique on."""
    timeout: float
    """Seconds one call may take."""
    send_before: float
    """Seconds on the elapsed clock; a call is not sent later. Infinite for queries and reads."""
    output: object = None
    """For a compensation: what the step it makes up for gave."""


@dataclass(frozen=True, slots=True)
class Txn(Generic[T]):
    """Run `work` in one transaction; the answer is what it returns, what it raises comes to the machine."""

    label: str
    """What the transaction is for, in a word of the event kinds."""
    work: Callable[[Transaction], T]
    durable: bool = False
    """Whether the commit, and all before it, must have reached the disk when the answer comes."""


@dataclass(frozen=True, slots=True)
class Call:
    """Send one request; the answer is a Reply. At most one send for each intent."""

    step: ExecStep
    ctx: CallContext
    params: Mapping[str, object]
    compensates: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Ask whether it happened; the answer is a Sighting."""

    step: ExecStep
    ctx: CallContext
    params: Mapping[str, object]
    compensates: bool = False


@dataclass(frozen=True, slots=True)
class PutBlob:
    """Store bytes under their digest, durably; the answer is the digest. Raises BlobError."""

    data: bytes


@dataclass(frozen=True, slots=True)
class GetBlob:
    """Fetch the bytes of a digest; raises BlobError where they are not there or differ."""

    sha256: str


@dataclass(frozen=True, slots=True)
class Sleep:
    """Let the ledger's clock go from `from_ms` to `until_ms`; it may take longer or end early.

    The answer is True where the elapsed clock is known to have gone on by as much.
    """

    from_ms: int
    until_ms: int

    @property
    def seconds(self) -> float:
        """How long that is."""
        return max(0, self.until_ms - self.from_ms) / 1000


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The answer is the elapsed clock, in seconds."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask the model; the answer is the step's name and its params."""

    decide: Callable[[], tuple[str, Mapping[str, object]]]


Op: TypeAlias = Txn[Any] | Call | Query | PutBlob | GetBlob | Sleep | Elapsed | Choose
Machine: TypeAlias = Generator[Op, Any, T]
