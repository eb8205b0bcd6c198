"""Who runs a function: brokers, web servers, other companies, models, engines."""

import textwrap

import pytest

from stepcheck.behaviour.calls.roles import handed, roles
from stepcheck.behaviour.context import study
from stepcheck.code.flow import read_flows
from stepcheck.facts import Evidence


def told(text: str, name: str = "f") -> list[tuple[str, str]]:
    """The roles of the function of that name, each with who runs it."""
    context = study(read_flows("a.py", textwrap.dedent(text).encode()))
    given_to = handed(context)
    flow = next(flow for flow in context.file.flows if flow.name == name)
    return [(runs.role.value, runs.who) for runs in roles(context, flow, given_to)]


@pytest.mark.parametrize(
    ("decorator", "role", "who"),
    [
        ("from celery import shared_task\n@shared_task", "task", "Celery"),
        ("from celery import Celery\napp = Celery()\n@app.task(bind=True)", "task", "Celery"),
        ("@app.task", "task", "the broker of 'app.task'"),
        ("import dramatiq\n@dramatiq.actor", "task", "Dramatiq"),
        ("from huey import RedisHuey\nhuey = RedisHuey()\n@huey.periodic_task(x)", "task", "Huey"),
        ("from airflow.decorators import task\n@task(retries=2)", "task", "Airflow"),
        ("from prefect import task\n@task", "step", "Prefect"),
        ("from prefect import flow\n@flow", "workflow", "Prefect"),
        ("from temporalio import activity\n@activity.defn", "step", "Temporal"),
        ("@workflow.run", "workflow", "Temporal"),
        ("@DBOS.step()", "step", "DBOS"),
        ("@DBOS.workflow()", "workflow", "DBOS"),
        ("import faust\napp = faust.App('a')\n@app.agent(t)", "consumer", "Faust"),
        ("@app.queue_trigger(queue_name='q')", "consumer", "Azure Functions"),
        ("@app.on_sqs_message(queue='q')", "consumer", "AWS Lambda"),
        ("@broker.subscriber('q')", "consumer", "the queue of 'broker.subscriber'"),
        ("@mcp.tool()", "tool", "a model"),
        ("@agent.tool_plain", "tool", "a model"),
        ("@function_tool", "tool", "a model"),
        ("@mcp.resource('a://b')", "read", "a model"),
        ("@app.get('/a')", "read", "a browser"),
        ("@app.post('/a')", "route", "a client"),
        ("@app.route('/a')", "read", "a browser"),
        ("@app.route('/a', methods=['GET', 'POST'])", "route", "a client"),
        ("@api_view(['GET'])", "read", "a browser"),
        ("@api_view(['POST'])", "route", "a client"),
        ("@require_GET", "read", "a browser"),
        ("@require_http_methods(['POST'])", "route", "a client"),
        ("@action(detail=True, methods=['post'])", "route", "a client"),
        ("@app.post('/hooks/stripe')", "webhook", "the sender of the webhook"),
        ("@app.route('/stripe/webhook', methods=['POST'])", "webhook", "the sender of the webhook"),
        ("@app.post('/payments/notify')", "webhook", "the sender of the webhook"),
    ],
)
def test_a_decorator_tells_who_runs_a_function(decorator: str, role: str, who: str) -> None:
    assert told(f"{decorator}\ndef f(a): ...\n") == [(role, who)]


@pytest.mark.parametrize(
    "decorator",
    [
        "from invoke import task\n@task",
        "@property",
        "@app.on_event('startup')",
        "@functools.lru_cache",
        "@receiver(post_save)",
    ],
)
def test_other_decorators_hand_a_function_to_nobody(decorator: str) -> None:
    assert told(f"{decorator}\ndef f(a): ...\n") == []


@pytest.mark.parametrize(
    "decorator",
    [
        "@app.post('/webhooks/{id}')",
        "@app.post('/notify-users-of-it/<id>')",
        "@app.post('/auth/callback')",
        "@app.post('/toggle', name='webhooks:toggle')",
    ],
)
def test_what_manages_webhooks_or_brings_people_back_is_an_ordinary_route(decorator: str) -> None:
    assert told(f"{decorator}\ndef f(id): ...\n") == [("route", "a client")]


@pytest.mark.parametrize(
    ("text", "role", "who"),
    [
        ("channel.basic_consume('q', on_message_callback=f)", "consumer", "the queue"),
        ("subscriber.subscribe(SUB, callback=f)", "consumer", "the queue"),
        ("sched.add_job(f, 'cron')", "task", "the queue"),
        ("PythonOperator(task_id='a', python_callable=f)", "task", "Airflow"),
        ("StructuredTool.from_function(f)", "tool", "a model"),
        ("graph.add_node('a', f)", "step", "LangGraph"),
        ("app.add_url_rule('/a', view_func=f)", "read", "a browser"),
        ("app.router.add_post('/a', f)", "route", "a client"),
        ("class WorkerSettings:\n    functions = [f]", "task", "arq"),
    ],
)
def test_a_function_is_run_by_what_it_is_handed_to(text: str, role: str, who: str) -> None:
    assert told(f"async def f(ctx): ...\n{text}\n") == [(role, who)]


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    for message in consumer:\n        pay(message)\n",
        "def f():\n    while True:\n        got = sqs.receive_message(QueueUrl=q)\n        pay(got)\n",
        "def f(event, context):\n    for one in event['Records']:\n        pay(one)\n",
        "def f(ch, method, properties, body):\n    pay(body)\n",
    ],
)
def test_a_body_that_works_off_messages_is_a_consumer(text: str) -> None:
    assert [role for role, _ in told(text)] == ["consumer"]


def test_a_name_alone_makes_no_consumer() -> None:
    assert told("def on_message(msg):\n    pay(msg.data)\n", "on_message") == [("consumer", "the queue")]
    assert told("def on_message(msg):\n    pay(msg)\n", "on_message") == []
    assert (
        told("def handler(event, context):\n    pay(event['body'], event['httpMethod'])\n", "handler") == []
    )


def test_the_methods_of_views_answer_what_they_are_named_after() -> None:
    text = "class Bills(View):\n    def get(self, request): ...\n    def post(self, request): ...\n"
    assert told(text, "get") == [("read", "a browser")]
    assert told(text, "post") == [("route", "a client")]
    assert told("class Bills:\n    def get(self, key): ...\n", "get") == []
    assert told("class Search(BaseTool):\n    def _run(self, query): ...\n", "_run") == [("tool", "a model")]


def test_who_looks_at_a_signature_answers_a_webhook() -> None:
    text = "def pay(request):\n    event = stripe.Webhook.construct_event(request.body, sig, SECRET)\n"
    context = study(read_flows("a.py", text.encode()))
    (runs,) = roles(context, context.file.flows[1])
    assert (runs.role.value, runs.evidence) == ("webhook", Evidence.BODY)
    hook = "def stripe_webhook(request):\n    handle(request.body)\n"
    context = study(read_flows("a.py", hook.encode()))
    (runs,) = roles(context, context.file.flows[1])
    assert (runs.role.value, runs.evidence) == ("webhook", Evidence.NAME)


def test_a_class_body_and_a_lambda_are_run_by_nobody() -> None:
    text = "@workflow.defn\nclass Order:\n    pass\nf = lambda request: request.POST\n"
    context = study(read_flows("a.py", text.encode()))
    assert [roles(context, flow) for flow in context.file.flows] == [(), (), ()]
