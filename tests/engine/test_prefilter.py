from dataclasses import replace
from pathlib import Path

import pytest

from stepcheck import anchors, engine, looking, page
from stepcheck.anchors import narrowed
from stepcheck.prefilter import concerns
from stepcheck.settings import Settings


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", 'STEPS = {"a": {"effect": "read"}}'),
        (".py", "STEPS = dict(a=dict(effect = READ))"),
        (".py", 'T = {"a": {"efect": "non_idem_write"}}'),
        (".py", "T = {'a': {'efect': Kind.NON_IDEM_WRITE}}"),
        (".py", 'T = {"a": {"call" : f, "qurey": g}}'),
        (".py", "T = [Step(name='a', call=f)]"),
        (".py", "from steps import PAY, MAIL\nPAY_STEPS = {'pay': PAY, 'mail': MAIL}"),
        (".py", "steps: dict[str, Step] = {'pay': PAY}"),
        (".py", "STEPS['pay'] = PAY"),
        (".py", "STEPS |= MORE"),
        (".py", "STEPS.update(MORE)"),
        (".py", "x = 1  # stepcheck: ignore[unknown-effect] -- why"),
        (".py", "T = [Step(\n    name='a',\n    call=f,\n)]"),
        (".py", "T['a']['call'] = f"),
        (".py", "STEPS = COMMON | MORE"),
        (".yaml", "call : x"),
        (".yaml", "- {call: x}"),
        (".yaml", "steps:\n  a:\n    effect: non_idem_write\n"),
        (".yaml", "steps: {a: {call: f, query: g}}"),
        (".yaml", 'steps:\n  a:\n    "call": f\n'),
        (".toml", "[steps.a]\ncall = 'f'\n"),
        (".toml", "steps.a.effect_class = 'idem_write'\n"),
        (".json", '{"steps": {"a": {"\\u0065ffect": "read"}}}'),
    ],
)
def test_what_may_be_a_table_or_a_comment_for_us_is_looked_at(suffix: str, text: str) -> None:
    assert concerns(text.encode(), suffix)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", ""),
        (".py", "def callback(call, effects):\n    return recall(call) or effective\n"),
        (".py", "if call == effects:\n    steps += 1\nfor step in steps[1:]:\n    pass\n"),
        (".py", '"""An effect of this call."""\n'),
        (".py", "self.call = percall\nstack_effect = 1\nx['side_effect'] = y\n# a call::\n"),
        (".py", "class Step:\n    name: str\n    call: Callable[[], None]\n"),
        (".py", "__all__ = ['call', 'recall']\ncall = 1\nself.steps = []\nsteps = None\nf('the call')\n"),
        (".json", '{"steps": {"a": {"effect": "read"}}}'),
        (".py", "if event == 'call':\n    pass\n"),
        (".yaml", "on_call: x\nside_effect: y\ncall\n"),
        (".yaml", "jobs:\n  a:\n    steps:\n      - run: make\n"),
        (".json", '{"caller": "x", "side": "no effects", "steps": 3}'),
        (".toml", "[tool.ruff]\nline-length = 110\n"),
    ],
)
def test_what_cannot_concern_us_is_dismissed(suffix: str, text: str) -> None:
    assert not concerns(text.encode(), suffix)


def test_a_field_that_the_team_calls_otherwise_is_looked_for_too() -> None:
    data = b'T = {"a": {"side_effect": WRITE}}'
    assert not concerns(data, ".py")
    assert concerns(data, ".py", ("doing", "side_effect"))
    assert concerns(b"T: {a: {side_effect: x}}", ".yaml", ("side_effect",))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be"])
def test_words_in_wide_characters_are_not_missed(encoding: str) -> None:
    assert concerns('{"steps": {"a": {"effect": "read"}}}'.encode(encoding), ".json")


def test_python_in_an_encoding_that_hides_the_words_is_looked_at() -> None:
    assert concerns("# -*- coding: utf-7 -*-\nx = 1\n".encode("utf-7"), ".py")
    assert not concerns(b"# -*- coding: latin-1 -*-\nx = 1\n", ".py")
    assert not concerns(b"#!/usr/bin/python\n# vim: set fileencoding=utf_8 :\nx = 1\n", ".py")


def test_no_example_of_any_page_is_dismissed() -> None:
    dismissed = [
        (file.name, name)
        for file in sorted(page.folder().glob("*.md"))
        for example in page.read(file.read_text("utf-8")).examples
        if not any(
            concerns(text.encode(), Path(name).suffix)
            or (name.endswith(".py") and narrowed(text.encode()) is not None)
            for name, text in example.files.items()
        )
        for name in example.files
    ]
    assert dismissed == []


def test_the_fixtures_are_reported_as_if_every_file_were_read(monkeypatch: pytest.MonkeyPatch) -> None:
    fixtures = Path(__file__).parents[2] / "fixtures"
    settings = Settings(root=fixtures)
    scanned = engine.run(settings, ["."], cwd=fixtures)
    monkeypatch.setattr(looking.prefilter, "concerns", lambda *_: True)
    monkeypatch.setattr(anchors, "narrowed", lambda data, _: data)
    every = engine.run(settings, ["."], cwd=fixtures)
    functions = every.coverage.functions
    assert functions >= scanned.coverage.functions
    assert replace(every, coverage=replace(every.coverage, functions=scanned.coverage.functions)) == scanned
    assert scanned.coverage.steps > 300
