"""Where renamed and added entries go, and that nothing else moves."""

from pathlib import Path

import pytest

from stepcheck import fixes
from stepcheck.report import Finding
from tests.fixes.places import add, remove, rename


def fixed(tmp_path: Path, name: str, text: str, *findings: Finding) -> str:
    (tmp_path / name).write_bytes(text.encode())
    plan = fixes.plan(findings, tmp_path, unsafe=True)
    assert [skipped.reason for skipped in plan.skipped] == []
    assert plan.files[0].new == plan.files[0].new_text.encode()
    return plan.files[0].new_text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('S = {"a": {"qurey": f}}\n', 'S = {"a": {"query": f}}\n'),
        ("S = {'a': {u'qurey': f}}\n", "S = {'a': {u'query': f}}\n"),
        ('S = {"a": dict(qurey=f)}\n', 'S = {"a": dict(query=f)}\n'),
        ('@step(effect="read", qurey=f)\ndef a(): ...\n', '@step(effect="read", query=f)\ndef a(): ...\n'),
        ("class A(Step):\n    qurey = f\n", "class A(Step):\n    query = f\n"),
        ("class A(Step):\n    qurey: object = f\n", "class A(Step):\n    query: object = f\n"),
        ('S["a"]["qurey"] = f\n', 'S["a"]["query"] = f\n'),
        ('x = 1; S = {"a": {"qurey": f}}; y = 2\n', 'x = 1; S = {"a": {"query": f}}; y = 2\n'),
        ('if x:\n\tS = {\n\t\t"qurey": f,\t# kept\n\t}\n', 'if x:\n\tS = {\n\t\t"query": f,\t# kept\n\t}\n'),
        ('S = {\r\n  "qurey": f,\r\n}\r\n', 'S = {\r\n  "query": f,\r\n}\r\n'),
    ],
)
def test_a_python_key_is_renamed_in_its_quotes(tmp_path: Path, before: str, after: str) -> None:
    token = next(token for token in ('"qurey"', "u'qurey'", "qurey") if token in before)
    assert fixed(tmp_path, "a.py", before, rename("a.py", before, token)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'S = {\n    "compensate": undo,  # stays\n    # of the next\n    "x": 1,\n}\n',
            'S = {\n    "compensate": undo,  # stays\n'
            '    "compensate_deadline": "PT10M",\n    # of the next\n    "x": 1,\n}\n',
        ),
        (
            'S = {\n    "compensate": undo  # stays\n}\n',
            'S = {\n    "compensate": undo,  # stays\n    "compensate_deadline": "PT10M"\n}\n',
        ),
        (
            'S = {\n    "compensate": undo,\n    # tail\n}\n',
            'S = {\n    "compensate": undo,\n    "compensate_deadline": "PT10M",\n    # tail\n}\n',
        ),
        ("S = {'compensate': undo}\n", "S = {'compensate': undo, 'compensate_deadline': 'PT10M'}\n"),
        (
            "S = dict(\n    compensate=undo,  # stays\n)\n",
            'S = dict(\n    compensate=undo,  # stays\n    compensate_deadline="PT10M",\n)\n',
        ),
        (
            "S = dict(\n    compensate=undo  # stays\n)\n",
            'S = dict(\n    compensate=undo,  # stays\n    compensate_deadline="PT10M"\n)\n',
        ),
        (
            "S = Step(compensate=undo, **rest)\n",
            'S = Step(compensate=undo, compensate_deadline="PT10M", **rest)\n',
        ),
        (
            "class A(Step):\n    compensate = undo  # stays\n    x = 1\n",
            'class A(Step):\n    compensate = undo  # stays\n    compensate_deadline = "PT10M"\n    x = 1\n',
        ),
        (
            'S["a"]["compensate"] = undo\n',
            'S["a"]["compensate"] = undo\nS["a"]["compensate_deadline"] = "PT10M"\n',
        ),
        (
            'S = {\r\n\t"compensate": undo,\r\n\t"x": 1,\r\n}\r\n',
            'S = {\r\n\t"compensate": undo,\r\n\t"compensate_deadline": "PT10M",\r\n\t"x": 1,\r\n}\r\n',
        ),
    ],
)
@pytest.mark.parametrize("at", ["key", "value"])
def test_a_python_entry_is_added_behind_another(tmp_path: Path, before: str, after: str, at: str) -> None:
    quoted = next((token for token in ('"compensate"', "'compensate'") if token in before), "compensate")
    token = "undo" if at == "value" else quoted
    assert fixed(tmp_path, "a.py", before, add("a.py", before, token)) == after


YAML = """\
steps:
  a:
    qurey: x  # c
    compensate: undo   # cc

    # next
    timeout: 3
  b: {effect: read, 'compensate': undo}
  c:
    - name: q
      compensate:
        - a
        - b
      # after
      note: |
        text

  d:
    compensate: &u undo
  e: {compensate: *u,
      x: 1}
  f:
    compensate: undo"""


def test_yaml_entries_are_renamed_and_added_where_they_stand(tmp_path: Path) -> None:
    findings = [
        rename("a.yaml", YAML, "qurey"),
        *(add("a.yaml", YAML, "compensate", nth) for nth in (0, 2, 3, 4, 5)),
    ]
    findings.append(add("a.yaml", YAML, "'compensate'"))
    findings.append(add("a.yaml", YAML, "note"))
    assert fixed(tmp_path, "a.yaml", YAML, *findings) == (
        """\
steps:
  a:
    query: x  # c
    compensate: undo   # cc
    compensate_deadline: PT10M

    # next
    timeout: 3
  b: {effect: read, 'compensate': undo, compensate_deadline: PT10M}
  c:
    - name: q
      compensate:
        - a
        - b
      compensate_deadline: PT10M
      # after
      note: |
        text
      compensate_deadline: PT10M

  d:
    compensate: &u undo
    compensate_deadline: PT10M
  e: {compensate: *u, compensate_deadline: PT10M,
      x: 1}
  f:
    compensate: undo
    compensate_deadline: PT10M"""
    )


TOML = '''\
[steps.a]
"qurey" = "x" # c
compensate = """
a
b""" # z
late = [
 1,
 2, # ]
]

[steps]
b = { effect = "read", compensate = "undo", z = 1 }
c.compensate = "k"
'''


def test_toml_entries_are_renamed_and_added_where_they_stand(tmp_path: Path) -> None:
    findings = [
        rename("a.toml", TOML, '"qurey"'),
        *(add("a.toml", TOML, "compensate", nth) for nth in range(3)),
    ]
    assert fixed(tmp_path, "a.toml", TOML, *findings) == TOML.replace('"qurey"', '"query"').replace(
        'b""" # z\n', 'b""" # z\ncompensate_deadline = "PT10M"\n'
    ).replace('"undo", z', '"undo", compensate_deadline = "PT10M", z').replace(
        'c.compensate = "k"\n', 'c.compensate = "k"\nc.compensate_deadline = "PT10M"\n'
    )
    behind_array = fixed(tmp_path, "a.toml", TOML, add("a.toml", TOML, "late"))
    assert behind_array == TOML.replace("\n]\n", '\n]\ncompensate_deadline = "PT10M"\n')


JSON = """\
{
  "a": {
    "qurey": "x",
    "compensate": "undo"
  },
  "b": {"compensate": "undo", "x": 1}, "c": {
    "compensate": ["undo",
      1],
    "z": 1}
}
"""


@pytest.mark.parametrize(
    "values",
    [('"undo"', 0, '"undo"', 1, '["undo"', 0), ('"compensate"', 0, '"compensate"', 1, '"compensate"', 2)],
)
def test_json_entries_are_renamed_and_added_where_they_stand(
    tmp_path: Path, values: tuple[str | int, ...]
) -> None:
    findings = [rename("a.json", JSON, '"qurey"')]
    findings += [
        add("a.json", JSON, str(token), int(nth))
        for token, nth in zip(values[::2], values[1::2], strict=True)
    ]
    assert fixed(tmp_path, "a.json", JSON, *findings) == JSON.replace("qurey", "query").replace(
        '"undo"\n', '"undo",\n    "compensate_deadline": "PT10M"\n'
    ).replace('"undo", "x"', '"undo", "compensate_deadline": "PT10M", "x"').replace(
        "1],\n", '1],\n    "compensate_deadline": "PT10M",\n'
    )


@pytest.mark.parametrize(
    ("name", "before", "token", "after"),
    [
        ("a.py", "x = 1  # stepcheck: ignore[a] -- b\n", "# stepcheck: ignore[a] -- b", "x = 1\n"),
        ("a.py", "    # stepcheck: e\r\nx = 1\r\n", "# stepcheck: e", "x = 1\r\n"),
        ("a.py", "x = 1  # noqa  # stepcheck: e\n", "# stepcheck: e", "x = 1  # noqa\n"),
        ("a.py", "x = 1\n# stepcheck: e", "# stepcheck: e", "x = 1\n"),
        ("a.yaml", "a: 1\t# stepcheck: e\nb: 2\n", "# stepcheck: e", "a: 1\nb: 2\n"),
        ("a.yaml", "a:\n  # stepcheck: e\n  b: 2\n", "# stepcheck: e", "a:\n  b: 2\n"),
        ("a.toml", "# stepcheck: e\na = 1\n", "# stepcheck: e", "a = 1\n"),
    ],
)
def test_a_comment_goes_with_its_line_where_nothing_else_stands_there(
    tmp_path: Path, name: str, before: str, token: str, after: str
) -> None:
    assert fixed(tmp_path, name, before, remove(name, before, token)) == after
