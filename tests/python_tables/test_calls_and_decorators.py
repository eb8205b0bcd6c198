"""Steps that are calls, instances or decorated functions."""

from datetime import timedelta

import pytest

from stepcheck.facts import Duration, Effect, Origin, RepeatedStep, Span, Target, UnknownField

CLASS = """\
from dataclasses import dataclass, field
from typing import ClassVar

@dataclass
class Step:
    kind: ClassVar[str] = "x"
    name: str
    effect: str
    call: object
    queue: str = "default"
    timeout: float = field(default=30)
    query: object = None
    identity: tuple[str, ...] = ()
    volatile: list[str] = field(default_factory=list)

def create(): ...
"""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('STEPS = [Step("a", "idem_write", create)]', "STEPS"),
        ('STEPS = {"a": Step("x", "idem_write", create)}', "STEPS"),
        ('STEPS = [Step(name="a", effect="idem_write", call=create, queue="slow")]', "STEPS"),
        ('A = Step(name="a", effect="idem_write", call=create)', "Step"),
        ('register(Step("a", effect="idem_write", call=create))', "Step"),
        ('register(step=Step("a", effect="idem_write", call=create))', "Step"),
        ('flow.add(Step("a", call=create, effect="idem_write"))', "flow"),
        ('Workflow(steps=[Step("a", "idem_write", create)])', "steps"),
        ('STEPS = []\nSTEPS.append(Step("a", "idem_write", create))', "STEPS"),
        ('def build():\n    return Step("a", "idem_write", create)', "Step"),
    ],
)
def test_an_instance_is_read_through_its_class(tables, written, name):
    [table] = tables(CLASS + written)
    [step] = table.steps
    assert (table.name, step.name, step.effect.value) == (name, "a", Effect.IDEM_WRITE)
    assert step.call.value.identity == "steps.create"
    assert step.unknown_fields == ()
    assert (step.timeout.value, step.timeout.span) == (
        Duration(timedelta(seconds=30)),
        Span("steps.py", 11, 36, 11, 38),
    )
    unwritten = {step.query.origin, step.identity.origin, step.volatile.origin}
    assert unwritten == {Origin.DEFAULT}


def test_places_of_arguments_are_exact(tables):
    [table] = tables('A = Step("pay", effect="idem_write", qurey=1)\n')
    [step] = table.steps
    assert step.span == Span("steps.py", 1, 10, 1, 15)
    assert step.body == Span("steps.py", 1, 1, 1, 46)
    assert step.effect.span == Span("steps.py", 1, 24, 1, 36)
    assert step.unknown_fields == (
        UnknownField("qurey", Span("steps.py", 1, 38, 1, 43), "query", fits=False),
    )


def test_an_instance_without_a_name_is_named_after_its_variable_or_function(tables):
    [table] = tables("PAY = Step(effect='idem_write')\nrun(Step(effect='read', call=look))\n")
    assert [step.name for step in table.steps] == ["PAY", "look"]


def test_an_argument_by_position_of_an_unknown_class_opens_the_step(tables):
    [table] = tables('STEPS = [Step("a", "idem_write", create)]')
    [step] = table.steps
    assert (step.name, step.effect.origin, step.open) == ("a", Origin.OPAQUE, True)


@pytest.mark.parametrize(
    "head",
    [
        "from pydantic import BaseModel\nclass Base(BaseModel):\n    effect: str\n"
        "class Step(Base):\n    call: object = None\n",
        "from typing import NamedTuple\nclass Step(NamedTuple):\n    effect: str\n    call: object = None\n",
        "import attrs\n@attrs.define\nclass Step:\n    effect: str\n"
        "    call: object = attrs.field(default=None)\n",
        "class Step:\n    def __init__(self, effect, call=None): ...\n",
        "from typing import TypedDict\nclass Step(TypedDict):\n    effect: str\n    call: object\n",
    ],
)
def test_every_kind_of_class_gives_its_fields_by_position(tables, head):
    [table] = tables(f'{head}STEPS = {{"a": Step("non_idem_write", f)}}')
    [step] = table.steps
    assert (step.effect.value, step.call.value.name) == (Effect.NON_IDEM_WRITE, "f")


def test_an_effect_that_the_class_gives_counts_as_written_there(tables):
    [table] = tables(
        """\
        class Write:
            name: str
            call: object
            effect: str = "non_idem_write"
        STEPS = [Write("a", f), Write("b", g, "read")]
        """
    )
    first, second = table.steps
    assert (first.effect.value, first.effect.span) == (
        Effect.NON_IDEM_WRITE,
        Span("steps.py", 4, 19, 4, 35),
    )
    assert second.effect.value is Effect.READ


def test_a_decorated_function_is_the_call_of_its_step(tables):
    [table] = tables(
        """\
        from flows import step

        def look(): ...

        @step(effect="non_idem_write", query=look)
        async def pay(amount): ...
        """
    )
    [step] = table.steps
    assert (table.name, table.span) == ("step", Span("steps.py", 5, 2, 6, 14))
    assert (step.name, step.span) == ("pay", Span("steps.py", 6, 11, 6, 14))
    assert step.body == Span("steps.py", 5, 2, 6, 14)
    assert (step.call.value.identity, step.call.value.target) == ("steps.pay", Target.FUNCTION)
    assert step.query.value.definition == Span("steps.py", 3, 5, 3, 9)


def test_a_bare_decorator_beside_one_with_an_effect_is_a_step_without_effect(tables):
    [table] = tables('@step(effect="idem_write")\ndef a(): ...\n@step\ndef b(): ...\n@other\ndef c(): ...\n')
    assert [(step.name, step.effect.value) for step in table.steps] == [("a", Effect.IDEM_WRITE), ("b", None)]


def test_methods_and_applied_decorators_are_steps(tables):
    [table] = tables(
        """\
        class Flow:
            @flow.step("refund", effect="idem_write", retries=3)
            def refund(self): ...

        flow.step("pay", effect="non_idem_write")(pay)
        later = flow.step(effect="read")(look)
        """
    )
    assert [(step.name, step.call.value.name, step.unknown_fields) for step in table.steps] == [
        ("refund", "refund", ()),
        ("pay", "pay", ()),
        ("look", "look", ()),
    ]


def test_two_decorators_with_one_explicit_name_are_a_repeat(tables):
    [table] = tables(
        '@step("a", effect="idem_write")\ndef f(): ...\n@step("a", effect="idem_write")\ndef g(): ...\n'
    )
    assert table.repeated == (
        RepeatedStep("a", Span("steps.py", 1, 7, 1, 10), Span("steps.py", 3, 7, 3, 10)),
    )


def test_two_functions_of_one_name_are_no_repeat(tables):
    [table] = tables('@step(effect="idem_write")\ndef f(): ...\n@step(effect="idem_write")\ndef f(): ...\n')
    assert table.repeated == ()


def test_a_decorator_of_the_project_is_read_through_its_parameters(tables):
    found = tables(
        {
            "flows.py": "def step(name, effect, queue=None):\n    ...\n",
            "steps.py": 'from flows import step\n@step("pay", "non_idem_write", queue="q")\ndef f(): ...\n',
        }
    )
    [step] = found[0].steps
    assert (step.name, step.effect.value, step.unknown_fields) == ("pay", Effect.NON_IDEM_WRITE, ())


def test_a_table_of_the_configurations_field_names_is_read(tables):
    [table] = tables('@step(kind="non_idem_write")\ndef f(): ...\n', aliases={"kind": "effect"})
    assert table.steps[0].effect.value is Effect.NON_IDEM_WRITE


def test_keywords_that_cannot_be_read_open_the_step(tables):
    [table] = tables('A = Step("a", effect="idem_write", **more)\nB = Step("b", effect="idem_write")\n')
    assert [(step.name, step.open) for step in table.steps] == [("a", True), ("b", False)]
