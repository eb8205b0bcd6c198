"""Tables meet code: what steps name is followed into its body, across modules, and held against the table."""

import textwrap
from pathlib import Path

import pytest

from stepcheck import engine
from stepcheck.report import Finding, Report
from stepcheck.settings import Settings


def run(folder: Path, **files: str) -> Report:
    """A project of these files; `pkg__calls` is pkg/calls.py, `pkg__package` its init, `steps_yaml` steps.yaml."""
    for name, text in files.items():
        suffix = "yaml" if name.endswith("_yaml") else "py"
        stem = name.removesuffix("_yaml").replace("__", "/")
        path = folder / f"{stem.replace('/package', '/__init__')}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(textwrap.dedent(text), "utf-8")
    report = engine.run(Settings(root=folder, code=True), ["."], cwd=folder)
    assert report.unread == ()
    return report


def told(report: Report) -> list[str]:
    """The rules that speak of steps."""
    return [finding.rule for finding in report.findings if finding.step]


def one(report: Report) -> Finding:
    [finding] = [finding for finding in report.findings if finding.step]
    return finding


STEP = 'from calls import *\n\nSTEPS = {{"do_it": {{{fields}}}}}\n'
HEAD = """\
import logging
import httpx
import requests
from django.db import models

http = httpx.Client(timeout=5)
log = logging.getLogger(__name__)


class Order(models.Model):
    pass


def call(params, ctx):
"""


def of_step(folder: Path, fields: str, body: str) -> list[str]:
    return told(
        run(
            folder,
            steps=STEP.format(fields=fields),
            calls=HEAD + textwrap.indent(textwrap.dedent(body), "    "),
        )
    )


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return http.post('https://x.test/orders', json=params)", True),
        ("return http.put('https://x.test/orders/1', json=params)", True),
        ("return http.delete('https://x.test/orders/1')", True),
        ("Order.objects.create(day=params['day'])", True),
        ("Order.objects.filter(day=params['day']).delete()", True),
        ("if params:\n    requests.post('https://x.test/audits')\nreturn 1", True),
        ("for each in params:\n    smtp.send_message(each)", True),
        ("return [http.post('https://x.test/orders', json=each) for each in params]", True),
        ("with lock:\n    stripe.Charge.create(amount=1)", True),
        ("requests.post(f'{BASE}/watchers', json=params, timeout=3)", True),
        ("return requests.post(f'{BASE}/orders/search', json=params, timeout=3)", False),
        ("return http.get('https://x.test/orders')", False),
        ("return http.post('https://x.test/orders/search', json=params)", False),
        ("return http.post('https://x.test/graphql', json=params)", False),
        ("log.info('looked')\nreturn Order.objects.filter(day=params['day']).count()", False),
        ("AccessLog.objects.create(day=params['day'])", False),
        ("Order.objects.filter(pk=1).update(last_seen=params['now'])", False),
        ("cache.set('orders', params)", False),
        ("found = []\nfound.append(params)\nreturn found", False),
        (
            "order = Order.objects.first()\nif order is None:\n    order = Order.objects.create()\nreturn order",
            False,
        ),
        ("with open('/tmp/x', 'w') as file:\n    file.write('x')", False),
        ("return openai.chat.completions.create(messages=params)", False),
        ("statsd.incr('looks')\nreturn session.execute('SELECT 1').fetchall()", False),
    ],
)
def test_a_read_must_not_change_anything(body: str, found: bool, tmp_path: Path) -> None:
    assert of_step(tmp_path, '"effect": "read", "call": call', body) == ["understated-effect"] * found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return http.post('https://x.test/orders', json=params)", True),
        ("Order.objects.create(day=params['day'])", True),
        ("Order.objects.filter(pk=1).update(total=models.F('total') + 1)", True),
        ("db.execute('INSERT INTO orders (day) VALUES (1)')", True),
        ("return http.post('https://x.test/orders/1/notes', json=params)", True),
        ("return http.put('https://x.test/orders/1', json=params)", False),
        (
            "return http.post('https://x.test/orders', headers={'Idempotency-Key': ctx.idempotency_key})",
            False,
        ),
        ("return http.post('https://x.test/orders', json={'external_id': ctx.task_id})", False),
        ("return http.post('https://x.test/orders/1/close')", False),
        ("Order.objects.update_or_create(day=params['day'], defaults=params)", False),
        ("Order.objects.create(id=params['id'])", False),
        ("if not http.get('https://x.test/orders').json():\n    http.post('https://x.test/orders')", False),
        ("db.execute('INSERT INTO orders (day) VALUES (1) ON CONFLICT DO NOTHING')", False),
    ],
)
def test_a_repeat_of_an_idempotent_write_must_not_do_it_once_more(
    body: str, found: bool, tmp_path: Path
) -> None:
    fields = '"effect": "idem_write", "call": call, "dedupe": True'
    assert of_step(tmp_path, fields, body) == ["understated-effect"] * found


@pytest.mark.parametrize(
    ("address", "found"), [("/watchers", True), ("/watchers/search", False), ("/rates/quote", False)]
)
def test_a_name_that_asks_does_not_excuse_a_post(address: str, found: bool, tmp_path: Path) -> None:
    body = f"""\
def fetch_rate(params, ctx):
    requests.post(f"{{BASE}}{address}", json=params, timeout=3)


STEPS = {{"fetch_rate": {{"effect": "read", "call": fetch_rate}}}}
"""
    assert told(run(tmp_path, steps=body)) == ["understated-effect"] * found


def test_a_team_s_own_table_may_be_what_makes_a_write_idempotent(tmp_path: Path) -> None:
    fields = '"effect": "idem_write", "call": call, "dedupe": "sent_orders"'
    assert of_step(tmp_path, fields, "return http.post('https://x.test/orders')") == []


WRITE = '"effect": "non_idem_write", "call": other, '


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return Order.objects.latest('created')", True),
        ("return Order.objects.order_by('-created').first()", True),
        ("return Order.objects.filter(customer=params['customer_id']).last()", True),
        ("return session.query(Order).order_by(Order.created.desc()).first()", True),
        ("return client.list_orders(limit=1)[0]", True),
        ("return client.list_orders(customer=params['customer_id'])['items'][-1]", True),
        ("return orders.find_one(sort=[('created', -1)])", True),
        ("return db.execute('SELECT * FROM orders ORDER BY id DESC LIMIT 1').fetchone()", True),
        ("return client.get_latest_order()", True),
        ("found = stripe.Charge.list(limit=1)\nreturn found.data[0]", True),
        ("return http.get('/orders', params={'sort': '-created', 'limit': 1}).json()[0]", True),
        ("return http.get('/orders?sort=created:desc&limit=1').json()[0]", True),
        ("return http.get('/orders', params={'sort': '-created', 'key': params['key']}).json()[0]", False),
        ("return http.get(f'/orders?sort=-created&ref={params}').json()[0]", False),
        ("return http.get('/orders', params={'sort': 'created', 'page': 1}).json()[0]", False),
        ("return http.post('https://x.test/orders', json=params)", True),
        ("return Order.objects.filter(key=ctx.idempotency_key).latest('created')", False),
        ("return Order.objects.filter(number=params['order_number']).first()", False),
        ("return Order.objects.get(id=params['order_id'])", False),
        ("return client.list_orders(reference=params['ref'], limit=1)[0]", False),
        ("return client.get_order(params['id'])", False),
        (
            "rows = db.execute('SELECT * FROM orders WHERE ref = ? ORDER BY id DESC LIMIT 1', (params['ref'],))",
            False,
        ),
        ("return orders.find_one({'order_id': params['order_id']}, sort=[('created', -1)])", False),
        ("return any(each['key'] == ctx.idempotency_key for each in client.list_orders())", False),
        ("return params['items'][0]", False),
        ("first = params.get('names')[0]\nreturn client.find(name=first, key=ctx.key)", False),
        ("return http.get('https://x.test/orders', params={'ref': params['ref']}).json()[0]", False),
        ("return http.post('https://x.test/orders/search', json={'ref': params['ref']}).json()", False),
        ("log.info('asking')\nreturn client.find_order(key=ctx.idempotency_key)", False),
    ],
)
def test_a_query_asks_for_one_thing_and_changes_nothing(body: str, found: bool, tmp_path: Path) -> None:
    assert of_step(tmp_path, WRITE + '"query": call', body) == ["effectful-query"] * found


def test_a_query_may_ask_by_what_the_step_gives_as_its_identity(tmp_path: Path) -> None:
    body = "return Order.objects.filter(day=params['day'], shop=params['shop']).latest('created')"
    assert of_step(tmp_path / "without", WRITE + '"query": call', body) == ["effectful-query"]
    fields = WRITE + '"query": call, "identity": ["day", "shop"]'
    assert of_step(tmp_path / "with", fields, body) == []


UNDO = WRITE + '"query": ask, "compensate": call, "compensate_deadline": "PT1H"'


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("pass", ["empty-compensation"]),
        ("'''Nothing to be done.'''", ["empty-compensation"]),
        ("return None", ["empty-compensation"]),
        ("return {}", []),
        ("log.warning('undo %s by hand', params)", ["empty-compensation"]),
        ("print('skipped')\nreturn True", ["empty-compensation"]),
        ("raise NotImplementedError", []),
        ("inbox.add(params)", []),
        ("params['undone'] = True", []),
        ("http.delete('https://x.test/orders/1')", []),
        ("http.post('https://x.test/refunds', json=params)", ["blind-compensation"]),
        (
            "requests.post('https://x.test/refunds', json=params)\nlog.info('refunded')",
            ["blind-compensation"],
        ),
        ("http.post('https://x.test/refunds', json=params, headers={'Idempotency-Key': ctx.key})", []),
        ("http.post('https://x.test/orders/1/cancel')", []),
        ("if not http.get('https://x.test/refunds').json():\n    http.post('https://x.test/refunds')", []),
    ],
)
def test_a_compensation_does_something_and_does_it_once(body: str, found: list[str], tmp_path: Path) -> None:
    assert of_step(tmp_path, UNDO, body) == found


def test_a_lambda_is_a_body_too(tmp_path: Path) -> None:
    fields = WRITE + '"query": ask, "compensate": lambda params, ctx: None, "compensate_deadline": "PT1H"'
    assert of_step(tmp_path, fields, "pass") == ["empty-compensation"]


@pytest.mark.parametrize(
    ("decorator", "found"),
    [
        ("@tenacity.retry(wait=tenacity.wait_fixed(1))", ["unbounded-compensation"]),
        ("@tenacity.retry(stop=tenacity.stop_never)", ["unbounded-compensation"]),
        ("@tenacity.retry(stop=tenacity.stop_after_attempt(3))", []),
        ("@backoff.on_exception(backoff.expo, Exception, max_time=60)", []),
        ("@functools.wraps(other)", []),
    ],
)
def test_a_compensation_ends(decorator: str, found: list[str], tmp_path: Path) -> None:
    head = "import backoff\nimport functools\nimport tenacity\n\n"
    calls = f"{head}{decorator}\ndef call(params, ctx):\n    hold.lift(params)\n"
    assert told(run(tmp_path, steps=STEP.format(fields=UNDO), calls=calls)) == found


POSTS = "import httpx\n\ndef look(params, ctx=None):\n    return httpx.post('https://x.test/notes', json=params)\n"
CLASS = """\
import httpx

class Notes:
    def __init__(self):
        self.http = httpx.Client()
    def look(self, params, ctx=None):
        return self._do("/notes", params)
    def _do(self, path, body):
        return self.http.post("https://x.test" + path, json=body)
"""


@pytest.mark.parametrize(
    "files",
    [
        {"steps": "import api\nSTEPS = {'x': {'effect': 'read', 'call': api.look}}", "api": POSTS},
        {"steps": "from api import look as f\nSTEPS = {'x': {'effect': 'read', 'call': f}}", "api": POSTS},
        {"steps": POSTS + "STEPS = {'x': {'effect': 'read', 'call': look}}"},
        {"shop__steps": "from . import api\nSTEPS = {'x': {'effect': 'read', 'call': api.look}}",
         "shop__api": POSTS},
        {"shop__steps": "from .deep import look\nSTEPS = {'x': {'effect': 'read', 'call': look}}",
         "shop__deep__api": POSTS, "shop__deep__package": "from .api import look\n"},
        {"steps": "from calls import f\nSTEPS = {'x': {'effect': 'read', 'call': f}}", "api": POSTS,
         "calls": "import api\n\ndef f(params, ctx):\n    return api.look(params)\n"},
        {"steps": "from calls import f\nSTEPS = {'x': {'effect': 'read', 'call': f}}", "api": CLASS,
         "calls": "from api import Notes\n\nnotes = Notes()\n\ndef f(params, ctx):\n    return notes.look(params)\n"},
        {"steps": "from calls import f\nSTEPS = {'x': {'effect': 'read', 'call': f}}", "api": CLASS,
         "calls": "from api import Notes\n\ndef f(params, ctx):\n    return Notes().look(params)\n"},
        {"steps": "from calls import Flow\nflow = Flow()\nSTEPS = {'x': {'effect': 'read', 'call': flow.run}}",
         "api": CLASS,
         "calls": "from api import Notes\n\nclass Flow:\n    def __init__(self):\n        self.notes = Notes()\n"
                  "    def run(self, params, ctx):\n        return self.notes.look(params)\n"},
        {"steps": "from api import Notes\nnotes = Notes()\nSTEPS = {'x': {'effect': 'read', 'call': notes.look}}",
         "api": CLASS},
        {"steps": "from functools import partial\nfrom api import look\n"
                  "STEPS = {'x': {'effect': 'read', 'call': partial(look, ctx=1)}}", "api": POSTS},
        {"steps": "import api\nSTEPS = {'x': {'effect': 'read', 'call': lambda p, ctx: api.look(p)}}",
         "api": POSTS},
        {"steps": "from lib import step\nimport api\n\n@step(effect='read')\ndef x(p, c):\n    return api.look(p)\n",
         "api": POSTS},
        {"steps_yaml": "steps:\n  x:\n    effect: read\n    call: api.look\n", "api": POSTS},
        {"steps": "from calls import f\nSTEPS = {'x': {'effect': 'read', 'call': f}}", "api": POSTS,
         "calls": "import asyncio\nimport api\n\nasync def f(params, ctx):\n    return await g(params)\n\n"
                  "async def g(params):\n    return api.look(params)\n"},
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_body_is_found_wherever_it_is(files: dict[str, str], tmp_path: Path) -> None:
    finding = one(run(tmp_path, **files))
    assert finding.rule == "understated-effect"
    assert "post" in finding.message


def test_a_finding_stands_at_the_step_and_shows_the_way_to_the_line_in_the_body(tmp_path: Path) -> None:
    finding = one(
        run(
            tmp_path,
            steps="from calls import f\n\nSTEPS = {'x': {'effect': 'read', 'call': f}}\n",
            calls="import api\n\n\ndef f(params, ctx):\n    return api.look(params)\n",
            api=POSTS,
        )
    )
    assert (finding.span.path, finding.span.line, finding.span.column) == ("steps.py", 3, 26)
    assert finding.message == (
        "'x' is repeated like a read, and changes something each time: its call 'f' comes to 'httpx.post' "
        "(it is a POST)"
    )
    assert [(place.span.path, place.span.line, place.message) for place in finding.related] == [
        ("calls.py", 5, "by this call"),
        ("api.py", 4, "here: it is a POST"),
    ]


@pytest.mark.parametrize(
    "calls",
    [
        "def f(params, ctx):\n    return f(params, ctx)\n",
        "import steps\n\ndef f(params, ctx):\n    return steps.STEPS['x']['call'](params)\n",
        "def f(params, ctx):\n    return ctx.client.look(params)\n",
        "f = object()\n",
        "def f(params, ctx):\n    return 1\n\nf = wrap(f)\n",
        "class f:\n    pass\n",
        "from elsewhere import f\n",
        "f = 1 +\n",
    ],
)
def test_what_cannot_be_followed_gives_nothing(calls: str, tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(
        "from calls import f\n\nSTEPS = {'x': {'effect': 'read', 'call': f}}\n"
    )
    (tmp_path / "calls.py").write_text(calls)
    report = engine.run(Settings(root=tmp_path, code=True), ["steps.py"], cwd=tmp_path)
    assert told(report) == []
    assert report.unread == ()


def test_what_was_followed_is_counted_and_what_is_not_known_is_too(tmp_path: Path) -> None:
    files = {
        "steps": "from calls import f\n\nSTEPS = {'x': {'effect': 'read', 'call': f}}\n",
        "calls": "import api\n\n\ndef f(params, ctx):\n    api.look(params)\n    return params.mystery()\n",
        "api": "import httpx\n\n\ndef look(params):\n    return httpx.get('https://x.test/notes')\n",
    }
    coverage = run(tmp_path, **files).coverage
    assert (coverage.steps, coverage.calls_followed, coverage.calls_opaque) == (1, 2, 1)


def test_without_the_reading_of_code_no_body_is_looked_into(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(POSTS + "STEPS = {'x': {'effect': 'read', 'call': look}}\n")
    report = engine.run(Settings(root=tmp_path, code=False), ["."], cwd=tmp_path)
    assert report.findings == ()
    assert (report.coverage.calls_followed, report.coverage.calls_opaque) == (1, 0)


def test_a_step_of_two_tables_is_told_of_once(tmp_path: Path) -> None:
    text = POSTS + "ONE = {'x': {'effect': 'read', 'call': look}}\nSTEPS = {**ONE}\n"
    assert told(run(tmp_path, steps=text)) == ["understated-effect"]


SENDS = "import requests\n\n\ndef f(params, {key}=None):\n    return send('/notes', params{given})\n\n\n"
HELPER = "def send(path, body, key=None):\n    return requests.post('https://x.test' + path, json=body{key}{limit})\n"


@pytest.mark.parametrize(
    ("key", "given", "limit", "found"),
    [
        ("idempotency_key", "", ", timeout=5", ["dropped-key"]),
        ("idempotency_key", ", key=idempotency_key", ", timeout=5", []),
        ("ctx", "", ", timeout=5", []),
        ("ctx", "", "", ["missing-timeout"]),
        ("client_token", "", "", ["dropped-key", "missing-timeout"]),
    ],
)
def test_a_step_is_told_what_its_body_drops_and_what_nothing_bounds(
    key: str, given: str, limit: str, found: list[str], tmp_path: Path
) -> None:
    calls = SENDS.format(key=key, given=given) + HELPER.format(
        key=", headers={'Idempotency-Key': key}" * bool(given), limit=limit
    )
    text = "from calls import f\n\nSTEPS = {'x': {'effect': 'non_idem_write', 'call': f, 'on_uncertain': 'human'}}\n"
    report = run(tmp_path, steps=text, calls=calls)
    assert sorted(told(report)) == found
    assert [each.rule for each in report.findings if not each.step and each.rule in found] == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("bank.transfer(params['amount'])\n    mailer.send(params['mail'])", True),
        ("bank.transfer(params['amount'])\n    pay(params)", False),
        (
            "if ctx.mail:\n        mailer.send(ctx.mail)\n    else:\n        bank.transfer(params['amount'])",
            False,
        ),
        ("bank.transfer(params['amount'], idempotency_key=ctx.key)\n    mailer.send(params['mail'])", False),
        ("bank.transfer(params['amount'])\n    log.info('sent')", False),
    ],
)
def test_a_step_that_does_two_things_is_told_of(body: str, found: bool, tmp_path: Path) -> None:
    text = "from calls import f\n\nSTEPS = {'x': {'effect': 'non_idem_write', 'call': f, 'on_uncertain': 'human'}}\n"
    calls = f"def pay(params):\n    return params\n\n\ndef f(params, ctx):\n    {body}\n"
    assert told(run(tmp_path, steps=text, calls=calls)) == ["two-effects-in-one-step"] * found
