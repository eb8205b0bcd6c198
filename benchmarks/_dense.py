"""Files in which nothing can be skipped: every function calls something again, handles a failure, or passes a key."""

import random
import string

_HEAD = '''"""What is done about each ${noun} of the ${place}."""

import asyncio
import hashlib
import json
import logging
import time
import uuid

import httpx
import requests
import stripe
from celery import shared_task
from sqlalchemy import text
from tenacity import retry, stop_after_attempt, wait_exponential

from ${place}.models import Session, ${Noun}, outbox
from ${place}.settings import HOST, TIMEOUT

log = logging.getLogger(__name__)
'''

_PIECES = (
    '''
def ${verb}_${noun}(${noun}, ${value}):
    """${Verb} one ${noun}, and again where that fails."""
    for attempt in range(${count}):
        try:
            answer = requests.post(
                f"{HOST}/${noun}s/{${noun}.id}/${verb}",
                json={"${value}": ${value}, "attempt": attempt},
                headers={"Idempotency-Key": ${key}},
                timeout=${seconds},
            )
            answer.raise_for_status()
        except requests.${error}:
            log.warning("${noun} %s: attempt %d", ${noun}.id, attempt)
            time.sleep(2**attempt)
        else:
            return answer.json()
    return None
''',
    '''
@shared_task(bind=True, autoretry_for=(${failure},), max_retries=${count}, acks_late=${flag})
def ${verb}_${noun}_task(self, ${noun}_id, ${value}=None):
    """${Verb} a ${noun} in the background."""
    ${noun} = ${Noun}.objects.get(pk=${noun}_id)
    if ${noun}.state == "${state}":
        return ${noun}.state
    try:
        result = stripe.${Resource}.create(amount=${noun}.${value}, currency="eur", idempotency_key=${key})
    except stripe.error.${stripe_error} as error:
        raise self.retry(exc=error, countdown=${seconds})
    ${noun}.reference = result["id"]
    ${noun}.state = "${state}"
    ${noun}.save()
    return result["id"]
''',
    '''
@retry(stop=stop_after_attempt(${count}), wait=wait_exponential(max=${seconds}))
def send_${noun}_${value}(client, ${noun}):
    """Tell the ${place} of a ${noun}."""
    body = {"id": str(${noun}.id), "${value}": ${noun}.${value}, "at": time.time()}
    response = client.post("/${noun}s", json=body, headers={"X-Request-Id": ${key}})
    if response.status_code >= 500:
        raise ${failure}(response.text)
    return response.json()["${value}"]
''',
    '''
async def ${verb}_every_${noun}(queue, store):
    """Take what waits in a queue, for ever."""
    async with httpx.AsyncClient(timeout=TIMEOUT) as client:
        while True:
            message = await queue.get()
            ${noun} = json.loads(message.body)
            if await store.exists(${noun}["${value}"]):
                await message.ack()
                continue
            try:
                answer = await client.${method}(f"{HOST}/${noun}s/{${noun}['id']}", json=${noun})
                await store.add(${noun}["${value}"], answer.json())
                await message.ack()
            except (httpx.${httpx_error}, asyncio.TimeoutError):
                log.exception("${noun} is put back")
                await message.nack(requeue=${flag})
                await asyncio.sleep(${seconds})
''',
    '''
def ${noun}_webhook(request, session):
    """What the ${place} tells of a ${noun}."""
    event = json.loads(request.body)
    seen = session.execute(text("SELECT 1 FROM ${noun}_events WHERE id = :id"), {"id": event["id"]}).first()
    if seen:
        return {"status": "${state}"}
    ${verb}_${noun}(event["data"], event["${value}"])
    session.execute(text("INSERT INTO ${noun}_events (id, ${value}) VALUES (:id, :value)"), {
        "id": event["id"],
        "value": event["${value}"],
    })
    session.commit()
    return {"status": "done"}
''',
    '''
class ${Noun}Client:
    """Talks to the ${place} about each ${noun}."""

    def __init__(self, token, session=None):
        self.session = session or requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"
        self.done = set()

    def ${verb}(self, ${noun}, attempts=${count}):
        """${Verb} a ${noun}; False where no attempt came through."""
        key = hashlib.sha256(f"{${noun}.id}:{${noun}.${value}}".encode()).hexdigest()
        while attempts > 0:
            attempts -= 1
            try:
                self.session.${method}(f"{HOST}/${verb}", json=${noun}.to_dict(), headers={"Idempotency-Key": key})
            except requests.Timeout:
                continue
            except requests.${error} as error:
                if error.response is not None and error.response.status_code == 409:
                    return True
                raise
            self.done.add(${noun}.id)
            return True
        return False

    def undo(self, ${noun}):
        """Take back what was done about a ${noun}."""
        try:
            self.session.delete(f"{HOST}/${verb}/{${noun}.id}", timeout=${seconds})
        except requests.${error}:
            log.error("${noun} %s stays as it is", ${noun}.id)
''',
    '''
def ${verb}_and_record(${noun}, ledger):
    """${Verb} a ${noun} once, as the ledger has it."""
    record = ledger.get(${noun}.id)
    if record is not None and record.status == "${state}":
        return record.result
    with Session() as session:
        ledger.add(${noun}.id, status="started")
        result = requests.${method}(f"{HOST}/${noun}s", json={"${value}": ${noun}.${value}}, timeout=TIMEOUT)
        session.add(outbox(${noun}_id=${noun}.id, payload=result.json()))
        try:
            session.commit()
        except ${failure}:
            session.rollback()
            requests.delete(f"{HOST}/${noun}s/{result.json()['id']}", timeout=TIMEOUT)
            raise
    ledger.set(${noun}.id, status="${state}", result=result.json())
    return result.json()
''',
    '''
def ${verb}_batch(${noun}s, notify):
    """${Verb} many; those that fail are tried again at the end."""
    failed = []
    for index, ${noun} in enumerate(${noun}s):
        try:
            notify(${noun}.email, subject="${noun} ${verb}", reference=${key})
            ${noun}.${value} += ${count}
            ${noun}.save()
        except ${failure}:
            failed.append((index, ${noun}))
            continue
    for index, ${noun} in failed:
        try:
            notify(${noun}.email, subject="${noun} ${verb}", reference=f"${verb}-{index}-{uuid.uuid4()}")
        except Exception:
            log.exception("${noun} %d is lost", index)
    return len(failed)
''',
    '''
def wait_for_${noun}(client, ${noun}_id, deadline=${seconds}):
    """The state of a ${noun}, asked for until it is ${state}."""
    began = time.monotonic()
    while time.monotonic() - began < deadline:
        try:
            found = client.get(f"/${noun}s/{${noun}_id}", timeout=${count})
        except (ConnectionError, ${failure}):
            time.sleep(1)
            continue
        if found.status_code == 404:
            return client.post("/${noun}s", json={"id": ${noun}_id, "key": ${key}})
        if found.json()["state"] == "${state}":
            return found
        time.sleep(0.5)
    raise TimeoutError(f"${noun} {${noun}_id} is not ${state} yet")
''',
)

_WORDS: dict[str, tuple[str, ...]] = {
    "noun": (
        "order",
        "invoice",
        "refund",
        "parcel",
        "booking",
        "ticket",
        "contract",
        "payout",
        "coupon",
        "seat",
    ),
    "verb": (
        "charge",
        "create",
        "submit",
        "book",
        "cancel",
        "publish",
        "transfer",
        "register",
        "confirm",
        "issue",
    ),
    "place": ("shop", "bank", "depot", "agency", "warehouse", "clinic"),
    "value": ("amount", "total", "quantity", "balance", "price", "weight"),
    "state": ("paid", "sent", "settled", "closed", "accepted"),
    "error": ("RequestException", "ConnectionError", "Timeout", "HTTPError"),
    "httpx_error": ("HTTPError", "ReadTimeout", "ConnectError", "TransportError"),
    "stripe_error": ("APIConnectionError", "StripeError", "RateLimitError"),
    "failure": ("RuntimeError", "OSError", "ValueError", "ConnectionError"),
    "Resource": ("Charge", "Refund", "Payout", "PaymentIntent"),
    "method": ("post", "put", "patch"),
    "flag": ("True", "False"),
    "count": ("3", "4", "5", "8"),
    "seconds": ("5", "10", "30", "60"),
    "key": ("str(uuid.uuid4())", 'f"${noun}-{${noun}.id}"', 'f"{time.time()}"', "str(${noun}.id)"),
}


def dense_file(choice: random.Random, pieces: int = 7) -> str:
    """The source of a file, of about 150 lines."""
    place = choice.choice(_WORDS["place"])
    picked = [_words(choice, place) for _ in range(pieces)]
    parts = [_HEAD, *choice.sample(_PIECES, pieces)]
    return "\n".join(
        string.Template(part).substitute(words)
        for part, words in zip(parts, [picked[0], *picked], strict=True)
    )


def _words(choice: random.Random, place: str) -> dict[str, str]:
    words = {name: choice.choice(some) for name, some in _WORDS.items()}
    words["key"] = string.Template(words["key"]).substitute(words)
    capitals = {"Noun": words["noun"].title(), "Verb": words["verb"].title()}
    return {**words, **capitals, "place": place}
