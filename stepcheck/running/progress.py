"""What a run is doing, in one line of a terminal that is written over."""

from collections.abc import Callable
from typing import Any, TextIO, TypeVar

from stepcheck.executor.ops import Call, Machine, Op, Query, Sleep
from stepcheck.running.words import one_line

T = TypeVar("T")

Watch = Callable[[Op], None]
"""Told of each operation before it is done."""

CLEAR = "\r\x1b[K"


def watched(machine: Machine[T], watch: Watch) -> Machine[T]:
    """Pass a machine's operations on, each told to `watch` before it is done."""
    answer: Any = None
    error: Exception | None = None
    while True:
        try:
            op = machine.send(answer) if error is None else machine.throw(error)
        except StopIteration as end:
            result: T = end.value
            return result
        watch(op)
        answer, error = None, None
        try:
            answer = yield op
        except Exception as raised:
            error = raised


def unseen(_op: Op) -> None:
    """Show nothing: the output goes to no terminal."""


def on_terminal(stream: TextIO, columns: int) -> Watch:
    """Show calls, queries and waits; transactions are too short to be seen."""
    at = ""

    def watch(op: Op) -> None:
        nonlocal at
        match op:
            case Call() | Query():
                at = f"step {op.ctx.step_path} '{op.step.name}'"
                show(f"{at}: {_doing(op)}")
            case Sleep() if op.seconds >= 1:
                show(f"{at}: waiting {op.seconds:.0f} s" if at else f"waiting {op.seconds:.0f} s")

    def show(text: str) -> None:
        stream.write(CLEAR + one_line(text)[: columns - 1])
        stream.flush()

    return watch


def _doing(op: Call | Query) -> str:
    what = "querying whether it happened" if isinstance(op, Query) else "calling"
    if op.compensates:
        return f"{what}, to make up for what was done"
    return f"{what}, attempt {op.ctx.attempt}" if op.ctx.attempt > 1 else what
