"""Where step tables are found in data files, and how their steps are read."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest

from stepcheck.analysis.found import Found
from stepcheck.facts import Origin, RepeatedStep, Span, StepTable, Target, UnknownField
from stepcheck.frontends import TableOptions, load
from stepcheck.frontends._document import Document, read_document
from stepcheck.frontends.data_table import FRONTEND, tables
from tests.data_tables.reading import at


@dataclass
class Functions:
    """A project that defines a few functions, and remembers who asked for what."""

    known: dict[str, Found] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def lookup(self, dotted: str, importer: str = "") -> Found:
        self.asked.append((dotted, importer))
        return self.known.get(dotted, Found(Target.OUTSIDE, dotted.replace(":", ".")))


def read(text: str, name: str = "flows/billing.yaml", project: Functions | None = None) -> list[StepTable]:
    document = read_document(name, text.encode())
    return list(tables(document, project or Functions(), TableOptions()))


def only(found: Iterable[StepTable]) -> StepTable:
    (table,) = found
    return table


def names(found: list[StepTable]) -> dict[str, list[str]]:
    return {table.name: [step.name for step in table.steps] for table in found}


def test_the_frontend_is_found_and_reads_documents() -> None:
    assert FRONTEND in load()
    assert FRONTEND.source is Document


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("billing.yaml", "steps:\n  create: {effect: read, call: shop.create}\n"),
        ("billing.toml", '[steps.create]\neffect = "read"\ncall = "shop.create"\n'),
        ("billing.json", '{"steps": {"create": {"effect": "read", "call": "shop.create"}}}'),
        ("billing.yaml", "create: {effect: read, call: shop.create}\n"),
        ("billing.yaml", "- name: create\n  effect: read\n  call: shop.create\n"),
        ("billing.yaml", "steps:\n- create: {effect: read, call: shop.create}\n"),
        ("billing.toml", '[[steps]]\nname = "create"\neffect = "read"\ncall = "shop.create"\n'),
    ],
)
def test_a_table_at_the_top_is_named_after_the_file(name: str, text: str) -> None:
    table = only(read(text, name))
    assert names([table]) == {"billing": ["create"]}
    assert table.steps[0].effect.value == "read"
    assert table.steps[0].table == "billing"


def test_tables_are_named_by_the_keys_that_lead_to_them() -> None:
    step = "{x: {effect: read, call: a.b}}"
    text = f"refund: {{steps: {step}}}\ntables:\n  payout: {step}\nteam:\n  eu: {{steps: {step}}}\n"
    assert names(read(text)) == {"payout": ["x"], "refund": ["x"], "team.eu": ["x"]}


def test_each_document_of_a_file_has_its_own_tables() -> None:
    step = "{effect: read, call: x.y}"
    text = f"steps: {{a: {step}}}\n---\nnothing: here\n---\nsteps: {{b: {step}}}\n"
    assert names(read(text)) == {"billing 1": ["a"], "billing 3": ["b"]}


def test_what_stands_beside_steps_is_no_step() -> None:
    text = "defaults: &d {effect: non_idem_write}\nsteps:\n  a: {<<: *d, call: x.y}\n"
    assert names(read(text)) == {"billing": ["a"]}


def test_keys_for_merging_are_no_steps() -> None:
    text = (
        "steps:\n  x-write: &w {effect: non_idem_write}\n  .read: {effect: read}\n  a: {<<: *w, call: x.y}\n"
    )
    assert names(read(text)) == {"billing": ["a"]}


def test_a_step_has_the_places_of_its_name_and_of_all_that_is_said_of_it() -> None:
    table = only(
        read("steps:\n  create:\n    effect: read\n    call: a.b\n\n  other: {effect: read, call: a.b}\n")
    )
    create, other = table.steps
    assert (at(create.span), at(create.body)) == ((2, 3, 2, 9), (2, 3, 4, 14))
    assert (at(other.span), at(other.body)) == ((6, 3, 6, 8), (6, 3, 6, 35))
    assert at(table.span) == (2, 3, 6, 35)


def test_a_step_of_a_list_is_at_its_name() -> None:
    table = only(read("steps:\n- effect: read\n  name: create\n  call: a.b\n"))
    assert (at(table.steps[0].span), at(table.steps[0].body)) == ((3, 9, 3, 15), (2, 3, 4, 12))


def test_a_nameless_step_of_a_list_goes_by_its_number() -> None:
    assert names(read("steps:\n- {effect: read, call: a.b}\n- {effect: read, call: a.c}\n")) == {
        "billing": ["#1", "#2"]
    }


def test_a_step_with_nothing_behind_its_name_is_a_step_without_fields() -> None:
    table = only(read("steps:\n  a: {effect: read, call: a.b}\n  b:\n"))
    assert [step.name for step in table.steps] == ["a", "b"]
    assert table.steps[1].effect.origin is Origin.DEFAULT


def test_a_name_given_twice_is_reported_and_the_later_one_is_read() -> None:
    path = "flows/billing.yaml"
    table = only(read("steps:\n  a: {effect: read, call: a.b}\n  a: {effect: idem_write, call: a.b}\n"))
    assert table.repeated == (RepeatedStep("a", Span(path, 2, 3, 2, 4), Span(path, 3, 3, 3, 4)),)
    assert [step.effect.value for step in table.steps] == ["idem_write"]


def test_a_name_given_twice_in_json_and_in_a_list_is_reported() -> None:
    pair = '{"a": {"effect": "read", "call": "a.b"}, "a": {"effect": "read", "call": "a.b"}}'
    assert len(only(read(pair, "x.json")).repeated) == 1
    assert (
        len(
            only(
                read("- {name: a, effect: read, call: a.b}\n- {name: a, effect: read, call: a.b}\n")
            ).repeated
        )
        == 1
    )


def test_a_merged_step_that_is_overridden_is_no_repetition() -> None:
    text = "x-common: &c\n  a: {effect: read, call: a.b}\n  b: {effect: read, call: a.b}\n"
    table = only(read(f"{text}steps:\n  <<: *c\n  a: {{effect: idem_write, call: a.b}}\n"))
    assert table.repeated == ()
    assert {step.name: step.effect.value for step in table.steps} == {"a": "idem_write", "b": "read"}
    assert at(table.steps[1].span) == (3, 3, 3, 4)


@pytest.mark.parametrize("key", ["x-defaults", ".defaults", "_defaults"])
def test_what_is_kept_only_to_be_merged_is_no_table(key: str) -> None:
    text = f"{key}:\n  write: &write {{effect: non_idem_write}}\nsteps:\n  mail: {{<<: *write, call: mail.send}}\n"
    assert [step.name for step in only(read(text)).steps] == ["mail"]


def test_a_table_into_which_something_opaque_is_put_is_open() -> None:
    step = "a: {effect: read, call: a.b}"
    assert only(read(f"steps:\n  <<: !include common.yaml\n  {step}\n")).open
    assert only(read(f"steps:\n  b: !include b.yaml\n  {step}\n")).open
    assert only(read(f"steps:\n  '{{{{ name }}}}': 1\n  {step}\n")).open
    assert not only(read(f"steps:\n  {step}\n")).open


def test_a_misspelt_field_keeps_its_place() -> None:
    table = only(read("steps:\n  a: {effect: read, call: a.b, qurey: a.c}\n"))
    assert table.steps[0].unknown_fields == (
        UnknownField("qurey", Span("flows/billing.yaml", 2, 32, 2, 37), "query"),
    )


def test_a_dotted_path_is_looked_up_in_the_project() -> None:
    place = Span("shop/calls.py", 3, 5, 3, 11)
    project = Functions({"shop.calls:create": Found(Target.FUNCTION, "shop.calls.create", place)})
    step = only(read("steps: {a: {effect: read, call: shop.calls:create}}", project=project)).steps[0]
    assert step.call.value is not None
    assert (step.call.value.target, step.call.value.identity) == (Target.FUNCTION, "shop.calls.create")
    assert step.call.value.definition == place
    assert project.asked == [("shop.calls:create", "flows/billing.yaml")]


def test_what_a_project_lacks_is_missing_with_its_reason() -> None:
    project = Functions(
        {"shop.craete": Found(Target.MISSING, why="no 'craete' in 'shop'", nearest="shop.create")}
    )
    call = only(read("steps: {a: {effect: read, call: shop.craete}}", project=project)).steps[0].call.value
    assert call is not None
    assert (call.target, call.why, call.nearest) == (Target.MISSING, "no 'craete' in 'shop'", "shop.create")


def test_a_bare_word_names_a_step_or_what_only_a_registry_knows() -> None:
    text = "steps:\n  make: {effect: non_idem_write, call: a.b, compensate: undo}\n"
    text += "  redo: {effect: non_idem_write, call: a.b, compensate: udno}\n"
    text += "  undo: {effect: idem_write, call: a.c}\n"
    make, redo, _ = only(read(text)).steps
    assert make.compensate.value is not None
    assert make.compensate.value.target is Target.STEP
    assert redo.compensate.value is not None
    assert (redo.compensate.value.target, redo.compensate.value.nearest) == (Target.UNKNOWN, "undo")


def test_a_callable_that_is_no_text_is_wrong() -> None:
    step = only(read("steps: {a: {effect: idem_write, call: 3, query: [x]}}")).steps[0]
    assert (step.call.origin, step.call.why) == (Origin.WRONG, "is no callable")
    assert step.query.origin is Origin.WRONG


@pytest.mark.parametrize("text", ["${CALL}", "{{ call }}", "pkg.$name"])
def test_what_a_template_engine_fills_in_is_opaque(text: str) -> None:
    step = only(read(f"steps: {{a: {{effect: idem_write, call: '{text}', timeout: '{text}'}}}}")).steps[0]
    assert (step.call.origin, step.timeout.origin) == (Origin.OPAQUE, Origin.OPAQUE)


FOREIGN = {
    "workflow.yml": """
on: push
jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
    - uses: actions/checkout@v4
    - name: test
      run: make test
      if: always()
      timeout-minutes: 5
      env: {RETRY: "3"}
""",
    "cloud_workflow.yaml": """
main:
  params: [args]
  steps:
  - init:
      assign: [{project: x}]
  - post:
      call: http.post
      args: {url: "https://example.com", timeout: 30, query: {a: 1}}
      result: answer
  - again:
      try:
        call: http.get
        args: {url: "https://example.com"}
      retry: {predicate: x, max_retries: 5}
  - leave:
      return: ${answer}
""",
    "compose.yaml": """
x-base: &base {restart: always, healthcheck: {test: [x], timeout: 3s, retries: 5}}
services:
  db: {<<: *base, image: postgres, volumes: [a]}
  web: {build: ., depends_on: [db]}
""",
    "pod.yaml": """
apiVersion: v1
kind: Pod
spec:
  tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]
  containers: [{name: a, image: b, volumeMounts: [{name: c}], readinessProbe: {timeoutSeconds: 3}}]
""",
    "openapi.json": """
{"paths": {"/orders": {"get": {"parameters": [{"name": "query", "in": "query"}],
 "responses": {"200": {"description": "ok"}}}, "post": {"callbacks": {}, "operationId": "call"}}},
 "components": {"securitySchemes": {"o": {"flows": {"implicit": {"scopes": {"read": "r", "write": "w"}}}}}}}
""",
    "package.json": '{"scripts": {"test": "y", "call": "z"}, "dependencies": {"effect": "^2.0.0"}}',
    "policy.json": '{"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]}',
    "animation.json": '{"steps": [{"name": "in", "effect": "fade"}], "loop": {"effect": "burn"}}',
    "pyproject.toml": '[project]\nname = "x"\n[tool.poe.tasks.a]\ncmd = "x"\nenv = { call = "y" }\n',
    "pipeline.yml": "steps:\n- script: make\n  retryCountOnTaskFailure: 2\n- task: X@1\n  inputs: {a: b}\n",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_files_of_other_programs_hold_no_table(name: str) -> None:
    assert read(FOREIGN[name], name) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("steps.yaml", "main:\n  steps:\n    - a:\n        call: sys.log\n        timeout: 5\n"),
        ("steps.yaml", "main:\n  steps:\n    - a:\n        call: http.post\n"),
        (
            "steps.yaml",
            "main:\n"
            "  steps:\n"
            "    - a:\n"
            "        steps:\n"
            "          - b:\n"
            "              call: http.post\n"
            "              args: {url: x}\n"
            "          - c:\n"
            "              call: http.get\n",
        ),
        ("steps.json", '{"main": {"steps": [{"a": {"call": "sub_a"}}, {"b": {"call": "sub_b"}}]}}'),
        (
            "steps.yaml",
            "main:\n  steps:\n    - a:\n        call: http.get\n"
            "        query: a\n    - b:\n        call: http.get\n        query: a\n",
        ),
        ("steps.json", '[{"event": "step_done", "effect": "non_idem_write", "step": "a"}]'),
        ("steps.json", '[{"id": 1, "name": "a", "effect": "non_idem_write", "created_at": "x"}]'),
        (
            "steps.json",
            '[{"model": "app.step", "pk": 1, "fields": {"name": "a", '
            '"effect": "non_idem_write", "call": "pay"}}]',
        ),
        ("steps.json", '[{"model": "app.step", "pk": 1, "fields": {"effect": "non_idem_write"}}]'),
        (
            "steps.json",
            '{"properties": {"effect": {"enum": ["read", "idem_write", '
            '"non_idem_write"], "default": "non_idem_write"}, '
            '"call": {"type": "string"}, "query": {"type": "string"}}}',
        ),
        ("steps.json", '{"cards": [{"name": "Fireball", "effect": "damage", "call": "boom"}]}'),
        ("steps.yaml", "items:\n  scroll: {effect: read, identity: unknown}\n  potion: {effect: heal}\n"),
        (
            "steps.yaml",
            "lights:\n  - {name: a, effect: rainbow, output: 1}\n  - {effect: read, timeout: 2}\n",
        ),
        ("steps.json", '{"data": {"steps": [{"name": "read", "query": "x", "call": "y"}]}}'),
        ("steps.yaml", "steps:\n  - {name: mix, call: mom, timeout: 5}\n"),
        (
            "steps.yaml",
            "- {effect: non_idem_write, step: a, status: done}\n- {effect: read, step: b, status: done}\n",
        ),
    ],
)
def test_records_schemas_and_other_tools_steps_are_no_tables(path: str, text: str) -> None:
    assert read(text, path) == []
