"""Step tables written as dicts and lists."""

from datetime import timedelta

import pytest

from stepcheck.facts import Duration, Effect, Origin, RepeatedStep, Span, Target, UnknownField, Unlimited

PLAIN = """\
def create(): ...
def query(): ...


STEPS = {
    "create": {
        "effect": "non_idem_write",
        "call": create,
        "query": query,
        "compensate": None,
        "timeout": 2.5,
    },
    "match": {"effect": "read", "call": create},
}
"""


def test_a_dict_of_dicts_is_a_table_with_exact_places(tables):
    [table] = tables(PLAIN)
    assert (table.name, table.span, table.open) == ("STEPS", Span("steps.py", 5, 1, 5, 6), False)
    create, match = table.steps
    assert (create.name, create.table) == ("create", "STEPS")
    assert create.span == Span("steps.py", 6, 5, 6, 13)
    assert create.body == Span("steps.py", 6, 5, 12, 6)
    assert create.effect.value is Effect.NON_IDEM_WRITE
    assert create.effect.span == Span("steps.py", 7, 19, 7, 35)
    assert create.call.value.identity == "steps.create"
    assert create.call.value.definition == Span("steps.py", 1, 5, 1, 11)
    assert create.call.span == Span("steps.py", 8, 17, 8, 23)
    assert (create.compensate.origin, create.compensate.value) == (Origin.WRITTEN, None)
    assert create.timeout.value == Duration(timedelta(seconds=2.5))
    assert (match.name, match.effect.value, match.query.origin) == ("match", Effect.READ, Origin.DEFAULT)


@pytest.mark.parametrize(
    "source",
    [
        'FLOW = {"a": {"effect": "idem_write", "call": f}}',
        'FLOW = dict(a={"effect": "idem_write", "call": f})',
        'FLOW = dict(a=dict(effect="idem_write", call=f))',
        'FLOW = dict([("a", {"effect": "idem_write"})])',
        'FLOW: dict[str, dict] = {"a": {"effect": "idem_write"}}',
        'FLOW: Final = {"a": {"effect": "idem_write"}}',
        'FLOW = OTHER = {"a": {"effect": "idem_write"}}',
        'FLOW, n = {"a": {"effect": "idem_write"}}, 1',
        'from types import MappingProxyType\nFLOW = MappingProxyType({"a": {"effect": "idem_write"}})',
        'from typing import cast\nFLOW = cast("Table", {"a": {"effect": "idem_write"}})',
        'FLOW = [{"name": "a", "effect": "idem_write"}]',
        'FLOW = ({"name": "a", "effect": "idem_write"},)',
        'FLOW = list([{"name": "a", "effect": "idem_write"}])',
        'FLOW = [("a", {"effect": "idem_write"}), other]',
        'FLOW = OrderedDict([("a", {"effect": "idem_write"})])',
        'FLOW = Table(a={"effect": "idem_write"})',
        'class C:\n    FLOW: ClassVar[dict] = {"a": {"effect": "idem_write"}}',
        'class C:\n    def __init__(self):\n        self.FLOW = {"a": {"effect": "idem_write"}}',
        'def build():\n    FLOW = {"a": {"effect": "idem_write"}}\n    return FLOW',
        'if (FLOW := {"a": {"effect": "idem_write"}}):\n    pass',
        'FLOW = {}\nFLOW["a"] = {"effect": "idem_write"}',
        'FLOW = {}\nFLOW |= {"a": {"effect": "idem_write"}}',
        'FLOW = {}\nFLOW.update({"a": {"effect": "idem_write"}})',
        'FLOW = {}\nFLOW.update(a={"effect": "idem_write"})',
        'FLOW = {}\nFLOW.setdefault("a", {"effect": "idem_write"})',
        'FLOW = []\nFLOW.append({"name": "a", "effect": "idem_write"})',
        'FLOW = []\nFLOW += [{"name": "a", "effect": "idem_write"}]',
        'FLOW = []\nFLOW.extend([{"name": "a", "effect": "idem_write"}])',
        'FLOW = load()\nFLOW["a"] = {"effect": "idem_write"}',
        'FLOW = {"a": A}\nA = {"effect": "idem_write"}',
        'FLOW = {} | {"a": {"effect": "idem_write"}}',
        'FLOW = {**{"a": {"effect": "idem_write"}}}',
    ],
)
def test_every_way_to_write_a_table_is_read(tables, source):
    [table] = tables(source)
    assert table.name == "FLOW"
    assert [(step.name, step.effect.value) for step in table.steps] == [("a", Effect.IDEM_WRITE)]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ('run(Executor({"a": {"effect": "idem_write"}}))', "run"),
        ('Executor(steps={"a": {"effect": "idem_write"}})', "steps"),
        ('def build():\n    return {"a": {"effect": "idem_write"}}', "build"),
        ('def build(table={"a": {"effect": "idem_write"}}): ...', ""),
        ('X = {"version": 1, "steps": {"a": {"effect": "idem_write"}}}', "steps"),
        ('make().then({"a": {"effect": "idem_write"}})', ""),
        ('x = [y for y in {"a": {"effect": "idem_write"}}]', ""),
        ('x = flag and {"a": {"effect": "idem_write"}}', ""),
        ('f = lambda: {"a": {"effect": "idem_write"}}', ""),
        ('assert {"a": {"effect": "idem_write"}} == load()', ""),
        ('for k in {"a": {"effect": "idem_write"}}: ...', ""),
        ('match {"a": {"effect": "idem_write"}}:\n    case _: ...', ""),
        ("x = f\"{dict(a=dict(effect='idem_write'))}\"", ""),
        ('with use({"a": {"effect": "idem_write"}}) as u: ...', "use"),
    ],
)
def test_a_table_is_found_wherever_it_stands(tables, source, name):
    [table] = tables(source)
    assert [(step.name, step.effect.value) for step in table.steps] == [("a", Effect.IDEM_WRITE)]
    assert table.name == name


@pytest.mark.parametrize(
    "source",
    [
        'SPELLS = {"fireball": {"effect": "burn", "damage": 3}}',
        'X = {"read": {"effect": 1}}',
        'X = [{"name": "blur", "effect": "read"}]',
        "subprocess.run(call=f, query=q)",
        'X = [run(name="a", call=f, query=q)]',
        '@step("I do it")\ndef f(): ...',
        '@app.task(queue="x", query=q)\ndef f(): ...',
        'X = {"effect": "idem_write", "call": f}',
    ],
)
def test_what_only_looks_like_a_table_is_none(tables, source):
    assert tables(source) == []


def test_a_key_written_twice_is_kept_with_both_places(tables):
    [table] = tables('S = {\n  "a": {"effect": "read", "call": f},\n  "a": {"effect": "idem_write"},\n}\n')
    assert table.repeated == (RepeatedStep("a", Span("steps.py", 2, 3, 2, 6), Span("steps.py", 3, 3, 3, 6)),)
    assert [step.effect.value for step in table.steps] == [Effect.IDEM_WRITE]


def test_a_name_twice_in_a_list_is_kept_with_both_places(tables):
    [table] = tables('S = [{"name": "a", "effect": "idem_write"}, {"name": "a", "effect": "idem_write"}]')
    assert table.repeated == (
        RepeatedStep("a", Span("steps.py", 1, 15, 1, 18), Span("steps.py", 1, 54, 1, 57)),
    )


def test_an_assignment_to_a_key_of_the_literal_is_a_repeat(tables):
    [table] = tables('S = {"a": {"effect": "idem_write"}}\nS["a"] = {"effect": "idem_write"}\n')
    assert table.repeated == (RepeatedStep("a", Span("steps.py", 1, 6, 1, 9), Span("steps.py", 2, 3, 2, 6)),)


@pytest.mark.parametrize(
    "change",
    [
        'S["a"] = {**S["a"], "retryable": False}',
        'S["a"] = S["a"] | {"retryable": False}',
        'S |= {"a": {"effect": "idem_write"}}',
        'S.update(a={"effect": "idem_write"})',
        'if x:\n    S["a"] = {"effect": "idem_write"}',
        'T = {**S, "a": {"effect": "idem_write"}}',
        'del S["a"]\nS["a"] = {"effect": "idem_write"}',
    ],
)
def test_a_deliberate_override_is_no_repeat(tables, change):
    found = tables(f'S = {{"a": {{"effect": "idem_write", "call": f}}}}\n{change}\n')
    assert [table.repeated for table in found] == [()] * len(found)


@pytest.mark.parametrize(
    "change",
    [
        'S["a"]["retryable"] = False',
        'S["a"] |= {"retryable": False}',
        'S["a"].update({"retryable": False})',
        'S["a"].update(retryable=False)',
        'S["a"] = {**S["a"], "retryable": False}',
        'S["a"] = S["a"] | {"retryable": False}',
        'S["a"] = dict(S["a"], retryable=False)',
        'S |= {"b": {"effect": "read", "call": g}}\nS["a"]["retryable"] = False',
    ],
)
def test_fields_added_to_a_step_are_its_fields(tables, change):
    [table] = tables(f'S = {{"a": {{"effect": "idem_write", "retryable": True}}}}\n{change}\n')
    step = table.step("a")
    assert (step.effect.value, step.retryable.value, step.open) == (Effect.IDEM_WRITE, False, False)
    assert (step.span, step.repeated_fields, table.repeated) == (Span("steps.py", 1, 6, 1, 9), (), ())


def test_a_field_added_under_a_condition_is_opaque(tables):
    [table] = tables('S = {"a": {"effect": "idem_write"}}\nif x:\n    S["a"]["retryable"] = False\n')
    assert table.steps[0].retryable.origin is Origin.OPAQUE
    assert table.steps[0].effect.value is Effect.IDEM_WRITE


def test_an_override_that_builds_on_the_step_takes_its_fields(tables):
    [table] = tables(
        'S = {"a": {"effect": "idem_write", "call": f}}\nS["a"] = {**S["a"], "retryable": False}\n'
    )
    [step] = table.steps
    assert (step.effect.value, step.call.value.name, step.retryable.value) == (Effect.IDEM_WRITE, "f", False)
    assert (step.span, step.effect.span) == (Span("steps.py", 1, 6, 1, 9), Span("steps.py", 1, 22, 1, 34))


def test_a_step_added_under_a_condition_is_a_step_and_its_fields_are_read(tables):
    [table] = tables(
        'S = {"a": {"effect": "idem_write"}}\nif x:\n    S["b"] = {"effect": "read", "call": f}\n'
    )
    assert [(step.name, step.effect.value) for step in table.steps] == [
        ("a", Effect.IDEM_WRITE),
        ("b", Effect.READ),
    ]


def test_a_table_spread_into_another_is_reported_once_and_its_steps_are_siblings(tables):
    first, second = tables(
        """\
        BASE = {"undo": {"effect": "idem_write", "call": f}}
        ALL = {**BASE, "do": {"effect": "idem_write", "call": g, "compensate": "undo"}}
        """
    )
    assert [step.name for step in first.steps] == ["undo"]
    assert [step.name for step in second.steps] == ["do"]
    assert second.steps[0].compensate.value.target is Target.STEP


def test_fields_that_make_no_table_alone_are_steps_where_a_table_takes_them_in(tables):
    found = tables(
        """\
        BASE = {"look": {"call": f, "timeout": 3}}
        ALL = {**BASE, "do": {"effect": "idem_write", "call": g}}
        """
    )
    assert [(table.name, [step.name for step in table.steps]) for table in found] == [
        ("BASE", ["look"]),
        ("ALL", ["do"]),
    ]


def test_a_spread_that_cannot_be_read_opens_the_table(tables):
    [table] = tables('S = {**load(), "a": {"effect": "idem_write"}}')
    assert table.open
    assert not table.steps[0].open


def test_fields_spread_into_a_step_are_its_fields(tables):
    [table] = tables(
        'COMMON = {"timeout": 3, "retryable": True}\n'
        'S = {"a": {**COMMON, "effect": "idem_write", "retryable": False}}'
    )
    [step] = table.steps
    assert (step.timeout.value, step.retryable.value, step.open) == (
        Duration(timedelta(seconds=3)),
        False,
        False,
    )


def test_a_field_overridden_under_a_condition_is_opaque(tables):
    [table] = tables(
        'A = {"effect": "idem_write", "retryable": True}\nif x:\n    A["retryable"] = False\nS = {"a": A}'
    )
    assert table.steps[0].retryable.origin is Origin.OPAQUE
    assert table.steps[0].effect.value is Effect.IDEM_WRITE


def test_a_constant_bound_in_two_branches_is_opaque(tables):
    [table] = tables(
        'if x:\n    E = "read"\nelse:\n    E = "idem_write"\n'
        'S = {"a": {"effect": E, "call": f}, "b": {"effect": "idem_write"}}'
    )
    assert table.steps[0].effect.origin is Origin.OPAQUE


def test_a_constant_is_what_it_was_at_the_place_of_its_use(tables):
    first, second = tables(
        """\
        E = "read"
        A = {"a": {"effect": E, "call": f}}
        E = "idem_write"
        B = {"b": {"effect": E, "call": f}}
        """
    )
    assert first.steps[0].effect.value is Effect.READ
    assert second.steps[0].effect.value is Effect.IDEM_WRITE


@pytest.mark.parametrize(
    ("written", "length"),
    [
        ("timedelta(minutes=10)", timedelta(minutes=10)),
        ("timedelta(0, 90)", timedelta(seconds=90)),
        ("datetime.timedelta(hours=1, minutes=2 * 3)", timedelta(minutes=66)),
        ("td(days=1)", timedelta(days=1)),
        ("timedelta(minutes=LIMIT)", timedelta(minutes=7)),
    ],
)
def test_a_timedelta_of_constants_is_computed(tables, written, length):
    [table] = tables(
        "import datetime\nfrom datetime import timedelta\nfrom datetime import timedelta as td\nLIMIT = 7\n"
        f'S = {{"a": {{"effect": "idem_write", "compensate": f, "compensate_deadline": {written}}}}}'
    )
    assert table.steps[0].compensate_deadline.value == Duration(length)


@pytest.mark.parametrize("written", ["float('inf')", "math.inf", "inf", "None", "'unlimited'", "NO_BOUND"])
def test_infinity_is_no_limit(tables, written):
    [table] = tables(
        "import math\nfrom math import inf\nNO_BOUND = math.inf\n"
        f'S = {{"a": {{"effect": "idem_write", "max_attempts": {written}}}}}'
    )
    assert table.steps[0].max_attempts.value is Unlimited.UNLIMITED


@pytest.mark.parametrize(
    "written",
    [
        '"idem" "_write"',
        '"idem_" + "write"',
        'f"idem_write"',
        "EFFECT",
        "Names.WRITE",
        "Names.WRITE.value",
        "Names('idem_write')",
    ],
)
def test_an_effect_is_read_through_constants_and_enums(tables, written):
    [table] = tables(
        f"""\
        from enum import Enum, StrEnum, auto
        EFFECT = "idem_write"
        class Names(Enum):
            WRITE = "idem_write"
        class Auto(StrEnum):
            IDEM_WRITE = auto()
        S = {{"a": {{"effect": {written}, "call": f}}, "b": {{"effect": Auto.IDEM_WRITE}}}}
        """
    )
    assert [step.effect.value for step in table.steps] == [Effect.IDEM_WRITE, Effect.IDEM_WRITE]


@pytest.mark.parametrize(
    "written", ["compute()", "a if b else c", 'f"{x}_write"', "row['effect']", "KNOWN[x]"]
)
def test_an_effect_that_only_a_run_could_tell_is_opaque(tables, written):
    [table] = tables(f'S = {{"a": {{"effect": {written}, "call": f}}}}')
    assert table.steps[0].effect.origin is Origin.OPAQUE


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("CREATE", "create"),
        ("Names.CREATE", "create"),
        ("Names.CREATE.value", "create"),
        ('"cre" + "ate"', "create"),
        ("outside.Names.CREATE", "CREATE"),
        ("7", "7"),
    ],
)
def test_a_step_is_named_by_what_its_key_comes_to(tables, key, name):
    [table] = tables(
        f"""\
        import outside
        from enum import StrEnum
        CREATE = "create"
        class Names(StrEnum):
            CREATE = "create"
        S = {{{key}: {{"effect": "idem_write"}}}}
        """
    )
    assert [step.name for step in table.steps] == [name]


def test_a_key_that_only_a_run_could_tell_opens_the_table(tables):
    [table] = tables('S = {f"{x}": {"effect": "idem_write"}, f"{y}": {"effect": "idem_write"}}')
    assert (table.open, table.repeated, [step.name for step in table.steps]) == (True, (), ["...", "..."])


def test_a_step_may_be_named_like_one_that_cannot_be_named(tables):
    [table] = tables('S = {"...": {"effect": "idem_write"}}')
    assert (table.open, [step.name for step in table.steps]) == (False, ["..."])


def test_a_misspelt_field_is_kept_with_its_place(tables):
    [table] = tables('S = {"a": {"effect": "idem_write", "qurey": f}}')
    assert table.steps[0].unknown_fields == (UnknownField("qurey", Span("steps.py", 1, 36, 1, 43), "query"),)


def test_a_step_made_by_a_call_that_cannot_be_read_is_open(tables):
    [table] = tables('S = {"a": {"effect": "idem_write"}, "b": make(1)}')
    assert [(step.name, step.open) for step in table.steps] == [("a", False), ("b", True)]


@pytest.mark.parametrize("prefix", ["", "\ufeff", "# é日本\U0001f600\n", "\f\n", "x = 'é日本\U0001f600'; "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_count_characters_under_any_line_ending(tables, project, prefix, end):
    made = project({})
    text = f'{prefix}S = {{"ä\U0001f600": {{"effect":\t"idem_write"}}}}\nT = 1\n'.replace("\n", end)
    module = made.read("steps.py", text.encode())
    from stepcheck.frontends import TableOptions, literal_tables

    [table] = literal_tables.FRONTEND.tables(module, made, TableOptions())
    before = prefix.removeprefix("\ufeff").split("\n")
    line, column = len(before), len(before[-1]) + 1
    assert table.span == Span("steps.py", line, column, line, column + 1)
    assert table.steps[0].span == Span("steps.py", line, column + 5, line, column + 9)
    assert table.steps[0].effect.span == Span("steps.py", line, column + 22, line, column + 34)


def test_an_item_of_another_table_is_what_it_was_at_that_place(tables):
    first, second = tables(
        """\
        S = {"a": {"effect": "idem_write", "call": f}}
        T = {"b": {**S["a"], "timeout": 3}}
        S["a"] = {"effect": "read", "call": f}
        """
    )
    assert second.steps[0].effect.value is Effect.IDEM_WRITE
    assert first.steps[0].effect.value is Effect.READ


def test_a_negative_length_of_time_is_computed(tables):
    step = '{"effect": "idem_write", "compensate_deadline": -timedelta(1)}'
    [table] = tables(f'from datetime import timedelta\nSTEPS = {{"a": {step}}}')
    assert table.steps[0].compensate_deadline.origin is Origin.WRONG


def test_a_copy_holds_what_was_copied(tables):
    source = 'C = {"timeout": 3}\nSTEPS = {"a": {**C.copy(), "effect": "idem_write", "call": f}}'
    [table] = tables(source)
    assert table.steps[0].timeout.value == Duration(timedelta(seconds=3))
    assert not table.steps[0].open


@pytest.mark.parametrize(("word", "nearest"), [("undo_d", "undo_c"), ("other", "")])
def test_a_word_alone_is_compared_with_the_steps_of_its_table(tables, word, nearest):
    step = f'{{"effect": "idem_write", "call": f, "compensate": "{word}"}}'
    [table] = tables(f'def f(): ...\nSTEPS = {{"c": {step}, "undo_c": {{"call": f}}}}')
    undo = table.steps[0].compensate.value
    assert (undo.target, undo.nearest) == (Target.UNKNOWN, nearest)
