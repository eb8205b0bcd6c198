"""Which writes are begun again, and how."""

import textwrap
from pathlib import Path

import pytest

from stepcheck import engine
from stepcheck.behaviour.reading import behaviour
from stepcheck.code.flow import read_flows
from stepcheck.facts import Evidence, Limit, Outcome, RetriedCall, RetriedStream
from stepcheck.settings import Settings
from tests.behaviour.families import checked


def retried(text: str) -> list[RetriedCall]:
    flows = read_flows("a.py", textwrap.dedent(text).encode())
    return [fact for fact in behaviour(flows).facts if isinstance(fact, RetriedCall)]


def rules(folder: Path, text: str) -> list[tuple[int, str]]:
    return [(line, rule) for line, rule in checked(folder, text) if rule in ABOUT]


ABOUT = ("retry-without-query", "unbounded-retry", "retry-after-success", "retry-after-yield")
"""What is asked here; other rules may have something to say of the same lines."""
LOOP = """\
import requests

def invite(guest):
    for attempt in range(3):
        try:
            return requests.post("https://api.example/invitations", json=guest)
        except {caught}:
            {handle}
"""


@pytest.mark.parametrize(
    ("caught", "outcome"),
    [
        ("requests.Timeout", Outcome.UNKNOWN),
        ("requests.exceptions.ReadTimeout", Outcome.UNKNOWN),
        ("Exception", Outcome.UNKNOWN),
        ("requests.ConnectTimeout", Outcome.NOT_SENT),
        ("RateLimitExceeded", Outcome.REFUSED),
        ("SomethingElse", Outcome.OPAQUE),
    ],
)
def test_what_a_handler_takes_tells_what_the_try_before_may_have_done(caught: str, outcome: Outcome) -> None:
    (call,) = retried(LOOP.format(caught=caught, handle="time.sleep(1)"))
    assert (call.again.outcome, call.again.limit, call.again.attempts) == (outcome, Limit.BOUNDED, 3)
    assert call.unguarded == (outcome is Outcome.UNKNOWN)


def test_a_question_between_the_failure_and_the_next_try_is_a_guard(tmp_path: Path) -> None:
    asks = "if find_invitation(guest): return"
    assert rules(tmp_path, LOOP.format(caught="requests.Timeout", handle=asks)) == []
    assert rules(tmp_path, LOOP.format(caught="requests.Timeout", handle="pass")) == [
        (6, "retry-without-query")
    ]


@pytest.mark.parametrize(
    "lookalike",
    [
        # each turn is another case
        """
        def invite(client, guests):
            for guest in guests:
                try:
                    client.post("/invitations", json=guest)
                except TimeoutError:
                    log.warning("lost")
        """,
        # what is sent is taken anew each turn
        """
        def work(client, queue):
            while True:
                job = queue.get()
                try:
                    client.post("/jobs", json=job)
                except TimeoutError:
                    log.warning("lost")
        """,
        # the handler gives up
        """
        def invite(client, guest):
            for attempt in range(3):
                try:
                    return client.post("/invitations", json=guest)
                except TimeoutError:
                    raise
        """,
        # the address only asks
        """
        def find(client, words):
            for attempt in range(3):
                try:
                    return client.post("/search", json=words)
                except TimeoutError:
                    continue
        """,
        # the key is the same each time
        """
        def invite(client, guest, key):
            for attempt in range(3):
                try:
                    return client.post("/invitations", json=guest, headers={"Idempotency-Key": key})
                except TimeoutError:
                    continue
        """,
        # the methods are told apart
        """
        def request(client, method, url):
            for attempt in range(3):
                try:
                    return client.request(method, url)
                except TimeoutError:
                    if method == "POST":
                        raise
        """,
        # a read is retried for a while
        """
        @retry(stop=stop_after_attempt(5))
        def fetch(client, number):
            return client.get(f"/orders/{number}")
        """,
        # a write that is retried only before it was sent
        """
        @tenacity.retry(retry=retry_if_exception_type(httpx.ConnectError), stop=stop_after_attempt(5))
        def create(client, order):
            return client.post("/orders", json=order)
        """,
        # a parameter counts down, and what calls itself asked first
        """
        def push(client, row, left=3):
            try:
                client.insert_row(row)
            except ConnectionError:
                if client.row_exists(row):
                    return
                push(client, row, left - 1)
        """,
    ],
)
def test_what_looks_like_a_retried_write_and_is_none_is_passed_over(lookalike: str, tmp_path: Path) -> None:
    assert rules(tmp_path, lookalike) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            """\
            @backoff.on_exception(backoff.expo, requests.exceptions.RequestException, max_tries=5)
            def notify(client, order):
                client.post("/notifications", json=order)
            """,
            3,
        ),
        (
            """\
            @retry(stop=stop_after_attempt(3))
            def settle(bank, order):
                _send(bank, order)

            def _send(bank, order):
                bank.api.post("/transfers", json=order)
            """,
            6,
        ),
        (
            """\
            def submit(client, claim):
                done = False
                while not done:
                    try:
                        client.post("/claims", json=claim)
                        done = True
                    except ReadTimeout:
                        time.sleep(5)
            """,
            5,
        ),
        (
            """\
            def mail(gateway, text):
                call_with_retries(lambda: gateway.send_mail(text), attempts=4)
            """,
            2,
        ),
    ],
)
def test_a_write_is_found_whatever_begins_it_again(text: str, line: int, tmp_path: Path) -> None:
    assert rules(tmp_path, text) == [(line, "retry-without-query")]


def test_the_calls_of_one_function_that_one_retry_repeats_are_one_finding(tmp_path: Path) -> None:
    text = """\
    def save(client, method, body):
        for attempt in range(3):
            try:
                if method == "POST":
                    return client.post("/things", json=body)
                return client.patch("/things", json=body)
            except ConnectionError:
                time.sleep(1)
    """
    (tmp_path / "a.py").write_text(textwrap.dedent(text), "utf-8")
    (finding,) = engine.run(Settings(root=tmp_path, code=True), ["."], cwd=tmp_path).findings
    assert finding.span.line == 5
    assert [(one.span.line, one.message) for one in finding.related] == [
        (2, "begun again by the loop"),
        (6, "so does this one"),
    ]


def test_a_retrier_without_a_stop_has_no_limit_and_a_stop_gives_it_one(tmp_path: Path) -> None:
    text = "import tenacity\n@tenacity.retry({stop})\ndef read(client):\n    return client.get('/rates')\n"
    assert rules(tmp_path, text.format(stop="")) == [(2, "unbounded-retry")]
    assert rules(tmp_path, text.format(stop="stop=tenacity.stop_after_attempt(3)")) == []


def test_a_function_without_limit_is_told_once_although_the_write_in_it_has_a_key(tmp_path: Path) -> None:
    text = """
    import requests
    from tenacity import retry

    @retry
    def pay(order):
        requests.post(URL, json=order, headers={"Idempotency-Key": order["id"]}, timeout=3).raise_for_status()
    """
    assert rules(tmp_path, textwrap.dedent(text)) == [(5, "unbounded-retry")]


def test_a_function_that_is_too_long_is_said_not_to_be_looked_into() -> None:
    calls = "".join(f"            client.send_part{number}(text)\n" for number in range(1000))
    text = f"def f(client):\n    for attempt in range(3):\n        try:\n{calls}            return\n"
    text += "        except TimeoutError:\n            sleep(1)\n"
    found = behaviour(read_flows("a.py", text.encode()))
    assert [(one.name, one.spent) for one in found.functions] == [("f", "calls too many things")]
    assert found.facts == ()


WRAPPED = """\
import functools, requests

def tenacious(function):
    @functools.wraps(function)
    def wrapper(*args):
        for _ in range(3):
            try:
                return function(*args)
            except {caught}:
                time.sleep(1)
    return wrapper

@tenacious
def order(paper):
    requests.post("https://api.example/orders", json=paper)
"""


def test_a_decorator_of_the_file_is_told_by_its_body_and_not_by_its_name() -> None:
    (call,) = retried(WRAPPED.format(caught="Exception"))
    assert (call.again.who, call.again.attempts, call.unguarded) == ("'tenacious'", 3, True)
    (refused,) = retried(WRAPPED.format(caught="requests.ConnectTimeout"))
    assert (refused.again.outcome, refused.unguarded) == (Outcome.NOT_SENT, False)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("retry_call(functools.partial(pay, 5), tries=3)", "'retry_call'"),
        ("until_done(lambda: pay(5))", "'until_done'"),
        ("until_done(pay, 5)", "'until_done'"),
    ],
)
def test_a_function_that_is_handed_to_a_helper_is_begun_again_by_it(text: str, who: str) -> None:
    helper = """
    import functools
    def until_done(function, *args):
        while True:
            try:
                return function(*args)
            except ConnectionError:
                time.sleep(1)

    def pay(amount):
        bank_client.transfer(amount)
    """
    (call,) = retried(textwrap.dedent(helper) + text + "\n")
    assert (call.again.who, call.name, call.unguarded) == (who, "bank_client.transfer", True)


@pytest.mark.parametrize(("caught", "found"), [("ConnectionError", 1), ("ConnectTimeout", 0)])
def test_a_write_that_its_own_handler_does_once_more_is_sent_again(caught: str, found: int) -> None:
    text = f"""
    def place(session, order):
        try:
            return session.post("https://api.example/orders", json=order)
        except {caught}:
            session = connect()
            return session.post("https://api.example/orders", json=order)
    """
    assert len([call for call in retried(text) if call.unguarded]) == found


def test_a_subscription_that_is_taken_up_again_for_ever_is_no_retry() -> None:
    stream = """\
async def payments(client):
    while True:
        try:
            async for line in client.stream("/payments"):
                yield line
            {end}
        except Exception:
            await asyncio.sleep(5)
"""

    def found(end: str) -> list[object]:
        flows = read_flows("a.py", stream.format(end=end).encode())
        return [fact for fact in behaviour(flows).facts if isinstance(fact, RetriedStream)]

    assert found("pass") == []
    assert len(found("return")) == 1


PUT_OFF = """
@app.task(bind=True, max_retries=None)
def collect(self, export):
    try:
        ready = warehouse.is_ready(export)
    except Exception as error:
        raise self.retry(exc=error)
    {put_off}
    {load}(export)
"""
LISTENER = """
@tenacity.retry(wait=tenacity.wait_fixed(5))
def listen(channel):
    while True:
        message = channel.get_message(timeout=5)
        {end}
"""
ASKED = """
def name_it(client, thing):
    while True:
        {before}
        try:
            return client.create_thing(thing{given})
        except {caught}:
            {after}
"""


def test_a_task_that_is_put_off_until_something_is_ready_may_go_on_for_ever(tmp_path: Path) -> None:
    put_off = "if not ready: raise self.retry(countdown=60)"
    assert rules(tmp_path, PUT_OFF.format(put_off=put_off, load="load")) == []
    assert rules(tmp_path, PUT_OFF.format(put_off="", load="load")) == [(7, "unbounded-retry")]
    sends = PUT_OFF.replace(
        "try:", "client.put('/exports', json=export)\n    client.post('/x', json=1)\n    try:", 1
    )
    assert rules(tmp_path, sends.format(put_off=put_off, load="load")) == [(5, "retry-without-query")]


def test_what_keeps_a_listener_up_may_go_on_for_ever(tmp_path: Path) -> None:
    assert rules(tmp_path, LISTENER.format(end="pass")) == []
    assert rules(tmp_path, LISTENER.format(end="if message: return message")) == [(2, "unbounded-retry")]


@pytest.mark.parametrize(
    ("before", "given", "after", "found"),
    [
        ("pass", "", "pass", ["retry-without-query"]),
        ("name = typer.prompt('a name')", ", name", "print('taken')", []),
        ("name = questionary.text('a name').ask()", ", name", "pass", []),
        ("name = model.prompt_for('a name')", ", name", "pass", ["retry-without-query"]),
        ("pass", "", "if not click.confirm('again?'): raise", []),
        ("pass", "", "input('press enter to try again')", []),
        ("pass", "", "thing.prompts()", ["retry-without-query"]),
    ],
)
def test_a_person_who_is_asked_at_each_turn_decides_about_it(
    before: str, given: str, after: str, found: list[str], tmp_path: Path
) -> None:
    text = ASKED.format(before=before, given=given, caught="TimeoutError", after=after)
    assert [rule for _, rule in rules(tmp_path, text)] == found


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ('if "InvalidParameter" not in str(error): raise', Outcome.REFUSED),
        ('if error.response["Error"]["Code"] != "Throttling": raise', Outcome.REFUSED),
        ("if error.status not in (404, 429): raise", Outcome.REFUSED),
        ("if not (error.status == 422): raise", Outcome.REFUSED),
        ("if not isinstance(error, RateLimitExceeded): raise", Outcome.REFUSED),
        ("if error.status != 503: raise", Outcome.UNKNOWN),
        ("if error.status not in (429, 500): raise", Outcome.UNKNOWN),
        ("if error.status == 422: raise", Outcome.UNKNOWN),
        ('if "timed out" not in str(error): raise', Outcome.UNKNOWN),
        ("if not isinstance(error, ReadTimeout): raise", Outcome.UNKNOWN),
        ("if error.status not in AGAIN: raise", Outcome.UNKNOWN),
        ('if guest.status != "new": raise', Outcome.UNKNOWN),
        ('if error.code != "Throttling": time.sleep(9)', Outcome.UNKNOWN),
    ],
)
def test_a_handler_that_goes_on_only_after_a_refusal_tells_of_one(test: str, outcome: Outcome) -> None:
    (call,) = retried(LOOP.format(caught="Exception as error", handle=test))
    assert (call.again.outcome, call.unguarded) == (outcome, outcome is Outcome.UNKNOWN)


@pytest.mark.parametrize(("test", "found"), [('"TooLarge" not in str(error)', 0), ("not orders", 1)])
def test_a_function_that_calls_itself_after_a_refusal_alone_is_no_retry(test: str, found: int) -> None:
    text = f"""
    def place(session, orders):
        try:
            session.post("https://api.example/orders", json=orders)
        except Exception as error:
            if {test}:
                raise
            place(session, orders)
    """
    assert len([call for call in retried(text) if call.unguarded]) == found


ANY_METHOD = """
class Client:
    def {name}(self, method, url, body=None):
        for attempt in range(3):
            try:
                return self.session.request(method, url, json=body)
            except TimeoutError:
                time.sleep(1)
    {caller}
"""


@pytest.mark.parametrize(
    ("name", "caller", "evidence"),
    [
        ("send", "", [Evidence.NAME]),
        ("request_with_retries", "", []),
        ("send", 'def load(self): return self.send("GET", "/orders")', []),
        ("send", 'def load(self, verb): return self.send(verb, "/orders")', []),
        ("send", 'def order(self): return self.send("post", "/orders")', [Evidence.NAME]),
        ("request_with_retries", 'def order(self): return self.request_with_retries(url="/", method="POST")',
         [Evidence.NAME]),
    ],
)  # fmt: skip
def test_a_helper_of_any_method_does_what_its_callers_in_the_file_ask_for(
    name: str, caller: str, evidence: list[Evidence]
) -> None:
    assert [call.evidence for call in retried(ANY_METHOD.format(name=name, caller=caller))] == evidence


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("json=[]", 0),
        ('content="", headers={"Content-Type": "application/x-ndjson"}', 0),
        ('content="", headers={"Content-Type": "application/json"}', 1),
        ('content=lines, headers={"Content-Type": "application/x-ndjson"}', 1),
        ("json={}", 1),
    ],
)
def test_a_list_with_nothing_in_it_adds_nothing_however_often_it_is_sent(body: str, found: int) -> None:
    text = LOOP.format(caught="TimeoutError", handle="pass").replace("json=guest", body)
    assert len(retried(text)) == found


ANSWERED = """
import requests
def submit(claim, claims):
    {head}
        answer = requests.post(URL, json=claim)
        {test}
"""


@pytest.mark.parametrize(
    ("head", "test", "often"),
    [
        ("for n in range(3):", "if answer.status_code < 500: return answer", "up to 3 times"),
        ("for n in range(3):", "if answer.ok: break", "up to 3 times"),
        ("for n in range(3):", "if answer.status_code not in (500, 503): break", "up to 3 times"),
        ("for n in range(3):", "if answer.status_code // 100 == 2: break", "up to 3 times"),
        ("for n in range(3):", "if 200 <= answer.status_code < 300: return answer", "up to 3 times"),
        ("for n in range(3):", "if not answer.is_error: return answer", "up to 3 times"),
        ("while True:", "if answer.status_code in (200, 201): return answer", "any number of times"),
        ("while monotonic() < end:", "if answer.ok: return answer", "more than once"),
    ],
)
def test_a_request_is_sent_again_because_of_the_status_of_its_answer(
    head: str, test: str, often: str, tmp_path: Path
) -> None:
    text = ANSWERED.format(head=head, test=test)
    (call,) = [one for one in retried(text) if one.unguarded]
    assert (call.again.often, call.again.after) == (often, "an answer of 503")
    assert rules(tmp_path, text) == [(5, "retry-without-query")]


@pytest.mark.parametrize(
    ("head", "test"),
    [
        ("for n in range(3):", "if answer.status_code != 429: return answer"),
        ("for n in range(3):", "if answer.status_code not in (401, 404): return answer"),
        ("while True:", "if answer.json()['state'] == 'done': return answer"),
        ("while True:", "if answer.status_code != 202: return answer"),
        ("for claim in claims:", "if answer.status_code >= 500: log.warning('lost'); continue"),
        ("for n in range(3):", "answer.raise_for_status()\n        if answer.ok: break"),
        ("for n in range(3):", "if other.status_code < 500: return answer"),
        ("for n in range(3):", "if answer.ok or find_claim(claim): return answer"),
    ],
)
def test_an_answer_that_refuses_is_asked_about_or_is_of_another_item_is_no_retry(
    head: str, test: str
) -> None:
    assert [one for one in retried(ANSWERED.format(head=head, test=test)) if one.unguarded] == []


def test_an_answer_may_be_bound_by_a_context_manager_and_its_status_by_a_name(tmp_path: Path) -> None:
    text = """
    async def submit(session, claim):
        for n in range(3):
            async with session.post("/claims", json=claim) as answer:
                status = answer.status
                if status >= 500:
                    continue
                return await answer.json()
    """
    assert rules(tmp_path, text) == [(4, "retry-without-query")]
    assert rules(tmp_path, text.replace(">= 500", "== 429")) == []


def test_a_loop_that_sends_until_the_answer_is_good_sends_again(tmp_path: Path) -> None:
    text = """
    def submit(client, claim):
        answer = client.post("/claims", json=claim)
        while not answer.ok:
            answer = client.post("/claims", json=claim)
        return answer
    """
    assert rules(tmp_path, text) == [(5, "retry-without-query")]


@pytest.mark.parametrize(
    ("said", "sends"),
    [
        ("total=3", False),
        ("allowed_methods=None", True),
        ("allowed_methods=False", True),
        ("allowed_methods=[]", True),
        ("allowed_methods=['GET', 'POST']", True),
        ("allowed_methods=frozenset({'GET'})", False),
        ("method_whitelist=['POST']", True),
        ("allowed_methods=Retry.DEFAULT_ALLOWED_METHODS | {'POST'}", True),
        ("allowed_methods=Retry.DEFAULT_ALLOWED_METHODS", False),
        ("allowed_methods=None, read=0", False),
    ],
)
def test_urllib3_sends_a_post_again_where_its_verbs_let_that_in(said: str, sends: bool) -> None:
    text = f"""
        import requests
        from requests.adapters import HTTPAdapter
        from urllib3.util.retry import Retry

        session = requests.Session()
        session.mount("https://", HTTPAdapter(max_retries=Retry({said})))

        def pay(order):
            session.post("https://api.example/payments", json=order, timeout=5)
    """
    assert [call.name for call in retried(text)] == (["session.post"] if sends else [])
