"""What would be better still, and is not asked for by a rule."""

from pathlib import Path

import pytest

from stepcheck import engine
from stepcheck.facts import Span
from stepcheck.ladder import climb
from stepcheck.report import Finding
from stepcheck.rule import Evidence, Severity
from stepcheck.settings import Settings

OPAQUE = "ask()"


def rung(folder: Path, fields: str, name: str = "pay"):  # type: ignore[no-untyped-def]
    (folder / "a.py").write_text(f'STEPS = {{"{name}": {{"call": {name}, {fields}}}}}\n')
    settings = Settings(root=folder)
    return climb(engine.tables(settings, ["."], cwd=folder), [])[0].steps[0]


@pytest.mark.parametrize(
    ("name", "effect", "more", "stages"),
    [
        ("pay", "read", {}, []),
        ("pay", "idem_write", {}, [3]),
        ("upsert_order", "idem_write", {}, []),
        ("upsert_order", "non_idem_write", {"query": "f"}, [3]),
        ("pay", "idem_write", {"identity": '["order"]'}, []),
        ("pay", "idem_write", {"dedupe": "True"}, []),
        ("pay", "non_idem_write", {}, [3, 4]),
        ("pay", "non_idem_write", {"identity": '["order"]'}, [4]),
        ("pay", "non_idem_write", {"dedupe": "True"}, []),
        ("pay", "non_idem_write", {"identity": '["order"]', "query": "f"}, []),
        ("pay", "non_idem_write", {"identity": '["order"]', "query": OPAQUE}, [4]),
        ("pay", "non_idem_write", {"identity": '["order"]', "on_uncertain": '"human"'}, []),
        ("pay", "idem_write", {"identity": '["order"]', "compensate": "f"}, [5]),
        ("pay", "idem_write", {"identity": '["order"]', "compensate": OPAQUE}, [5]),
        (
            "pay",
            "idem_write",
            {"identity": '["order"]', "compensate": "f", "compensate_deadline": '"PT1H"'},
            [],
        ),
        ("pay", "idem_write", {"identity": '["order"]', "compensate": "None"}, []),
    ],
)
def test_a_hint_is_given_for_what_a_step_does_not_show(
    name: str, effect: str, more: dict[str, str], stages: list[int], tmp_path: Path
) -> None:
    fields = "".join(f', "{field}": {value}' for field, value in more.items())
    found = rung(tmp_path, f'"effect": "{effect}"{fields}', name)
    assert [hint.stage for hint in found.hints] == stages
    assert (found.stage, found.next) == (5, None)


@pytest.mark.parametrize(("stage", "rule"), [(1, "invalid-field"), (2, ""), (4, "")])
def test_where_nobody_can_read_the_effect_only_a_finding_of_the_first_stage_comes_before_it(
    stage: int, rule: str, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text('STEPS = {"pay": {"effect": ask(), "call": pay, "query": find}}\n')
    tables = engine.tables(Settings(root=tmp_path), ["."], cwd=tmp_path)
    at = tables[0].steps[0].span
    found = Finding("invalid-field", Severity.ERROR, stage, at, "'pay' is odd", Evidence.DECLARED, step="pay")
    [step] = climb(tables, [found])[0].steps
    assert step.next is not None
    assert (step.stage, step.next.stage, step.next.rule) == (0, 1, rule)


def test_a_finding_holds_back_the_step_that_it_names_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'STEPS = {"a": {"effect": "read", "call": a}, "b": {"effect": "read", "call": b}}\n'
    )
    tables = engine.tables(Settings(root=tmp_path), ["."], cwd=tmp_path)
    first, second = tables[0].steps

    def stages(span: Span, home: Span | None = None) -> list[int]:
        found = Finding("r", Severity.ERROR, 3, span, "m", Evidence.DECLARED, step="a", home=home)
        return [step.stage for step in climb(tables, [found])[0].steps]

    assert stages(first.span) == [2, 5]
    assert stages(second.span) == [5, 5]
    assert stages(second.span, first.span) == [2, 5]
    assert stages(first.span, second.span) == [5, 5]
