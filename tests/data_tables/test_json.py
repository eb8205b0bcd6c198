"""JSON with exact places, accepting what the standard library accepts."""

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepcheck.facts import Mapping, Unreadable, Value
from tests.data_tables.reading import excerpt, places, plain, roots, where


def root(text: str | bytes) -> Value:
    (only,) = roots("steps.json", text)
    return only


def refusal(text: str | bytes) -> tuple[tuple[int, int], str]:
    with pytest.raises(Unreadable) as told:
        roots("steps.json", text)
    span = told.value.unread.span
    return (span.line, span.column), told.value.unread.reason


def test_every_key_and_value_has_its_place() -> None:
    value = root('\ufeff{"é😀": [1, -2.5e3, "x\\n", true],\r\n "b": {}, "b": null}\r\n')
    assert places(value) == [
        ("é😀", (1, 2, 1, 6)),
        (1, (1, 9, 1, 10)),
        (-2500.0, (1, 12, 1, 18)),
        ("x\n", (1, 20, 1, 25)),
        (True, (1, 27, 1, 31)),
        ("b", (2, 2, 2, 5)),
        ("b", (2, 11, 2, 14)),
        (None, (2, 16, 2, 20)),
    ]
    assert where(value) == (1, 1, 2, 21)


def test_not_a_number_and_infinity_are_taken_as_the_standard_library_takes_them() -> None:
    number, *infinite = plain(root("[NaN, Infinity, -Infinity]"))
    assert math.isnan(number)
    assert infinite == [math.inf, -math.inf]


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", (1, 1), "it is not valid JSON: expected a value"),
        ('{"a": 1,}', (1, 9), "it is not valid JSON: expected a key in double quotes"),
        ('{"a" 1}', (1, 6), "it is not valid JSON: expected ':' behind the key"),
        ('{\n "a": 1 "b": 2}', (2, 9), "it is not valid JSON: expected ',' or '}'"),
        ("[1 2]", (1, 4), "it is not valid JSON: expected ',' or ']'"),
        ("[1,", (1, 4), "it is not valid JSON: expected a value"),
        ("1 2", (1, 3), "it is not valid JSON: expected the end of the text"),
        ('"abc', (1, 1), "it is not valid JSON: unterminated string"),
        ('"a\nb"', (1, 3), "it is not valid JSON: invalid control character"),
        ('["\\q"]', (1, 3), "it is not valid JSON: invalid \\escape"),
        ("1" * 5000, (1, 1), "a number has more digits than Python reads"),
        ("[" * 100_000, (1, 202), "it is nested more than 200 levels deep"),
        ('{"a":' * 100_000, (1, 1006), "it is nested more than 200 levels deep"),
        (b"[\xe9]", (1, 2), "byte 0xe9 is not UTF-8"),
    ],
)
def test_what_is_no_json_is_unreadable_at_its_place(
    text: str | bytes, place: tuple[int, int], reason: str
) -> None:
    assert refusal(text) == (place, reason)


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


@given(TREES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_what_is_dumped_is_read_back_and_stands_where_it_is_said_to_be(
    tree: Any, indent: Any, ascii_: bool
) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=ascii_)
    data = text.encode("utf-8", "surrogatepass")
    try:
        value = root(data)
    except Unreadable:
        assert not ascii_  # a lone surrogate is no UTF-8
        return
    assert plain(value) == tree
    assert json.loads(excerpt(text, value.span)) == tree
    if isinstance(value, Mapping):
        for entry in value.entries:
            assert json.loads(excerpt(text, entry.value.span)) == plain(entry.value)


@given(st.text('{}[]",:0123456789.eE+-truefalsn \n\t\r\\u/NaIity\x00é٣', max_size=24))
@example("1٣")
@example("-")
@example("01")
@example("-Infinity")
@example('{"a":1,"a":2}')
@example("\u00a0 1")
def test_the_standard_library_and_this_reader_accept_the_same_texts(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(Unreadable):
            root(text)
    else:
        assert repr(plain(root(text))) == repr(expected)


@given(st.binary(max_size=60))
def test_arbitrary_bytes_are_read_or_unreadable(data: bytes) -> None:
    try:
        root(data)
    except Unreadable as error:
        assert error.unread.span >= ("steps.json", 1, 1, 1, 1)
