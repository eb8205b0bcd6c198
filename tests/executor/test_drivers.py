"""Machines driven for real: threads, an event loop, hanging calls, interruptions."""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stepcheck.executor.answers import (
    Absent,
    Ambiguous,
    Definite,
    Found,
    NoAnswer,
    Pending,
    Refused,
    Unknown,
    refusal,
    sighting,
)
from stepcheck.executor.blobs import MemoryBlobs
from stepcheck.executor.calling import Caller
from stepcheck.executor.declared import exec_table
from stepcheck.executor.drivers import World
from stepcheck.executor.ledger import Fenced, TaskBusy
from stepcheck.executor.memory import MemoryLedger
from stepcheck.executor.runner import Executor, StepBusy
from stepcheck.executor.step import Backoff
from stepcheck.executor.tasks import Owner
from stepcheck.stepdef import StepDef


def executor(call: Callable[..., Any], **fields: Any) -> Executor:
    entry = {"effect": "non_idem_write", "call": call, **fields}
    table = exec_table({"pay": StepDef.from_document(entry)})
    return Executor(table, World(MemoryLedger(), MemoryBlobs()), owner=Owner("w0"))


def test_a_step_is_run_and_its_output_read() -> None:
    shop = executor(lambda params, ctx: {"order": params["order"], "key": len(ctx.idempotency_key)})
    outcome = shop.run_step("t1", "1", "pay", {"order": "A"})
    assert (outcome.state, shop.output(outcome)) == ("DONE", {"order": "A", "key": 64})


def test_a_call_that_hangs_is_unknown_after_its_timeout() -> None:
    go_on = threading.Event()
    shop = executor(lambda params, ctx: go_on.wait(30), timeout=0.05)
    outcome = shop.run_step("t1", "1", "pay", {})
    go_on.set()
    assert (outcome.state, outcome.reason) == ("NEEDS_HUMAN", "its outcome is unknown, and no query can tell")


def test_the_end_of_the_wait_is_never_definite() -> None:
    go_on = threading.Event()
    shop = executor(lambda params, ctx: go_on.wait(30), timeout=0.05)
    shop.table = {"pay": replace(shop.table["pay"], definite=lambda error: True)}
    outcome = shop.run_step("t1", "1", "pay", {})
    go_on.set()
    assert outcome.state == "NEEDS_HUMAN"


def test_an_interruption_leaves_the_step_in_flight_for_the_next_owner() -> None:
    def call(params: Any, ctx: Any) -> None:
        raise KeyboardInterrupt

    shop = executor(call)
    with pytest.raises(KeyboardInterrupt):
        shop.run_step("t1", "1", "pay", {})
    rows = shop.world.ledger.transact(lambda tx: tx.steps("t1"), durable=False)
    assert [row.state for row in rows] == ["IN_FLIGHT"]
    assert Executor(shop.table, shop.world, owner=Owner("w0")).claim("t1").fence == 2
    assert [item.step_seq for item in shop.inbox()] == [1]


class Halt(BaseException):
    """An exception of a library's own."""


ODD = [SystemExit(3), GeneratorExit(), asyncio.CancelledError(), StopIteration(), Halt("halt")]


@pytest.mark.parametrize("error", ODD, ids=repr)
@pytest.mark.parametrize("beside_a_loop", [False, True])
def test_whatever_else_a_call_raises_leaves_its_outcome_unknown(
    error: BaseException, beside_a_loop: bool
) -> None:
    def call(params: Any, ctx: Any) -> None:
        raise error

    shop = executor(call)
    if beside_a_loop:
        outcome = asyncio.run(asyncio.wait_for(shop.arun_step("t1", "1", "pay", {}), 30))
    else:
        outcome = shop.run_step("t1", "1", "pay", {})
    assert (outcome.state, outcome.reason) == ("NEEDS_HUMAN", "its outcome is unknown, and no query can tell")


def test_a_read_that_always_ends_the_process_reaches_a_person() -> None:
    calls: list[int] = []

    def call(params: Any, ctx: Any) -> None:
        calls.append(1)
        raise SystemExit(3)

    shop = executor(call, effect="read", max_attempts=2)
    shop.world = World(shop.world.ledger, shop.world.blobs, sleep=lambda seconds: None)
    shop.table = {"pay": replace(shop.table["pay"], backoff=Backoff(0, 0))}
    outcome = shop.run_step("t1", "1", "pay", {})
    assert (outcome.state, len(calls)) == ("NEEDS_HUMAN", 2)
    assert outcome.reason == "the read has no answer, tries: 2: SystemExit: 3"


def test_an_exit_of_the_thread_that_drives_interrupts_it() -> None:
    class Exiting(Caller):
        def call(self, action: Callable[[], object], seconds: float) -> object:
            raise SystemExit(3)

    shop = executor(lambda params, ctx: "done")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stepcheck.executor.drivers.Caller", Exiting)
        with pytest.raises(SystemExit):
            shop.run_step("t1", "1", "pay", {})
    rows = shop.world.ledger.transact(lambda tx: tx.steps("t1"), durable=False)
    assert [row.state for row in rows] == ["IN_FLIGHT"]


def test_coroutines_run_on_the_loop_and_are_cancelled_at_their_timeout() -> None:
    async def call(params: Any, ctx: Any) -> str:
        if params["n"] == 2:
            await asyncio.sleep(30)
        return "done"

    shop = executor(call, timeout=0.05)

    async def main() -> list[Any]:
        return [await shop.arun_step("t1", str(n), "pay", {"n": n}) for n in (1, 2)]

    assert [outcome.state for outcome in asyncio.run(main())] == ["DONE", "NEEDS_HUMAN"]


def test_a_cancelled_coroutine_leaves_its_step_in_flight() -> None:
    started = threading.Event()

    async def call(params: Any, ctx: Any) -> None:
        started.set()
        await asyncio.sleep(30)

    shop = executor(call)

    async def main() -> None:
        task = asyncio.create_task(shop.arun_step("t1", "1", "pay", {}))
        await asyncio.to_thread(started.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    rows = shop.world.ledger.transact(lambda tx: tx.steps("t1"), durable=False)
    assert [row.state for row in rows] == ["IN_FLIGHT"]


def test_plain_calls_run_beside_the_loop() -> None:
    shop = executor(lambda params, ctx: time.sleep(0.01) or "done")

    async def main() -> list[Any]:
        await shop.aclaim("t1")
        return await asyncio.gather(*(shop.arun_step("t1", str(n), "pay", {"n": n}) for n in range(5)))

    assert [outcome.state for outcome in asyncio.run(main())] == ["DONE"] * 5


def test_a_coroutine_can_be_run_without_a_loop() -> None:
    async def call(params: Any, ctx: Any) -> int:
        return 5

    shop = executor(call)
    assert shop.output(shop.run_step("t1", "1", "pay", {})) == 5


def test_a_call_is_not_sent_after_its_time_to_be_sent() -> None:
    sent: list[int] = []
    shop = executor(lambda params, ctx: sent.append(1))
    clock = iter([0.0, 31.0])
    shop.world = World(shop.world.ledger, shop.world.blobs, elapsed=lambda: next(clock))
    assert shop.run_step("t1", "1", "pay", {}).state == "NEEDS_HUMAN"
    assert sent == []


def test_a_wall_clock_that_was_ahead_and_is_set_back_does_not_stop_a_step() -> None:
    replies: list[Any] = [TimeoutError(), TimeoutError(), "done"]

    def call(params: Any, ctx: Any) -> str:
        reply = replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return str(reply)

    slept: list[float] = []

    def sleep(seconds: float) -> None:
        assert len(slept) < 5, "it sleeps without end"
        slept.append(seconds)

    shop = executor(call, effect="idem_write", dedupe=True)
    wall = iter([9_000_000])
    ledger = MemoryLedger(lambda: next(wall, 1_000_000))
    shop.world = World(ledger, MemoryBlobs(), elapsed=lambda: sum(slept), sleep=sleep)
    shop.table = {"pay": replace(shop.table["pay"], backoff=Backoff(1_000, 4_000, jitter=False))}
    assert shop.run_step("t1", "1", "pay", {}).state == "DONE"
    assert slept == [1.0, 2.0]
    assert ledger.transact(lambda tx: tx.task("t1"), durable=False).clock_ms == 9_003_000  # type: ignore[union-attr]


def test_a_sleep_that_ends_early_does_not_move_the_clock_on() -> None:
    shop = executor(lambda params, ctx: 1 / 0, effect="read", max_attempts=2)
    ledger = MemoryLedger(lambda: 1_000_000)
    shop.world = World(ledger, MemoryBlobs(), elapsed=lambda: 0.0, sleep=lambda seconds: None)
    assert shop.run_step("t1", "1", "pay", {}).state == "NEEDS_HUMAN"
    assert ledger.transact(lambda tx: tx.task("t1"), durable=False).clock_ms == 1_000_000  # type: ignore[union-attr]


def test_one_address_is_worked_on_once_at_a_time_in_a_process() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def call(params: Any, ctx: Any) -> str:
        inside.set()
        go_on.wait(30)
        return "done"

    shop = executor(call)
    thread = threading.Thread(target=lambda: shop.run_step("t1", "1", "pay", {}))
    thread.start()
    inside.wait(30)
    with pytest.raises(StepBusy, match="address '1' of task 't1' is being worked on in this process"):
        shop.run_step("t1", "1", "pay", {})
    go_on.set()
    thread.join()
    assert shop.run_step("t1", "1", "pay", {}).state == "DONE"


def test_threads_of_one_executor_take_a_fresh_task_once() -> None:
    shop = executor(lambda params, ctx: "done")
    together, states = threading.Barrier(8), []

    def work(number: int) -> None:
        together.wait(30)
        states.append(shop.run_step("t1", str(number), "pay", {"n": number}).state)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (states, shop.claim("t1").fence) == (["DONE"] * 8, 1)


def test_coroutines_of_one_executor_take_a_fresh_task_once() -> None:
    shop = executor(lambda params, ctx: "done")

    async def main() -> list[Any]:
        return await asyncio.gather(*(shop.arun_step("t1", str(n), "pay", {"n": n}) for n in range(8)))

    assert [outcome.state for outcome in asyncio.run(main())] == ["DONE"] * 8
    assert shop.claim("t1").fence == 1


def test_a_coroutine_takes_the_task_where_the_one_that_was_taking_it_is_cancelled() -> None:
    shop = executor(lambda params, ctx: "done")

    async def main() -> Any:
        first = asyncio.create_task(shop.arun_step("t1", "1", "pay", {"n": 1}))
        second = asyncio.create_task(shop.arun_step("t1", "2", "pay", {"n": 2}))
        third = asyncio.create_task(shop.arun_step("t1", "3", "pay", {"n": 3}))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
        return (await asyncio.gather(first, second, third, return_exceptions=True))[2]

    assert asyncio.run(main()).state == "DONE"


def test_a_task_that_a_coroutine_of_this_thread_is_taking_is_not_waited_for_without_end() -> None:
    shop = executor(lambda params, ctx: "done")

    async def main() -> str:
        run = asyncio.create_task(shop.arun_step("t1", "1", "pay", {}))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="task 't1' is being taken by a coroutine of this thread"):
            shop.claim("t1")
        return (await run).state

    assert asyncio.run(main()) == "DONE"


def test_a_coroutine_that_is_cancelled_while_it_waits_for_a_claim_leaves_the_others_theirs() -> None:
    shop = executor(lambda params, ctx: "done")
    began, go_on = threading.Event(), threading.Event()
    take = shop.world.ledger.transact

    def slowly(work: Callable[[Any], Any], *, durable: bool) -> Any:
        began.set()
        go_on.wait(30)
        return take(work, durable=durable)

    shop.world.ledger.transact = slowly  # type: ignore[method-assign]

    async def main() -> list[Any]:
        runs = [asyncio.create_task(shop.arun_step("t1", str(n), "pay", {"n": n})) for n in range(3)]
        await asyncio.to_thread(began.wait, 30)
        runs[1].cancel()
        await asyncio.wait([runs[1]])
        go_on.set()
        return await asyncio.gather(runs[0], runs[2])

    assert [outcome.state for outcome in asyncio.run(asyncio.wait_for(main(), 30))] == ["DONE"] * 2


def test_a_task_that_could_not_be_taken_is_asked_for_again() -> None:
    shop = executor(lambda params, ctx: "done")
    other = Executor(shop.table, shop.world, owner=Owner("w1"))
    other.claim("t1")
    with pytest.raises(TaskBusy):
        shop.claim("t1")
    other.give_back("t1")
    assert shop.run_step("t1", "1", "pay", {}).state == "DONE"


def test_a_claim_that_is_fenced_off_is_dropped_and_the_task_taken_anew() -> None:
    shop = executor(lambda params, ctx: "done")
    shop.claim("t1")
    Executor(shop.table, shop.world, owner=Owner("w0")).claim("t1")
    with pytest.raises(Fenced):
        shop.run_step("t1", "1", "pay", {})
    assert shop.run_step("t1", "1", "pay", {}).state == "DONE"
    assert shop.claim("t1").fence == 3


def test_a_whole_run_does_not_leave_an_older_claim_behind() -> None:
    shop = executor(lambda params, ctx: "done")
    shop.claim("t1")
    assert shop.run("t1", [("pay", {"n": 1})]).status == "done"
    assert shop.run_step("t1", "2", "pay", {"n": 2}).state == "DONE"


class HttpError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.response = type("Response", (), {"status_code": status})()


@pytest.mark.parametrize("status", [408, 409, 425, 429])
def test_these_answers_are_never_definite(status: int) -> None:
    assert refusal(HttpError(status), lambda error: True) == Unknown(f"HttpError: {status}", status)


def test_only_what_says_so_is_definite() -> None:
    assert refusal(Definite("no")) == Refused("Definite: no")
    assert refusal(HttpError(422), lambda error: True) == Refused("HttpError: 422")
    assert refusal(HttpError(422)) == Unknown("HttpError: 422", 422)
    assert refusal(Ambiguous("down", 503)) == Unknown("Ambiguous: down", 503)
    assert refusal(ConnectionResetError("reset")) == Unknown("ConnectionResetError: reset")
    assert refusal(HttpError(500), lambda error: 1 / 0).status == 500  # type: ignore[union-attr]


@pytest.mark.parametrize("odd", [[], {}, "", 0, False, True, [1, 2], set()])
def test_a_query_that_answers_what_has_two_readings_has_not_answered(odd: Any) -> None:
    assert isinstance(sighting(odd), NoAnswer)


def test_a_query_answers_found_absent_or_pending() -> None:
    assert [sighting(answer) for answer in (Found(1), Absent(), Pending(), None, {"id": 1}, "id-1")] == [
        Found(1),
        Absent(),
        Pending(),
        Absent(),
        Found({"id": 1}),
        Found("id-1"),
    ]


class Speechless(Definite):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Blind(Definite):
    @property
    def status_code(self) -> int:
        raise RuntimeError("no status")


def test_an_exception_that_cannot_be_read_is_unknown() -> None:
    no_words = "no words, because putting it into words raised another exception"
    assert refusal(Speechless()) == Unknown(f"Speechless: {no_words}")
    assert refusal(Blind("x")) == Unknown("Blind: x")


@pytest.mark.parametrize("error", [Speechless(), Blind("x")])
def test_a_call_that_raises_what_cannot_be_read_leaves_the_step_uncertain(error: Exception) -> None:
    def pay(params: Any, ctx: Any) -> object:
        raise error

    assert executor(pay).run_step("t1", "1", "pay", {"order": "A-1"}).state == "NEEDS_HUMAN"


def test_an_output_that_raises_while_it_is_read_does_not_undo_the_acknowledgement() -> None:
    class Order:
        def model_dump(self, mode: str) -> object:
            raise RuntimeError("the session is closed")

    outcome = executor(lambda params, ctx: Order()).run_step("t1", "1", "pay", {"order": "A-1"})
    why = "the output cannot be stored as JSON: the session is closed"
    assert outcome.reason == f"it was acknowledged, and {why}"


def test_a_query_that_raises_has_not_answered(tmp_path: Path) -> None:
    def query(params: Any, ctx: Any) -> None:
        raise ConnectionError("down")

    def call(params: Any, ctx: Any) -> None:
        raise TimeoutError

    shop = executor(call, query=query)
    shop.world = World(
        shop.world.ledger, shop.world.blobs, sleep=lambda seconds: time.sleep(min(seconds, 0.001))
    )
    shop.table = {"pay": replace(shop.table["pay"], query_attempts=1)}
    outcome = shop.run_step("t1", "1", "pay", {})
    assert outcome.reason == "its outcome is unknown: after 1 queries it gives no answer"
