"""Calls that only the first of several carries out."""

from collections.abc import Callable

import pytest

from stepcheck.catalogue.arguments import Arguments
from stepcheck.catalogue.claims import claim

Written = Callable[[str], tuple[str, Arguments]]


@pytest.mark.parametrize(
    "source",
    [
        "from shop.models import Event\nEvent.objects.get_or_create(id=i)",
        "import redis\nredis.Redis().set('k', 1, nx=True, ex=60)",
        "import redis\nredis.Redis().setnx('k', 1)",
        "from django.core.cache import cache\ncache.add('k', 1)",
        "import sqlite3\nsqlite3.connect('f').execute('INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING')",
        "import boto3\nboto3.client('dynamodb').put_item(ConditionExpression='attribute_not_exists(pk)')",
        "from shop.models import Bill\nBill.objects.filter(id=1, state='new').update(state='paid')",
        "open('f', 'x')",
    ],
)
def test_a_claim_is_known(written: Written, source: str) -> None:
    found = claim(*written(source))
    assert found is not None
    assert not found.lock


@pytest.mark.parametrize(
    "source",
    [
        "from shop.models import Bill\nBill.objects.select_for_update()",
        "import sqlite3\nsqlite3.connect('f').execute('SELECT * FROM t FOR UPDATE')",
    ],
)
def test_a_lock_is_told_apart(written: Written, source: str) -> None:
    found = claim(*written(source))
    assert found is not None
    assert found.lock


@pytest.mark.parametrize(
    "source",
    [
        "import redis\nredis.Redis().set('k', 1)",
        "import redis\nredis.Redis().set('k', 1, nx=False)",
        "import sqlite3\nsqlite3.connect('f').execute('INSERT INTO t VALUES (1)')",
        "import boto3\nboto3.client('dynamodb').put_item(Item=item)",
        "from shop.models import Bill\nBill.objects.filter(id=1).first()",
        "open('f', 'w')",
    ],
)
def test_what_a_second_one_does_again_is_no_claim(written: Written, source: str) -> None:
    assert claim(*written(source)) is None


def test_a_comparing_update_says_that_its_condition_must_be_looked_at(written: Written) -> None:
    found = claim(*written("from shop.models import Bill\nBill.objects.filter(id=1).update(state='paid')"))
    assert found is not None
    assert found.compares
