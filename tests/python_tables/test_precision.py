"""Projects in which nothing is wrong, or nothing can be told: each stays without a finding."""

from pathlib import Path
from textwrap import dedent

import pytest

from stepcheck import engine
from stepcheck.report import Report
from stepcheck.settings import Settings

CALLS = "def pay(order): ...\ndef find_pay(order): ...\ndef get_a(): ...\nrequire(effect='deny', call=1)\n"


def check(folder: Path, text: str, **files: str) -> Report:
    (folder / "a.py").write_text(CALLS + dedent(text))
    for name, content in files.items():
        (folder / f"{name}.py").write_text(dedent(content))
    return engine.run(Settings(root=folder), ["."], cwd=folder)


MADE = 'def write(call): return {"effect": "non_idem_write", "call": call, "on_uncertain": "human"}\n'
READ = '{"effect": "read", "call": find_pay}'


@pytest.mark.parametrize(
    "text",
    [
        f'{MADE}STEPS = {{"a": write(pay), "b": {READ}}}',
        f'{MADE}STEPS = {{"a": write(call=pay), "b": {READ}}}',
        f'{MADE}STEPS = {{"b": {READ}}}\nSTEPS["a"] = write(pay)',
        f'{MADE}STEPS = [write(pay), {{"name": "b", "effect": "read", "call": find_pay}}]',
        'def write(name, call): return {"name": name, "effect": "non_idem_write", "call": call}\n'
        'STEPS = [write("a", pay), {"name": "b", "effect": "read", "call": find_pay}]',
        f'from helpers import write\nSTEPS = {{"a": write(pay), "b": {READ}}}',
        f'from helpers import write\nSTEPS = {{"a": write(call=pay), "b": {READ}}}',
        f'from package import write\nSTEPS = {{"a": write(pay), "b": {READ}}}',
        f'from package import write\nSTEPS = {{"a": write(call=pay, timeout=3), "b": {READ}}}',
        f'from package import Write\nSTEPS = {{"a": Write(call=pay), "b": {READ}}}',
        f'from package import write_step\nSTEPS = {{"a": write_step(call=pay), "b": {READ}}}',
        f'from package import WriteStep\nSTEPS = {{"a": WriteStep(call=pay, timeout=3), "b": {READ}}}',
        f'import package\nSTEPS = {{"a": package.write(pay, effect="non_idem_write"), "b": {READ}}}',
        'def write(call, effect="non_idem_write"):\n'
        '    return {"effect": effect, "call": call, "on_uncertain": "human"}\n'
        f'STEPS = {{"a": write(pay), "b": {READ}}}',
        'def write(call, *, effect="non_idem_write"):\n'
        '    made = {"effect": effect, "call": call}\n'
        '    made["on_uncertain"] = "human"\n'
        "    return made\n"
        f'STEPS = {{"a": write(pay, effect="non_idem_write"), "b": {READ}}}',
        "def write(call, **fields): return {**defaults(), **fields, 'call': call}\n"
        f'STEPS = {{"a": write(pay, effect="non_idem_write"), "b": {READ}}}',
        'COMMON = {"on_uncertain": "human"}\n'
        "def write(call, **fields): return {**COMMON, **fields, 'call': call}\n"
        f'STEPS = {{"a": write(pay, effect="non_idem_write"), "b": {READ}}}',
    ],
)
def test_a_step_that_a_helper_makes_is_counted_and_not_judged(text: str, tmp_path: Path) -> None:
    report = check(tmp_path, text, helpers=MADE)
    assert report.findings == ()
    assert (report.coverage.tables, report.coverage.steps) == (1, 2)
    assert report.coverage.settings_opaque > 0


@pytest.mark.parametrize(
    "text",
    [
        """\
        class Step:
            def __init__(self, name, call, effect="read", on_uncertain="human"): ...
        STEPS = [Step("a", find_pay), Step("b", pay, effect="non_idem_write")]
        """,
        """\
        class Step:
            def __init__(self, name, call, *, effect="read", on_uncertain="human"):
                self.name, self.call, self.effect, self.on_uncertain = name, call, effect, on_uncertain
        STEPS = {"a": Step("a", find_pay), "b": Step("b", pay, effect="non_idem_write")}
        """,
        """\
        class Step:
            def __init__(self, name, call, effect="read", on_uncertain=None):
                self.effect = effect
                self.on_uncertain = on_uncertain or "human"
        STEPS = [Step("a", find_pay), Step("b", pay, effect="non_idem_write")]
        """,
        """\
        def step(name, call, effect="read", on_uncertain="human"):
            return {"name": name, "call": call, "effect": effect, "on_uncertain": on_uncertain}
        STEPS = [step("a", find_pay), step("b", pay, effect="non_idem_write")]
        """,
        """\
        def step(effect="read", on_uncertain="human"):
            return lambda function: function
        @step()
        def look(): ...
        @step(effect="non_idem_write")
        def send(order): ...
        """,
        """\
        TABLE = {}
        def step(effect):
            def register(function):
                TABLE[function.__name__] = {"effect": effect, "call": function, "on_uncertain": "human"}
                return function
            return register
        @step(effect="read")
        def look(): ...
        @step("non_idem_write")
        def send(order): ...
        """,
        """\
        def step(function=None, *, effect="read"):
            return function
        @step
        def look(): ...
        @step(effect="idem_write", dedupe=True)
        def put(order): ...
        """,
        """\
        class Step:
            def __init__(self, name, call, effect, on_uncertain=None): ...
        class Read(Step):
            def __init__(self, name, call):
                super().__init__(name, call, effect="read")
        class Write(Step):
            def __init__(self, name, call):
                super().__init__(name, call, effect="non_idem_write", on_uncertain="human")
        STEPS = [Step("a", get_a, "read"), Read("b", find_pay), Write("c", pay)]
        """,
        """\
        class Step:
            def __init__(self, name, call, effect, on_uncertain=None): ...
        class Write(Step):
            def __init__(self, name, call, effect="non_idem_write"):
                Step.__init__(self, name, call, effect, "human")
        STEPS = [Step("a", get_a, "read"), Write("c", pay)]
        """,
        """\
        import wf
        class Write(wf.Step):
            def __init__(self, name, call, effect="non_idem_write"):
                super().__init__(name, call, effect, on_uncertain="human")
        STEPS = [Write("c", pay), wf.Step("b", effect="read", call=find_pay)]
        """,
        """\
        from dataclasses import dataclass
        @dataclass
        class Step:
            name: str
            call: object
            effect: str = "read"
            on_uncertain: str = None
            def __post_init__(self):
                self.on_uncertain = self.on_uncertain or "human"
        STEPS = [Step("a", find_pay), Step("b", pay, effect="non_idem_write")]
        """,
        """\
        class Step:
            effect = "read"
            def __init__(self, name, call): ...
        class Write(Step):
            effect = "non_idem_write"
            on_uncertain = "human"
        STEPS = [Step("a", find_pay), Write("b", pay)]
        """,
        """\
        class Step:
            def __init__(self, name, call, effect): ...
            def query(self, order): ...
        STEPS = [Step("a", pay, "non_idem_write")]
        """,
        """\
        class Step:
            def __init__(self, name, effect, call, on_uncertain=None): ...
            @classmethod
            def write(cls, name, call):
                return cls(name, "non_idem_write", call, on_uncertain="human")
        STEPS = [Step.write("a", pay), Step("b", "read", find_pay)]
        """,
        """\
        class Make:
            @staticmethod
            def step(name, call, effect="read"):
                return {"name": name, "call": call, "effect": effect}
        STEPS = [Make.step("a", find_pay), Make.step("b", find_pay, effect="read")]
        """,
        """\
        from functools import partial
        from wf import step
        write = partial(step, effect="non_idem_write", on_uncertain="human")
        STEPS = [write("a", pay), step("b", call=find_pay, effect="read")]
        """,
        """\
        from wf import Step
        STEPS = [Step("a", effect="non_idem_write", call=pay).named("x").with_query(find_pay)]
        """,
        """\
        from wf import Step
        A = Step("a", effect="non_idem_write", call=pay).on_uncertain("human")
        """,
        """\
        from wf import Step
        A = Step("a", effect="non_idem_write", call=pay).with_options(OPTIONS)
        """,
        """\
        from wf import step
        @step(effect="non_idem_write")
        class Send:
            on_uncertain = "human"
            def __call__(self, order): ...
        """,
        """\
        from wf import step, query, on_uncertain
        @query(find_pay)
        @on_uncertain("human")
        @step(effect="non_idem_write")
        def send(order): ...
        """,
    ],
)
def test_what_a_step_is_given_elsewhere_is_not_said_to_be_missing(text: str, tmp_path: Path) -> None:
    report = check(tmp_path, text)
    assert report.findings == ()
    assert report.coverage.steps >= 1


@pytest.mark.parametrize(
    "text",
    [
        'logger.info("x", effect="non_idem_write", step="a")',
        'logging.warning("x", effect="non_idem_write", step="a", call=pay)',
        'rows = s.query(Step).filter_by(effect="non_idem_write")',
        'rows = Step.objects.filter(effect="non_idem_write")',
        'svc.run.assert_called_with(effect="non_idem_write")',
        'svc.run.assert_called_once_with(pay, effect="non_idem_write")',
        'metrics.counter("steps", effect="idem_write").inc()',
        'raise StepError("x", effect="non_idem_write")',
        'rows = query(effect="non_idem_write")',
        'span.set(effect="non_idem_write")',
        'logger.info("started", extra={"effect": "non_idem_write", "step": "a"})',
        'requests.post(URL, json={"effect": "non_idem_write", "name": "a"})',
        'DOC = {"read": {"title": "r", "class": "read"}, "w": {"title": "x", "class": "non_idem_write"}}',
        'COL = {"enum": {"values": ["read"], "default": "non_idem_write"}}',
        'SCHEMA = {"properties": {"effect": {"const": "non_idem_write"}, "call": {"type": "string"}}}',
        'LOG = [{"message": "sent", "effect": "non_idem_write", "step": "a"}]',
        'EFFECTS = {"read": {"effect": "read", "call": pay}, "boom": {"effect": "explode", "call": get_a}}',
        'SPELLS = {"scroll": {"effect": "read", "timeout": 3}, "fire": {"effect": "burn"}}',
        'ACTIONS = {"add": {"effect": "append", "call": lambda s: s, "payload": 1}}',
        'LAMPS = {"a": {"effect": "fade", "call": pay, "query": None, "timeout": 3}}',
        'ENDPOINTS = {"users": {"call": pay, "query": {"limit": 3}}, "b": {"call": get_a, "timeout": 3}}',
        'ROUTES = {"/x": {"call": pay, "identity": get_a}}',
        'RPC = {"m": {"call": pay, "query": True}}',
        'contacts = {"bob": {"call": "555-1", "query": "who"}}',
        'SETUP_STEPS = [{"name": "a", "call": pay}]',
        'onboarding_steps = [{"call": pay, "timeout": 3}]',
        'steps_by_day = {"a": {"call": pay}}',
        'RULES = {"a": {"deduped": "no", "call": pay}}',
        '@require(effect="deny")\ndef a(): ...',
        '@app.call(effect="fade")\ndef a(): ...',
        '@bus.on(effect="append")\ndef a(): ...',
        '@app.task(retry=3, effect="x")\ndef a(): ...',
        '@require("read")\ndef a(): ...\n@require("write")\ndef b(): ...\n'
        '@require(effect="deny")\ndef c(): ...',
        '@scope("read", timeout=3)\ndef a(): ...\n@scope("write")\ndef b(): ...',
        '@tool("read")\ndef a(): ...\n@tool("write")\ndef b(): ...',
        '@tool("read", retry=3)\ndef a(): ...',
        'FILTER = {"where": {"effect": "non_idem_write"}}',
        'v = StepRow(name="x", effect="non_idem_write")',
        'SPELLS = {"a": {"effect": "burn", "call": pay}, "b": {"effect": "read", "call": find_pay}}',
        '@click.option("--effect", type=click.Choice(["read", "idem_write"]), default="idem_write")\n'
        "def main(effect): ...",
        '@step(effect="fade")\ndef a(): ...',
    ],
)
def test_what_only_speaks_of_effects_is_no_table(text: str, tmp_path: Path) -> None:
    report = check(tmp_path, text)
    assert report.findings == ()
    assert (report.coverage.tables, report.coverage.steps) == (0, 0)


BAD = '{"a": {"effect": "non_idem_write", "call": pay, "retryable": True}}'


@pytest.mark.parametrize(
    "text",
    [
        f"def test_it():\n    with pytest.raises(ValueError):\n        load({BAD})\n",
        f"def test_it():\n    with pytest.raises(ValueError) as error:\n        steps = {BAD}\n        load(steps)\n",
        f"class T(TestCase):\n    def test_it(self):\n        with self.assertRaises(ValueError):\n"
        f"            load({BAD})\n",
        f"def test_it():\n    pytest.raises(ValueError, load, {BAD})\n",
        "def test_it():\n    with pytest.raises(ValueError):\n"
        '        Step("a", pay, effect="non_idem_write", retryable=True)\n',
    ],
)
def test_a_table_that_is_meant_to_be_refused_is_not_judged(text: str, tmp_path: Path) -> None:
    assert check(tmp_path, text).findings == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from wf import step, Effect\n@step(Effect.NON_IDEM_WRITE)\ndef a(order): ...", "a"),
        ('from wf import step, Effect\n@step("x", Effect.NON_IDEM_WRITE)\ndef a(order): ...', "x"),
        ("from wf import step, NON_IDEM_WRITE\n@step(NON_IDEM_WRITE)\ndef a(order): ...", "a"),
        ('from wf import step, NON_IDEM_WRITE\n@step("x", NON_IDEM_WRITE)\ndef a(order): ...', "x"),
        ("from wf import step, NON_IDEM_WRITE\n@step(effect=NON_IDEM_WRITE)\ndef a(order): ...", "a"),
        ('from wf import Step, Effect\nSTEPS = [Step("a", Effect.NON_IDEM_WRITE, call=pay)]', "a"),
        ('from wf import Step, Effect\nStep("a", Effect.NON_IDEM_WRITE, call=pay)', "a"),
        ('from wf import Step\nStep("read", effect="non_idem_write", call=pay)', "read"),
        ('from wf import task\n@task(effect="non_idem_write")\ndef a(order): ...', "a"),
        ('Step("a", effect="non_idem_write", call=pay).register(flow)', "a"),
        ('flow.add("a", call=pay, effect="non_idem_write")', "a"),
        ('submit(pay, effect="non_idem_write")', "pay"),
        ('STEPS = {"a": {"effect": "non_idem_write"}, "b": {}}', "a"),
        ('X = {"a": {"kind": 1, "effect": "non_idem_write", "call": pay}}', "a"),
        (
            'class Step:\n    def __init__(self, name, effect): ...\nSTEPS = [Step("a", "non_idem_write")]',
            "a",
        ),
    ],
)
def test_a_write_is_found_in_every_form(text: str, name: str, tmp_path: Path) -> None:
    found = check(tmp_path, text).findings
    assert ("unqueryable-write", name) in {(one.rule, one.step) for one in found}


@pytest.mark.parametrize(
    "text",
    [
        'STEPS = {n: {"effect": "non_idem_write", "call": pay} for n in ("a", "b")}',
        'STEPS = [{"name": n, "effect": "non_idem_write", "call": pay} for n in ("a", "b")]',
    ],
)
def test_the_step_of_a_comprehension_is_judged(text: str, tmp_path: Path) -> None:
    report = check(tmp_path, text)
    assert [one.rule for one in report.findings] == ["unqueryable-write"]
    assert (report.coverage.tables, report.coverage.steps) == (1, 1)


def test_effects_that_only_a_run_could_tell_are_counted(tmp_path: Path) -> None:
    report = check(tmp_path, 'X = {"a": {"effect": EFFECTS["a"], "call": pay}}')
    assert report.findings == ()
    assert (report.coverage.tables, report.coverage.settings_opaque) == (1, 1)
