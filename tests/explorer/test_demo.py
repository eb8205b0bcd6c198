"""The harm of a rule, shown: the bad side does it, the good one does not, in every form."""

import json
import re

import pytest
from click.testing import CliRunner, Result

from stepcheck.cli import main
from stepcheck.demo import Demo, as_html, as_markdown, as_text
from stepcheck.explorer.demo import demo
from stepcheck.explorer.demonstrations import Demonstration, find, load
from stepcheck.explorer.faults import Fault, Way
from stepcheck.explorer.script import Strike, exactly, replay


def explain(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments])


def shown(name: str, rule: str = "some-rule") -> Demo:
    return demo(rule, find(name))


@pytest.mark.parametrize("demonstration", load(), ids=lambda one: one.name)
def test_under_the_faults_that_harm_the_bad_side_the_good_side_is_unharmed(
    demonstration: Demonstration,
) -> None:
    told = demo("some-rule", demonstration)
    assert (told.bad.harmed, told.good.harmed) == (True, False)


def test_a_demonstration_reads_as_two_stories_with_the_world_beside_the_ledger() -> None:
    assert "\n".join(as_text.lines((shown("key-made-per-attempt", "per-attempt-key"),), 100)) == (
        """\
per-attempt-key: each attempt makes its own key

Harm: duplicate. One thing was wanted, and it happened more than once.
What goes wrong on the way: answer lost.

WITH THE MISTAKE
  1. The executor puts 'pay' on the ledger, with its params and its key
  2. The executor records the intent to call 'pay'
  3. The executor calls 'pay' for A-1 with a new key: it happens; the answer is lost
  4. The executor records that nobody knows what became of 'pay'
  5. The executor waits
  6. The executor records the intent to call 'pay'
  7. The executor calls 'pay' for A-1 with a new key: it happens
  8. The executor records that the other side has answered
  9. One thing was wanted, and it happened more than once: 'pay' for A-1 happened 2 times

     what happened in the world            | what is recorded
         0.0 s  'pay' for A-1              | 'pay': recorded as done
        61.0 s  'pay' for A-1              |

WITHOUT IT, AND THE SAME GOING WRONG
  1. The executor puts 'pay' on the ledger, with its params and its key
  2. The executor records the intent to call 'pay'
  3. The executor calls 'pay' for A-1: it happens; the answer is lost
  4. The executor records that nobody knows what became of 'pay'
  5. The executor waits
  6. The executor records the intent to call 'pay'
  7. The executor calls 'pay' for A-1 with a key that the other side knows: it answers as before,
     and does nothing
  8. The executor records that the other side has answered
  9. All is as the ledger says, and nothing happened more often than it was wanted

     what happened in the world            | what is recorded
         0.0 s  'pay' for A-1              | 'pay': recorded as done
"""
    )


def test_a_process_dies_at_the_same_place_on_both_sides() -> None:
    told = shown("compensation-without-an-end")
    dies, started = "The executor dies before it ", "The executor is started again, 60 minutes later"
    assert [one for one in told.bad.sentences if one.startswith(dies)] == [f"{dies}goes on"]
    assert told.good.sentences[4:6] == (f"{dies}puts the step on the ledger", started)
    assert told.good.sentences[-2] == (
        "The executor may not make up for 'pay' any more, and leaves it to a person"
    )


@pytest.mark.parametrize("name", ["no-timeout", "two-effects-in-one-step"])
def test_what_the_good_side_bounds_or_parts_is_struck_by_its_like(name: str) -> None:
    good = shown(name).good
    assert any(one.endswith("the request is lost, and no answer comes") for one in good.sentences)
    assert not any(one.startswith("There is no moment") for one in good.sentences)


def test_a_step_that_is_skipped_for_its_key_is_told() -> None:
    told = shown("no-task-in-key")
    assert told.bad.sentences[3] == (
        "The executor looks for 'pay', finds it recorded as done, and does not call it"
    )
    assert "The executor is asked for another task, 't2'" in told.good.sentences


def test_a_side_that_is_down_is_what_goes_wrong() -> None:
    told = shown("retry-without-bound")
    assert told.faults == ("the other side is down",)
    assert told.bad.sentences[-2] == "The same comes 13 times more"


def test_a_person_of_whom_nobody_is_told_is_no_person_in_the_inbox() -> None:
    bad = shown("person-without-a-row").bad
    assert bad.sentences[2] == (
        "The executor raises an exception that says a person is needed, and writes it down nowhere"
    )
    assert [row.words for row in bad.rows] == ["nothing that anybody would look at"]


def test_the_keys_that_the_other_side_saw_tell_two_requests_apart() -> None:
    told = shown("key-made-per-attempt")
    assert len({effect.key for effect in told.bad.effects}) == 2
    assert [effect.what for effect in told.good.effects] == ["'pay' for A-1"]


def test_a_schedule_run_again_is_the_same_schedule() -> None:
    shown = find("compensation-without-an-end")
    shortest = shown.run().shortest[shown.harm]
    assert replay(shown.bad, exactly(shortest)).schedule == shortest


def test_a_fault_strikes_at_its_moment_and_one_without_a_moment_is_left_over() -> None:
    lost, dies = Way(Fault.ANSWER_LOST), Way(Fault.DIES)
    run = replay(find("key-made-per-attempt").good, (Strike("call", lost), Strike("no such moment", dies)))
    assert (run.schedule.faults, run.missed) == ((("call", lost),), (Strike("no such moment", dies),))
    second = replay(find("key-made-per-attempt").good, (Strike("call", lost, nth=1),))
    assert (second.schedule.faults, second.missed) == ((), (Strike("call", lost, nth=1),))


def test_markdown_has_a_sequence_diagram_for_each_side() -> None:
    text = as_markdown.text((shown("key-made-per-attempt"),))
    assert text.count("```mermaid\nsequenceDiagram\n    participant executor as executor\n") == 2
    assert "    other_side-xexecutor: done, the answer is lost\n" in text


def test_the_page_is_one_file_that_needs_nothing_else() -> None:
    text = as_html.text((shown("key-made-per-attempt"),), "A key.")
    assert text.count('<svg class="sequence"') == 2
    assert re.findall(r'(?:src|href)="', text) == []
    assert set(re.findall(r"https?://[^\"]+", text)) == {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_every_form_is_the_same_each_time(form: str) -> None:
    first, second = (explain("retry-without-query", "--demo", "--output-format", form) for _ in range(2))
    assert (first.exit_code, first.output) == (0, second.output)


def test_json_holds_both_sides() -> None:
    one = json.loads(explain("missing-timeout", "--demo", "--output-format", "json").output)[
        "demonstrations"
    ][0]
    assert (one["harm"], one["bad"]["harmed"], one["good"]["harmed"]) == ("stuck", True, False)


def test_a_rule_whose_harm_no_run_can_show_says_why() -> None:
    result = explain("unused-ignore", "--demo")
    assert result.exit_code == 2
    assert result.output.startswith("error: no run shows the harm of 'unused-ignore'. Harm: none.")


def test_a_page_itself_has_no_html_form() -> None:
    result = explain("missing-timeout", "--output-format", "html")
    assert (result.exit_code, result.output) == (
        2,
        "error: a page has no html form; with --demo there is one, and --output-format markdown is any page's\n",
    )
