"""What keys are made of, and what of it changes."""

from pathlib import Path

import pytest

from tests.behaviour.families import checked

KEY = """\
import hashlib, json, pickle, time, uuid
from datetime import datetime, date

def _stamp():
    return time.time_ns()

def pay(stripe, order, attempt, payload):
    key = {key}
    return stripe.Charge.create(amount=order.amount, idempotency_key=key)
"""


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("f'{order.id}-{time.time()}'", [(8, "volatile-key")]),
        ("f'{order.id}-{datetime.now().isoformat()}'", [(8, "volatile-key")]),
        ("hashlib.sha256(f'{order.id}{_stamp()}'.encode()).hexdigest()", [(5, "volatile-key")]),
        ("f'{order.id}-{attempt}'", [(8, "volatile-key")]),
        ("str(hash(order.id))", [(8, "salted-hash-key")]),
        ("hashlib.md5(json.dumps(payload).encode()).hexdigest()", [(8, "unsorted-key")]),
        ("hashlib.md5(pickle.dumps(payload)).hexdigest()", [(8, "unsorted-key")]),
        ("f'{order.id}-{order.created_at}'", []),
        ("f'{order.id}-{order.attempt}'", []),
        ("f'{order.id}-{date.today()}'", []),
        ("f'{order.id}-{datetime.now().date()}'", []),
        ("hashlib.md5(json.dumps(payload, sort_keys=True).encode()).hexdigest()", []),
        ("hashlib.md5(json.dumps([order.id, order.amount]).encode()).hexdigest()", []),
        ("str(uuid.uuid5(uuid.NAMESPACE_URL, order.url))", []),
        ("str(uuid.uuid4())", []),
    ],
)
def test_a_key_is_followed_to_what_it_is_made_of(
    key: str, found: list[tuple[int, str]], tmp_path: Path
) -> None:
    assert checked(tmp_path, KEY.format(key=key)) == found


def test_a_key_of_one_attempt_is_told_from_one_that_is_made_before_the_first(tmp_path: Path) -> None:
    inside = """\
    def pay(http, order):
        for attempt in range(3):
            key = str(uuid.uuid4())
            answer = http.post("/pay", json=order, headers={"Idempotency-Key": key})
            if answer.ok:
                return answer
    """
    outside = inside.replace("    for attempt", "    key = make(order)\n        for attempt").replace(
        "            key = str(uuid.uuid4())\n", "            pass\n"
    )
    assert checked(tmp_path, inside) == [(3, "per-attempt-key")]
    assert checked(tmp_path, outside) == []


def test_a_loop_over_items_makes_a_key_for_each_of_them(tmp_path: Path) -> None:
    text = """\
    def pay_all(client, orders):
        for order in orders:
            try:
                client.charge(order, idempotency_key=str(uuid.uuid4()))
            except TimeoutError:
                log.warning("lost")
    """
    assert checked(tmp_path, text) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return self.http.post('/pay', json=body)", [(2, "dropped-key")]),
        ("return self.http.post('/pay', json=body, headers={'Idempotency-Key': idempotency_key})", []),
        ("raise NotImplementedError", []),
        ("...", []),
        ("self.calls.append(body)", []),
        ("return (lambda: self.http.post('/pay', json=body, key=idempotency_key))()", []),
    ],
)
def test_a_key_that_is_taken_must_be_sent(body: str, found: list[tuple[int, str]], tmp_path: Path) -> None:
    text = f"class Bank:\n    def pay(self, body, idempotency_key=None):\n        {body}\n"
    assert checked(tmp_path, text) == found
