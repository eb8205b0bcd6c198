"""Tables and callables followed from file to file."""

import pytest

from stepcheck.facts import Effect, Span, Target

CALLS = "def create(): ...\ndef query(): ...\nclass Client:\n    def send(self): ...\nclient = Client()\n"
TABLE = 'STEPS = {{"a": {{"effect": "idem_write", "call": {call}}}}}\n'


def reference(tables, head, call, files=None, path="shop/steps.py"):
    """The reference that a one-step table in shop/steps.py makes of `call`."""
    base = {"shop/__init__.py": "", "shop/calls.py": CALLS, path: f"{head}\n{TABLE.format(call=call)}"}
    [table] = tables(base | (files or {}), path)
    return table.steps[0].call.value


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("from shop.calls import create", "create"),
        ("from .calls import create as make", "make"),
        ("from . import calls", "calls.create"),
        ("import shop.calls", "shop.calls.create"),
        ("import shop.calls as c", "c.create"),
        ("from shop.calls import *", "create"),
        ("from shop import calls\nmake = calls.create", "make"),
        ("from shop.api import create", "create"),
        ("from shop.star import create", "create"),
        ("try:\n    from fast import create\nexcept ImportError:\n    from .calls import create", "create"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .calls import create", "create"),
        ("", '"shop.calls.create"'),
        ("", '"shop.calls:create"'),
        ("", '"shop.api.create"'),
    ],
)
def test_one_function_has_one_identity_however_it_is_named(tables, head, call):
    extra = {"shop/api.py": "from .calls import create, query\n", "shop/star.py": "from .calls import *\n"}
    found = reference(tables, head, call, extra)
    if "fast" in head:
        assert found.target is Target.OUTSIDE
        return
    assert (found.target, found.identity) == (Target.FUNCTION, "shop.calls.create")
    assert found.definition == Span("shop/calls.py", 1, 5, 1, 11)


@pytest.mark.parametrize(
    ("head", "call", "identity"),
    [
        ("from functools import partial", "partial(create, 1)", ""),
        ("import functools", "functools.partial(functools.partial(create, 1), 2)", ""),
        ("", "partial(create, 1)", ""),
        ("from functools import partial\npaid = partial(create, 1)", "paid", "shop.steps.paid"),
    ],
)
def test_a_partial_is_the_function_in_it_and_yet_another_callable(tables, head, call, identity):
    found = reference(tables, f"from .calls import create\n{head}", call)
    assert (found.target, found.definition) == (Target.FUNCTION, Span("shop/calls.py", 1, 5, 1, 11))
    assert found.identity == identity


@pytest.mark.parametrize(
    ("head", "call", "target", "identity"),
    [
        ("import stripe", "stripe.Charge.create", Target.OUTSIDE, "stripe.Charge.create"),
        ("from stripe import Charge as C", "C.create", Target.OUTSIDE, "stripe.Charge.create"),
        ("from .calls import client", "client.send", Target.FUNCTION, "shop/calls.py:client.send"),
        ("from .calls import Client", "Client.send", Target.FUNCTION, "shop.calls.Client.send"),
        ("f = lambda x: x", "f", Target.FUNCTION, "shop.steps.f"),
        ("", "lambda x: x", Target.UNNAMED, ""),
        ("class Job:\n    def run(self): ...", "Job.run", Target.FUNCTION, "shop.steps.Job.run"),
        ("", "nowhere", Target.UNKNOWN, "shop/steps.py:nowhere"),
        ("from outside import *", "create", Target.UNKNOWN, ""),
        ("import os\nsend = os.getenv('x')", "send", Target.FUNCTION, "shop.steps.send"),
    ],
)
def test_what_a_name_turns_out_to_be(tables, head, call, target, identity):
    found = reference(tables, head, call)
    assert (found.target, found.identity) == (target, identity or found.identity)


@pytest.mark.parametrize(
    ("head", "call", "why", "nearest"),
    [
        ("from .calls import creat", "creat", "no 'creat' in shop/calls.py", "create"),
        ("from shop import calls", "calls.qurey", "no 'qurey' in shop/calls.py", "query"),
        ("import shop.cals", "shop.cals.create", "no 'cals' in shop/__init__.py", "calls"),
        ("from .cals import create", "create", "no module '.cals' in the project", "calls"),
        ("", '"shop.calls.creat"', "no 'creat' in shop/calls.py", "create"),
        ("", '"shop.cals.create"', "no 'cals' in shop/__init__.py", "calls"),
        ("def create_order(): ...", "creat_order", "no 'creat_order' in shop/steps.py", "create_order"),
    ],
)
def test_what_the_project_does_not_define_is_missing(tables, head, call, why, nearest):
    found = reference(tables, head, call)
    assert (found.target, found.why, found.nearest) == (Target.MISSING, why, nearest)


@pytest.mark.parametrize(
    ("calls", "call"),
    [
        ("def __getattr__(name): ...\n", "calls.anything"),
        ("from outside import *\n", "calls.anything"),
        ("globals()['x'] = 1\n", "calls.x"),
        ("def f(:\n", "calls.x"),
    ],
)
def test_what_may_exist_at_run_time_is_not_missing(tables, calls, call):
    found = reference(tables, "from . import calls", call, {"shop/calls.py": calls})
    assert found.target is Target.UNKNOWN


def test_a_name_is_missing_in_a_whole_program_and_unknown_in_a_snippet(tables):
    table = 'S = {"a": {"effect": "idem_write", "call": hold, "compensate": release}}\ndef release(): ...\n'
    whole, snippet = tables(table)[0], tables(table + "@retry(stop=never)\ndef other(): ...\n")[0]
    assert whole.steps[0].call.value.target is Target.MISSING
    assert whole.steps[0].call.value.why == "no 'hold' in steps.py"
    assert snippet.steps[0].call.value.target is Target.UNKNOWN


@pytest.mark.parametrize(
    "source",
    [
        "def build(hold):\n    return {table}\ndef release(): ...\n",
        "class C:\n    hold = x()\n    S = {table}\ndef release(): ...\n",
        "for hold in x:\n    S = {table}\ndef release(): ...\n",
        "import x as hold\nS = {table}\ndef release(): ...\n",
    ],
)
def test_a_name_bound_anywhere_is_not_missing(tables, source):
    table = '{"a": {"effect": "idem_write", "call": hold, "compensate": release}}'
    [found] = tables(source.replace("{table}", table))
    assert found.steps[0].call.value.target is not Target.MISSING


def test_a_table_completed_in_another_file_is_reported_where_it_is_written(tables):
    files = {
        "a.py": 'STEPS = {"undo": {"effect": "idem_write"}}\n',
        "b.py": 'from a import STEPS\nSTEPS["do"] = {"effect": "idem_write", "compensate": "undo"}\n',
        "c.py": 'import a\na.STEPS |= {"more": {"effect": "idem_write", "compensate": "undo"}}\n',
        "d.py": "from a import STEPS\n"
        'ALL = {**STEPS, "last": {"effect": "idem_write", "compensate": "undo"}}\n',
    }
    for path, names in [("a.py", ["undo"]), ("b.py", ["do"]), ("c.py", ["more"]), ("d.py", ["last"])]:
        [table] = tables(files, path)
        assert [step.name for step in table.steps] == names
        assert all(step.span.path == path for step in table.steps)
        compensate = table.steps[0].compensate.value
        assert compensate is None or compensate.target is Target.STEP


def test_fields_and_enums_of_another_file_are_followed(tables):
    [table] = tables(
        {
            "base.py": "from enum import StrEnum, auto\nfrom calls import f\n"
            'class E(StrEnum):\n    IDEM_WRITE = auto()\nCOMMON = {"call": f}\n',
            "calls.py": "def f(): ...\n",
            "steps.py": 'from base import E, COMMON\nS = {"a": {**COMMON, "effect": E.IDEM_WRITE}}\n',
        }
    )
    [step] = table.steps
    assert (step.effect.value, step.call.value.identity) == (Effect.IDEM_WRITE, "calls.f")
    assert step.call.span == Span("base.py", 5, 19, 5, 20)


def test_the_source_root_is_no_part_of_an_identity(tables):
    files = {"src/shop/__init__.py": "", "src/shop/calls.py": CALLS}
    found = reference(tables, "from shop.calls import create", "create", files, "jobs/steps.py")
    assert found.identity == "shop.calls.create"


def test_circles_of_imports_and_values_end(tables):
    files = {
        "a.py": "from b import *\nfrom b import x\n"
        'S = {"a": {"effect": x, "call": y}, "b": {"effect": "idem_write"}}\n',
        "b.py": "from a import *\nfrom a import x\nz = z2\nz2 = z\n",
        "c.py": "A = {**B}\n"
        'B = {**A, **A, "a": {"effect": "idem_write", "call": f, **A}}\nclass C(C): ...\nS = {"c": C(1)}\n',
    }
    assert [table.name for table in tables(files, "a.py")] == ["S"]
    assert [table.name for table in tables(files, "c.py")] == ["B"]


@pytest.mark.parametrize(
    ("text", "target"), [("undo", Target.STEP), ("undu", Target.UNKNOWN), ("undo_odrer", Target.MISSING)]
)
def test_a_string_may_name_a_step_of_the_table(tables, text, target):
    undo = '"undo": {"effect": "idem_write"}'
    [table] = tables(f'S = {{{undo}, "undo_order": {{"effect": "idem_write", "compensate": "{text}"}}}}')
    assert table.steps[1].compensate.value.target is target


@pytest.mark.parametrize(
    "lines",
    [
        "A0 = {'effect': 'idem_write'}\n"
        + "".join(f"A{i + 1} = {{**A{i}, **A{i}}}\n" for i in range(60))
        + "S = {'x': A60, 'y': {'effect': 'idem_write'}}\n",
        "S = {'x': {'effect': 'idem_write'}}\n" + "S['x'] = {**S['x'], **S['x']}\n" * 60,
        "class C0: ...\n"
        + "".join(f"class C{i + 1}(C{i}, C{i}): ...\n" for i in range(200))
        + "S = [C200('x', effect='idem_write', call=f)]\n",
        "S = {'x': {'effect': 'idem_write', 'call': " + "partial(" * 80 + "f" + ", 1)" * 80 + "}}\n",
        "S = {'x': {'effect': 'idem_write'}}\n" + "S['x']['retryable'] = True\n" * 1200,
    ],
)
def test_a_few_lines_that_stand_for_millions_are_read_at_once(tables, lines):
    [*_, table] = tables(lines)
    assert table.steps[0].name == "x"


def test_the_data_frontends_question_is_answered_from_the_roots(project):
    made = project({"src/shop/__init__.py": "", "src/shop/calls.py": CALLS, "jobs/run.py": "def go(): ...\n"})
    found = [
        made.lookup(dotted) for dotted in ("shop.calls.create", "stripe.Charge", "shop.calls.creat", "a b")
    ]
    assert [one.target for one in found] == [Target.FUNCTION, Target.OUTSIDE, Target.MISSING, Target.UNKNOWN]
    assert made.lookup("jobs.run.go").definition == Span("jobs/run.py", 1, 5, 1, 7)
    assert made.lookup("run.go").target is Target.OUTSIDE
    assert made.lookup("run.go", "jobs/table.yaml").identity == "jobs.run.go"


@pytest.mark.parametrize(
    ("calls", "call"),
    [("__all__ = ['other']\ndef create(): ...\n", "create"), ("def _create(): ...\n", "_create")],
)
def test_a_star_import_brings_only_what_its_module_shows(tables, calls, call):
    found = reference(tables, "from .calls import *", call, {"shop/calls.py": calls})
    assert (found.target, found.definition) == (Target.UNKNOWN, None)


def test_a_folder_without_init_gives_way_to_a_package_of_its_name(tables):
    files = {"stripe/hooks.py": "def on_event(): ...\n"}
    found = reference(tables, "import stripe.charges", "stripe.charges.create", files)
    assert found.target is Target.OUTSIDE
    found = reference(tables, "from stripe.charges import create", "create", files)
    assert found.target is Target.OUTSIDE
    found = reference(tables, "from stripe.hooks import on_event", "on_event", files)
    assert found.identity == "stripe.hooks.on_event"
    found = reference(tables, "from stripe.hoks import on_event", "on_event", files)
    assert (found.target, found.nearest) == (Target.MISSING, "hooks")


def test_what_one_branch_binds_is_no_constant(tables):
    [table] = tables(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    E = 'read'\nelse:\n    E = 'idem_write'\n"
        "S = {'a': {'effect': E, 'call': f}, 'b': {'effect': 'idem_write'}}\n"
    )
    assert table.steps[0].effect.opaque
