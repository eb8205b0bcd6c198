"""Tables that a file completes in ways that are not followed: what is not seen is unknown, what is written stays."""

import pytest

from stepcheck.facts import Origin

HEAD = "import lib\ndef pay(**k): ...\ndef find_pay(**k): ...\n"
WRITE = '{"effect": "non_idem_write", "call": pay}'
MADE = 'Step("a", effect="non_idem_write", call=pay)'
TABLE = 'STEPS = {"a": WRITE}\n'


def full(source):
    return HEAD + source.replace("WRITE", WRITE).replace("MADE", MADE)


@pytest.mark.parametrize(
    "source",
    [
        TABLE + 'for s in STEPS.values(): s.setdefault("on_uncertain", "human")',
        TABLE + 'for n, s in STEPS.items(): s["query"] = find_pay',
        TABLE + 'for n in STEPS: STEPS[n]["on_uncertain"] = "human"',
        TABLE + 'for n in list(STEPS): STEPS[n] = {**STEPS[n], "query": find_pay}',
        '_RAW = {"a": WRITE}\nSTEPS = {n: {**s, "on_uncertain": "human"} for n, s in _RAW.items()}',
        'def with_defaults(s, **k): ...\nSTEPS = with_defaults({"a": WRITE}, on_uncertain="human")',
        '_RAW = {"a": WRITE}\ndef with_defaults(s, **k): ...\nSTEPS = with_defaults(_RAW, on_uncertain="human")',
        '_RAW = {"a": WRITE}\ndef wd(s, **k): ...\nSTEPS = {n: wd(s) for n, s in _RAW.items()}',
        "from lib import Step\ns = MADE\ns.query = find_pay",
        "from lib import Step\nfrom dataclasses import replace\nbase = MADE\nother = replace(base, query=find_pay)",
        TABLE + 'for s in STEPS.values():\n    if s["effect"] != "read":\n        s |= {"query": find_pay}',
        'A = {"a": WRITE}\nSTEPS = {**A}\nfor s in STEPS.values(): s["query"] = find_pay',
        'from lib import Step\nSTEPS = {"a": Step(effect="non_idem_write", call=pay)}\nSTEPS["a"].query = find_pay',
        "from lib import Step\nSTEPS = [MADE]\nfor s in STEPS: s.query = find_pay",
        'STEPS = {}\nfor n in ("a", "c"):\n    STEPS[n] = WRITE\n    STEPS[n]["query"] = find_pay',
    ],
)
def test_a_field_that_may_be_set_elsewhere_is_unknown(tables, source):
    steps = [step for table in tables(full(source)) for step in table.steps]
    writes = [step for step in steps if step.effect.value == "non_idem_write"]
    assert writes
    assert {step.query.origin for step in writes} == {Origin.OPAQUE}
    assert not any(step.lacks("on_uncertain") for step in writes)


def test_a_default_set_later_leaves_the_other_fields_as_they_are(tables):
    [table] = tables(full(TABLE + 'STEPS["a"].setdefault("query", find_pay)'))
    [step] = table.steps
    assert step.query.origin is Origin.OPAQUE
    assert step.lacks("on_uncertain")


@pytest.mark.parametrize(
    "source",
    [
        TABLE + "for n in STEPS: self.last = n\nx().y = f()[0].z = 1",
        TABLE + "Executor(STEPS)",
        TABLE + "run(STEPS)",
        TABLE + "result = run(STEPS)",
        TABLE + "for n, s in STEPS.items(): run(s)",
        TABLE + 'for s in STEPS.values(): print(s["effect"])',
        TABLE + 'rows = [{**s, "name": n} for n, s in STEPS.items()]',
        TABLE + "results = {n: run(s) for n, s in STEPS.items()}",
        TABLE + "RESULT = run(STEPS)",
        TABLE + 'for n, s in STEPS.items():\n    seen = {}\n    seen[n] = s["call"]()',
        TABLE + 'for n in ("b", "c"): STEPS[n] = {"effect": "read", "call": find_pay}',
        TABLE + "NAMES = [n for n in STEPS]",
        TABLE + "app.steps = STEPS",
        TABLE + 'for n, s in STEPS.items():\n    out[n] = s["call"]()\n    done.append(n)',
        TABLE + 'for e in events: e["x"] = STEPS[e["step"]]',
        'from types import MappingProxyType\nSTEPS = MappingProxyType({"a": WRITE})',
        'executor = Executor({"a": WRITE})',
        'run({"a": WRITE})',
    ],
)
def test_a_table_that_is_only_looked_at_or_run_is_known_whole(tables, source):
    steps = [step for table in tables(full(source)) for step in table.steps if step.name == "a"]
    assert steps
    assert all(step.lacks("query") and step.lacks("on_uncertain") for step in steps)


def test_what_spreads_a_table_that_is_completed_elsewhere_opens_that_table_too(tables):
    source = TABLE + 'MORE_STEPS = {**STEPS, "b": WRITE}\n'
    changed = source + 'for step in MORE_STEPS.values():\n    step["query"] = find_pay\n'
    assert [step.open for table in tables(full(source)) for step in table.steps] == [False, False]
    assert [step.open for table in tables(full(changed)) for step in table.steps] == [True, True]
