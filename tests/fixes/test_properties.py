"""A table with a misspelt key, fixed, is the same table with the right name, and nothing else moved."""

import ast
import io
import json
import tempfile
import tokenize
import tomllib
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from stepcheck import fixes
from tests.fixes.places import rename, span

WORDS = st.sampled_from(["read", "idem_write", "créer", "PT10M", "a 'b'", "x # y", "[", "}"])
FIELDS = st.dictionaries(
    st.sampled_from(["effect", "call", "timeout", "note", "identity"]), WORDS, max_size=4
)
STEPS = st.dictionaries(st.sampled_from(["create", "match", "notify"]), FIELDS, min_size=1)
COMMENTS = st.sampled_from(["", "  # why", "\t# { [ ("])


def misspelt(steps: dict[str, dict[str, str]], at: int) -> dict[str, dict[str, str]]:
    """The table with one more field, misspelt, somewhere in one of its steps."""
    made = {name: list(fields.items()) for name, fields in steps.items()}
    name = sorted(made)[at % len(made)]
    made[name].insert(at % (len(made[name]) + 1), ("qurey", "q"))
    return {name: dict(fields) for name, fields in made.items()}


def right(steps: dict[str, dict[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (name, [("query" if field == "qurey" else field, value) for field, value in fields.items()])
        for name, fields in steps.items()
    ]


def pairs(table: dict[str, dict[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(name, list(fields.items())) for name, fields in table.items()]


def fixed(name: str, text: str, token: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(text.encode())
        plan = fixes.plan([rename(name, text, token)], Path(folder))
        assert plan.skipped == ()
        return plan.files[0].new.decode()


def comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def written(steps: dict[str, dict[str, str]], comment: str, newline: str, indent: str, *, lines: bool) -> str:
    parts = ["STEPS = {" + comment if lines else "STEPS = {"]
    for name, fields in steps.items():
        entries = [f"{field!r}: {value!r}" for field, value in fields.items()]
        if lines:
            parts += [
                f"{indent}{name!r}: {{",
                *(f"{indent * 2}{entry},{comment}" for entry in entries),
                f"{indent}}},",
            ]
        else:
            parts.append(f"{name!r}: {{{', '.join(entries)}}},")
    return newline.join([*parts, "}", "last = 1  # end", ""]) if lines else " ".join([*parts, "}"]) + newline


@settings(max_examples=15, deadline=None)
@given(
    STEPS,
    st.integers(0, 9),
    COMMENTS,
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["    ", "\t"]),
    st.booleans(),
)
def test_a_python_table_fixed_is_the_same_table_with_the_right_name(  # noqa: PLR0917
    steps: dict[str, dict[str, str]], at: int, comment: str, newline: str, indent: str, lines: bool
) -> None:
    table = misspelt(steps, at)
    before = written(table, comment, newline, indent, lines=lines)
    after = fixed("a.py", before, "'qurey'")
    assert pairs(ast.literal_eval(ast.parse(after).body[0].value)) == right(table)  # type: ignore[attr-defined]
    assert comments(after) == comments(before)
    assert after == before.replace("'qurey'", "'query'")
    assert ast.dump(ast.parse(after)).replace("'query'", "'qurey'") == ast.dump(ast.parse(before))


@settings(max_examples=40, deadline=None)
@given(STEPS, st.integers(0, 9), st.booleans())
def test_a_yaml_table_fixed_is_the_same_table_with_the_right_name(
    steps: dict[str, dict[str, str]], at: int, flow: bool
) -> None:
    table = misspelt(steps, at)
    before = "# top\n" + yaml.safe_dump(table, default_flow_style=flow, sort_keys=False, allow_unicode=True)
    after = fixed("a.yaml", before, "qurey")
    assert pairs(yaml.safe_load(after)) == right(table)
    assert after == before.replace("qurey", "query")


@settings(max_examples=40, deadline=None)
@given(STEPS, st.integers(0, 9), st.sampled_from([None, 2, "\t"]))
def test_a_json_table_fixed_is_the_same_table_with_the_right_name(
    steps: dict[str, dict[str, str]], at: int, indent: int | str | None
) -> None:
    table = misspelt(steps, at)
    before = json.dumps(table, indent=indent)
    after = fixed("a.json", before, '"qurey"')
    assert pairs(json.loads(after)) == right(table)
    assert after == before.replace("qurey", "query")


@settings(max_examples=40, deadline=None)
@given(STEPS, st.integers(0, 9))
def test_a_toml_table_fixed_is_the_same_table_with_the_right_name(
    steps: dict[str, dict[str, str]], at: int
) -> None:
    table = misspelt(steps, at)
    before = "".join(
        f"[{name}] # {name}\n"
        + "".join(f"{field} = {json.dumps(value, ensure_ascii=False)}\n" for field, value in fields.items())
        for name, fields in table.items()
    )
    after = fixed("a.toml", before, "qurey")
    assert pairs(tomllib.loads(after)) == right(table)
    assert after == before.replace("qurey", "query")


@settings(max_examples=200, deadline=None)
@given(st.text("ab,\n ", max_size=30), st.text("ab,\n ", max_size=30))
def test_a_difference_applied_gives_the_new_text(old: str, new: str) -> None:
    edit = fixes.edit.difference(old, new)
    assert fixes.apply(old, [edit]) == new


def test_the_place_of_a_token_is_found_over_line_ends() -> None:
    assert span("a", "x\r\n  y\n", "y") == ("a", 2, 3, 2, 4)
