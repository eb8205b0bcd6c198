"""What is known of single calls, as they are written."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from stepcheck.catalogue.call_fact import CallFact, Place, Repeat
from stepcheck.catalogue.call_table import read_table
from stepcheck.catalogue.calls import known, method
from stepcheck.facts import Effect, Evidence

Told = Callable[[str], CallFact | None]
READ, IDEM, NON = Effect.READ, Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE


@pytest.mark.parametrize(
    ("source", "effect"),
    [
        ("import requests\nrequests.get('u')", READ),
        ("import requests\nrequests.post('https://x.test/orders', json=body)", NON),
        ("import requests\nrequests.post('https://x.test/orders/search', json=body)", READ),
        ("import requests\nrequests.post(f'{base}/orders/{n}/_search')", READ),
        ("import requests\nrequests.post(f'{base}/{kind}')", NON),
        ("import requests\nrequests.request('put', 'u')", IDEM),
        ("import requests\ns = requests.session()\ns.request(method='GET', url='u')", READ),
        ("import httpx\nhttpx.Client().stream('POST', 'https://x.test/query')", READ),
        ("import urllib.request\nurllib.request.urlopen('u')", READ),
        ("import urllib.request\nurllib.request.urlopen('u', data=b'x')", NON),
        ("import sqlite3\nc = sqlite3.connect('f').cursor()\nc.execute('INSERT INTO t VALUES (?)', (1,))", NON),
        ("import psycopg2\nc = psycopg2.connect()\nc.cursor().execute('UPDATE t SET n = n + 1')", NON),
        ("import psycopg2\nc = psycopg2.connect()\nc.cursor().execute('UPDATE t SET n = %s', (1,))", IDEM),
        ("from sqlalchemy.orm import Session\nfrom sqlalchemy import text\n"
         "s = Session()\ns.execute(text('SELECT 1'))", READ),
        ("from sqlalchemy.orm import Session\nfrom sqlalchemy import insert\n"
         "s = Session()\ns.execute(insert(Order).values(a=1))", NON),
        ("from sqlalchemy.orm import Session\nfrom sqlalchemy.dialects.postgresql import insert\n"
         "s = Session()\ns.execute(insert(Order).values(a=1).on_conflict_do_nothing())", IDEM),
        ("from shop.models import Order\nOrder.objects.create(a=1)", NON),
        ("from shop.models import Order\nOrder.objects.filter(a=1).update(b=2)", IDEM),
        ("from shop.models import Order\nfrom django.db.models import F\n"
         "Order.objects.filter(a=1).update(b=F('b') + 1)", NON),
        ("from shop.models import Exam\nExam.objects.filter(a=1).update(grade='F')", IDEM),
        ("import pymongo\npymongo.MongoClient()['d']['c'].update_one({'_id': 1}, {'$set': {'a': 1}})", IDEM),
        ("import pymongo\npymongo.MongoClient().d.c.update_one({'_id': 1}, {'$inc': {'a': 1}})", NON),
        ("import redis\nredis.Redis().incr('n')", NON),
        ("import redis.asyncio\nredis.asyncio.from_url('u').set('k', 1)", IDEM),
        ("open('f')", READ),
        ("open('f', 'a')", NON),
        ("open('f', mode='w')", IDEM),
        ("import boto3\nboto3.client('ec2').run_instances(MinCount=1)", NON),
        ("import ccxt\nccxt.binance().create_order('a')", NON),
    ],
)  # fmt: skip
def test_the_class_of_a_call_follows_from_its_name_and_arguments(
    told: Told, source: str, effect: Effect
) -> None:
    fact = told(source)
    assert fact is not None
    assert (fact.effect, fact.settled) == (effect, True)


@pytest.mark.parametrize(
    "source",
    [
        "import requests\nrequests.request(verb, 'u')",
        "import sqlite3\nsqlite3.connect('f').execute(statement)",
        "import pymongo\npymongo.MongoClient().d.c.update_one({'_id': 1}, change)",
        "open('f', mode)",
        "import urllib.request\nurllib.request.urlopen(*arguments)",
    ],
)
def test_what_the_arguments_do_not_tell_is_not_settled(told: Told, source: str) -> None:
    fact = told(source)
    assert fact is not None
    assert fact.settled is False


@pytest.mark.parametrize(
    "source",
    [
        "def pay(): ...\npay()",
        "import mine\nmine.gateway.pay()",
        "len([])",
        "import os\nos.environ.setdefault('a', 'b')",
    ],
)
def test_a_function_that_no_table_has_is_not_known(told: Told, source: str) -> None:
    assert told(source) is None


def test_a_key_is_known_with_its_place_and_window() -> None:
    charge = known("stripe.Charge.create")
    assert charge is not None and charge.key is not None and charge.key.window is not None
    assert (charge.key.name, charge.key.place, charge.key.effect) == ("idempotency_key", Place.KEYWORD, IDEM)
    assert charge.key.autofill is True
    assert charge.key.window.length == timedelta(hours=24)
    assert charge.lookup == ("stripe.Charge.search",)
    assert charge.undo == ("stripe.Refund.create",)
    assert charge.client == "stripe"
    assert charge.checked == "stripe 16.1.0"


def test_a_queue_forgets_its_keys_after_five_minutes() -> None:
    sent = known("boto3.client('sqs').send_message")
    assert sent is not None and sent.key is not None and sent.key.window is not None
    assert sent.key.name == "MessageDeduplicationId"
    assert sent.key.window.length == timedelta(minutes=5)


def test_a_token_that_the_client_fills_in_makes_a_call_safe_only_when_it_is_passed() -> None:
    made = known("boto3.client('accessanalyzer').create_analyzer")
    assert made is not None and made.key is not None
    assert (made.effect, made.key.name, made.key.autofill) == (NON, "clientToken", True)
    assert made.key.effect is IDEM


def test_a_token_that_botocore_does_not_mark_is_not_filled_in() -> None:
    service = known("boto3.client('ecs').create_service")
    assert service is not None and service.key is not None
    assert (service.key.name, service.key.autofill) == ("clientToken", False)


def test_a_token_of_the_models_that_is_not_marked_is_left_to_the_caller() -> None:
    fact = known("boto3.client('acm').put_account_configuration")
    assert fact is not None and fact.key is not None
    assert (fact.key.name, fact.key.autofill, fact.key.required) == ("IdempotencyToken", False, True)


def test_an_operation_without_an_entry_is_told_by_its_model() -> None:
    read = known("boto3.client('accessanalyzer').get_analyzer")
    assert read is not None
    assert (read.effect, read.evidence, read.key) == (READ, Evidence.KNOWN, None)


def test_an_operation_that_no_model_has_is_told_by_its_verb() -> None:
    fact = known("boto3.client('s3').list_multipart_uploads")
    assert fact is not None
    assert (fact.effect, fact.evidence) == (READ, Evidence.NAME)


def test_the_service_of_a_client_may_be_handed_over() -> None:
    fact = known("boto3.client().send_email", service="sesv2")
    assert fact is not None
    assert fact.name == "boto3.client('sesv2').send_email"


def test_services_that_disagree_leave_it_unsettled() -> None:
    unclear = known("boto3.client().put_record")
    assert unclear is not None
    assert (unclear.effect, unclear.kind) == (NON, "aws")
    assert known("boto3.client().tag_resource") is not None


def test_a_name_that_nothing_binds_is_taken_for_the_package_and_says_so() -> None:
    fact = known("?stripe.PaymentIntent.create")
    assert fact is not None
    assert (fact.name, fact.evidence) == ("stripe.PaymentIntent.create", Evidence.NAME)
    mail = known("?send_mail")
    assert mail is not None
    assert (mail.name, mail.evidence) == ("django.core.mail.send_mail", Evidence.NAME)


def test_a_shape_peculiar_to_one_library_is_more_than_a_name() -> None:
    claimed = known("?Order.objects.get_or_create")
    assert claimed is not None
    assert (claimed.evidence, claimed.claims) == (Evidence.KNOWN, True)
    saved = known("?cart.save")
    assert saved is not None
    assert saved.evidence is Evidence.NAME


def test_a_receiver_that_is_called_like_a_client_is_a_hint() -> None:
    fact = method("self.http.post")
    assert fact is not None
    assert (fact.kind, fact.effect, fact.evidence) == ("http", NON, Evidence.NAME)
    assert method("http.post") is not None
    assert method("post") is None


def test_a_repeat_that_raises_is_told() -> None:
    fact = known("slack_sdk.WebClient.conversations_create")
    assert fact is not None
    assert (fact.effect, fact.repeat) == (IDEM, Repeat.ERROR)


def test_what_adds_is_told_apart(told: Told) -> None:
    for source in (
        "import redis\nredis.Redis().rpush('k', 1)",
        "open('f', 'a')",
        "import pandas\npandas.DataFrame().to_sql('t', c, if_exists='append')",
        "import sqlite3\nsqlite3.connect('f').execute('UPDATE t SET n = n + 1')",
    ):
        fact = told(source)
        assert fact is not None and fact.additive, source
    plain = told("import redis\nredis.Redis().set('k', 1)")
    assert plain is not None and not plain.additive


def test_a_message_to_somebody_is_sent_and_one_to_a_model_is_not(told: Told) -> None:
    sent, asked = told("client.messages.create(to='+1', body='x')"), told("client.messages.create(model='m')")
    assert sent is not None and asked is not None
    assert (sent.effect, asked.effect) == (NON, READ)


def test_a_pool_of_processes_is_no_queue(told: Told) -> None:
    fact = told("import multiprocessing\nmultiprocessing.Pool(2).apply_async(f)")
    assert fact is not None
    assert (fact.kind, fact.effect) == ("process", READ)


def test_it_is_known_which_calls_wait_for_ever_unless_told_otherwise() -> None:
    forever = ("requests.post", "urllib.request.urlopen", "subprocess.run")
    limited = ("httpx.post", "aiohttp.ClientSession.post", "stripe.Charge.create")
    facts = [known(name) for name in (*forever, *limited)]
    assert [fact.bound for fact in facts if fact] == ["timeout", "timeout", "timeout", "", "", ""]


def test_other_names_of_a_class_come_to_the_same() -> None:
    for name in (
        "redis.StrictRedis.incr", "redis.from_url().incr", "redis.asyncio.Redis.incr", "redis.Redis.pipeline().incr",
    ):  # fmt: skip
        fact = known(name)
        assert fact is not None and fact.name == "redis.Redis.incr", name


def test_what_a_user_says_of_a_call_comes_first() -> None:
    own = read_table(
        {
            "kind": "payment",
            "source": "https://docs.example.test/ledger",
            "calls": [
                {"names": ["mine.ledger.book"], "effect": "idem_write"},
                {"names": ["requests.post"], "effect": "read"},
            ],
        }
    )
    mine, theirs = known("mine.ledger.book", own=own), known("requests.post", own=own)
    assert mine is not None and theirs is not None
    assert (mine.effect, theirs.effect) == (IDEM, READ)
    assert known("mine.ledger.other", own=own) is None


@pytest.mark.parametrize(
    ("group", "error"),
    [({"names": ["a.b"]}, KeyError), ({"names": ["a.b"], "effect": "write"}, ValueError)],
)
def test_an_entry_that_is_not_complete_is_refused(group: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        read_table({"kind": "http", "source": "https://docs.example.test", "calls": [group]})
