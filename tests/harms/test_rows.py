"""What the calls of an example find in rows and change in them, by what happens in the world afterwards."""

import pytest

from stepcheck.harms.situations import Situation
from tests.harms.examples import runs


def effects(text: str, situation: Situation = Situation.ONCE) -> list[str]:
    """What happens in the world where nothing goes wrong; what is run is the function of the third line."""
    return [told for told, _ in runs(text, situation, 0, line=3)[0].effects]


def sent(body: str, situation: Situation = Situation.ONCE) -> int:
    """How many mails one function sends."""
    lines = "\n    ".join(body.strip().splitlines())
    return len(effects(f"import httpx\n\ndef work(job, redis, db):\n    {lines}\n", situation))


MAIL = 'httpx.post("https://mail.example/send", json=job.id, timeout=5)'


@pytest.mark.parametrize(
    "claim",
    [
        'redis.set(f"mail:{job.id}", 1, nx=True)',
        'redis.setnx(f"mail:{job.id}", 1)',
        "Event.objects.get_or_create(event_id=job.id)[1]",
    ],
)
def test_a_claim_is_given_once(claim: str) -> None:
    assert sent(f"if {claim}:\n    {MAIL}", Situation.TWICE) == 1


def test_a_value_that_is_only_set_keeps_nobody_away() -> None:
    assert sent(f"if redis.set(job.id, 1):\n    {MAIL}", Situation.TWICE) == 2


def test_two_keys_are_two_claims() -> None:
    twice = f'for part in ("a", "b"):\n    if redis.setnx(part, 1):\n        {MAIL}'
    assert sent(twice) == 2
    assert sent(twice, Situation.TWICE) == 2


def test_a_claim_that_is_deleted_is_given_again() -> None:
    assert sent(f"if redis.setnx(job.id, 1):\n    {MAIL}\n    redis.delete(job.id)", Situation.TWICE) == 2


def test_a_key_that_was_set_is_found_with_its_value_and_any_other_with_what_stands_in_for_it() -> None:
    assert sent(f'redis.set("k", "v")\nif redis.get("k") == "v":\n    {MAIL}') == 1
    assert sent(f'if settings_store.get("k", 7) == 7:\n    {MAIL}') == 1
    assert sent(f'redis.set("k", "v")\nif redis.get("other") is None:\n    {MAIL}') == 1


def test_rows_are_found_by_what_they_hold() -> None:
    made = 'Mail.objects.create(to=job.id, kind="a")\n'
    assert sent(f'{made}if Mail.objects.filter(kind="a").exists():\n    {MAIL}') == 1
    assert sent(f'{made}if Mail.objects.filter(kind="b").exists():\n    {MAIL}') == 0
    assert sent(f'{made}if Mail.objects.filter(kind="a").count() == 1:\n    {MAIL}') == 1
    assert sent(f'{made}for one in Mail.objects.filter(kind__in=["a", "b"]):\n    {MAIL}') == 1
    assert sent(f'{made}for one in Mail.objects.filter(kind__in=["b", "c"]):\n    {MAIL}') == 0
    assert sent(f"{made}for one in Mail.objects.filter(made__lt=job.day):\n    {MAIL}") == 1


def test_what_is_changed_or_deleted_is_found_no_more() -> None:
    made = 'Mail.objects.create(to=job.id, kind="a")\n'
    for change in ('update(kind="b")', "delete()"):
        text = f'{made}Mail.objects.filter(kind="a").{change}\nfor one in Mail.objects.filter(kind="a"):\n    {MAIL}'
        assert sent(text) == 0, change


def test_what_is_looked_for_by_its_state_was_there_before_and_by_a_key_was_not() -> None:
    assert sent(f'for one in Mail.objects.filter(status="queued"):\n    {MAIL}') == 1
    assert sent(f"for one in Mail.objects.filter(event_id=job.id):\n    {MAIL}") == 0
    assert sent(f"for one in Mail.objects.filter(pk=job.id):\n    {MAIL}") == 1


def test_defaults_are_what_a_new_row_gets_and_not_what_it_is_found_by() -> None:
    text = f'if Event.objects.get_or_create(event_id=1, defaults={{"at": now()}})[1]:\n    {MAIL}'
    assert sent(text, Situation.TWICE) == 1


def test_a_row_that_is_added_is_there_with_the_commit_and_not_after_a_rollback() -> None:
    text = (
        'db.add(Mail(to=job.id, kind="a"))\n{}db.commit()\nfor one in Mail.objects.filter(kind="a"):\n    {}'
    )
    assert sent(text.format("", MAIL)) == 1
    assert sent(text.format("db.rollback()\n", MAIL)) == 0


def test_the_row_that_an_object_stands_for_can_be_deleted_by_it() -> None:
    text = f'row = Mail.objects.create(kind="a")\nrow.delete()\nfor one in Mail.objects.filter(kind="a"):\n    {MAIL}'
    assert sent(text) == 0
