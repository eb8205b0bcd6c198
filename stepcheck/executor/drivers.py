"""What answers a machine's operations for real: with threads, or on an event loop."""

import asyncio
import inspect
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

from stepcheck.executor.answers import Answer, NoAnswer, Reply, Sighting, Unknown, refusal, sighting, told
from stepcheck.executor.blobs import Blobs
from stepcheck.executor.calling import Caller
from stepcheck.executor.clock import elapsed_seconds
from stepcheck.executor.ledger import Ledger
from stepcheck.executor.ops import Call, Choose, Elapsed, GetBlob, Machine, Op, PutBlob, Query, Sleep, Txn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class World:
    """What a driver works with."""

    ledger: Ledger
    blobs: Blobs
    elapsed: Callable[[], float] = elapsed_seconds
    sleep: Callable[[float], None] = time.sleep


def drive(machine: Machine[T], world: World) -> T:
    """Run a machine to its end in this thread and return what it returns.

    An interruption of this thread (KeyboardInterrupt, SystemExit) leaves the ledger as it is: what was in
    flight is uncertain to the next owner. What a step raises in its own thread is no interruption, unless it
    is a KeyboardInterrupt.
    """
    with closing(Caller()) as caller:
        return answered(machine, lambda op: _do(op, world, caller))


def answered(machine: Machine[T], do: Callable[[Op], object]) -> T:
    """Run a machine to its end and return what it returns; `do` answers each operation.

    An exception of `do` is raised in the machine at that operation.
    """
    answer: Any = None
    error: Exception | None = None
    while True:
        try:
            op = machine.send(answer) if error is None else machine.throw(error)
        except StopIteration as end:
            result: T = end.value
            return result
        answer, error = None, None
        try:
            answer = do(op)
        except Exception as raised:
            error = raised


async def adrive(machine: Machine[T], world: World) -> T:
    """Run a machine to its end; its calls and queries run on the event loop if they are coroutines.

    A cancellation leaves the ledger as it is: what was in flight is uncertain to the next owner.
    """
    answer: Any = None
    error: Exception | None = None
    while True:
        try:
            op = machine.send(answer) if error is None else machine.throw(error)
        except StopIteration as end:
            result: T = end.value
            return result
        answer, error = None, None
        try:
            answer = await _ado(op, world)
        except Exception as raised:
            error = raised


def _do(op: Op, world: World, caller: Caller) -> object:
    match op:
        case Call():
            return _call(op, world, caller)
        case Query():
            return _sighting(_in_thread(op, caller))
        case Sleep():
            began = world.elapsed()
            world.sleep(op.seconds)
            return world.elapsed() - began >= op.seconds
        case _:
            return _plain(op, world)


async def _ado(op: Op, world: World) -> object:
    match op:
        case Call():
            if world.elapsed() >= op.ctx.send_before:
                return _too_late(op)
            return _reply(op, await _on_loop(op))
        case Query():
            return _sighting(await _on_loop(op))
        case Sleep():
            began = world.elapsed()
            await asyncio.sleep(op.seconds)
            return world.elapsed() - began >= op.seconds
        case _:
            return await asyncio.to_thread(_plain, op, world)


def _plain(op: Op, world: World) -> object:
    match op:
        case Txn():
            return world.ledger.transact(op.work, durable=op.durable)
        case PutBlob():
            return world.blobs.put(op.data)
        case GetBlob():
            return world.blobs.get(op.sha256)
        case Elapsed():
            return world.elapsed()
        case Choose():
            return op.decide()
        case _:
            raise AssertionError(op)


def _call(op: Call, world: World, caller: Caller) -> Reply:
    if world.elapsed() >= op.ctx.send_before:
        return _too_late(op)
    return _reply(op, _in_thread(op, caller))


def _reply(op: Call, given: object) -> Reply:
    match given:
        case _Raised(Exception() as error, True):
            return refusal(error, op.step.definite)
        case _Raised(Exception() as error):
            return refusal(error)
        case _Raised(error):
            return Unknown(told(error))
        case _:
            return Answer(given)


def _sighting(given: object) -> Sighting:
    return NoAnswer(told(given.error)) if isinstance(given, _Raised) else sighting(given)


def _too_late(op: Call) -> Unknown:
    return Unknown(f"attempt {op.ctx.attempt} was not sent: its time to be sent had passed")


def _action(op: Call | Query) -> Callable[[], object]:
    action = op.step.query if isinstance(op, Query) else op.step.call
    assert action is not None
    return lambda: action(op.params, op.ctx)


@dataclass(frozen=True, slots=True)
class _Raised:
    """What came of a call that returned nothing."""

    error: BaseException
    said: bool = True
    """Whether the call itself raised it; else the wait for it was over."""


def _in_thread(op: Call | Query, caller: Caller) -> object:
    """Call with a bound on the wait: a call that hangs becomes unknown; it is not stopped, and may land."""
    action = _action(op)

    def body() -> object:
        try:
            result = action()
            return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # An exit, a cancellation: raised in this thread, it ends the call and not the run.
            return _Raised(error)

    try:
        return caller.call(body, op.ctx.timeout)
    except TimeoutError as error:
        return _Raised(error, said=False)


async def _awaited(result: Any) -> object:
    return await result


async def _on_loop(op: Call | Query) -> object:
    action = op.step.query if isinstance(op, Query) else op.step.call
    if action is None or not inspect.iscoroutinefunction(inspect.unwrap(action)):
        with closing(Caller()) as caller:
            return await asyncio.to_thread(_in_thread, op, caller)
    try:
        async with asyncio.timeout(op.ctx.timeout):
            return await _awaited(_action(op)())
    except Exception as error:
        # On the loop a TimeoutError of the call cannot be told from the end of the wait.
        return _Raised(error, said=not isinstance(error, TimeoutError))
