"""One step as the executor runs it: what the table declares, with every default decided."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from stepcheck.executor.canonical import dump
from stepcheck.facts.effect import Effect

Action = Callable[[Mapping[str, object], Any], object]
"""A `call` or `query` as drivers call it: with params and CallContext; may return an awaitable."""

HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class AbsenceProof:
    """The bounds after which an empty query may be believed, in milliseconds."""

    query_lag_ms: int
    late_bound_ms: int


@dataclass(frozen=True, slots=True)
class DedupePromise:
    """What the other side promises about a repeated key."""

    window_ms: int | None = None
    """How long it remembers a key; None for ever."""
    stored_errors: bool = False
    """Whether a repeat is given the first answer even if that was a server error."""
    margin_ms: int | None = None
    """How long before the window's end repeats stop; an hour, or a tenth of a shorter window."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before another try, in milliseconds; full jitter below a doubling, capped bound."""

    base_ms: int = 1_000
    cap_ms: int = 60_000
    jitter: bool = True

    def delay_ms(self, key: str, tries: int) -> int:
        """Return the wait after so many tries: the same for the same key, spread over all keys."""
        bound = min(self.cap_ms, self.base_ms << min(tries - 1, 40))
        if not self.jitter:
            return bound
        drawn = int.from_bytes(sha256(f"{key}:{tries}".encode()).digest()[:8]) / 2**64
        return int(bound * drawn)


@dataclass(frozen=True, kw_only=True)
class ExecStep:
    """One step of a table, ready to run. Times are milliseconds."""

    name: str
    effect: Effect
    call: Action
    query: Action | None = None
    compensation: "ExecStep | None" = None
    """The step that makes up for this one."""
    compensate_within_ms: int | None = None
    """Counted from the earliest intent; None where nothing is declared, and then a person decides."""
    max_attempts: int = 3
    query_attempts: int = 3
    """Queries without a verdict after one intent, before a person is asked."""
    backoff: Backoff = Backoff()
    timeout_ms: int = 60_000
    send_within_ms: int = 30_000
    """How long after its intent a call may still be sent."""
    identity: tuple[str, ...] = ()
    volatile: tuple[str, ...] = ()
    dedupe: DedupePromise | None = None
    ask_person: bool = False
    """`on_uncertain: human`."""
    retry_absent: bool = False
    """`on_absent: retry`."""
    absence: AbsenceProof | None = None
    definite: Callable[[BaseException], bool] | None = None
    declared: str = ""
    """The declaration in words that change when it changes; its hash goes into every event."""

    @property
    def settle_ms(self) -> int | None:
        """How long after the last intent an empty query is evidence of absence; None without bounds."""
        if self.absence is None:
            return None
        return self.send_within_ms + self.timeout_ms + self.absence.late_bound_ms + self.absence.query_lag_ms

    @property
    def repeat_within_ms(self) -> int | None:
        """How long after the first intent another may be recorded; None for ever.

        A repeat may be sent late and land at its timeout, and the other side must know the key even then.
        """
        if self.dedupe is None or self.dedupe.window_ms is None:
            return None
        window, margin = self.dedupe.window_ms, self.dedupe.margin_ms
        if margin is None:
            margin = min(HOUR_MS, window // 10)
        return max(0, window - max(margin, self.send_within_ms + self.timeout_ms))

    @cached_property
    def definition_hash(self) -> str:
        """Tells whether two runs had the same declaration."""
        undo = None if self.compensation is None else self.compensation.name
        dedupe = self.dedupe and [
            self.dedupe.window_ms,
            self.dedupe.stored_errors,
            self.repeat_within_ms,
        ]
        absence = self.absence and [self.absence.query_lag_ms, self.absence.late_bound_ms]
        facts = [
            self.name,
            self.effect.value,
            self.query is not None,
            undo,
            self.compensate_within_ms,
            self.max_attempts,
            self.timeout_ms,
            self.send_within_ms,
            list(self.identity),
            list(self.volatile),
            dedupe,
            self.ask_person,
            self.retry_absent,
            absence,
            self.declared,
        ]
        return sha256(dump(facts)).hexdigest()
