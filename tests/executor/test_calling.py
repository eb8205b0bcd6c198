"""Calls in a thread that is kept, each with a bound on the wait."""

import contextvars
import threading
from collections.abc import Iterator

import pytest

from stepcheck.executor.calling import Caller

PLACE: contextvars.ContextVar[str] = contextvars.ContextVar("PLACE", default="nowhere")


@pytest.fixture
def caller() -> Iterator[Caller]:
    caller = Caller()
    yield caller
    caller.close()


def test_one_call_after_another_is_made_in_one_thread_that_is_not_this_one(caller: Caller) -> None:
    first, second = caller.call(threading.get_ident, 10), caller.call(threading.get_ident, 10)
    assert first == second != threading.get_ident()


def test_a_call_sees_the_context_of_whoever_calls_and_does_not_change_it(caller: Caller) -> None:
    PLACE.set("here")
    assert caller.call(PLACE.get, 10) == "here"
    caller.call(lambda: PLACE.set("there"), 10)
    assert PLACE.get() == "here"
    assert caller.call(PLACE.get, 10) == "here"


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3)])
def test_what_a_call_raises_is_raised_here_and_the_next_call_is_made(
    caller: Caller, error: BaseException
) -> None:
    def fail() -> object:
        raise error

    with pytest.raises(type(error)) as caught:
        caller.call(fail, 10)
    assert caught.value is error
    assert caller.call(lambda: 7, 10) == 7


def test_a_call_that_hangs_keeps_its_thread_and_the_next_one_gets_another(caller: Caller) -> None:
    go_on = threading.Event()
    hung: list[threading.Thread] = []

    def hang() -> None:
        hung.append(threading.current_thread())
        go_on.wait(10)

    with pytest.raises(TimeoutError, match=r"no answer within 0\.05 s; it may still come"):
        caller.call(hang, 0.05)
    assert caller.call(threading.get_ident, 10) != hung[0].ident
    go_on.set()
    hung[0].join(10)
    assert not hung[0].is_alive()


def test_a_closed_caller_lets_its_thread_end(caller: Caller) -> None:
    thread = caller.call(threading.current_thread, 10)
    assert isinstance(thread, threading.Thread)
    caller.close()
    thread.join(10)
    assert not thread.is_alive()
