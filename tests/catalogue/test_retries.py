"""What retries by itself, how often, and what it sends again."""

from collections.abc import Callable

import pytest

from stepcheck.catalogue.arguments import Arguments
from stepcheck.catalogue.bounds import Bound, bound
from stepcheck.catalogue.retries import (
    ENDLESS,
    client,
    clients,
    made_by,
    retrier,
    retriers,
)
from stepcheck.facts import Limit, Outcome

Written = Callable[[str], tuple[str, Arguments]]


@pytest.mark.parametrize(
    ("name", "attempts"),
    [
        ("tenacity.retry", ENDLESS),
        ("tenacity.AsyncRetrying", ENDLESS),
        ("backoff.on_exception", ENDLESS),
        ("retrying.retry", ENDLESS),
        ("stamina.retry", 10),
    ],
)
def test_the_defaults_of_retry_libraries_are_known(name: str, attempts: int) -> None:
    found = retrier(name)
    assert found is not None
    assert found.attempts == attempts


def test_a_retrier_that_nothing_binds_is_taken_for_the_usual_one() -> None:
    found = retrier("?AsyncRetrying")
    assert found is not None
    assert found.library == "tenacity"


def test_another_function_is_no_retrier() -> None:
    assert retrier("tenacity.wait_fixed") is None
    assert retrier(":retry") is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import backoff\nbackoff.on_exception(backoff.expo, E, max_tries=4)", Bound(Limit.BOUNDED, 4)),
        ("import backoff\nbackoff.on_exception(backoff.expo, E, max_tries=None)", Bound(Limit.NONE)),
        ("import backoff\nbackoff.on_exception(backoff.expo, E)", Bound(Limit.NONE)),
        ("import backoff\nbackoff.on_exception(backoff.expo, E, max_time=60)", Bound(Limit.BOUNDED)),
        ("import backoff\nbackoff.on_exception(backoff.expo, E, **given)", Bound(Limit.OPAQUE)),
        ("import backoff\nbackoff.on_exception(backoff.expo, E, max_tries=limit)", Bound(Limit.OPAQUE)),
        ("import tenacity\ntenacity.retry(stop=tenacity.stop_never)", Bound(Limit.NONE)),
        ("from tenacity import *\nretry(stop=stop_never)", Bound(Limit.NONE)),
        ("import tenacity\ntenacity.retry(wait=tenacity.wait_fixed(1))", Bound(Limit.NONE)),
        ("import tenacity\ntenacity.retry(stop=tenacity.stop_after_attempt(5))", Bound(Limit.BOUNDED, 5)),
        ("from tenacity import *\nretry(stop=stop_after_attempt(5))", Bound(Limit.BOUNDED, 5)),
        ("import tenacity\ntenacity.retry(stop=tenacity.stop_after_attempt(n))", Bound(Limit.BOUNDED)),
        (
            "from tenacity import retry, stop_after_attempt, stop_after_delay\n"
            "retry(stop=stop_after_delay(9) | stop_after_attempt(3))",
            Bound(Limit.BOUNDED, 3),
        ),
        (
            "from tenacity import *\nretry(stop=stop_after_attempt(3) | stop_after_attempt(5))",
            Bound(Limit.BOUNDED, 3),
        ),
        ("import tenacity\ntenacity.retry(stop=mine())", Bound(Limit.OPAQUE)),
        ("import stamina\nstamina.retry(on=E)", Bound(Limit.BOUNDED, 10)),
        ("import stamina\nstamina.retry(on=E, attempts=None, timeout=None)", Bound(Limit.NONE)),
    ],
)
def test_where_a_retrier_ends_is_reckoned(written: Written, source: str, expected: Bound) -> None:
    name, arguments = written(source)
    found = retrier(name)
    assert found is not None
    assert bound(found, arguments) == expected


def test_a_decorator_without_brackets_has_the_defaults() -> None:
    found = retrier("tenacity.retry")
    assert found is not None
    assert bound(found, Arguments()) == Bound(Limit.NONE)


def test_a_client_that_gives_up_by_time_is_bounded() -> None:
    found = client("google-cloud-pubsub")
    assert found is not None
    assert bound(found, Arguments()) == Bound(Limit.BOUNDED)


def test_a_number_of_retries_is_one_less_than_that_of_attempts(written: Written) -> None:
    name, arguments = written("import openai\nopenai.OpenAI(max_retries=5)")
    found = made_by(name)
    assert found is not None
    assert bound(found, arguments) == Bound(Limit.BOUNDED, 6)


def test_a_client_with_its_retries_switched_off_tries_once(written: Written) -> None:
    name, arguments = written("import elasticsearch\nelasticsearch.Elasticsearch(max_retries=0)")
    found = made_by(name)
    assert found is not None
    assert bound(found, arguments) == Bound(Limit.BOUNDED, 1)


@pytest.mark.parametrize(
    ("name", "repeats"),
    [
        ("botocore", True),
        ("redis", True),
        ("slack_sdk", True),
        ("aiohttp_retry", True),
        ("PyGithub", True),
        ("openai", True),
        ("stripe", False),
        ("pymongo", False),
        ("requests", False),
        ("httpx", False),
        ("urllib3", False),
        ("aiohttp", False),
        ("pyairtable", False),
    ],
)
def test_it_is_known_which_clients_send_a_write_twice(name: str, repeats: bool) -> None:
    found = client(name)
    assert found is not None
    assert found.repeats_writes is repeats


def test_httpx_retries_only_what_was_not_sent() -> None:
    found = client("httpx")
    assert found is not None
    assert found.after is Outcome.NOT_SENT


def test_every_client_and_retrier_has_a_source_and_a_way_out() -> None:
    assert len(clients()) >= 30
    assert len({found.library for found in retriers().values()}) >= 10
    assert [found.name for found in clients().values() if not found.source or not found.off] == []
    assert [name for name, found in retriers().items() if not found.source] == []
