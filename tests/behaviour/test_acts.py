"""What each call is for: writes, questions, claims, locks, and records of our own."""

import textwrap

import pytest

from stepcheck.behaviour.calls.act import Act, Deed
from stepcheck.behaviour.calls.acts import acts
from stepcheck.behaviour.context import study
from stepcheck.code.flow import read_flows
from stepcheck.facts import Evidence


def told(text: str, function: int = 1) -> list[Act]:
    """The acts of a function of the text, each once."""
    context = study(read_flows("a.py", textwrap.dedent(text).encode()))
    found = acts(context, context.file.flows[function])
    return list({(act.span, act.deed): act for act in found}.values())


def deeds(body: str) -> list[tuple[str, str]]:
    """The names and deeds of a function's acts, but for what is harmless."""
    text = "def f(x, y, z):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return [(act.name, act.deed.value) for act in told(text) if act.deed is not Deed.HARMLESS]


@pytest.mark.parametrize(
    ("call", "weak"),
    [
        ("square.charge(x, 5)", False),
        ("psp.charge(x, 5, timeout=30)", False),
        ("warehouse.ship(x)", False),
        ("backend.send(x)", False),
        ("cluster.submit(job=x)", False),
        ("slack.post(x, y)", False),
        ("flights.reserve(x)", False),
        ("einvoice_network.submit(x)", False),
        ("provider.refund(x, 5)", False),
        ("self._api.place_order(x)", False),
        ("api.orders.create(x)", False),
        ("twilio_client.messages.create(to=x, body=y)", False),
        ("stripe.PaymentIntent.create(amount=x)", False),
        ("mailer.send(x)", False),
        ("send_welcome(x)", False),
        ("shop.voucher(x, idempotency_key=y)", False),
        ("send_sms.delay(x)", False),
        ("producer.produce('orders', x)", False),
        ("requests.post('https://pay.example/orders', json=x)", False),
        ("create_invoice(x)", True),
        ("team.add_credit(x)", True),
        ("order.ship()", True),
    ],
)
def test_what_a_repeat_does_once_more_outside_is_a_write(call: str, weak: bool) -> None:
    (act,) = told(f"def f(x, y):\n    {call}\n")
    assert (act.deed, act.weak) == (Deed.WRITE, weak)


@pytest.mark.parametrize(
    "call",
    [
        "json.loads(x)",
        "', '.join(x)",
        "timedelta(minutes=5)",
        "x.decode()",
        "logger.info(x)",
        "metrics.incr('a')",
        "x.headers.get('a')",
        "RetryPolicy(maximum_attempts=3)",
        "self.seen.add(x)",
        "render_digest(x)",
        "asyncio.create_task(x)",
        "uuid4()",
        "insert(Payment)",
        "transaction.atomic()",
        "create_task(x)",
    ],
)
def test_what_computes_logs_or_stays_in_memory_is_harmless(call: str) -> None:
    assert {act.deed for act in told(f"def f(self, x):\n    {call}\n")} == {Deed.HARMLESS}


@pytest.mark.parametrize(
    "call", ["sock.send(x)", "order_paid.send(sender=x)", "executor.submit(x)", "form.submit(x)"]
)
def test_wires_signals_and_executors_are_nobody_outside(call: str) -> None:
    (act,) = told(f"def f(x):\n    {call}\n")
    assert act.deed is Deed.OPAQUE or act.weak


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "order = Order.objects.get(pk=x)\norder.delete()",
            [("Order.objects.get", "lookup"), ("order.delete", "delete")],
        ),
        (
            "sale = session.get(Sale, x)\nsale.closed_at = y",
            [("session.get", "lookup"), ("sale.closed_at", "record")],
        ),
        ("session.delete(x)", [("session.delete", "delete")]),
        (
            "rows = session.query(Order).filter_by(a=x).all()",
            [
                ("session.query", "lookup"),
                ("session.query().filter_by", "lookup"),
                ("session.query().filter_by().all", "lookup"),
            ],
        ),
        ("session.execute(insert(Payment).values(id=x))", [("session.execute", "record")]),
        ("cur.execute('SELECT 1 FROM jobs')", [("cur.execute", "lookup")]),
        ("cur.execute('DELETE FROM jobs')", [("cur.execute", "delete")]),
        ("cur.execute('COMMIT')", [("cur.execute", "commit")]),
        ("db.payments.insert_one({'_id': x})", [("db.payments.insert_one", "record")]),
        ("mark_sent(x)", [("mark_sent", "record")]),
        ("save(x)", [("save", "record")]),
        ("already_processed(x)", [("already_processed", "lookup")]),
        ("Team.by_customer(x)", [("Team.by_customer", "lookup")]),
        ("Order.create(total=x)", [("Order.create", "record")]),
        ("ledger.begin(x, y)", [("ledger.begin", "record")]),
        ("msg.ack()", [("msg.ack", "ack")]),
        ("consumer.commit()", [("consumer.commit", "ack")]),
        ("sqs.delete_message(QueueUrl=x, ReceiptHandle=y)", [("sqs.delete_message", "ack")]),
        ("session.commit()", [("session.commit", "commit")]),
        ("time.sleep(5)", [("time.sleep", "pause")]),
        ("journal[x] = y", [("journal", "record")]),
        ("requests.put(f'{PSP}/bills/{x}')", [("requests.put", "sets")]),
        ("requests.post('https://x.example/search', json=y)", [("requests.post", "asks")]),
        ("cluster.get(x)", [("cluster.get", "asks")]),
        ("sqs.receive_message(QueueUrl=x)", [("sqs.receive_message", "asks")]),
        ("api.create_repo(x)", [("api.create_repo", "write")]),
        ("api.create_repo(x, exist_ok=True)", [("api.create_repo", "sets")]),
        ("api.create_repo(x, exist_ok=y)", [("api.create_repo", "write")]),
    ],
)
def test_rows_of_our_own_are_read_changed_and_deleted(body: str, expected: list[tuple[str, str]]) -> None:
    assert deeds(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("_, made = Event.objects.get_or_create(id=x)\nif not made:\n    return", "claim"),
        ("row, _ = Event.objects.get_or_create(id=x)\nuse(row)", "record"),
        ("if not Event.objects.get_or_create(id=x)[1]:\n    return", "claim"),
        ("if not Bill.objects.filter(pk=x, state='open').update(state='settling'):\n    return", "claim"),
        ("Bill.objects.filter(pk=x, state='open').update(state='settling')", "record"),
        ("n = Bill.objects.filter(pk=x).update(state='settling')\nif not n:\n    return", "record"),
        ("if not redis.set(x, 1, nx=True):\n    return", "claim"),
        ("redis.set(x, 1, nx=True)", "record"),
        ("if not cache.add(x, 1):\n    return", "claim"),
        ("try:\n    Event.objects.create(id=x)\nexcept IntegrityError:\n    return", "claim"),
        ("Event.objects.create(id=x)", "record"),
        ("table.put_item(Item=x, ConditionExpression='attribute_not_exists(id)')", "claim"),
        ("if not claim_event(x):\n    return", "claim"),
        ("claim_event(x)", "record"),
        (
            "d = jobs.find_one_and_update({'state': 'new'}, {'$set': {'state': 'run'}})\nif d is None:\n    return",
            "claim",
        ),
        (
            "cur.execute('INSERT INTO a(id) VALUES (1) ON CONFLICT DO NOTHING')\nif cur.rowcount == 0:\n    return",
            "claim",
        ),
        (
            "cur.execute('UPDATE a SET state = 1 WHERE state = 0 AND id = 3')\nif not cur.rowcount:\n    return",
            "claim",
        ),
        ("cur.execute('UPDATE a SET state = 1 WHERE id = 3')\nif not cur.rowcount:\n    return", "record"),
        ("Email.objects.select_for_update()", "lock"),
        ("acquire_lock(x)", "lock"),
    ],
)
def test_a_claim_is_one_only_where_somebody_looks_who_was_first(body: str, expected: str) -> None:
    found = [deed for name, deed in deeds(body) if not name.endswith((".filter", "use"))]
    assert found == [expected]


def test_a_commit_that_refuses_duplicates_is_both_a_claim_and_a_commit() -> None:
    body = """\
        def f(s, event):
            try:
                s.add(Event(id=event))
                s.commit()
            except IntegrityError:
                s.rollback()
        """
    found = [(act.name, act.deed) for act in told(body) if act.deed is not Deed.HARMLESS]
    assert found == [
        ("s.add", Deed.CLAIM),
        ("s.commit", Deed.CLAIM),
        ("s.commit", Deed.COMMIT),
        ("s.rollback", Deed.ROLLBACK),
    ]


@pytest.mark.parametrize(
    ("body", "subject", "states"),
    [
        ("for mail in Email.objects.filter(a=x):\n    mail.status = 'sent'", "Email", ("sent",)),
        ("row = Sale.objects.get(pk=x)\nrow.closed_at = now()", "Sale", ("closed",)),
        ("cart.status = Status.PAID", "cart", ("paid",)),
        ("cur.execute(\"UPDATE jobs SET state = 'done' WHERE id = 1\")", "jobs", ("done",)),
        ("cur.execute(SQL)", "outbox", ()),
        ("session.add(Payment(status='pending'))", "Payment", ()),
        ("mark_as_paid(x)", "", ("paid",)),
        ("Order.objects.create(key=x, state='pending')", "Order", ("pending",)),
        ("boto3.resource('dynamodb').Table('events').put_item(Item=x)", "events", ()),
    ],
)
def test_a_record_says_of_what_it_is_and_how_far_it_has_come(
    body: str, subject: str, states: tuple[str, ...]
) -> None:
    text = "SQL = 'INSERT INTO outbox(id) VALUES (1)'\ndef f(x):\n" + textwrap.indent(body, "    ")
    found = [act for act in told(text) if act.deed is Deed.RECORD]
    assert [(act.subject, act.states) for act in found] == [(subject, states)]


def test_a_call_is_told_why() -> None:
    act, *_ = told("import stripe\ndef f(x):\n    stripe.Refund.create(charge=x)\n")
    assert (act.evidence, act.why) == (Evidence.KNOWN, "'stripe.Refund.create' does it once more")
    act, *_ = told("def f(x):\n    bank.transfer(x)\n")
    assert (act.evidence, act.why) == (Evidence.NAME, "'transfer' in its name")


def test_an_alias_and_an_attribute_of_the_class_are_followed() -> None:
    body = """\
        import httpx, stripe
        class Client:
            def __init__(self):
                self.api = httpx.Client()
            def go(self, x):
                self.api.post("/orders", json=x)
                customer = stripe.Customer
                customer.create(email=x)
        """
    context = study(read_flows("a.py", textwrap.dedent(body).encode()))
    go = next(flow for flow in context.file.flows if flow.name == "go")
    assert [(act.name, act.deed, act.evidence) for act in acts(context, go)] == [
        ("self.api.post", Deed.WRITE, Evidence.KNOWN),
        ("customer.create", Deed.WRITE, Evidence.KNOWN),
    ]


def test_a_variable_that_holds_itself_comes_to_an_end() -> None:
    body = """\
        def f(task, items):
            n = m = 0
            for item in items:
                n = n + m
                m = m + n
                ledger.begin(task, n, f"{m}{n}")
        """
    assert [act.deed for act in told(body)] == [Deed.RECORD]


def test_a_session_that_is_typed_commits_and_reads_rows_of_the_model() -> None:
    body = """\
        from sqlalchemy.orm import Session
        def f(db: Session, order_id: int):
            order = db.get(Order, order_id)
            order.total = 5
            db.commit()
            db.rollback()
        """
    assert [(act.name, act.deed.value, act.subject) for act in told(body)] == [
        ("db.get", "lookup", "Order"),
        ("order.total", "record", "Order"),
        ("db.commit", "commit", "db"),
        ("db.rollback", "rollback", "db"),
    ]


@pytest.mark.parametrize(
    ("call", "deed"),
    [
        ("ec2.run_instances(MinCount=1)", "write"),
        ("redis_client.hset('a', 'b', 1)", "record"),
        ("r.sadd('seen', x)", "record"),
        ("if r.sadd('seen', x) == 0: return", "claim"),
        ("r.sismember('seen', x)", "lookup"),
        ("self.journal.write(x)", "record"),
        ("notion.pages.create(x)", "write"),
        ("redis.xreadgroup('a', 'b', x)", "asks"),
        ("client.chat.completions.create(model=x)", "asks"),
        ("llm.write_briefing(x)", "asks"),
    ],
)
def test_what_an_object_is_called_tells_which_library_it_is_of(call: str, deed: str) -> None:
    (act,) = told(f"def f(self, x):\n    {call}\n")
    assert act.deed.value == deed
