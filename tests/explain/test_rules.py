import json
from collections.abc import Callable

from click.testing import CliRunner, Result

from stepcheck import rules
from stepcheck.cli import main
from stepcheck.cli.rules import markdown, text
from stepcheck.output._style import Style
from stepcheck.rule import Rule, Severity


def made(name: str, stage: int, severity: Severity, sentence: str) -> Rule:
    return Rule(name, sentence, stage, severity, ())


LISTED = [
    made("unknown-effect", 1, Severity.ERROR, "An effect class that no executor knows."),
    made("missing-timeout", 4, Severity.WARNING, "A write that hangs | for ever."),
]


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments])


def test_a_rule_is_one_line_in_columns() -> None:
    assert list(text(LISTED, 0, Style(color=False))) == [
        "1  error    unknown-effect   An effect class that no executor knows.",
        "4  warning  missing-timeout  A write that hangs | for ever.",
    ]


def test_a_long_sentence_goes_on_below_itself() -> None:
    assert list(text(LISTED[:1], 70, Style(color=False))) == [
        "1  error    unknown-effect  An effect class that no executor knows."
    ]
    assert list(text(LISTED[:1], 66, Style(color=False))) == [
        "1  error    unknown-effect",
        "   An effect class that no executor knows.",
    ]


def test_a_narrow_terminal_gets_the_sentence_below_the_rule() -> None:
    assert list(text(LISTED[:1], 40, Style(color=False))) == [
        "1  error    unknown-effect",
        "   An effect class that no executor",
        "   knows.",
    ]


def test_colour_paints_severity_and_name() -> None:
    assert list(text(LISTED[1:], 0, Style(color=True))) == [
        "4  \x1b[1;33mwarning\x1b[0m  \x1b[1mmissing-timeout\x1b[0m  A write that hangs | for ever."
    ]


def test_the_markdown_table_links_to_the_pages_and_escapes_bars() -> None:
    assert list(markdown(LISTED)) == [
        "| stage | rule | severity | what it reports |",
        "|---|---|---|---|",
        "| 1 | [unknown-effect](rules/unknown-effect.md) | error | An effect class that no executor knows. |",
        "| 4 | [missing-timeout](rules/missing-timeout.md) | warning | A write that hangs \\| for ever. |",
    ]


def test_every_rule_is_listed_by_stage_then_name() -> None:
    listed = json.loads(invoke("--output-format", "json").output)
    assert sorted(rule["name"] for rule in listed) == rules.names()
    assert listed == sorted(listed, key=lambda rule: (rule["stage"], rule["name"]))
    assert list(listed[0]) == ["name", "severity", "stage", "sentence"]
    assert len(invoke("--output-format", "markdown").output.splitlines()) == len(listed) + 2
    assert len(invoke().output.splitlines()) == len(listed)


def test_a_stage_lists_the_rules_up_to_it() -> None:
    every = json.loads(invoke("--output-format", "json").output)
    third = json.loads(invoke("--output-format", "json", "--stage", "3").output)
    assert third == [rule for rule in every if rule["stage"] <= 3]
    assert len(third) < len(every)


def test_there_is_no_sixth_stage() -> None:
    assert invoke("--stage", "6").exit_code == 2


def test_a_terminal_gets_its_own_width(terminal: Callable[..., tuple[int, str]]) -> None:
    code, shown = terminal("rules", columns=60, NO_COLOR="1")
    assert code == 0
    assert max(map(len, shown.splitlines())) <= 60
