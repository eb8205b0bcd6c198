"""Work on many things, shared among processes where the system can fork, and done alone where it cannot."""

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

FEWEST = 150
"""Things below which a process more costs about as much as it saves."""
_MOST = 8


def jobs(asked: int | None, things: int) -> int:
    """How many processes are to work: as asked, or as STEPCHECK_JOBS says, or one for each processor; one for few."""
    if not hasattr(os, "fork") or things < 2:
        return 1
    if asked is None and os.environ.get("STEPCHECK_JOBS", "").isdecimal():
        asked = int(os.environ["STEPCHECK_JOBS"])
    if asked is None:
        able = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        asked = min(able, _MOST) if things >= FEWEST else 1
    return max(1, min(asked, things))


def spread(work: Callable[[T], R], things: Sequence[T], count: int) -> list[tuple[T, R]]:
    """What the work makes of each thing, in no order; things are missing where a process of ours was ended.

    The work must not raise, and what it makes must be plain data: it comes through a pipe.
    """
    children = []
    for share in range(1, count):
        child = _child(work, things[share::count])
        if child is not None:
            children.append((things[share::count], *child))
    made = [(thing, work(thing)) for thing in things[::count]]
    for given, process, end in children:
        made += zip(given, _received(process, end), strict=False)
    return made


def _child(work: Callable[[T], R], things: Sequence[T]) -> tuple[int, int] | None:
    """Begin a process; its number, and where its answer is to be read. None where none can be begun."""
    end, start = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(end)
        os.close(start)
        return None
    if process:
        os.close(start)
        return process, end
    code = 1
    try:
        import pickle  # noqa: PLC0415 (small runs need none)

        os.close(end)
        with os.fdopen(start, "wb") as pipe:
            pickle.dump([work(thing) for thing in things], pipe, protocol=pickle.HIGHEST_PROTOCOL)
        code = 0
    finally:
        os._exit(code)  # nothing of the parent's is to be flushed or cleaned up twice


def _received(process: int, end: int) -> list[R]:
    """What a child has made; nothing where it ended before it was done."""
    with os.fdopen(end, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(process, 0)
    import pickle  # noqa: PLC0415

    if status:
        return []
    made: list[R] = pickle.loads(data)
    return made
