"""Writes that are begun again, or abandoned, though they may have been done; and those that never end."""

import pytest

from tests.behaviour.families import marked, whole

RULES = (
    "unqueried-uncertain",
    "unproven-absence",
    "retried-duplicate",
    "abandoned-thread",
    "missing-timeout",
)


def found(text: str) -> list[tuple[int, str]]:
    """Where the rules of this family speak, each line and rule once."""
    return sorted({(problem.span.line, name) for name, problem in whole(text, RULES)})


def message(text: str, rule: str) -> list[str]:
    return [problem.message for _, problem in whole(text, (rule,))]


AGAIN = """\
import requests
def run_step(step, params, ledger):
    row = ledger.find(step.key)
    if row and row.status == "done":
        return row.output
    if row and row.status == "uncertain":
        log.warning("running again")
    ledger.mark_uncertain(step.key)
    out = step.call(params)  # unqueried-uncertain
    ledger.mark_done(step.key)
    return out
def run_step2(step_def, params, ledger):
    row = ledger.find(step_def.key)
    if row is not None and row.status == Status.UNCERTAIN:
        found = step_def.query(params)
        if found is not None:
            return found
    ledger.record(step_def.key, "uncertain")
    return step_def.call(params)  # unproven-absence
def sweep(db):
    for row in db.execute("SELECT * FROM payouts WHERE status = 'unknown'"):
        requests.post("https://psp/payouts", json=row.body, timeout=5)  # unqueried-uncertain
def sweep2():
    for p in Payment.objects.filter(status="uncertain"):
        stripe.PaymentIntent.create(amount=p.amount)  # unqueried-uncertain
        p.status = "done"
def charge(order):
    for _ in range(3):
        try:
            return psp.charge(order.card, order.total)  # unqueried-uncertain
        except requests.Timeout:
            order.status = "unknown"
            order.save()
def charge2(order):
    try:
        return psp.charge(order.card, order.total)
    except requests.Timeout:
        found = psp.find_charge(order.ref)
        if found:
            return found
        return psp.charge(order.card, order.total)  # unproven-absence
async def charge3(order):
    for _ in range(3):
        try:
            return await client.post("/orders", json=order)  # unproven-absence
        except httpx.ReadTimeout:
            if await order_exists(order.ref):
                return
def resume(payment):
    if payment.state == PaymentState.UNKNOWN:
        gateway.charge(payment.card, payment.amount)  # unqueried-uncertain
def resume2(payment):
    if payment.status != "in_doubt":
        return
    gateway.charge(payment.card, payment.amount)  # unqueried-uncertain
def recover(ledger):
    for step in ledger.uncertain_steps():
        step.call(step.params)  # unqueried-uncertain
import requests
class Api:
    def submit(self, order):
        try:
            return self.session.post("/orders", json=order)
        except requests.ReadTimeout:
            if not self.order_exists(order["ref"]):
                return self.submit(order)  # unproven-absence
def invoice(api, x):
    while True:
        try:
            return api.create_invoice(x)  # unproven-absence
        except requests.ConnectionError:
            existing = api.find_invoice(x.ref)
            if existing is not None:
                return existing
            time.sleep(2)
def pay(ref, body):
    try:
        return requests.post(PSP, json=body)
    except requests.Timeout:
        seen = requests.get(f"{PSP}/payments/{ref}")
        if seen.status_code == 404:
            return requests.post(PSP, json=body)  # unproven-absence
def settle(row, psp):
    if row.status == "uncertain":
        charge = psp.get_charge(row.ref)
        if charge:
            return charge
    return psp.charge(row.card, row.cents)  # unproven-absence
def step(ledger, key):
    if ledger.is_uncertain(key):
        log.info("again")
    return client.post("/orders", json=key)  # unqueried-uncertain
def sweep(session):
    for row in session.query(Step).filter(Step.status == "uncertain"):
        mailer.send(row.mail)  # unqueried-uncertain
def sweep2(cur):
    cur.execute("SELECT id, body FROM steps WHERE status = %s", ("in_doubt",))
    for row in cur.fetchall():
        client.post("/orders", json=row[1])  # unqueried-uncertain
async def sweep3(repo):
    for payout in await repo.find_by_status(PayoutStatus.UNKNOWN):
        await bank.transfer(payout.iban, payout.cents)  # unqueried-uncertain
def resume(task):
    step = task.current
    if step["state"] in ("uncertain", "in_flight"):
        step["attempt"] += 1
    return step["call"](step["params"])  # unqueried-uncertain
"""
THERE = """\
import tenacity
from django.db import IntegrityError, DatabaseError
from sqlalchemy.exc import SQLAlchemyError
@app.task(bind=True, max_retries=5)
def send_sms(self, service_id, to, text):
    try:
        note = Notification(id=uuid.uuid4(), service_id=service_id, to=to)
        db.session.add(note); db.session.commit()
        deliver_sms.delay(str(note.id), text)
    except SQLAlchemyError as exc:  # retried-duplicate
        raise self.retry(exc=exc)
@shared_task(bind=True)
def record(self, event):
    try:
        Payment.objects.create(event_id=event["id"])
    except IntegrityError as exc:  # retried-duplicate
        raise self.retry(exc=exc, countdown=5)
@app.task(autoretry_for=(IntegrityError, ConnectionError), max_retries=3)  # retried-duplicate
def record2(event):
    Payment.objects.create(event_id=event["id"])
@tenacity.retry(retry=tenacity.retry_if_exception_type(IntegrityError), stop=stop)  # retried-duplicate
def record3(conn, event):
    conn.execute("INSERT INTO events (id, body) VALUES (?, ?)", (event.id, event.body))
@backoff.on_exception(backoff.expo, SQLAlchemyError, max_tries=5)  # retried-duplicate
def record5(session, event_id):
    session.add(Event(id=event_id))
    session.commit()
@app.task(autoretry_for=(DatabaseError,), max_retries=3)  # retried-duplicate
def record6(event):
    Payment.objects.create(event_id=event["id"])
def record4(session, event):
    for attempt in range(3):
        try:
            session.add(Event(id=event.id))
            session.commit()
            return
        except DatabaseError:  # retried-duplicate
            session.rollback()
            time.sleep(1)
def record5(cur, event):
    while True:
        try:
            cur.execute("INSERT INTO events (id) VALUES (%s)", (event.id,))
            break
        except psycopg2.IntegrityError:  # retried-duplicate
            conn.rollback()
            time.sleep(1)
@backoff.on_exception(backoff.expo, (IntegrityError, OperationalError), max_tries=5)  # retried-duplicate
def record6(session, order):
    session.execute(insert(Order).values(id=order.id))
    session.commit()
async def record7(coll, event):
    for _ in range(5):
        try:
            return await coll.insert_one({"_id": event.id})
        except (DuplicateKeyError, AutoReconnect):  # retried-duplicate
            await asyncio.sleep(1)
"""
THREADS = """\
import asyncio, threading, concurrent.futures, requests
async def pay(order):
    try:
        await asyncio.wait_for(asyncio.to_thread(psp.charge, order.card, order.total), timeout=10)  # abandoned-thread
    except asyncio.TimeoutError:
        order.status = "failed"
        await order.save()
async def pay2(order):
    loop = asyncio.get_running_loop()
    for attempt in range(3):
        try:
            return await asyncio.wait_for(loop.run_in_executor(None, charge_card, order), 5)  # abandoned-thread
        except asyncio.TimeoutError:
            continue
def charge_card(order):
    return requests.post("https://psp/charges", json=order.body)
def pay3(order):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        future = pool.submit(stripe.Charge.create, amount=order.total)
        try:
            return future.result(timeout=10)  # abandoned-thread
        except concurrent.futures.TimeoutError:
            raise PaymentFailed(order.id)
def pay4(order):
    t = threading.Thread(target=charge_card, args=(order,))
    t.start()
    t.join(timeout=5)  # abandoned-thread
    if t.is_alive():
        order.status = "failed"
        order.save()
async def pay5(order):
    try:
        async with asyncio.timeout(5):  # abandoned-thread
            await asyncio.to_thread(requests.post, "https://psp/charges", json=order.body)
    except TimeoutError:
        return {"status": "failed"}
class Gateway:
    def _send(self, order):
        return self.client.post("/orders", json=order)
    def place(self, order):
        for n in range(3):
            fut = self.executor.submit(self._send, order)
            try:
                return fut.result(5)  # abandoned-thread
            except FutureTimeout:
                log.warning("again")
@retry(stop=stop_after_attempt(3))
async def pay6(order):
    return await asyncio.wait_for(run_in_threadpool(gateway.transfer, order), timeout=3)  # abandoned-thread
def pay7(order):
    res = pool.apply_async(mailer.send, (order,))
    try:
        res.get(timeout=5)  # abandoned-thread
    except multiprocessing.TimeoutError:
        order.state = "FAILED"
def pay8(order):
    fut = executor.submit(lambda: psp.charge(order.card, order.total))
    try:
        fut.result(timeout=3)  # abandoned-thread
    except TimeoutError:
        fut.cancel()
        return jsonify({"error": "Payment failed"}), 402
import anyio, asyncio, concurrent.futures
async def a(order):
    try:
        with anyio.fail_after(5):  # abandoned-thread
            await anyio.to_thread.run_sync(psp.charge, order.card)
    except TimeoutError:
        order.status = "failed"
async def b(order):
    task = asyncio.ensure_future(asyncio.to_thread(psp.charge, order.card))
    done, pending = await asyncio.wait({task}, timeout=5)  # abandoned-thread
    if task in pending:
        order.status = "failed"
def c(order, loop):
    future = asyncio.run_coroutine_threadsafe(gateway.transfer(order.iban, order.cents), loop)
    try:
        return future.result(timeout=10)  # abandoned-thread
    except concurrent.futures.TimeoutError:
        raise TransferFailed(order.id)
async def d(order):
    try:
        await asyncio.wait_for(sync_to_async(psp.charge)(order.card), 5)  # abandoned-thread
    except asyncio.TimeoutError:
        return {"status": "failed"}
def e(order):
    with ThreadPoolExecutor() as pool:
        fut = pool.submit(functools.partial(psp.charge, order.card))
        done, not_done = concurrent.futures.wait([fut], timeout=5)  # abandoned-thread
        if not_done:
            order.mark_failed()
"""
UNBOUNDED = """\
import requests, urllib.request, smtplib, httpx, aiohttp, http.client
def a(order):
    return requests.post("https://psp/charges", json=order)  # missing-timeout
def b(order):
    s = requests.Session()
    return s.post("https://psp/charges", json=order)  # missing-timeout
def c(data):
    urllib.request.urlopen("https://psp/charges", data=data)  # missing-timeout
def d(msg):
    with smtplib.SMTP("mail") as smtp:
        smtp.send_message(msg)  # missing-timeout
def e(order):
    with httpx.Client(timeout=None) as client:
        client.post("https://psp/charges", json=order)  # missing-timeout
def f(order):
    httpx.post("https://psp/charges", json=order, timeout=None)  # missing-timeout
async def g(order):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as session:
        await session.post("https://psp/charges", json=order)  # missing-timeout
def h(order):
    requests.delete(f"https://psp/charges/{order}")  # missing-timeout
def i(order):
    requests.request("PUT", f"https://psp/charges/{order}", json={})  # missing-timeout
def j(body):
    conn = http.client.HTTPSConnection("psp")
    conn.request("POST", "/charges", body)  # missing-timeout
def k(order):
    requests.post("https://psp/charges", json=order, timeout=None)  # missing-timeout
class C:
    def __init__(self):
        self.session = requests.Session()
    def pay(self, o):
        self.session.post(self.url, json=o)  # missing-timeout
"""
ASKED = """\
import requests
def run_step(step, params, ledger):
    row = ledger.find(step.key)
    if row and row.status == "done":
        return row.output
    if row and row.status == "uncertain":
        raise NeedsHuman(step.key)
    ledger.mark_uncertain(step.key)
    return step.call(params)
def run_step2(step_def, params, ledger):
    row = ledger.find(step_def.key)
    if row is not None and row.status == Status.UNCERTAIN:
        found = step_def.query(params)
        if found is not None:
            return found
        raise NeedsHuman()
    return step_def.call(params)
def sweep(db):
    for row in db.execute("SELECT * FROM payouts WHERE status = 'unknown'"):
        seen = requests.get(f"https://psp/payouts/{row.ref}", timeout=5)
        if seen.status_code == 200:
            db.execute("UPDATE payouts SET status = 'done' WHERE id = ?", (row.id,))
        else:
            inbox.add(row)
def sweep2():
    for p in Payment.objects.filter(status="pending"):
        stripe.PaymentIntent.create(amount=p.amount)
def charge2(order):
    try:
        return psp.charge(order.card, order.total)
    except requests.Timeout:
        found = psp.find_charge(order.ref)
        if found:
            return found
        raise
def charge4(order):
    try:
        return psp.charge(order.card, order.total)
    except requests.Timeout:
        time.sleep(LATE_BOUND)
        found = psp.find_charge(order.ref)
        if found:
            return found
        return psp.charge(order.card, order.total)
def charge5(order):
    try:
        return psp.charge(order.card, order.total, idempotency_key=order.ref)
    except requests.Timeout:
        found = psp.find_charge(order.ref)
        if found:
            return found
        return psp.charge(order.card, order.total, idempotency_key=order.ref)
def charge6(orders):
    for order in orders:
        try:
            psp.charge(order.card, order.total)
        except requests.RequestException:
            order.status = "unknown"
            order.save()
def charge7(orders):
    for order in orders:
        try:
            psp.charge(order.card, order.total)
        except requests.RequestException:
            if psp.find_charge(order.ref):
                continue
            inbox.add(order)
def charge8(order):
    try:
        return psp.charge(order.card, order.total)
    except requests.ConnectTimeout:
        if not psp.find_charge(order.ref):
            return psp.charge(order.card, order.total)
def device(d):
    if d.state == "unknown":
        log.warning("odd")
    client.post("/telemetry", json=d)
def device2(d):
    if d.state == "unknown":
        d.state = client.get_state(d)
        client.post("/x", json=d)
def settle(payment):
    if payment.state == "unknown":
        if not gateway.get_charge(payment.ref):
            raise Unsettled()
        return
    gateway.charge(payment.card, payment.amount)
import requests
def invoice(api, x):
    while True:
        try:
            return api.create_invoice(x)
        except requests.ConnectionError:
            raise Unknown(x)
def settle(row, psp):
    if row.status == "uncertain":
        charge = psp.get_charge(row.ref)
        if charge:
            return charge
        inbox.add(row)
        return None
    return psp.charge(row.card, row.cents)
def step(ledger, key):
    if ledger.is_uncertain(key):
        raise NeedsHuman(key)
    return client.post("/orders", json=key)
def sweep(session):
    for row in session.query(Step).filter(Step.status == "uncertain"):
        if provider.find_message(row.ref):
            row.status = "done"
        else:
            row.status = "needs_review"
def orders(session):
    for row in session.query(Order).filter(Order.status == "confirmed"):
        mailer.send(row.mail)
def page(api, x):
    for _ in range(3):
        try:
            return api.fetch_page(x)
        except requests.ConnectionError:
            time.sleep(2)
def probe(host):
    if host.state == "unknown":
        host.state = check(host)
    notify_ops(host)
def claims_after_asking(row, psp):
    if row.status == "uncertain":
        if psp.find_charge(row.ref):
            return
        made, created = Charge.objects.get_or_create(ref=row.ref)
        if not created:
            return
    psp.charge(row.card, row.cents)
"""
NEW = """\
from django.db import IntegrityError, DatabaseError, OperationalError
from sqlalchemy.exc import SQLAlchemyError
@app.task(bind=True, max_retries=5)
def send_sms(self, notification_id, service_id, to, text):
    try:
        db.session.add(Notification(id=notification_id, service_id=service_id, to=to))
        db.session.commit()
    except IntegrityError:
        db.session.rollback()
        return
    except OperationalError as exc:
        raise self.retry(exc=exc)
    deliver_sms.delay(notification_id, text)
@app.task(bind=True, max_retries=3)
def poll(self, job_id):
    AttemptLog.objects.create(id=uuid.uuid4(), job_id=job_id, try_no=self.request.retries)
    if client.state(job_id) != "done":
        raise self.retry(countdown=30)
@backoff.on_exception(backoff.expo, OperationalError, max_tries=5)
def record5(session, event_id):
    session.add(Event(id=event_id))
    session.commit()
@backoff.on_exception(backoff.expo, SQLAlchemyError, max_tries=5)
def record6(session, event):
    session.add(Event(id=uuid.uuid4(), body=event))
    session.commit()
@backoff.on_exception(backoff.expo, SQLAlchemyError, max_tries=5)
def record7(session, event_id):
    return session.get(Event, event_id)
def slug(title):
    for n in range(10):
        try:
            return Page.objects.create(slug=make_slug(title, n))
        except IntegrityError:
            continue
def code():
    while True:
        try:
            token = secrets.token_hex(4)
            return Invite.objects.create(code=token)
        except IntegrityError:
            pass
def get_or_make(name):
    for _ in range(3):
        found = Tag.objects.filter(name=name).first()
        if found:
            return found
        try:
            return Tag.objects.create(name=name)
        except IntegrityError:
            continue
def rows(session, items):
    for item in items:
        try:
            session.add(Row(id=item.id))
            session.commit()
        except IntegrityError:
            session.rollback()
def upsert(cur, event):
    for _ in range(3):
        try:
            cur.execute("INSERT INTO events (id) VALUES (%s) ON CONFLICT DO NOTHING", (event.id,))
            break
        except psycopg2.DatabaseError:
            time.sleep(1)
def looked(session, event):
    for _ in range(3):
        try:
            session.add(Event(id=event.id))
            session.commit()
            return
        except SQLAlchemyError as e:
            if isinstance(e, IntegrityError):
                return
            session.rollback()
@app.task(autoretry_for=(OperationalError,), max_retries=3)
def record2(event):
    Payment.objects.create(event_id=event["id"])
@app.task(bind=True)
def record3(self, event):
    try:
        Payment.objects.create(event_id=event["id"])
    except IntegrityError:
        log.info("there already")
    except DatabaseError as exc:
        raise self.retry(exc=exc)
@app.task(bind=True)
def upd(self, event):
    try:
        Payment.objects.filter(pk=1).update(x=2)
    except DatabaseError as exc:
        raise self.retry(exc=exc)
"""
WAITED = """\
import asyncio, threading, concurrent.futures, requests
async def a(order):
    try:
        return await asyncio.wait_for(asyncio.to_thread(compute, order), timeout=10)
    except asyncio.TimeoutError:
        order.status = "failed"
async def b(order):
    try:
        return await asyncio.wait_for(asyncio.to_thread(requests.get, order.url), timeout=10)
    except asyncio.TimeoutError:
        order.status = "failed"
async def c(order):
    try:
        await asyncio.wait_for(asyncio.to_thread(psp.charge, order.card), timeout=10)
    except asyncio.TimeoutError:
        order.status = "unknown"
        await order.save()
def d(order):
    fut = pool.submit(psp.charge, order)
    try:
        return fut.result(timeout=5)
    except TimeoutError:
        if psp.find_charge(order.ref):
            return
        raise
def e(order):
    fut = pool.submit(psp.charge, order)
    return fut.result()
def f(order):
    t = threading.Thread(target=psp.charge, args=(order,))
    t.start()
    t.join()
async def g(order):
    return await asyncio.wait_for(asyncio.to_thread(psp.charge, order), timeout=10)
async def h(order):
    try:
        await asyncio.wait_for(asyncio.to_thread(psp.charge, order.card), timeout=None)
    except CardDeclined:
        order.status = "failed"
def i(orders):
    futs = [pool.submit(psp.charge, o) for o in orders]
    for fut in futs:
        try:
            fut.result(timeout=5)
        except TimeoutError:
            log.warning("slow")
def j(order):
    fut = pool.submit(psp.charge, order)
    try:
        return fut.result(timeout=5)
    except TimeoutError:
        fut.add_done_callback(note)
        order.status = "failed"
def k(order):
    t = threading.Thread(target=render, args=(order,))
    t.start(); t.join(5)
    if t.is_alive():
        order.status = "failed"
def l(order):
    fut = pool.submit(psp.charge, order)
    try:
        fut.result(timeout=5)
    except CardDeclined:
        order.status = "failed"
async def m(order):
    try:
        await asyncio.wait_for(asyncio.to_thread(psp.charge, order.card), timeout=10)
    except asyncio.TimeoutError as e:
        raise OutcomeUnknown(order) from e
import anyio, asyncio, concurrent.futures
async def b(order):
    task = asyncio.ensure_future(asyncio.to_thread(psp.charge, order.card))
    done, pending = await asyncio.wait({task}, timeout=5)
    if task in pending:
        await task
async def b2(order):
    task = asyncio.ensure_future(asyncio.to_thread(psp.charge, order.card))
    done, pending = await asyncio.wait({task}, timeout=5)
    if pending:
        order.status = "unknown"
async def c(order):
    with anyio.fail_after(5):
        await anyio.to_thread.run_sync(psp.charge, order.card)
async def d(order):
    try:
        await asyncio.wait_for(psp.charge(order.card), 5)
    except asyncio.TimeoutError:
        order.status = "unknown"
def e(order):
    fut = pool.submit(psp.charge, order.card)
    done, not_done = concurrent.futures.wait([fut])
    if not_done:
        order.mark_failed()
"""
BOUNDED = """\
import requests, urllib.request, smtplib, httpx, aiohttp, http.client
def a(order):
    return requests.post("https://psp/charges", json=order, timeout=10)
def b(order, **kw):
    return requests.post("https://psp/charges", json=order, **kw)
def c():
    urllib.request.urlopen("https://psp/charges")
def d(msg):
    with smtplib.SMTP("mail", timeout=10) as smtp:
        smtp.send_message(msg)
def e(order):
    with httpx.Client() as client:
        client.post("https://psp/charges", json=order)
def f(order):
    httpx.post("https://psp/charges", json=order)
async def g(order):
    async with aiohttp.ClientSession() as session:
        await session.post("https://psp/charges", json=order)
def h(order, client):
    client.post("https://psp/charges", json=order)
def i(order):
    requests.get("https://psp/charges")
def j(order):
    requests.post("https://psp/charges/search", json=order)
async def k(order):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None, sock_read=20)) as session:
        await session.post("https://psp/charges", json=order)
def l(order):
    with httpx.Client(timeout=None) as client:
        client.post("https://psp/charges", json=order, timeout=5)
def m(order, t=None):
    requests.post("https://psp/charges", json=order, timeout=t)
def n(data):
    urllib.request.urlopen("https://psp/charges", data, 10)
"""


def test_an_uncertain_write_that_is_begun_again_unasked_or_on_an_empty_answer_is_found() -> None:
    assert [one for one in found(AGAIN) if one[1].startswith("un")] == marked(AGAIN)


def test_a_retry_that_takes_the_error_of_a_row_that_is_there_is_found() -> None:
    assert [one for one in found(THERE) if one[1] == "retried-duplicate"] == marked(THERE)


def test_a_wait_for_a_thread_that_is_given_up_is_found_where_something_follows_from_it() -> None:
    assert [one for one in found(THREADS) if one[1] == "abandoned-thread"] == marked(THREADS)


def test_a_write_that_nothing_bounds_is_found_by_call_and_by_client() -> None:
    assert [one for one in found(UNBOUNDED) if one[1] == "missing-timeout"] == marked(UNBOUNDED)


@pytest.mark.parametrize("text", [ASKED, NEW, WAITED, BOUNDED], ids=["asked", "new", "waited", "bounded"])
def test_what_is_asked_made_anew_waited_for_or_bounded_is_left_alone(text: str) -> None:
    assert [one for one in found(text) if one[1] != "missing-timeout" or text is BOUNDED] == []


def test_the_messages_say_what_happens_twice_and_why() -> None:
    text = """
def resume(row, ledger):
    if row.status == "in_doubt":
        bank.transfer(row.iban, row.cents)
"""
    assert message(text, "unqueried-uncertain") == [
        "'bank.transfer' may happen twice: 'row.status' is 'in_doubt', and a path leads from there to the call "
        "without a query whether it happened"
    ]


TASK = """
{imported}
{decorator}
def notify(lead):
    {client}.post(CRM, json=lead{given})
"""


@pytest.mark.parametrize(
    ("decorator", "given", "client", "found"),
    [
        ("@app.task", "", "requests", 1),
        ("@app.task", ", timeout=5", "requests", 0),
        ("@app.task", "", "crm_session", 0),
        ("@log_calls", "", "requests", 0),
    ],
)
def test_a_library_that_is_not_imported_is_taken_for_itself_where_something_runs_the_function(
    decorator: str, given: str, client: str, found: int
) -> None:
    text = TASK.format(imported="", decorator=decorator, given=given, client=client)
    assert len(message(text, "missing-timeout")) == found


@pytest.mark.parametrize(
    ("decorator", "found"),
    [
        ("@app.task", 1),
        ("@app.task(time_limit=60)", 0),
        ("@app.task(time_limit=None)", 1),
        ('@job("emails")', 0),
        ('@job("emails", timeout=-1)', 1),
        ("@rq.decorators.job(queue)", 0),
        ("@job(every=5)", 1),
        ("@dramatiq.actor(time_limit=60)", 1),
    ],
)
def test_a_task_that_its_queue_ends_does_not_wait_for_ever(decorator: str, found: int) -> None:
    text = TASK.format(imported="import requests, rq", decorator=decorator, given="", client="requests")
    assert len(message(text, "missing-timeout")) == found


def test_a_session_with_an_adapter_of_its_own_may_be_bounded() -> None:
    text = """
import requests
def pay(order):
    session = requests.Session()
    {line}
    return session.post(PSP, json=order)
"""
    assert len(message(text.format(line="pass"), "missing-timeout")) == 1
    assert message(text.format(line="session.mount('https://', Bounded(10))"), "missing-timeout") == []


def test_a_loop_that_makes_the_row_anew_retries_no_duplicate() -> None:
    text = """
def invite(session):
    for _ in range(3):
        try:
            session.add(Invitation(code={code}))
            session.commit()
            return
        except IntegrityError:
            session.rollback()
"""
    assert message(text.format(code="secrets.token_hex(4)"), "retried-duplicate") == []
    assert len(message(text.format(code="CODE"), "retried-duplicate")) == 1
