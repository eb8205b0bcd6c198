"""What names tell: of callables, keys, addresses and loggers."""

from collections.abc import Callable

import pytest

from stepcheck.catalogue.arguments import Arguments
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.harmless import harmless
from stepcheck.catalogue.http import asks, effect_of_verb
from stepcheck.catalogue.imports import usual
from stepcheck.catalogue.keys import given, names_key
from stepcheck.catalogue.verbs import verb
from stepcheck.facts import Effect

Written = Callable[[str], tuple[str, Arguments]]
READ, IDEM, NON = Effect.READ, Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("bank.send_money", NON),
        ("exchange.create_order", NON),
        ("self._do_charge", NON),
        ("chargeCard", NON),
        ("credit_account", NON),
        ("gateway.credit", NON),
        ("fetch_order", READ),
        ("orders.list", READ),
        ("upsert_order", IDEM),
        ("create_if_absent", IDEM),
        ("get_or_create_user", IDEM),
    ],
)
def test_the_first_word_of_a_callable_is_a_hint(name: str, effect: Effect) -> None:
    found = verb(name)
    assert found is not None
    assert found.effect is effect


@pytest.mark.parametrize(
    "name",
    [
        "getter",
        "credit_bureau",
        "order_total",
        "app.post",
        "router.get",
        "list",
        "builtins.list",
        "idempotency",
        "",
    ],
)
def test_a_name_without_a_verb_tells_nothing(name: str) -> None:
    assert verb(name) is None


def test_the_name_of_a_container_method_says_so() -> None:
    local, outside = verb("out.append"), verb("ledger.append_entry")
    assert local is not None and outside is not None
    assert (local.local, outside.local) == (True, False)


def test_money_and_messages_are_grave() -> None:
    paid, made = verb("pay"), verb("create_note")
    assert paid is not None and made is not None
    assert (paid.grave, made.grave) == (True, False)


@pytest.mark.parametrize(
    "name",
    ["idempotency_key", "Idempotency-Key", "ClientToken", "clientRequestToken", "charge_idempotency_key", "dedup_id",
     "MessageDeduplicationId", "PayPal-Request-Id"],
)  # fmt: skip
def test_the_name_of_a_key_is_known(name: str) -> None:
    assert names_key(name)


@pytest.mark.parametrize(
    "name", ["request_id", "key", "api_key", "id", "primary_key", "token", "idempotent", "client"]
)
def test_other_names_are_no_keys(name: str) -> None:
    assert not names_key(name)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("import stripe\nstripe.Charge.create(amount=1, idempotency_key=k)", True),
        ("import stripe\nstripe.Charge.create(amount=1)", False),
        ("import stripe\nstripe.Charge.create(amount=1, idempotency_key=None)", False),
        ("import stripe\nstripe.Charge.create(**given)", None),
        ("import requests\nrequests.post('u', headers={'Idempotency-Key': k})", True),
        ("import requests\nrequests.post('u', headers={'Accept': 'a', 'X-Trace': 'b'})", False),
        ("import requests\nrequests.post('u', headers=headers)", None),
        ("import requests\nrequests.post('u', json={'idempotency_key': k})", True),
        ("import requests\nrequests.post('u')", False),
        ("import temporalio.client as t\nt.Client().start_workflow(f, id=k)", True),
        ("import temporalio.client as t\nt.Client().start_workflow(f, x)", False),
        ("import requests\nrequests.post('u', headers={**headers, 'Accept': 'a'})", None),
        ("import pymongo\npymongo.MongoClient().d.c.insert_one({'_id': k, 'a': 1})", True),
        ("import pymongo\npymongo.MongoClient().d.c.insert_one({'a': 1, 'b': 2})", False),
        ("import pymongo\npymongo.MongoClient().d.c.insert_one(document)", None),
        ("import boto3\nboto3.client('sqs').send_message(MessageDeduplicationId=k)", True),
    ],
)
def test_whether_a_call_has_its_key_is_told(written: Written, source: str, answer: bool | None) -> None:
    name, arguments = written(source)
    fact = known(name, arguments, service="sqs" if "boto3" in source else "")
    assert fact is not None and fact.key is not None
    assert given(fact.key, arguments) is answer


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("https://x.test/v2/orders/search", "search"),
        ("/_search?size=1", "search"),
        ("{}/documents:batchGet", ""),
        ("/orders/searchOrders", "search"),
        ("/quotes/estimate/", "estimate"),
        ("/graphql-query", "query"),
        ("https://search.test/orders", ""),
        ("/orders", ""),
        ("/search/create", ""),
        ("/searches/saveSearch", ""),
        ("", ""),
    ],
)
def test_an_address_that_asks_is_known_by_its_last_segment(address: str, word: str) -> None:
    assert asks(address).rpartition("-")[2] == word


def test_verbs_are_classed_as_the_standard_does() -> None:
    assert [effect_of_verb(verb) for verb in ("get", "PUT", "Delete", "POST", "patch", "BREW")] == [
        READ, IDEM, IDEM, NON, NON, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("qualified", "dotted"),
    [
        ("logging.info", "logging.info"),
        ("", "self.logger.info"),
        ("logging.getLogger().warning", "log.warning"),
        ("?metrics.count", "metrics.count"),
        ("time.sleep", "time.sleep"),
        ("", "reply.raise_for_status"),
        ("django.core.cache.cache.set", "cache.set"),
    ],
)
def test_logs_metrics_and_caches_are_harmless(qualified: str, dotted: str) -> None:
    assert harmless(qualified, dotted)


@pytest.mark.parametrize(
    ("qualified", "dotted"),
    [
        ("requests.post", "requests.post"),
        ("", "self.http.post"),
        ("", "mailer.send"),
        ("?info", "info"),
        ("", ""),
    ],
)
def test_other_calls_are_not(qualified: str, dotted: str) -> None:
    assert not harmless(qualified, dotted)


def test_an_unbound_name_stands_for_what_it_is_usually_imported_from() -> None:
    assert usual("?uuid4") == "uuid.uuid4"
    assert usual("?AsyncRetrying()") == "tenacity.AsyncRetrying()"
    assert usual("?stripe.Charge.create") == "stripe.Charge.create"
    assert usual("mine.uuid4") == "mine.uuid4"
