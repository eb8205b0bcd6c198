"""What the fixes leave alone, and that they say why."""

import json
from pathlib import Path

import pytest

from stepcheck import fixes
from stepcheck.fixes import limited, python_text
from stepcheck.report import Finding
from stepcheck.rule import AddEntry, RenameKey
from tests.fixes.places import add, finding, remove, rename, span


def planned(tmp_path: Path, name: str, data: bytes, *findings: Finding, unsafe: bool = False) -> fixes.Plan:
    (tmp_path / name).write_bytes(data)
    return fixes.plan(findings, tmp_path, unsafe=unsafe)


def reasons(plan: fixes.Plan) -> list[str]:
    return [skipped.reason for skipped in plan.skipped]


TABLE = 'S = {"a": {"qurey": f, "compensate": g}}\n'


def test_an_unsafe_fix_waits_until_it_is_asked_for(tmp_path: Path) -> None:
    unsafe = finding(
        AddEntry(span("a.py", TABLE, '"compensate"'), "compensate_deadline", "PT10M"), safe=False
    )
    plan = planned(tmp_path, "a.py", TABLE.encode(), unsafe)
    assert plan.files == ()
    assert reasons(plan) == ["the fix may change what the program does: --unsafe-fixes applies it"]
    plan = planned(tmp_path, "a.py", TABLE.encode(), unsafe, unsafe=True)
    assert plan.fixed == (unsafe,)
    assert plan.skipped == ()


def test_of_two_fixes_at_one_place_the_second_waits_for_the_next_run(tmp_path: Path) -> None:
    first, second = rename("a.py", TABLE, '"qurey"'), rename("a.py", TABLE, '"qurey"', "compensate")
    plan = planned(tmp_path, "a.py", TABLE.encode(), first, second)
    assert plan.files[0].new_text == 'S = {"a": {"query": f, "compensate": g}}\n'
    assert reasons(plan) == ["another fix changes the same place: run again for this one"]


def test_two_findings_with_one_fix_are_both_mended(tmp_path: Path) -> None:
    first, second = rename("a.py", TABLE, '"qurey"'), rename("a.py", TABLE, '"qurey"')
    assert planned(tmp_path, "a.py", TABLE.encode(), first, second).fixed == (first, second)


@pytest.mark.parametrize(
    ("name", "text", "made", "reason"),
    [
        ("a.py", "S = {b'qurey': f}\n", rename, "the key is bytes"),
        ("a.py", "S = {qurey: f}\n", rename, "what stands there is no key that can be renamed"),
        ("a.py", "S = {f'qurey': f}\n", rename, "what stands there is no key that can be renamed"),
        (
            "a.py",
            "S = (\n" + "x.qurey = \n",
            rename,
            "this Python cannot parse the file: '(' was never closed",
        ),
        ("a.json", '{"a": 1, "qurey": }', rename, "the document does not parse: Expecting value"),
        ("a.json", '["qurey"]', rename, "what stands there is no key that can be renamed"),
        ("a.yaml", "a: {qurey: x", rename, "the document does not parse: did not find expected ',' or '}'"),
        ("a.toml", "qurey = ", rename, "the document does not parse: Invalid value"),
        ("a.toml", "[qurey]\n[qurey.b]\nx = 1\n", rename, "the file would say something else besides"),
        ("a.yaml", "? compensate\n: undo\n", add, "the entry does not start its line"),
        ("a.yaml", "- compensate\n", add, "what stands there is no entry that another can be put behind"),
        (
            "a.py",
            "S = Step(compensate, x)\n",
            add,
            "what stands there is no entry that another can be put behind",
        ),
        ("a.json", '{"a": "# stepcheck: x"}', remove, "JSON has no comments"),
        ("a.py", 'x = "# stepcheck: x"\n', remove, "no comment stands there any more"),
        ("a.yaml", 'x: "# stepcheck: x"\n', remove, "no comment stands there any more"),
    ],
)
def test_what_cannot_be_fixed_stays_and_is_named(
    tmp_path: Path, name: str, text: str, made: object, reason: str
) -> None:
    token = {rename: "qurey", add: "compensate", remove: "# stepcheck: x"}[made]  # type: ignore[index]
    token = next(
        (t for t in (f"b'{token}'", f"f'{token}'", f'"{token}"') if t in text and made is not remove), token
    )
    plan = planned(tmp_path, name, text.encode(), made(name, text, token))  # type: ignore[operator]
    assert plan.files == ()
    assert len(plan.skipped) == 1
    assert plan.skipped[0].reason.startswith(reason)


def test_a_place_that_is_gone_is_no_place(tmp_path: Path) -> None:
    plan = planned(tmp_path, "a.yaml", b"a: 1\n", rename("a.yaml", "\n\n\n\nqurey: 1\n", "qurey"))
    assert reasons(plan) == ["the file no longer has the line that was found"]
    plan = planned(tmp_path, "a.yaml", b"a: 1\n", rename("a.yaml", "a: 1, qurey: 2\n", "qurey"))
    assert reasons(plan) == ["the file no longer has the place that was found"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert reasons(fixes.plan([rename("gone.py", TABLE, '"qurey"')], tmp_path)) == [
        "No such file or directory"
    ]


def test_a_statement_too_large_or_too_deep_for_libcst_is_left_alone(tmp_path: Path) -> None:
    large = 'S = {"qurey": f, "x": "' + "x" * 66_000 + '"}\n'
    assert reasons(planned(tmp_path, "a.py", large.encode(), rename("a.py", large, '"qurey"'))) == [
        "the statement from line 1 on is larger than 64 KB"
    ]
    deep = 'S = {"qurey": f, "x": ' + "[" * 100 + "]" * 100 + "}\n"
    assert reasons(planned(tmp_path, "a.py", deep.encode(), rename("a.py", deep, '"qurey"'))) == [
        "the statement from line 1 on nests more than 100 brackets"
    ]


def test_only_the_statement_around_the_place_goes_to_libcst() -> None:
    text = 'import a\n\n\n@step(\n    qurey=1\n)\ndef f(): ...\n\nx = 1; y = """\n"""; z = 2\nlast = 1\n'
    tree = python_text.parsed(text)
    decorated = python_text.statement(text, tree, span("a.py", text, "qurey"))
    assert (decorated.text, decorated.line) == ("@step(\n    qurey=1\n)\ndef f(): ...\n", 4)
    sharing = python_text.statement(text, tree, span("a.py", text, "z"))
    assert (sharing.text, sharing.line) == ('x = 1; y = """\n"""; z = 2\n', 9)


def test_a_child_that_takes_too_long_changes_nothing() -> None:
    job = limited.Job(
        python_text.Statement(TABLE, 0, 1), (RenameKey(span("a.py", TABLE, '"qurey"'), "query"),)
    )
    [[outcome]] = limited.run([job], seconds=0.001)
    assert str(outcome) == "libcst took longer than 0.001 seconds"


def test_a_statement_that_ends_the_child_spoils_no_other() -> None:
    calls = "f(" * 3000 + ")" * 3000
    bad = limited.Job(
        python_text.Statement(f"S = {calls}\n", 0, 1), (RenameKey(span("a.py", TABLE, '"qurey"'), "q"),)
    )
    good = limited.Job(
        python_text.Statement(TABLE, 0, 1), (RenameKey(span("a.py", TABLE, '"qurey"'), "query"),)
    )
    [[failed], [made]] = limited.run([bad, good])
    assert isinstance(failed, fixes.CannotFix)
    assert made == fixes.Edit(11, 18, '"query"')


def test_nothing_of_the_checked_project_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json.py", "libcst.py", "stepcheck.py", "sitecustomize.py"):
        (tmp_path / name).write_text(f"open('ran-{name}', 'w')\nraise SystemExit('imported {name}')\n")
    monkeypatch.chdir(tmp_path)
    plan = planned(tmp_path, "a.py", TABLE.encode(), rename("a.py", TABLE, '"qurey"'))
    assert len(plan.fixed) == 1
    assert sorted(path.name for path in tmp_path.glob("ran-*")) == []


def test_bytes_outside_the_edit_stay(tmp_path: Path) -> None:
    text = '# coding: latin-1\r\nS = {"a": {"qurey": "caf\xe9"}}\t# \xfc\r\n'
    data = text.encode("latin-1")
    plan = planned(tmp_path, "a.py", data, rename("a.py", text, '"qurey"'))
    assert plan.files[0].new == data.replace(b"qurey", b"query")
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        plan = planned(
            tmp_path,
            "b.yaml",
            mark + "a:\r\n\n  qurey: \u00e9\r".encode(encoding),
            rename("b.yaml", "a:\n\n  qurey", "qurey"),
        )
        assert plan.files[0].new == mark + "a:\r\n\n  query: \u00e9\r".encode(encoding)
    plan = planned(tmp_path, "c.yaml", b"qurey: \xff\n", rename("c.yaml", "qurey", "qurey"))
    assert reasons(plan) == ["the file is not text in utf-8"]


def test_a_diff_shows_the_plan_as_patch_takes_it(tmp_path: Path) -> None:
    text = "a:\n  qurey: x"
    plan = planned(tmp_path, "a.yaml", text.encode(), rename("a.yaml", text, "qurey"))
    assert fixes.diff(plan) == (
        "--- a.yaml\n+++ a.yaml\n@@ -1,2 +1,2 @@\n a:\n-  qurey: x\n\\ No newline at end of file\n"
        "+  query: x\n\\ No newline at end of file\n"
    )
    assert fixes.diff(fixes.plan([], tmp_path)) == ""


def test_writing_keeps_the_mode_and_follows_a_link(tmp_path: Path) -> None:
    path = tmp_path / "real.py"
    path.write_text(TABLE)
    path.chmod(0o751)
    (tmp_path / "a.py").symlink_to(path)
    plan = fixes.plan([rename("a.py", TABLE, '"qurey"')], tmp_path)
    assert path.read_text() == TABLE
    assert fixes.write(plan) == ()
    assert path.read_text() == TABLE.replace("qurey", "query")
    assert path.stat().st_mode & 0o777 == 0o751
    assert (tmp_path / "a.py").is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.py", "real.py"]


def test_a_file_that_has_changed_since_is_left_as_it_is(tmp_path: Path) -> None:
    plan = planned(tmp_path, "a.py", TABLE.encode(), rename("a.py", TABLE, '"qurey"'))
    (tmp_path / "a.py").write_text("S = {}\n")
    assert fixes.write(plan) == (fixes.Unwritten("a.py", "the file has changed since it was read"),)
    assert (tmp_path / "a.py").read_text() == "S = {}\n"


def test_replacements_are_offsets_of_the_text() -> None:
    text = "a: {qurey: x, compensate: u}\n"
    found = [
        rename("a.yaml", text, "qurey"),
        add("a.yaml", text, "compensate"),
        rename("gone.yaml", text, "qurey"),
    ]
    assert fixes.replacements(found, {"a.yaml": text}) == [
        (fixes.Edit(4, 9, "query"),),
        (fixes.Edit(27, 27, ", compensate_deadline: PT10M"),),
        (),
    ]
    assert json.dumps(text[4:9]) == '"qurey"'
