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

    An interruption (KeyboardInterrupt, SystemExit) leaves the ledger as it is: what was in flight is
    uncertain to the next owner.
    """
    answer: Any = None
    error: Exception | None = None
    with closing(Caller()) as caller:
        while True:
            try:
                op = machine.send(answer) if error is None else machine.throw(error)
            except StopIteration as end:
                result: T = end.value
                return result
            answer, error = None, None
            try:
                answer = _do(op, world, caller)
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
            return _ask(op, caller)
        case Sleep():
            world.sleep(op.seconds)
            return None
        case _:
            return _plain(op, world)


async def _ado(op: Op, world: World) -> object:
    match op:
        case Call():
            if world.elapsed() >= op.ctx.send_before:
                return _too_late(op)
            try:
                return Answer(await _on_loop(op))
            except TimeoutError as error:
                return refusal(error)
            except Exception as error:
                return refusal(error, op.step.definite)
        case Query():
            try:
                return sighting(await _on_loop(op))
            except Exception as error:
                return NoAnswer(told(error))
        case Sleep():
            await asyncio.sleep(op.seconds)
            return None
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
    try:
        return Answer(_in_thread(op, caller))
    except Exception as error:
        return refusal(error, op.step.definite)


def _ask(op: Query, caller: Caller) -> Sighting:
    try:
        return sighting(_in_thread(op, caller))
    except Exception as error:
        return NoAnswer(told(error))


def _too_late(op: Call) -> Unknown:
    return Unknown(f"attempt {op.ctx.attempt} was not sent: its time to be sent had passed")


def _action(op: Call | Query) -> Callable[[], object]:
    action = op.step.query if isinstance(op, Query) else op.step.call
    assert action is not None
    return lambda: action(op.params, op.ctx)


def _in_thread(op: Call | Query, caller: Caller) -> object:
    """Call with a bound on the wait: a call that hangs becomes unknown; it is not stopped, and may land."""
    action = _action(op)

    def body() -> object:
        result = action()
        return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result

    return caller.call(body, op.ctx.timeout)


async def _awaited(result: Any) -> object:
    return await result


async def _on_loop(op: Call | Query) -> object:
    action = op.step.query if isinstance(op, Query) else op.step.call
    if inspect.iscoroutinefunction(inspect.unwrap(action)) if action else False:
        async with asyncio.timeout(op.ctx.timeout):
            return await _awaited(_action(op)())
    with closing(Caller()) as caller:
        return await asyncio.to_thread(_in_thread, op, caller)
