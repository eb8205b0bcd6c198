"""The order of records, claims and writes: what is found, what is let be, and what it is said with."""

import re
from pathlib import Path

import pytest

from stepcheck.behaviour.reading import behaviour
from stepcheck.code.flow import read_flows
from stepcheck.facts.ledgering import DeliveredWrite, HeldClaim, LedgeredWrite, TransactedWrite
from stepcheck.report import Finding
from tests.behaviour.families import judged

HERE = Path(__file__).parent
OURS = {
    "call-before-ledger", "done-before-call", "stuck-claim", "effect-in-transaction", "unclaimed-lookup",
    "deleted-record", "cached-failure", "unguarded-redelivery",
}  # fmt: skip
RULE = re.compile(r"  # ([a-z]+(?:-[a-z]+)+(?:, [a-z-]+)*)$")


def snippets(name: str) -> list[str]:
    return (HERE / name).read_text("utf-8").split("\n\n--------\n\n")


def facts(text: str) -> tuple[object, ...]:
    return behaviour(read_flows("a.py", text.encode())).facts


def findings(text: str) -> list[Finding]:
    return [one for one in judged(text) if one.rule in OURS]


@pytest.mark.parametrize("text", snippets("out_of_order.txt"))
def test_what_is_out_of_order_is_found_where_it_is_marked(text: str) -> None:
    marked = [
        (number, rule)
        for number, line in enumerate(text.splitlines(), start=1)
        if (found := RULE.search(line))
        for rule in found[1].split(", ")
    ]
    assert marked
    assert sorted((one.span.line, one.rule) for one in findings(text)) == sorted(marked)


@pytest.mark.parametrize("text", snippets("in_order.txt"))
def test_what_is_in_order_is_let_be(text: str) -> None:
    assert [(one.span.line, one.rule) for one in findings(text)] == []


def test_every_rule_has_eight_examples_at_the_least() -> None:
    marked = [
        rule for text in snippets("out_of_order.txt") for rule in set(re.findall(r"[a-z]+(?:-[a-z]+)+", text))
    ]
    assert {rule for rule in OURS if marked.count(rule) < 8} == set()


PAID = """\
def pay(order):
    {before}
    charge = stripe.Charge.create(amount=order.cents, currency="eur", source=order.card)
    Payment.objects.create(order=order, charge=charge.id)
"""


@pytest.mark.parametrize(
    "before",
    [
        "Attempt.objects.create(order=order)",
        "ledger.append(order.pk)",
        "claim(order)",
        "order.state = 'paying'; order.save()",
        "lock.acquire()",
    ],
)
def test_a_record_or_a_claim_before_the_write_is_an_intent(before: str) -> None:
    assert [one.rule for one in findings(PAID.format(before="pass"))] == ["call-before-ledger"]
    assert findings(PAID.format(before=before)) == []


def test_a_record_that_is_not_saved_before_the_write_is_none() -> None:
    assert [one.rule for one in findings(PAID.format(before="order.state = 'paying'"))] == [
        "call-before-ledger"
    ]


INSIDE = """\
def place(session, order):
    {opens}:
        Order.objects.create(order=order)
        {does}
"""


@pytest.mark.parametrize(
    "opens", ["with transaction.atomic()", "with session.begin()", "with db.transaction()", "with conn"]
)
def test_what_is_under_a_transaction_is_told_from_what_is_not(opens: str) -> None:
    sends = "requests.post('https://erp.example/orders', json=order)"
    (found,) = (
        one for one in facts(INSIDE.format(opens=opens, does=sends)) if isinstance(one, TransactedWrite)
    )
    assert (found.rerun, found.keyed, found.record is not None) == (False, False, True)
    assert not [
        one
        for one in facts(INSIDE.format(opens="with suppress(KeyError)", does=sends))
        if isinstance(one, TransactedWrite)
    ]


@pytest.mark.parametrize(
    "does",
    [
        "requests.get(URL)",
        "logger.info('x')",
        "create_lines(order)",
        "order.cancel()",
        "order_paid.send(sender=1)",
    ],
)
def test_inside_a_transaction_only_what_leaves_the_database_counts(does: str) -> None:
    assert findings(INSIDE.format(opens="with transaction.atomic()", does=does)) == []


CLAIMED = """\
def hook(request):
    _, fresh = Event.objects.get_or_create(id=request.POST["id"])
    if not fresh:
        {away}
    {works}
"""


@pytest.mark.parametrize(
    ("away", "works", "left"),
    [
        ("return 'seen'", "handle_event(request)", False),
        ("return 'seen'", "psp.capture(request.POST['charge'])", False),
        ("raise Conflict()", "psp.capture(request.POST['charge'])", False),
    ],
)
def test_a_claim_stays_where_nothing_leaves_it(away: str, works: str, left: bool) -> None:
    (found,) = (one for one in facts(CLAIMED.format(away=away, works=works)) if isinstance(one, HeldClaim))
    assert (found.name, found.left, found.expires) == ("Event.objects.get_or_create", left, False)


@pytest.mark.parametrize(
    ("away", "works"),
    [
        ("pass", "handle_event(request)"),
        ("return 'seen'", "handle_event.delay(request.POST['id'])"),
        ("return 'seen'", "logger.info('new')"),
        ("return 'seen'", "send_mail('a', 'b', None, [])"),
        ("return resume(request)", "psp.capture(request.POST['charge'])"),
    ],
)
def test_a_claim_that_gates_nothing_to_be_lost_is_let_be(away: str, works: str) -> None:
    assert [
        one.rule for one in findings(CLAIMED.format(away=away, works=works)) if one.rule == "stuck-claim"
    ] == []


DELIVERED = """\
{settings}
@app.task{given}
def bill(order):
    requests.post("https://billing.example/bills", json={{"order": order}})
"""


@pytest.mark.parametrize(
    ("settings", "given", "found"),
    [
        ("", "", 0),
        ("", "(acks_late=True)", 1),
        ("", "(acks_late=False)", 0),
        ("app.conf.update(task_acks_late=True)", "", 1),
        ("app.conf.task_acks_late = True", "(acks_late=False)", 0),
        ("CELERY_TASK_ACKS_LATE = True", "", 1),
    ],
)
def test_a_task_comes_again_where_it_is_acknowledged_late(settings: str, given: str, found: int) -> None:
    text = DELIVERED.format(settings=settings, given=given)
    assert len([one for one in facts(text) if isinstance(one, DeliveredWrite)]) == found


def test_the_most_exact_rule_speaks_of_a_write() -> None:
    text = (
        "@retry_on(SerializationFailure, tries=5)\n"
        "def close(session, sale_id):\n"
        "    sale = session.get(Sale, sale_id)\n"
        "    if sale.closed_at is None:\n"
        "        network.submit(sale.document)\n"
        "        sale.closed_at = utcnow()\n"
        "    session.commit()\n"
    )
    assert [(one.span.line, one.rule) for one in findings(text)] == [(5, "effect-in-transaction")]
    (write,) = (one for one in facts(text) if isinstance(one, LedgeredWrite))
    assert write.looked is not None and write.looked.name == "sale.closed_at"


def test_a_message_says_who_does_what_and_shows_the_way() -> None:
    (found,) = findings(PAID.format(before="pass"))
    assert found.message == (
        "'stripe.Charge.create' may happen with no record of it, and once more when the work is begun again: it is "
        "recorded only afterwards, by 'Payment.objects.create'"
    )
    assert [(one.span.line, one.message) for one in found.related] == [(4, "recorded only here")]


@pytest.mark.parametrize(
    ("behind", "name"),
    [
        ("state.save_scan(made['id'], status='new')", "state.save_scan"),
        ("state.set_review(path, made['id'])\n    state.save_scan(made['id'], status='new')", "state.set_review"),
        ("state.set_path(path)\n    state.save_scan(made['id'], status='new')", "state.save_scan"),
        ("other.set_review(path, made['id'])\n    state.save_scan(made['id'], status='new')", "state.save_scan"),
        ("Scan.objects.create(path=path, made=made['id'])\n    state.save_scan(path, {})", "Scan.objects.create"),
        ("scan.sent = made['id']\n    scan.title = path\n    scan.save()", "scan.save"),
        ("scan.review = made['id']\n    session.add(scan)\n    session.commit()", "session.commit"),
    ],
)  # fmt: skip
def test_the_first_record_behind_a_write_is_named(behind: str, name: str) -> None:
    (found,) = findings(f"def begin(path, scan, state):\n    made = bank.create_review(path)\n    {behind}\n")
    assert found.rule == "call-before-ledger"
    assert found.message.endswith(f"recorded only afterwards, by {name!r}")
