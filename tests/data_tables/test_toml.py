"""TOML with exact places."""

import tomllib
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepcheck.facts import Mapping, Unreadable, Value
from tests.data_tables.reading import excerpt, places, plain, roots, where


def root(text: str | bytes) -> Value:
    (only,) = roots("steps.toml", text)
    return only


def refusal(text: str | bytes) -> tuple[tuple[int, int], str]:
    with pytest.raises(Unreadable) as told:
        roots("steps.toml", text)
    span = told.value.unread.span
    return (span.line, span.column), told.value.unread.reason


TEXT = '''# steps
[steps.create] # first
effect = "non_idem_write" # it sends
call = 'shop.create'
ids = [ 1, # one
  'x]#', { a.b = 1979-05-27 07:32:00, "c\\td" = 2 } ]

[steps."é😀".retry]
note = """a
"b\\""""
[[more]]
n=1
[[more]]
n=2
[more.sub]
k = inf
'''


def test_every_key_and_value_has_its_place() -> None:
    assert places(root(TEXT)) == [
        ("steps", (2, 2, 2, 7)),
        ("create", (2, 8, 2, 14)),
        ("effect", (3, 1, 3, 7)),
        ("non_idem_write", (3, 10, 3, 26)),
        ("call", (4, 1, 4, 5)),
        ("shop.create", (4, 8, 4, 21)),
        ("ids", (5, 1, 5, 4)),
        (1, (5, 9, 5, 10)),
        ("x]#", (6, 3, 6, 8)),
        ("a", (6, 12, 6, 13)),
        ("b", (6, 14, 6, 15)),
        ("1979-05-27 07:32:00", (6, 18, 6, 37)),
        ("c\td", (6, 39, 6, 45)),
        (2, (6, 48, 6, 49)),
        ("é😀", (8, 8, 8, 12)),
        ("retry", (8, 13, 8, 18)),
        ("note", (9, 1, 9, 5)),
        ('a\n"b"', (9, 8, 10, 8)),
        ("more", (11, 3, 11, 7)),
        ("n", (12, 1, 12, 2)),
        (1, (12, 3, 12, 4)),
        ("n", (14, 1, 14, 2)),
        (2, (14, 3, 14, 4)),
        ("sub", (15, 7, 15, 10)),
        ("k", (16, 1, 16, 2)),
        (float("inf"), (16, 5, 16, 8)),
    ]


def test_a_table_reaches_from_its_header_over_its_own_tables() -> None:
    top = root(TEXT)
    assert isinstance(top, Mapping)
    steps = top.entries[0].value
    assert isinstance(steps, Mapping)
    assert [where(entry.value) for entry in steps.entries] == [(2, 1, 6, 53), (8, 1, 10, 8)]
    assert where(top.entries[1].value) == (11, 1, 16, 8)


@pytest.mark.parametrize("change", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")])
def test_a_byte_order_mark_and_windows_line_ends_move_nothing(change: Any) -> None:
    assert places(root(change(TEXT))) == places(root(TEXT))


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("a = ", (1, 5), "it is not valid TOML: invalid value"),
        ("a = 1\nb 2", (2, 3), "it is not valid TOML: expected '=' after a key in a key/value pair"),
        ("a = 1\na = 2\n", (2, 6), "it is not valid TOML: cannot overwrite a value"),
        ('a = "x', (1, 7), "it is not valid TOML: unterminated string"),
        ("a = " + "[" * 100_000, (1, 1), "it is nested more than 200 levels deep"),
        ("a = " + "[" * 202 + "]" * 202, (1, 205), "it is nested more than 200 levels deep"),
        ("x = 1\na" + ".a" * 100_000 + " = 1", (2, 1), "it is nested more than 200 levels deep"),
        (b"a = 1\n\xff", (2, 1), "byte 0xff is not UTF-8"),
    ],
)
def test_what_is_no_toml_is_unreadable_at_its_place(
    text: str | bytes, place: tuple[int, int], reason: str
) -> None:
    assert refusal(text) == (place, reason)


def test_a_number_of_too_many_digits_is_unreadable() -> None:
    assert refusal(f"a = {'9' * 5000}")[1].startswith("it is not valid TOML: ")


KEYS = st.sampled_from(["a", "b-c", "1", '"é 😀"', "'x.y'", '"\\u0041\\""', '"="', "' '"])
SPACES = st.sampled_from(["", " ", "\t"])
DATES = ["1979-05-27", "07:32:00", "1979-05-27 07:32:00Z"]
STRINGS = [
    '"a#]}"',
    "'\\'",
    '""',
    '"\\\\"',
    '"""a\n"" b"""',
    '""""x"""""',
    "'''it''s\n#'''",
    '"""\\""""',
    "'''''a'''",
]
ATOMS = st.sampled_from(["1", "-0.5", "0x1f", "1_000", "inf", "true", "false", *DATES, *STRINGS])
GAPS = st.sampled_from(["", " ", "\n", " # ],\n\t"])


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = [f"{draw(GAPS)}{draw(inner)}{draw(GAPS)}" for _ in range(draw(st.integers(0, 3)))]
    comma = "," if items and draw(st.booleans()) else ""
    return f"[{','.join(items)}{comma}{draw(GAPS)}]"


@st.composite
def dotted(draw: st.DrawFn) -> str:
    parts = [f"{draw(SPACES)}{draw(KEYS)}{draw(SPACES)}" for _ in range(draw(st.integers(1, 3)))]
    return ".".join(parts)


@st.composite
def inline(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    entries = [
        f"{draw(dotted())}={draw(SPACES)}{draw(inner)}{draw(SPACES)}" for _ in range(draw(st.integers(0, 2)))
    ]
    return "{" + ",".join(entries) + "}"


VALUES = st.recursive(ATOMS, lambda inner: arrays(inner) | inline(inner), max_leaves=6)


@st.composite
def files(draw: st.DrawFn) -> str:
    """Files most of which are valid: keys that collide make the others."""
    lines = []
    for _ in range(draw(st.integers(0, 6))):
        key = draw(dotted())
        match draw(st.sampled_from(["entry", "entry", "table", "tables", "blank"])):
            case "entry":
                lines.append(f"{key}={draw(SPACES)}{draw(VALUES)}{draw(st.sampled_from(['', ' # x', '  ']))}")
            case "table":
                lines.append(f"{draw(SPACES)}[{key}]{draw(st.sampled_from(['', ' # x']))}")
            case "tables":
                lines.append(f"[[{key}]]")
            case _:
                lines.append(draw(st.sampled_from(["", "# note", "\t"])))
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines)


def as_written(value: Any) -> Any:
    match value:
        case dict():
            return {key: as_written(part) for key, part in value.items()}
        case list():
            return [as_written(item) for item in value]
        case datetime() | date() | time():
            return str(value).replace("+00:00", "Z")
        case _:
            return value


@given(files())
def test_the_values_are_those_of_the_standard_library_and_stand_where_they_are_said_to_be(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(Unreadable):
            root(text)
        return
    found = root(text)
    assert plain(found) == as_written(expected)
    if "\r" not in text:
        _each_stands_where_it_is_said_to_be(text, found)


def _each_stands_where_it_is_said_to_be(text: str, value: Value) -> None:
    if not isinstance(value, Mapping):
        return
    for entry in value.entries:
        assert entry.key is not None
        key = excerpt(text, entry.key.span)
        assert list(tomllib.loads(f"{key} = 1")) == [plain(entry.key)]
        if isinstance(entry.value, Mapping):
            _each_stands_where_it_is_said_to_be(text, entry.value)
        elif not excerpt(text, entry.value.span).startswith("[["):
            written = tomllib.loads(f"a = {excerpt(text, entry.value.span)}")["a"]
            assert as_written(written) == plain(entry.value)


@given(st.binary(max_size=60) | st.text("a.=[]{}\"'#,\n 1-é\\", max_size=40).map(str.encode))
def test_arbitrary_bytes_are_read_or_unreadable(data: bytes) -> None:
    try:
        root(data)
    except Unreadable as error:
        assert error.unread.span >= ("steps.toml", 1, 1, 1, 1)
