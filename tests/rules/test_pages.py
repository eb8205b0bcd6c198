import re
from functools import cache
from pathlib import Path

import pytest

from stepcheck import config, engine, page, rules
from stepcheck.facts import Ignore, Step, StepTable, UnreadFile
from stepcheck.page import HARMS, HEADINGS, Example
from stepcheck.report import Finding

NAMES = rules.names()
FILES = {file.stem for file in page.folder().glob("*.md")}
PAGED = [name for name in NAMES if name in FILES]
"""A rule without a page, or a page without a rule, is told of by one test, and the others run on."""
PAGES = {name: page.find(name) for name in PAGED}
EXAMPLES = [(name, index) for name, found in PAGES.items() for index in range(len(found.examples))]


def findings(example: Example, folder: Path) -> tuple[Finding, ...]:
    for name, text in example.files.items():
        (folder / name).write_text(text, "utf-8")
    return engine.run(config.Settings(root=folder, code=True), ["."], cwd=folder).findings


def differences(example: Example, found: tuple[Finding, ...]) -> list[str]:
    """What an example was to give and did not, and the other way round."""
    unmarked = [*found]
    wrong = []
    for mark in example.marks:
        at_mark = [each for each in unmarked if (each.span.path, each.span.line) == (mark.file, mark.line)]
        right = [
            each
            for each in at_mark
            if mark.text and mark.text in each.message and mark.severity in ("", each.severity)
        ]
        if right:
            unmarked.remove(right[0])
        else:
            wrong.append(
                f"{mark.file}:{mark.line} does not give {' '.join([*mark.severity.split(), repr(mark.text)])}"
            )
    wrong += [f"{each.span.path}:{each.span.line} gives {each.rule}: {each.message}" for each in unmarked]
    return wrong


@cache
def prose(name: str) -> str:
    return re.sub(r"^```.*?^```$", "", PAGES[name].text, flags=re.MULTILINE | re.DOTALL)


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert sorted(FILES) == NAMES


@pytest.mark.parametrize("name", PAGED)
def test_a_page_has_the_title_the_sentence_and_the_headings_of_every_page(name: str) -> None:
    found = PAGES[name]
    assert found.name == name
    assert found.sentence == rules.load_one(name).sentence
    assert tuple(found.sections) == HEADINGS
    assert [title for title, text in found.sections.items() if not text] == []


@pytest.mark.parametrize("name", PAGED)
def test_a_page_tells_how_it_goes_wrong_step_by_step(name: str) -> None:
    numbers = re.findall(r"^(\d)\. ", PAGES[name].sections["What happens"], re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(numbers) >= 3


@pytest.mark.parametrize("name", PAGED)
def test_a_page_declares_a_harm_that_can_be_demonstrated_or_says_why_there_is_none(name: str) -> None:
    demonstration = PAGES[name].sections["Demonstration"]
    assert PAGES[name].harm in HARMS
    assert len(demonstration.split()) > 12
    if PAGES[name].harm != "none":
        assert "executor" in demonstration


@pytest.mark.parametrize("name", PAGED)
def test_a_page_says_on_what_evidence_the_rule_rests(name: str) -> None:
    judges = any(one.fact not in (Ignore, UnreadFile) for one in rules.load_one(name).functions)
    assert ("vidence" in PAGES[name].sections["How it decides"]) == judges


@pytest.mark.parametrize("name", PAGED)
def test_every_bad_example_has_marks_and_is_followed_by_its_good_twin(name: str) -> None:
    examples = PAGES[name].examples
    assert examples[0].bad
    for example, following in zip(examples, [*examples[1:], None], strict=True):
        assert bool(example.marks) == example.bad
        if example.bad:
            assert following is not None and not following.bad
            assert set(following.files) == set(example.files)


@pytest.mark.parametrize(("name", "index"), EXAMPLES)
def test_an_example_gives_the_findings_it_marks_and_no_others(name: str, index: int, tmp_path: Path) -> None:
    example = PAGES[name].examples[index]
    found = findings(example, tmp_path)
    assert differences(example, found) == []
    assert any(each.rule == name for each in found) == example.bad
    if all(one.fact in (Step, StepTable) for one in rules.load_one(name).functions):
        assert [each.message for each in found if each.rule == name and not each.step] == []


@pytest.mark.parametrize(("name", "index"), EXAMPLES)
def test_a_message_is_one_line_that_stands_alone(name: str, index: int, tmp_path: Path) -> None:
    for finding in findings(PAGES[name].examples[index], tmp_path):
        for message in (finding.message, *(related.message for related in finding.related)):
            first = message.lstrip("'")[0]
            assert message.startswith("'") or first == first.lower(), message
            assert not message.endswith((".", "!", "?")), message
            assert message.isprintable(), message
            assert message.replace("'s ", " ").count("'") % 2 == 0, message
            assert "`" not in message and '"' not in message, message
        if finding.step:
            assert repr(finding.step) in finding.message, finding.message


@pytest.mark.parametrize("name", PAGED)
def test_prose_is_wrapped_and_names_only_what_exists(name: str) -> None:
    long = [line for line in prose(name).splitlines() if len(line) > 120]
    assert long == []
    spoken = re.findall(r"`([a-z]+(?:-[a-z]+)+)`", prose(name))
    assert [word for word in spoken if word not in {*NAMES, "extra-fields", "file-ignore"}] == []


@pytest.mark.parametrize("name", PAGED)
def test_an_option_that_a_page_names_is_one_of_the_check_command(name: str) -> None:
    from stepcheck.cli.check import command

    options = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"`(--[a-z-]+)", prose(name))) <= options


@pytest.mark.parametrize(
    ("said", "wrong"),
    [("", []), ("[error]", []), ("[warning]", ["example.yaml:5 does not give warning '5s'"])],
)
def test_a_mark_may_name_the_severity(said: str, wrong: list[str], tmp_path: Path) -> None:
    step = f"    effect: idem_write\n    call: shop.put\n    timeout: 5s  # finding{said}: 5s\n"
    text = f"```yaml bad\nsteps:\n  a:\n{step}```\n"
    (example,) = page.read(text).examples
    assert differences(example, findings(example, tmp_path))[:1] == wrong


def test_a_mark_that_nothing_answers_and_a_finding_without_a_mark_are_noticed(tmp_path: Path) -> None:
    text = """```yaml bad
steps:
  charge:
    effect: non_idem_write
    call: shop.charge
    retries: 3  # finding: something else
```
"""
    (example,) = page.read(text).examples
    wrong = differences(example, findings(example, tmp_path))
    assert wrong[0] == "example.yaml:5 does not give 'something else'"
    assert [line.partition(": ")[0] for line in wrong[1:]] == [
        "example.yaml:3 gives unqueryable-write",
        "example.yaml:5 gives invalid-field",
    ]
