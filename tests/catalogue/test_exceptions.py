"""What exceptions tell of the call, and which classes they are."""

import importlib

import pytest

from stepcheck.analysis.handlers import hierarchy
from stepcheck.catalogue.exceptions import bases, exception, of_status, outcome
from stepcheck.facts import Evidence, Outcome

SENT, REFUSED, UNKNOWN = Outcome.NOT_SENT, Outcome.REFUSED, Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("requests.ConnectTimeout", SENT),
        ("requests.exceptions.ReadTimeout", UNKNOWN),
        ("requests.ConnectionError", UNKNOWN),
        ("requests.RequestException", UNKNOWN),
        ("httpx.ConnectError", SENT),
        ("httpx.PoolTimeout", SENT),
        ("httpx.ReadTimeout", UNKNOWN),
        ("httpx.RemoteProtocolError", UNKNOWN),
        ("urllib3.exceptions.NameResolutionError", SENT),
        ("aiohttp.ClientConnectorError", SENT),
        ("aiohttp.ServerDisconnectedError", UNKNOWN),
        ("botocore.exceptions.EndpointConnectionError", SENT),
        ("botocore.exceptions.ReadTimeoutError", UNKNOWN),
        ("stripe.CardError", REFUSED),
        ("stripe.error.APIConnectionError", UNKNOWN),
        ("openai.BadRequestError", REFUSED),
        ("openai.ConflictError", UNKNOWN),
        ("redis.TimeoutError", UNKNOWN),
        ("psycopg.errors.UniqueViolation", REFUSED),
        ("sqlalchemy.exc.OperationalError", UNKNOWN),
        ("smtplib.SMTPRecipientsRefused", REFUSED),
        ("smtplib.SMTPServerDisconnected", UNKNOWN),
        ("socket.gaierror", SENT),
        ("builtins.ConnectionRefusedError", SENT),
        ("builtins.TimeoutError", UNKNOWN),
        ("builtins.Exception", UNKNOWN),
        ("grpc.RpcError", UNKNOWN),
        ("ccxt.RateLimitExceeded", REFUSED),
        ("builtins.KeyError", Outcome.OPAQUE),
    ],
)
def test_each_class_tells_one_of_three_things(name: str, expected: Outcome) -> None:
    found = exception(name)
    assert found is not None
    assert (found.outcome, found.evidence) == (expected, Evidence.KNOWN)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (":PspDeclined", REFUSED),
        ("?InsufficientBalance", REFUSED),
        ("?TransientError", UNKNOWN),
        ("?GatewayTimeout", UNKNOWN),
        ("?pay.errors.ConnectTimeoutError", SENT),
        ("?DnsFailure", SENT),
        ("mine.ServiceUnavailable", UNKNOWN),
    ],
)
def test_the_name_of_a_class_that_is_not_known_is_a_hint(name: str, expected: Outcome) -> None:
    found = outcome(name)
    assert found is not None
    assert (found.outcome, found.evidence) == (expected, Evidence.NAME)


@pytest.mark.parametrize("name", [":PspError", "?Problem", ":Limitless"])
def test_a_name_without_a_telling_word_tells_nothing(name: str) -> None:
    assert outcome(name) is None


@pytest.mark.parametrize(
    ("status", "expected"),
    [(400, REFUSED), (402, REFUSED), (404, REFUSED), (408, UNKNOWN), (409, UNKNOWN), (425, UNKNOWN), (429, UNKNOWN),
     (500, UNKNOWN), (503, UNKNOWN), (200, UNKNOWN)],
)  # fmt: skip
def test_a_status_is_a_refusal_but_for_four_and_the_servers_own(status: int, expected: Outcome) -> None:
    assert of_status(status) is expected


def test_an_error_by_status_says_that_the_status_tells_more() -> None:
    found = exception("httpx.HTTPStatusError")
    assert found is not None and found.by_status


def test_handlers_know_a_class_by_either_of_its_names() -> None:
    known = hierarchy(bases())
    assert known.is_a("requests.exceptions.ReadTimeout", "requests.Timeout") is True
    assert known.is_a("requests.ReadTimeout", "requests.exceptions.RequestException") is True
    assert known.is_a("requests.ConnectTimeout", "requests.ConnectionError") is True
    assert known.is_a("requests.ReadTimeout", "requests.ConnectionError") is False
    assert known.is_a("httpx.ReadTimeout", "builtins.OSError") is False
    assert known.is_a("requests.ReadTimeout", "builtins.OSError") is True


def test_every_base_is_a_class_of_the_table_or_a_builtin() -> None:
    table = bases()
    missing = {base for found in table.values() for base in found if base not in table}
    assert missing == set()


def test_what_is_installed_has_the_bases_that_the_table_gives() -> None:
    checked = 0
    for name, above in bases().items():
        module, _, attribute = name.rpartition(".")
        try:
            found = getattr(importlib.import_module(module), attribute, None)
        except ImportError:
            continue
        for base in above:
            other, _, last = base.rpartition(".")
            try:
                parent = getattr(importlib.import_module(other), last, None)
            except ImportError:
                continue
            if isinstance(found, type) and isinstance(parent, type):
                assert issubclass(found, parent), (name, base)
                checked += 1
    assert checked >= 30
