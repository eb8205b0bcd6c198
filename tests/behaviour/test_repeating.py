"""What does not bear it that the unit around it is run again, and what looks like it and does."""

import textwrap

import pytest

from stepcheck.behaviour.reading import behaviour
from stepcheck.code.flow import read_flows
from stepcheck.facts import RetriedCall
from stepcheck.facts.repeating import (
    Append,
    Batch,
    BeforeSuspension,
    SecondEffect,
    StackedRetries,
    UsedInput,
)

IMPORTS = """\
import boto3, dramatiq, requests, redis
from celery import shared_task
from django.db.models import F
from langgraph.types import interrupt
from slack_sdk import WebClient
from temporalio import activity
from tenacity import retry, stop_after_attempt
"""


def facts(text: str, kind: type) -> list[object]:
    flows = read_flows("a.py", (IMPORTS + textwrap.dedent(text)).encode())
    return [fact for fact in behaviour(flows).facts if type(fact) is kind]


BATCHES = {
    "the number of the attempt is only logged": """
        @activity.defn
        async def f(rows):
            if activity.info().attempt > 1:
                log.warning("begun again")
            for row in rows:
                requests.post("https://x.example/invoices", json=row)
    """,
    "it gives up at the third attempt": """
        @shared_task(autoretry_for=(Exception,), bind=True)
        def f(self, rows):
            attempt = self.request.retries
            if attempt > 3:
                return
            for row in rows:
                requests.post("https://x.example/invoices", json=row)
    """,
    "a task retried on every exception": """
        @shared_task(autoretry_for=(Exception,))
        def f(rows):
            for row in rows:
                requests.post("https://x.example/invoices", json=row)
    """,
    "an actor, by default": """
        @dramatiq.actor
        def f(rows):
            for row in rows:
                gateway.charge(row.card)
    """,
    "a decorator around a gather": """
        @retry(stop=stop_after_attempt(3))
        async def f(people):
            await asyncio.gather(*[mailer.send(one.email) for one in people])
    """,
    "a loop over attempts": """
        def f(people):
            for attempt in range(3):
                try:
                    for one in people:
                        mailer.send(one.email)
                    return
                except Exception:
                    time.sleep(1)
    """,
    "a task that asks to be run again": """
        @app.task(bind=True)
        def f(self, rows):
            try:
                for row in rows:
                    gateway.charge(row.card)
            except Exception as exc:
                raise self.retry(exc=exc)
    """,
    "a helper": """
        @task(retries=2)
        def f(rows):
            for row in rows:
                tell(row)

        def tell(row):
            mailer.send(row.email)
    """,
    "many messages at once": """
        def handler(event, context):
            for record in event["Records"]:
                warehouse.ship(record["body"])
    """,
    "an activity": """
        @activity.defn
        async def f(rows):
            for row in rows:
                await bank.transfer(row.account, row.amount)
    """,
    "a task that is acknowledged late": """
        @shared_task(acks_late=True)
        def f(event_id):
            for guest in Guest.objects.filter(event_id=event_id):
                mailer.send(guest.email)
    """,
}


@pytest.mark.parametrize("text", BATCHES.values(), ids=BATCHES)
def test_a_write_for_each_item_of_what_is_run_again_is_a_batch(text: str) -> None:
    assert len(facts(text, Batch)) == 1


def test_a_batch_says_what_it_is_for_each_of_and_who_runs_it_again() -> None:
    [batch] = facts(BATCHES["a task retried on every exception"], Batch)
    assert isinstance(batch, Batch)
    assert (batch.name, batch.item, batch.function) == ("requests.post", "row", "f")
    assert (batch.again.who, batch.again.attempts, batch.redelivered) == ("Celery", 4, False)


NO_BATCHES = {
    "whoever listens is told of the second attempt": """
        @activity.defn
        async def f(rows):
            if activity.info().attempt > 1:
                topic.publish("begun again")
            for row in rows:
                topic.publish(row)
    """,
    "nothing runs it again": "def f(rows):\n    for row in rows:\n        mailer.send(row.email)\n",
    "a task for each": """
        @shared_task(autoretry_for=(Exception,))
        def f(rows):
            for row in rows:
                send_one.delay(row.id)
    """,
    "a key for each": """
        @shared_task(autoretry_for=(Exception,))
        def f(rows):
            for row in rows:
                client.post("/orders", json=row, headers={"Idempotency-Key": row["id"]})
    """,
    "an absolute write": """
        @shared_task(autoretry_for=(Exception,))
        def f(rows):
            for row in rows:
                requests.put(f"https://x.example/{row.id}", json=row)
    """,
    "a claim for each": """
        @shared_task(autoretry_for=(Exception,))
        def f(rows):
            for row in rows:
                if Sent.objects.get_or_create(row=row)[1]:
                    mailer.send(row.email)
    """,
    "failures stay with their item": """
        @shared_task(autoretry_for=(Exception,))
        def f(rows):
            for row in rows:
                try:
                    mailer.send(row.email)
                except Exception:
                    log.exception("x")
    """,
    "only what was never sent is retried": """
        @shared_task(autoretry_for=(ConnectTimeout,))
        def f(rows):
            for row in rows:
                mailer.send(row.email)
    """,
    "the loop comes after what is retried": """
        def f():
            for attempt in range(3):
                try:
                    rows = fetch()
                    break
                except Exception:
                    time.sleep(1)
            for row in rows:
                mailer.send(row)
    """,
}


@pytest.mark.parametrize("text", NO_BATCHES.values(), ids=NO_BATCHES)
def test_no_batch(text: str) -> None:
    assert facts(text, Batch) == []


APPENDS = {
    "F": """
        @shared_task(autoretry_for=(Exception,))
        def f(user, n):
            Account.objects.filter(pk=user).update(balance=F("balance") + n)
    """,
    "a field counted up and saved": """
        @shared_task(autoretry_for=(Exception,))
        def f(order):
            order.customer.points += order.total
            order.customer.save()
    """,
    "SQL that adds": """
        @task(retries=2)
        def f(n):
            cursor.execute("UPDATE wallet SET balance = balance + %s WHERE id = 1", (n,))
    """,
    "INSERT SELECT": """
        @retry(stop=stop_after_attempt(3))
        def f(conn, day):
            conn.execute("INSERT INTO totals SELECT day, sum(x) FROM sales GROUP BY day")
    """,
    "a data frame": """
        @task(retries=2)
        def f(frame):
            frame.write.mode("append").saveAsTable("sales")
    """,
    "$inc": """
        @dramatiq.actor
        def f(key, n):
            db.accounts.update_one({"_id": key}, {"$inc": {"balance": n}})
    """,
    "a file": """
        @shared_task(acks_late=True)
        def f(rows):
            with open("/data/export.csv", "a") as out:
                out.writelines(rows)
    """,
    "before a self.retry": """
        @app.task(bind=True)
        def f(self, key):
            stock = Stock.objects.get(pk=key)
            stock.quantity = stock.quantity - 1
            stock.save()
            try:
                warehouse.sync(key)
            except Timeout as exc:
                raise self.retry(exc=exc)
    """,
}


@pytest.mark.parametrize("text", APPENDS.values(), ids=APPENDS)
def test_an_addition_in_what_is_run_again_adds_twice(text: str) -> None:
    assert len(facts(text, Append)) == 1


NO_APPENDS = {
    "nothing runs it again": "def f(order):\n    order.points += 1\n    order.save()\n",
    "attempts are counted": """
        @shared_task(autoretry_for=(Exception,))
        def f(job):
            job.attempts += 1
            job.save()
    """,
    "a claim": """
        @shared_task(autoretry_for=(Exception,))
        def f(user, n, event):
            if not Grant.objects.get_or_create(event=event)[1]:
                return
            Account.objects.filter(pk=user).update(balance=F("balance") + n)
    """,
    "emptied before": """
        @retry(stop=stop_after_attempt(3))
        def f(conn, day):
            conn.execute("DELETE FROM totals WHERE day = %s", (day,))
            conn.execute("INSERT INTO totals SELECT day, sum(x) FROM sales GROUP BY day")
    """,
    "a transaction takes it back": """
        def f(account, n):
            for attempt in range(3):
                try:
                    with transaction.atomic():
                        account.balance += n
                        account.save()
                    return
                except OperationalError:
                    time.sleep(1)
    """,
    "a log": """
        @shared_task(acks_late=True)
        def f(rows):
            with open("/var/log/export.log", "a") as out:
                out.write("done")
    """,
    "it is looked whether it was done": """
        @shared_task(autoretry_for=(Exception,))
        def f(order):
            if order.applied:
                return
            order.points += 5
            order.applied = True
            order.save()
    """,
    "replaced": """
        @task(retries=2)
        def f(frame):
            frame.to_sql("t", engine, if_exists="replace")
    """,
    "variables and lists": """
        @task(retries=2)
        def f(lines):
            total = 0
            total += 1
            out = []
            out.append(total)
            return out
    """,
}


@pytest.mark.parametrize("text", NO_APPENDS.values(), ids=NO_APPENDS)
def test_no_addition_that_is_done_twice(text: str) -> None:
    assert facts(text, Append) == []


USED = {
    "a file of an annotated parameter": """
        @retry(stop=stop_after_attempt(3))
        def f(url, source: BinaryIO):
            requests.put(url, data=source)
    """,
    "a file opened before the loop": """
        def f(path):
            source = open(path, "rb")
            for attempt in range(3):
                try:
                    return requests.put("https://x.example", files={"file": source})
                except requests.Timeout:
                    time.sleep(1)
    """,
    "a generator": """
        def f(rows):
            items = (row for row in rows)
            for attempt in range(3):
                try:
                    for item in items:
                        api.put(item)
                    return
                except Exception:
                    time.sleep(1)
    """,
    "a file that a call hands over": """
        @retry(stop=stop_after_attempt(3))
        def f(url, source):
            requests.put(url, data=source)

        with open("chunk.bin", "rb") as opened:
            f("https://x.example", opened)
    """,
    "a buffer that a lambda closes over": """
        def f(path):
            buffer = io.BytesIO(render(path))
            return retry_call(lambda: requests.put("https://x.example", data=buffer), tries=3)
    """,
    "an argument of a task": """
        @app.task(bind=True)
        def f(self, page):
            page["text"] = "x"
            try:
                engine.put(page)
            except EngineTimeout as exc:
                raise self.retry(exc=exc)
    """,
    "a key taken out": """
        @retry(stop=stop_after_attempt(3))
        def f(params):
            return client.get(params.pop("name"))
    """,
}


@pytest.mark.parametrize("text", USED.values(), ids=USED)
def test_input_that_the_first_try_uses_up(text: str) -> None:
    assert len(facts(text, UsedInput)) == 1


NOT_USED = {
    "wound back": """
        @retry(stop=stop_after_attempt(3))
        def f(url, source: BinaryIO):
            source.seek(0)
            requests.put(url, data=source)
    """,
    "opened by each try": """
        @retry(stop=stop_after_attempt(3))
        def f(url, path):
            with open(path, "rb") as source:
                requests.put(url, data=source)
    """,
    "bytes": """
        payload = open("chunk.bin", "rb").read()

        @retry(stop=stop_after_attempt(3))
        def f(url):
            requests.put(url, data=payload)
    """,
    "a list": """
        def f(rows):
            items = [row for row in rows]
            for attempt in range(3):
                try:
                    for item in items:
                        api.put(item)
                    return
                except Exception:
                    time.sleep(1)
    """,
    "a copy": """
        @app.task(bind=True)
        def f(self, page):
            page = dict(page)
            page["text"] = "x"
            try:
                engine.put(page)
            except EngineTimeout as exc:
                raise self.retry(exc=exc)
    """,
    "new arguments": """
        @app.task(bind=True)
        def f(self, page):
            try:
                engine.put(page)
            except EngineTimeout as exc:
                page["tries"] = 1
                raise self.retry(args=[page], exc=exc)
    """,
    "only what was never sent is retried": """
        @retry(stop=stop_after_attempt(3), retry=retry_if_exception_type(ConnectTimeout))
        def f(url, fh):
            requests.put(url, data=fh)
    """,
    "keywords, which are a new dict for each try": """
        @retry(stop=stop_after_attempt(3))
        def f(**params):
            return client.get(params.pop("name"))
    """,
}


@pytest.mark.parametrize("text", NOT_USED.values(), ids=NOT_USED)
def test_input_that_is_there_for_each_try(text: str) -> None:
    assert facts(text, UsedInput) == []


SUSPENDED = {
    "before an interrupt": """
        def f(state):
            requests.post("https://x.example/orders", json=state)
            interrupt("go on?")
    """,
    "in an earlier turn": """
        def f(state):
            for step in state["steps"]:
                if interrupt(step):
                    gateway.charge(step["card"])
    """,
    "a helper interrupts": """
        def ask(question):
            return interrupt(question)

        def f(state):
            mailer.send(state["to"])
            return ask("go on?")
    """,
    "replayed code": """
        @workflow.run
        async def f(order):
            requests.post("https://x.example/orders", json=order)
            await workflow.sleep(5)
    """,
    "an elicitation is asked for": """
        async def f(order):
            await shop.place_order(order)
            raise UrlElicitationRequiredError(url="https://x.example")
    """,
    "a tool is run": """
        def f(state):
            answer = tool.invoke(state["args"])
            interrupt(answer)
    """,
}


@pytest.mark.parametrize("text", SUSPENDED.values(), ids=SUSPENDED)
def test_a_write_before_a_suspension_is_done_once_more(text: str) -> None:
    assert len(facts(text, BeforeSuspension)) == 1


NOT_SUSPENDED = {
    "behind it": """
        def f(state):
            interrupt("go on?")
            requests.post("https://x.example/orders", json=state)
    """,
    "a read": """
        def f(state):
            quote = requests.get("https://x.example/quote")
            interrupt(quote)
    """,
    "on another way": """
        def f(state):
            if state["ask"]:
                return interrupt("go on?")
            gateway.charge(state["card"])
    """,
    "an absolute write": """
        def f(state):
            requests.put("https://x.example/orders/1", json=state)
            interrupt("go on?")
    """,
    "an answer that is kept": """
        @task
        def pay(order):
            requests.post("https://x.example/orders", json=order)

        @entrypoint()
        def f(order):
            pay(order)
            interrupt("go on?")
    """,
    "an interrupt of something else": """
        def f(thread):
            mailer.send("x")
            thread.interrupt()
    """,
}


@pytest.mark.parametrize("text", NOT_SUSPENDED.values(), ids=NOT_SUSPENDED)
def test_nothing_is_done_before_a_suspension(text: str) -> None:
    assert facts(text, BeforeSuspension) == []


def test_two_writes_of_one_step_are_a_pair() -> None:
    [pair] = facts(
        """
        @activity.defn
        def f(order):
            bank.transfer(order.account)
            warehouse.ship(order.address)
        """,
        SecondEffect,
    )
    assert isinstance(pair, SecondEffect)
    assert (pair.first, pair.name, pair.who) == ("bank.transfer", "warehouse.ship", "Temporal")


@pytest.mark.parametrize(
    "body",
    [
        "bank.transfer(order.account)\n    log.info('x')",
        "if order.abroad:\n        bank.transfer(order)\n    else:\n        warehouse.ship(order)",
        "try:\n        bank.transfer(order)\n    except Declined:\n        mailer.send(order)\n        raise",
        "bank.transfer(order, idempotency_key=order.id)\n    warehouse.ship(order)",
        "bank.transfer(order)\n    ship.delay(order.id)",
        "if activity.info().attempt > 1:\n        topic.publish('again')\n"
        "    topic.publish(order)\n    bank.transfer(order)",
    ],
)
def test_one_write_or_another_is_no_pair(body: str) -> None:
    assert facts(f"@activity.defn\ndef f(order):\n    {body}\n", SecondEffect) == []


def test_retries_around_each_other_multiply() -> None:
    [found] = facts(
        """
        sns = boto3.client("sns")

        @shared_task(autoretry_for=(Exception,), max_retries=3)
        @retry(stop=stop_after_attempt(5))
        def f(text):
            sns.publish(TopicArn="t", Message=text)
        """,
        StackedRetries,
    )
    assert isinstance(found, StackedRetries)
    assert [(again.who, again.attempts) for again in found.layers] == [
        ("Celery", 4),
        ("'tenacity.retry'", 5),
        ("botocore's default", 3),
    ]
    assert found.product == 60


@pytest.mark.parametrize(
    "text",
    [
        "@retry(stop=stop_after_attempt(5))\ndef f(x):\n    client.post('/orders', json=x)\n",
        "@shared_task(autoretry_for=(Exception,))\n@retry(stop=stop_after_attempt(5))\n"
        "def f(x):\n    return client.get('/orders')\n",
        "@shared_task(autoretry_for=(ConnectTimeout,))\n@retry(stop=stop_after_attempt(5))\n"
        "def f(x):\n    client.post('/orders', json=x)\n",
        "@app.task(bind=True, max_retries=5)\ndef f(self, x):\n    try:\n        client.post('/orders', json=x)\n"
        "    except A:\n        self.retry()\n    except B:\n        self.retry()\n",
    ],
)
def test_one_retry_or_a_harmless_call_is_no_stack(text: str) -> None:
    assert facts(text, StackedRetries) == []


DEFAULTS = {
    "an actor": "@dramatiq.actor\ndef f(x):\n    gateway.charge(x)\n",
    "botocore": "sqs = boto3.client('sqs')\ndef f(x):\n    sqs.send_message(QueueUrl='q', MessageBody=x)\n",
    "a client in a field": "class A:\n    def __init__(self):\n        self.slack = WebClient(token='t')\n"
    "    def f(self, x):\n        self.slack.chat_postMessage(channel='c', text=x)\n",
    "redis": "r = redis.Redis()\ndef f(x):\n    r.lpush('jobs', x)\n",
    "an activity": "async def f(x):\n    await workflow.execute_activity(send_email, x, start_to_close_timeout=T)\n",
    "tools": "agent = create_agent(tools=[search, send_email], middleware=[ToolRetryMiddleware()])\n",
}


@pytest.mark.parametrize("text", DEFAULTS.values(), ids=DEFAULTS)
def test_a_write_that_is_sent_again_by_default(text: str) -> None:
    found = [one for one in facts(text, RetriedCall) if isinstance(one, RetriedCall)]
    assert [(one.again.default, one.unguarded) for one in found] == [(True, True)]


NO_DEFAULTS = {
    "switched off": "@dramatiq.actor(max_retries=0)\ndef f(x):\n    gateway.charge(x)\n",
    "told how": "sns = boto3.client('sns', config=Config(retries={'max_attempts': 0}))\n"
    "def f(x):\n    sns.publish(TopicArn='t', Message=x)\n",
    "a token of its own": "ec2 = boto3.client('ec2')\ndef f():\n"
    "    ec2.run_instances(ImageId='a', MinCount=1, MaxCount=1)\n",
    "a key": "sqs = boto3.client('sqs')\ndef f(x):\n"
    "    sqs.send_message(QueueUrl='q', MessageBody=x, MessageDeduplicationId=x.id)\n",
    "a read": "s3 = boto3.client('s3')\ndef f(x):\n    s3.get_object(Bucket='b', Key=x)\n",
    "absolute": "r = redis.Redis()\ndef f(x):\n    r.set('k', x)\n",
    "a reading activity": "async def f(x):\n    await workflow.execute_activity(load_order, x)\n",
    "tools that read": "agent = create_agent(tools=[search, get_price], middleware=[ToolRetryMiddleware()])\n",
    "some tools": "agent = create_agent(tools=[search, send_email], "
    "middleware=[ToolRetryMiddleware(tools=['search'])])\n",
    "a client that does not": "def f(x):\n    requests.post('https://x.example/orders', json=x)\n",
}


@pytest.mark.parametrize("text", NO_DEFAULTS.values(), ids=NO_DEFAULTS)
def test_nothing_is_sent_again_by_default(text: str) -> None:
    assert facts(text, RetriedCall) == []


@pytest.mark.parametrize(("call", "retried"), [("receive_message", 0), ("send_message", 1)])
def test_a_message_whose_receipt_was_lost_comes_again_by_itself(call: str, retried: int) -> None:
    text = f"""
        def f(url):
            return boto3.client("sqs").{call}(QueueUrl=url, MessageBody="x")
    """
    assert len(facts(text, RetriedCall)) == retried
