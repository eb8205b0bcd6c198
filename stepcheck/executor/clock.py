"""The two clocks: the wall clock a ledger's own clock is made of, and one that nobody can set."""

import time


def wall_ms() -> int:
    """Return the milliseconds since 1970 by this machine's clock, which may jump."""
    return time.time_ns() // 1_000_000


def ledger_ms(stored_ms: int, wall: int) -> int:
    """Return the ledger's clock: the wall clock, except that it never runs backwards."""
    return max(stored_ms, wall)


def elapsed_seconds() -> float:
    """Return seconds on a clock that nobody sets and that counts a suspended machine's time where it can."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)
