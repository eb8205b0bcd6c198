"""Runs a generated program, records its marked calls, and compares with the paths that its flows admit."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from types import FrameType
from typing import Any

from stepcheck.analysis import paths
from stepcheck.code.flow import (
    ENTRY,
    ESCAPE,
    EXIT,
    Call,
    Constant,
    EdgeKind,
    FileFlow,
    Flow,
    Point,
    read_flows,
)

INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>")


class Halt(BaseException):
    """Ends a run that has gone on long enough."""


@dataclass
class Activation:
    """One run of one function: its marked calls, each with whether it raised."""

    line: int
    name: str
    events: list[tuple[int, bool]] = field(default_factory=list)
    ended: str = ""


@dataclass
class Recorder:
    """Answers marked calls at random and keeps what happened."""

    random: Random
    limit: int = 60
    activations: dict[FrameType, Activation] = field(default_factory=dict)
    lines: int = 0
    over: bool = False
    chance: float = 0.0

    def activation(self, frame: FrameType) -> Activation:
        while frame.f_code.co_name in INLINED and frame.f_back is not None:
            frame = frame.f_back
        if frame not in self.activations:
            self.activations[frame] = Activation(frame.f_code.co_firstlineno, frame.f_code.co_name)
        return self.activations[frame]

    def answer(self, mark: int, frame: FrameType) -> int:
        if self.over:
            raise Halt
        activation = self.activation(frame)
        self.limit -= 1
        fails = self.random.random() < self.chance
        activation.events.append((mark, fails))
        if self.limit <= 0:
            self.over = True
        if fails:
            if self.random.random() < 0.2:
                raise ExceptionGroup("several", [ValueError(mark), KeyError(mark), One(mark)])
            raise self.random.choice((ValueError, KeyError, RuntimeError, One, SystemExit))(mark)
        return self.random.choice((0, 1, 1, 2, 3))

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<program>":
            return None
        self.lines += 1
        if self.lines > 3000:
            self.over = True
        if event == "line" and self.over:
            raise Halt
        return self.trace


class One(Exception):
    """An exception of the program's own."""


def run(source: str, seed: int) -> tuple[list[Activation], bool, bool]:
    """The activations of one run of `f`; whether `f` returned, and whether the run was cut short."""
    random = Random(seed)
    recorder = Recorder(random, chance=(0.0, 0.02, 0.1, 0.3)[seed % 4])
    rarely = recorder.chance / 2

    def m(mark: int) -> int:
        return recorder.answer(mark, sys._getframe(1))

    async def w(mark: int) -> int:
        frame = sys._getframe(1)
        return recorder.answer(mark, frame)

    def g(*values: Any, k: Any = None) -> Any:
        return k if isinstance(k, type) else random.choice((0, 1))

    class Manager:
        def __init__(self, value: int) -> None:
            self.value = value

        def __enter__(self) -> int:
            return self.leave(random.random() >= rarely)

        def __exit__(self, kind: Any, *_: Any) -> bool:
            return bool(self.leave(random.random() >= rarely)) and random.random() < 0.4

        def leave(self, fine: bool) -> int:
            if not fine:
                raise ValueError
            return 1

        async def __aenter__(self) -> int:
            return self.__enter__()

        async def __aexit__(self, kind: Any, *_: Any) -> bool:
            return self.__exit__(kind)

    class Thing:
        n = 1
        z = 0

        def x(self, value: Any) -> Any:
            return random.choice((self, 3))

        y = 2

    class Holder(dict[Any, Any]):
        def __missing__(self, key: Any) -> int:
            return 1

    async def arange(value: int) -> Any:
        for number in range(value % 3):
            yield number

    def d(*_: Any) -> Callable[[Any], Any]:
        return lambda made: made

    def raiser(value: int) -> int:
        if random.random() < rarely:
            raise KeyError
        return value

    space: dict[str, Any] = {
        "m": m, "w": w, "g": g, "d": d, "W": Manager, "A": Manager, "o": Thing(), "h": Holder(), "One": One,
        "arange": arange, "raiser": raiser, "e": lambda _: None,
    }  # fmt: skip
    exec(compile(source, "<program>", "exec"), space)
    before = sys.gettrace()
    sys.settrace(recorder.trace)
    returned = True
    try:
        with _alarmed(recorder):
            _drive(space["f"])
    except BaseException:
        returned = False
    finally:
        sys.settrace(before)
    main = [found for found in recorder.activations.values() if found.name == "f"]
    if not recorder.over and main:
        main[0].ended = "returned" if returned else "raised"
    return list(recorder.activations.values()), returned, recorder.over


@contextmanager
def _alarmed(recorder: Recorder) -> Iterator[None]:
    """Stop a program that goes on for ever.

    A trace function that raises is never called again, and a loop that handles everything swallows what it raised:
    so it is stopped again and again, until it is met outside of its handler.
    """
    running = True

    def stop(*_: Any) -> None:
        if running:
            recorder.over = True
            raise Halt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 5, 0.001)
    try:
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _drive(function: Callable[[], Any]) -> None:
    made = function()
    if hasattr(made, "__await__"):
        _finish(made)
    elif hasattr(made, "__anext__"):
        _finish(_exhaust(made))
    elif hasattr(made, "__next__"):
        for _ in made:
            pass


def _finish(made: Any) -> None:
    """Run a coroutine that never waits."""
    try:
        made.send(None)
    except StopIteration:
        return


async def _exhaust(made: Any) -> None:
    async for _ in made:
        pass


def flow_of(flows: FileFlow, activation: Activation) -> Flow:
    """The flow that an activation ran; of several on one line the one with the first call made."""
    found = [
        flow
        for flow in flows.flows
        if flow.name == activation.name
        and activation.line in (flow.span.line, *(made.span.line for made in flow.decorators))
    ]
    first = activation.events[0][0]
    return next((flow for flow in found if first in marks(flow).values()), found[0])


def marks(flow: Flow) -> dict[Point, int]:
    """The marked calls of a flow."""
    found = {}
    for point, call in flow.calls():
        match call:
            case Call(dotted="m" | "w", arguments=[Constant(value=int(mark))]):
                found[point] = mark
    return found


def admitted(flow: Flow, activation: Activation) -> str:
    """Why the recorded order is no path of the flow; nothing if it is one."""
    marked = marks(flow)
    places = {Point(ENTRY, 0)}
    for step, (mark, raised) in enumerate(activation.events):
        begun = _next(flow, places, marked)
        here = {point for point in begun if marked.get(point) == mark}
        if not here:
            return f"event {step}: m({mark}) cannot follow {activation.events[:step]}"
        if raised:
            places = {
                Point(edge.target, 0)
                for point in here
                for edge in flow.blocks[point.block].edges
                if edge.kind is EdgeKind.EXCEPTION
            }
        else:
            places = {paths.completed(point) for point in here}
    goal = {"returned": EXIT, "raised": ESCAPE}.get(activation.ended)
    if goal is not None and Point(goal, 0) not in _next(flow, places, marked):
        return f"{activation.events} cannot end so: {activation.ended}"
    return ""


def _next(flow: Flow, places: set[Point], marked: dict[Point, int]) -> set[Point]:
    """Marked calls, and ways out, that can come next: paths on which no other marked call is begun."""
    found: set[Point] = set()
    seen: set[Point] = set()
    waiting = list(places)
    while waiting:
        point = waiting.pop()
        if point in seen:
            continue
        seen.add(point)
        block = flow.blocks[point.block]
        stop = next(
            (i for i in range(point.position, len(block.operations)) if Point(point.block, i) in marked), None
        )
        if stop is not None:
            found.add(Point(point.block, stop))
        if not block.operations:
            found.add(Point(point.block, 0))
        for edge in block.edges:
            if edge.kind is EdgeKind.EXCEPTION:
                if not paths._over(flow, point.block, point.position, edge):
                    waiting.append(Point(edge.target, 0))
            elif stop is None:
                waiting.append(Point(edge.target, 0))
    return found


def contradicted(flow: Flow, activation: Activation) -> Iterator[str]:
    """Claims about order that the recorded run contradicts."""
    by_mark: dict[int, list[Point]] = {}
    for point, mark in marks(flow).items():
        by_mark.setdefault(mark, []).append(point)
    happened = [mark for mark, _ in activation.events]
    for mark in set(happened):
        if mark not in by_mark:
            yield f"m({mark}) is nowhere"
    for before, points in by_mark.items():
        ahead = paths.begun(flow, (paths.START,), frozenset(points))
        for mark, others in by_mark.items():
            if mark in happened and not any(point in ahead for point in others):
                first = happened.index(mark)
                if (before, False) not in activation.events[:first]:
                    yield f"m({before}) always before m({mark}), but {activation.events}"
    for mark, points in by_mark.items():
        if (mark, False) not in activation.events or not activation.ended:
            continue
        last = max(i for i, event in enumerate(activation.events) if event == (mark, False))
        leaving = paths.RETURNED if activation.ended == "returned" else paths.ESCAPED
        for after, others in by_mark.items():
            claimed = all(paths.always_after(flow, point, frozenset(others), (leaving,)) for point in points)
            if claimed and after not in happened[last + 1 :]:
                yield f"m({after}) always after m({mark}), but {activation.events}"


def check(source: str, seeds: range, flows: FileFlow | None = None) -> list[str]:
    """Everything that runs of a program show to be wrong in its flows."""
    flows = flows or read_flows("program.py", source.encode())
    wrong = []
    for seed in seeds:
        for activation in run(source, seed)[0]:
            flow = flow_of(flows, activation)
            problem = admitted(flow, activation)
            wrong += [
                f"{flow.qualname}, run {seed}: {text}"
                for text in ([problem] if problem else contradicted(flow, activation))
            ]
    return wrong
