"""What a finding is called does not depend on the folder that the run was started in."""

import os
from pathlib import Path

import pytest

from stepcheck import engine, page, rules
from stepcheck.analysis.project import Project
from stepcheck.facts import Span
from stepcheck.report import Report
from stepcheck.selection import rooted
from stepcheck.settings import Settings


def named(settings: Settings, cwd: Path) -> list[tuple[str, str, str, str]]:
    """Rule, place from the root, fingerprint and message of all that is found below the root."""
    path = os.path.relpath(settings.root, cwd).replace(os.sep, "/")
    return sorted(
        (one.rule, rooted(one.span.path, settings.root, cwd), one.fingerprint, one.message)
        for one in report(settings, path, cwd).findings
    )


def report(settings: Settings, path: str, cwd: Path) -> Report:
    return engine.check(settings, [path], cwd=cwd)


@pytest.mark.parametrize("name", rules.names())
def test_each_rule_calls_its_findings_the_same_from_every_folder(name: str, tmp_path: Path) -> None:
    inside = tmp_path / "shop" / "deep"
    inside.mkdir(parents=True)
    for number, example in enumerate(page.find(name).examples):
        folder = inside / f"example_{number}"
        folder.mkdir()
        for file, text in example.files.items():
            (folder / file).write_text(text, "utf-8")
    settings = Settings(root=tmp_path, code=True)
    from_root = named(settings, tmp_path)
    assert name in {rule for rule, *_ in from_root}
    (tmp_path / "elsewhere").mkdir()
    for cwd in (tmp_path / "shop", inside, inside / "example_0", tmp_path / "elsewhere"):
        assert named(settings, cwd) == from_root


def test_a_file_has_one_path_however_it_is_reached(tmp_path: Path) -> None:
    inside = tmp_path / "src" / "shop"
    inside.mkdir(parents=True)
    (inside / "calls.py").write_text(CALLS)
    found = Project(inside, base="../..").lookup("shop.calls.send")
    assert found.definition == Span("calls.py", 2, 5, 2, 9)
    assert found.identity == Project(tmp_path).lookup("shop.calls.send").identity == "shop.calls.send"


CALLS = "def notify_all(): ...\ndef send(): ...\n"
FILES = {
    "pyproject.toml": "",
    "src/shop/__init__.py": "",
    "src/shop/calls.py": CALLS,
    "src/shop/table.py": (
        "from shop import calls\nfrom .calls import send\nfrom ..shop.calls import send as again\n"
        "from shop.calls import inner\n"
        'STEPS = {\n    "a": {"effect": "non_idem_write", "call": send, "query": calls.notifi_all},\n'
        '    "b": {"effect": "non_idem_write", "call": calls.send, "query": again},\n'
        '    "c": {"effect": "read", "call": calls.send.gone},\n'
        '    "d": {"effect": "read", "call": inner},\n}\n'
    ),
    "tools/helper.py": "def help(): ...\n",
    "tools/app/steps.py": 'import helper\nSTEPS = {"x": {"effect": "read", "call": helper.gone}}\n',
    "src/shop/table.yaml": (
        "steps:\n  a: {effect: read, call: shop.calls.gone}\n  b: {effect: read, call: shop.calls.inner.gone}\n"
    ),
}


@pytest.mark.parametrize("folder", ["src", "src/shop", "tests", "tools/app"])
def test_names_are_followed_alike_from_every_folder(folder: str, tmp_path: Path) -> None:
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "shop.py").write_text("")  # no module of theirs
    settings = Settings(root=tmp_path, code=True)
    from_root = named(settings, tmp_path)
    assert {(rule, message.rpartition(": ")[2]) for rule, *_, message in from_root} >= {
        ("unresolved-callable", "no 'notifi_all' in src/shop/calls.py; did you mean 'notify_all'"),
        ("unresolved-callable", "no 'inner' in src/shop/calls.py"),
        ("unresolved-callable", "no 'gone' in src/shop/calls.py"),
        ("unresolved-callable", "no 'gone' in tools/helper.py"),
        ("effectful-query", "its query 'again' is its own call"),
    }
    assert named(settings, tmp_path / folder) == from_root


def test_a_place_in_a_message_is_still_shown_from_where_the_run_was_started(tmp_path: Path) -> None:
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    found = report(Settings(root=tmp_path), "table.yaml", tmp_path / "src" / "shop").findings
    assert found[0].span == Span("table.yaml", 2, 27, 2, 42)
