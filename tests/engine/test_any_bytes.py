import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepcheck import comments, engine, suppress
from stepcheck.settings import Settings

PIECES = st.sampled_from(
    [
        b'STEPS = {"a": {"effect": ',
        b"steps:\n  a:\n    effect: read\n    call: x.y\n",
        b'[steps.a]\neffect = "idem_write"\n',
        b'{"steps": {"a": {"effect": "non_idem_write", "call": "',
        b"# stepcheck: ignore[",
        b"unknown-effect] until=2026-13-01 -- ",
        b"# stepcheck: file-ignore[missing-timeout] -- x\n",
        b"'''",
        b'"',
        b"}",
        b"]\r\n",
        b"\r",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"# coding: utf-7\n",
        b"\xc3\xa9\xe2\x80\xa8",
        b"&a [*a, ",
        b"\\u0065",
        b"\\\n",
    ]
)
BYTES = st.lists(st.one_of(PIECES, st.binary(max_size=6)), max_size=14).map(b"".join)


@pytest.mark.parametrize("suffix", [".py", ".pyi", ".yaml", ".toml", ".json"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=BYTES)
def test_any_bytes_give_a_report_and_never_an_internal_error(suffix: str, data: bytes) -> None:
    errors: list[Exception] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"a{suffix}").write_bytes(data)
        report = engine.run(
            Settings(root=folder), ["."], cwd=folder, on_error=lambda _, error: errors.append(error)
        )
    assert errors == []
    assert report.coverage.files == 1
    assert bool(report.unread) == any(one.rule == "unread-file" for one in report.findings)


@settings(max_examples=300, deadline=None)
@given(
    text=st.lists(
        st.sampled_from(
            ["'", '"', "'''", '"""', "\\", "\n", "\r\n", "#", " # stepcheck: ignore[a] -- b", "x"]
        )
    ).map("".join),
    suffix=st.sampled_from([".py", ".toml", ".yaml", ".json"]),
)
def test_comments_lie_where_their_spans_say(text: str, suffix: str) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    for comment in comments.read("a", text, suffix):
        span = comment.span
        assert lines[span.line - 1][span.column - 1 : span.end_column - 1].startswith("#")
        assert span.end_column - 1 == len(lines[span.line - 1])
    for written in suppress.read("a", text, suffix):
        assert written.target >= written.comment.span.line
