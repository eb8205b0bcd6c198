"""How much a run looked at."""

from pathlib import Path

from stepcheck import engine
from stepcheck.report import Coverage
from stepcheck.settings import Settings


def coverage(folder: Path, text: str) -> Coverage:
    (folder / "a.py").write_text(text)
    return engine.run(Settings(root=folder), ["."], cwd=folder).coverage


def test_calls_are_followed_or_opaque_or_not_there(tmp_path: Path) -> None:
    text = "def look(): ...\nSTEPS = {\n"
    text += '    "a": {"effect": "read", "call": look},\n'
    text += '    "b": {"effect": "read", "call": pick(1), "query": None},\n'
    text += '    "c": {"effect": "read", "call": 1 + more, "query": CALLS[0]},\n}\n'
    assert coverage(tmp_path, text) == Coverage(
        files=1, tables=1, steps=3, functions=1, calls_followed=1, calls_opaque=3
    )


def test_a_setting_that_only_a_run_could_tell_is_counted_beside_the_calls(tmp_path: Path) -> None:
    text = 'def look(): ...\nSTEPS = {"a": {"effect": "read", "call": look, "timeout": wait()}}\n'
    assert coverage(tmp_path, text) == Coverage(
        files=1, tables=1, steps=1, functions=1, calls_followed=1, settings_opaque=1
    )


def test_a_call_of_an_installed_package_is_followed_by_nobody(tmp_path: Path) -> None:
    text = 'import stripe\nSTEPS = {"a": {"effect": "read", "call": stripe.find, "timeout": 5}}\n'
    assert coverage(tmp_path, text) == Coverage(files=1, tables=1, steps=1, calls_opaque=1)
