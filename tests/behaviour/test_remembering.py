"""What runs remember, and where: every snippet of the tables is found by its rule, or by none of the family."""

import re
from pathlib import Path

import pytest

from stepcheck.behaviour import remembering
from stepcheck.rule import Problem
from tests.behaviour import families

TABLES = sorted((Path(__file__).parent / "remembering").glob("*.txt"))
RULES = [table.stem for table in TABLES if table.stem != "lookalikes"]
SNIPPETS = [
    pytest.param(head.partition(": ")[0], text, id=f"{table.stem}: {head}")
    for table in TABLES
    for head, _, text in (
        part.partition("\n") for part in re.split("(?m)^### ", table.read_text("utf-8"))[1:]
    )
]


def problems(text: str) -> list[tuple[str, Problem]]:
    """What the rules of the family say, without the rest of the linter."""
    return families.problems(text, remembering.facts, tuple(RULES))


@pytest.mark.parametrize(("wanted", "text"), SNIPPETS)
def test_a_snippet_is_found_by_its_rule_and_a_lookalike_by_none(wanted: str, text: str) -> None:
    found = {name for name, _ in problems(text)}
    assert (wanted in found) if wanted != "quiet" else not found, found


@pytest.mark.parametrize("rule", RULES)
def test_each_table_holds_enough_of_both(rule: str) -> None:
    heads = re.findall(
        "(?m)^### ([^:\n]+)", (Path(__file__).parent / "remembering" / f"{rule}.txt").read_text()
    )
    assert heads.count(rule) >= 8
    assert heads.count("quiet") >= 12


EXACT = [
    (
        "cursor-in-memory",
        7,
        "a restart makes 'self.reply' handle things again, or miss them: 'self.api.get_updates' "
        "reads on from 'self.offset', which starts from 0 in each process and is never stored",
    ),
    (
        "handle-in-memory",
        3,
        "'cluster.submit' starts the work once more when the broker of 'task' begins it again: its "
        "handle 'run_id' is only in memory while it is waited for",
    ),
    (
        "inline-output",
        3,
        "every replay of the task reads all of 'response.text' again: it is stored in the row of "
        "'ledger', and can be long (a response's body)",
    ),
    (
        "missing-result-rerun",
        5,
        "'run_tool' does it once more for a call that may have happened: a recorded call without an "
        "answer (e.call_id not in done) was not necessarily never made",
    ),
    (
        "model-decides-retry",
        2,
        "a model that sees no answer may have 'send_invoice' done twice: it fills in 'max_retries', "
        "and how often it is tried is for the step's definition to say",
    ),
    (
        "overwritten-log",
        2,
        "what steps did can no longer be told after a crash: rows are overwritten in the log "
        "'ledger', to which rows are only ever added",
    ),
    (
        "rerun-on-empty",
        4,
        "'agent.run' may do it twice: it is called again because its answer was empty, which does "
        "not say that nothing was done",
    ),
    (
        "reused-step-seq",
        4,
        "after a restart another step may get this one's number, and its records and key: 'step_seq' "
        "is 'len(self.history)', the length of a list in memory, which is shorter after it was cut "
        "or lost",
    ),
    (
        "scheduler-per-worker",
        9,
        "every worker of the web server runs the jobs of 'sched' once more: it is started when the "
        "module is imported, and no lock lets only one of them through",
    ),
    (
        "state-in-conversation",
        5,
        "'stripe.Refund.create' is done once more when the conversation is cut or lost: only "
        "'messages' says that it was done before, and no store is asked",
    ),
    (
        "unrecorded-nondeterminism",
        3,
        "a replay of 'screen_lead' may do other steps, or steps that are done: 'asyncio.gather' "
        "comes out differently each time (steps are numbered in the order in which they happen to "
        "begin), and DBOS runs the workflow again from its beginning",
    ),
]


@pytest.mark.parametrize(("rule", "line", "message"), EXACT, ids=[rule for rule, _, _ in EXACT])
def test_the_first_snippet_of_a_table_gives_this_message(rule: str, line: int, message: str) -> None:
    text = (Path(__file__).parent / "remembering" / f"{rule}.txt").read_text("utf-8")
    first = re.split("(?m)^### ", text)[1].partition("\n")[2]
    found = [(problem.span.line, problem.message) for name, problem in problems(first) if name == rule]
    assert found[0] == (line, message)


def test_every_table_has_a_message() -> None:
    assert [rule for rule, _, _ in EXACT] == RULES
