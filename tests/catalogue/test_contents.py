"""A wheel's JSON says what the catalogue's TOML says, and a checkout needs none."""

import importlib.util
import json
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from stepcheck.catalogue import contents as module
from stepcheck.catalogue.contents import FOLDER, contents

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_the_json_of_a_wheel_says_what_each_file_of_the_catalogue_says(hook: ModuleType) -> None:
    made = {name: json.loads(text) for name, text in hook.compiled(FOLDER).items()}
    files = {
        file.relative_to(FOLDER).with_suffix(".json").as_posix(): file for file in FOLDER.rglob("*.toml")
    }
    assert len(files) > 80
    assert made == {name: tomllib.loads(file.read_text("utf-8")) for name, file in files.items()}


def test_what_json_cannot_say_is_not_compiled(hook: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text("seen = nan\n", "utf-8")
    with pytest.raises(ValueError, match="says something that JSON cannot"):
        hook.compiled(tmp_path)


def test_the_json_is_read_where_there_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    (tmp_path / "words.toml").write_text('known = ["toml"]\n', "utf-8")
    assert contents("words") == {"known": ["toml"]}
    (tmp_path / "words.json").write_text('{"known": ["json"]}', "utf-8")
    assert contents("words") == {"known": ["json"]}


def test_the_checkout_holds_no_compiled_file() -> None:
    assert [*FOLDER.rglob("*.json")] == []
