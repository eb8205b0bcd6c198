"""Examples that are step tables: loaded, followed, and run with the bodies beside them."""

import sys
from textwrap import dedent
from types import ModuleType

import pytest

from stepcheck.harms import tables
from stepcheck.harms.declared import declared
from stepcheck.harms.executing import trial
from stepcheck.harms.loaded import loaded
from stepcheck.harms.program import has_bodies, program
from stepcheck.harms.situations import Situation
from stepcheck.harms.trial import Played
from stepcheck.harms.twins import Twins
from tests.harms.examples import example, several

PAY = """
    STEPS = {{"pay": {{"effect": "{effect}", "call": pay, {more}}}}}
"""


def table(effect: str = "non_idem_write", more: str = "") -> str:
    return dedent(PAY).format(effect=effect, more=more)


def run(**files: str) -> list[Played]:
    """Every schedule of at most one fault, on the reference executor."""
    return list(trial(program(several(**files)), 1, endures=False))


def shown(bad: str, good: str, harm: str = "duplicate") -> tuple[Situation, Twins]:
    situation, _, twins = tables.show(example(bad), example(good), harm, "", 2)
    return situation, twins


# Loaded.


def test_the_loader_takes_a_table_whose_names_are_elsewhere() -> None:
    found = loaded(example(table(more='"query": find_payment')))
    assert (found.wrong, found.records) == ((), (("pay", "not begun"),))


def test_the_loader_refuses_with_the_step_and_the_field() -> None:
    found = loaded(example(table("write")))
    told = "step 'pay': effect: 'write' is none of 'read', 'idem_write' or 'non_idem_write'"
    assert [(wrong.harm, wrong.text) for wrong in found.wrong] == [("refused", told)]
    assert [beat.sentence for beat in found.beats] == [f"It refuses to begin: {told}"]


@pytest.mark.parametrize("call", ["rooms.book", "rooms.bok"])
def test_what_an_example_imports_is_forgotten_and_what_had_its_name_is_back(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rooms", ModuleType("rooms"))
    before = dict(sys.modules), list(sys.path)
    steps = f"import rooms\nSTEPS = {{'book': {{'effect': 'read', 'call': {call}}}}}"
    found = loaded(several(steps=steps, rooms="def book(p): ..."))
    assert [wrong.harm for wrong in found.wrong] == ([] if call == "rooms.book" else ["refused"])
    assert (dict(sys.modules), list(sys.path)) == before


def test_a_dotted_path_of_any_length_that_leads_elsewhere_is_there() -> None:
    found = loaded(example("steps:\n  pay: {effect: read, call: shop.bank.look}\n", "steps.yaml"))
    assert (found.wrong, found.records) == ((), (("pay", "not begun"),))
    assert "shop" not in sys.modules
    assert "shop.bank" not in sys.modules


def test_a_dotted_path_into_a_file_of_the_example_must_be_there() -> None:
    steps = "steps:\n  pay: {effect: read, call: bank.look}\n"
    text = {"steps.yaml": steps, "bank.py": "def look_up(params): ...\n"}
    made = several(bank=text["bank.py"])
    found = loaded(type(made)(True, text, (), 1))
    assert [wrong.text for wrong in found.wrong] == ["'bank.look' names nothing that can be called"]


# Followed.


def test_a_step_is_marked_by_the_finding_that_its_example_expects() -> None:
    made = example(
        table("idem_write") + dedent(PAY).format(effect="read", more="").replace("STEPS", "MORE"), line=1
    )
    assert [(one.table.name, one.marked) for one in declared(made)] == [("STEPS", True), ("MORE", True)]
    assert [one.marked for one in declared(example(table("read")))] == [False]


def test_a_keyed_write_that_nobody_promises_to_know_happens_twice() -> None:
    situation, twins = shown(table("idem_write"), table("idem_write", '"dedupe": True'))
    assert situation is Situation.TABLE
    assert twins.bad is not None
    assert twins.good is not None
    assert twins.bad.faults == twins.good.faults == ("answer lost",)
    assert [what for what, _ in twins.bad.effects] == ["'pay'", "'pay'"]
    assert [what for what, _ in twins.good.effects] == ["'pay'"]
    assert twins.wrong is None


def test_a_twin_that_does_the_same_harm_is_told_of() -> None:
    _, twins = shown(table("idem_write"), table("idem_write", '"dedupe": False'))
    assert twins.wrong is not None
    assert (twins.wrong.harm, twins.wrong.text) == ("duplicate", "'pay' happened 2 times")


def test_a_good_table_in_place_of_the_bad_one_does_no_harm() -> None:
    good = table("idem_write", '"dedupe": True')
    _, _, twins = tables.show(example(good), example(good), "duplicate", "", 1)
    assert (twins.bad, twins.good, twins.wrong) == (None, None, None)
    assert twins.schedules > 40


@pytest.mark.parametrize(
    ("identity", "lost"),
    [('"identity": ["task_id"]', True), ('"identity": ["employee"]', False)],
)
def test_two_of_a_step_are_told_apart_by_what_its_identity_is_about(identity: str, lost: bool) -> None:
    more = f'"dedupe": True, {identity}'
    made = declared(example(table("idem_write", more)))
    found = [played for kind, played in tables.schedules(made, 0) if kind == "two of it"]
    assert [[wrong.harm for wrong in played.wrong] for played in found] == [["lost"] if lost else []]


def test_the_twin_is_told_where_its_bad_example_was_and_keys_as_people_write_them() -> None:
    bad, good = ('"dedupe": True, "identity": ' + words for words in ('["task_id"]', '["employee"]'))
    _, twins = shown(table("idem_write", bad), table("idem_write", good), "lost")
    assert twins.bad is not None
    assert twins.good is not None
    assert twins.bad.effects == (("'pay' for A-1", "t1/pay"),)
    assert twins.good.effects == (("'pay' for A-1", "t1/pay/A-1"), ("'pay' for B-2", "t1/pay/B-2"))
    told = "The executor looks for 'pay', finds it recorded as done, and does not call it"
    assert told in [beat.sentence for beat in twins.bad.beats]
    assert told not in [beat.sentence for beat in twins.good.beats]


def test_an_outage_is_told_with_its_length_and_ends_what_has_a_deadline() -> None:
    more = '"query": find, "compensate": refund'
    _, twins = shown(
        table(more=more), table(more=f'{more}, "compensate_deadline": "PT10M"'), "wrong-compensation"
    )
    assert twins.bad is not None
    assert twins.good is not None
    assert "The executor is started again, 60 minutes later" in [beat.sentence for beat in twins.bad.beats]
    assert "The executor is started again, 11 minutes later" in [beat.sentence for beat in twins.good.beats]
    assert twins.good.records[0] == ("pay", "its compensation is with a person")
    told = "The executor may not make up for 'pay' any more, and leaves it to a person"
    assert [one.beats[-1].sentence == told for one in (twins.bad, twins.good)] == [False, True]


# Run with bodies.

BODY = """
    import requests

    def pay(params, ctx):
        {body}
"""


def body(text: str) -> str:
    return dedent(BODY).lstrip("\n").format(body=text)


POSTS = 'requests.post("https://bank.example", json=params, timeout=5)'
KEYED = 'requests.post("https://bank.example", json=params, headers={"Idempotency-Key": ctx.idempotency_key})'


def steps(more: str) -> str:
    return f'import bank\nSTEPS = {{"pay": {{"call": bank.pay, {more}}}}}'


@pytest.mark.parametrize(
    ("effect", "text", "harms"),
    [
        ('"read"', POSTS, {"duplicate"}),
        ('"idem_write", "dedupe": True', POSTS, {"duplicate"}),
        ('"idem_write", "dedupe": True', KEYED, set()),
        ('"non_idem_write"', POSTS, set()),
    ],
)
def test_a_body_is_repeated_as_its_effect_class_says(effect: str, text: str, harms: set[str]) -> None:
    found = run(steps=steps(f'"effect": {effect}'), bank=body(text))
    assert {wrong.harm for played in found for wrong in played.wrong} == harms


def test_a_write_that_may_not_be_repeated_waits_for_a_person_when_its_answer_is_lost() -> None:
    found = run(steps=steps('"effect": "non_idem_write"'), bank=body(POSTS))
    assert {played.records for played in found if played.faults == ("answer lost",)} == {
        (("pay", "with a person: it is in the inbox"),)
    }


def test_a_crash_after_the_call_is_settled_by_the_query_in_the_next_process() -> None:
    found = run(steps=steps('"effect": "non_idem_write", "query": find_payment'), bank=body(POSTS))
    settled = [one for one in found if one.faults == ("crash",) and one.moments == (1,)]
    assert [[(name, words) for name, words in one.records] for one in settled[:1]] == [
        [("pay", "recorded as done")]
    ]
    told = [beat.sentence for beat in settled[0].beats]
    assert told.index("It is started again") < told.index("It asks 'find_payment': it is there")
    assert [len(one.effects) for one in settled] == [1] * len(settled)


def test_an_answer_that_is_made_up_is_recorded_as_done_and_lost() -> None:
    swallowed = body(f"try:\n        {POSTS}\n    except requests.RequestException:\n        return None")
    found = run(steps=steps('"effect": "non_idem_write"'), bank=swallowed)
    lost = [one for one in found if any(wrong.harm == "lost" for wrong in one.wrong)]
    assert {one.faults for one in lost} == {("request lost",), ("hangs",)}


def test_a_compensation_that_does_nothing_leaves_a_ghost_without_any_fault() -> None:
    more = '"effect": "non_idem_write", "compensate": {}, "compensate_deadline": "PT1H"'
    nothing = run(
        steps=steps(more.format("bank.log")),
        bank=body(POSTS) + "\n\ndef log(params, ctx):\n    logging.info('x')\n",
    )
    assert [wrong.harm for wrong in nothing[0].wrong] == ["ghost"]
    refund = run(steps=steps(more.format("refund")), bank=body(POSTS))
    assert (refund[0].wrong, refund[0].records) == ((), (("pay", "made up for"),))


@pytest.mark.parametrize(
    ("output", "told", "harms"),
    [
        ("inline", "It writes the whole output into the row, as the table says: 5002 characters", ["bloat"]),
        ("ref", "It stores the output beside the ledger, and writes a reference into the row", []),
    ],
)
def test_a_long_output_is_kept_where_the_table_says(output: str, told: str, harms: list[str]) -> None:
    (smooth,) = trial(program(example(table("read", f'"output": "{output}"'))), 0, endures=False)
    assert told in [beat.sentence for beat in smooth.beats]
    assert [wrong.harm for wrong in smooth.wrong] == harms


def test_an_example_has_bodies_where_a_function_is_more_than_dots() -> None:
    assert has_bodies(several(bank=body(POSTS)))
    assert not has_bodies(several(bank="def pay(params): ...\n"))
