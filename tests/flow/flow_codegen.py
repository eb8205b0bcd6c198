"""Programs of every syntax, from pysource-codegen, with each name that is read made a marked call."""

import ast
import builtins
import sys
from random import Random
from types import FrameType
from typing import Any

from flow_tracing import Activation, Halt, Recorder, admitted, contradicted, flow_of, marks
from pysource_codegen import generate

from stepcheck.code.flow import read_flows


class _Mark(ast.NodeTransformer):
    def __init__(self) -> None:
        self.number = 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        self.number += 1
        return ast.Call(ast.Name("m", ast.Load()), [ast.Constant(self.number)], [])

    def visit_pattern(self, node: ast.pattern) -> ast.pattern:
        return node

    visit_MatchValue = visit_MatchClass = visit_MatchMapping = visit_pattern  # noqa: N815


def program(seed: int) -> str | None:
    """A module; None for what cannot be written down or compiled."""
    try:
        tree = ast.parse(generate(seed, node_limit=60 + seed % 200, depth_limit=4 + seed % 4))
        source = ast.unparse(ast.fix_missing_locations(_Mark().visit(tree)))
        compile(source, "<program>", "exec")
    except (SyntaxError, ValueError, RecursionError):
        return None
    return source + "\n"


class Anything:
    """Takes part in every operation, and fails or is false now and then."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def some(self, *_: Any, **__: Any) -> Any:
        if self.recorder.random.random() < self.recorder.chance / 2:
            raise ValueError
        return self

    __call__ = __getitem__ = __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __mod__ = __and__ = (
        __or__
    ) = some
    __neg__ = __pos__ = __invert__ = __xor__ = __pow__ = __truediv__ = __floordiv__ = __matmul__ = some
    __lshift__ = __rshift__ = __enter__ = some

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.some()

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value
        self.__dict__["recorder"].random.random()

    def __setitem__(self, key: Any, value: Any) -> None:
        self.some()

    def __delitem__(self, key: Any) -> None:
        self.some()

    def __delattr__(self, name: str) -> None:
        self.some()

    def __bool__(self) -> bool:
        return bool(self.recorder.random.random() < 0.5)

    def __iter__(self) -> Any:
        return iter([self] * self.recorder.random.choice((0, 1, 2)))

    def __contains__(self, key: Any) -> bool:
        return bool(self)

    def __exit__(self, *_: Any) -> bool:
        return bool(self)

    def __mro_entries__(self, _: Any) -> tuple[Any, ...]:
        return ()

    def keys(self) -> tuple[Any, ...]:
        return ()

    def __format__(self, _: str) -> str:
        return "x"

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return bool(self)

    def __lt__(self, other: object) -> bool:
        return bool(self)

    __le__ = __gt__ = __ge__ = __ne__ = __lt__

    def __await__(self) -> Any:
        return self.some()
        yield

    async def __aenter__(self) -> Any:
        return self.some()

    async def __aexit__(self, *_: Any) -> bool:
        return bool(self)

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        if self:
            raise StopAsyncIteration
        return self


def run(source: str, seed: int) -> list[Activation]:
    """The activations of one run of the module, and of its functions called without arguments."""
    recorder = Recorder(Random(seed), limit=80, chance=(0.0, 0.03, 0.1)[seed % 3])
    anything = Anything(recorder)

    def m(mark: int) -> Any:
        frame: FrameType = sys._getframe(1)
        recorder.answer(mark, frame)
        return anything

    space: dict[str, Any] = {"m": m, "__name__": "program", "__builtins__": _BUILTINS}
    before, hook = sys.gettrace(), sys.unraisablehook
    sys.settrace(recorder.trace)
    sys.unraisablehook = lambda _: None
    try:
        exec(compile(source, "<program>", "exec"), space)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
    finally:
        sys.settrace(before)
        sys.unraisablehook = hook
    return list(recorder.activations.values())


def _no_import(*_: Any) -> Any:
    raise ImportError


_BUILTINS = {
    "__build_class__": builtins.__build_class__,
    "__import__": _no_import,
    "AssertionError": AssertionError,
}


def check(source: str, seeds: range) -> tuple[list[str], int]:
    """What runs of a program show to be wrong in its flows, and how many calls were compared."""
    flows = read_flows("program.py", source.encode())
    wrong: list[str] = []
    compared = 0
    for seed in seeds:
        for activation in run(source, seed):
            compared += len(activation.events)
            flow = flow_of(flows, activation)
            problem = admitted(flow, activation)
            wrong += [
                f"{flow.qualname}, run {seed}: {text}"
                for text in ([problem] if problem else contradicted(flow, activation))
            ]
    return wrong, compared


__all__ = ["Halt", "check", "marks", "program", "run"]
