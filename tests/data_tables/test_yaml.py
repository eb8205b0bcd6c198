"""YAML with exact places."""

import math
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stepcheck.facts import Mapping, Opaque, Sequence, Unreadable, Value
from tests.data_tables.reading import at, places, plain, roots, where


def root(text: str | bytes) -> Value:
    (only,) = roots("steps.yaml", text)
    return only


def refusal(text: str | bytes) -> tuple[tuple[int, int], str]:
    with pytest.raises(Unreadable) as told:
        roots("steps.yaml", text)
    span = told.value.unread.span
    return (span.line, span.column), told.value.unread.reason


def test_every_key_and_value_has_its_place() -> None:
    text = "steps:\n  créer😀: {effect: read, ids: [é, 😀, 'z']}\n"
    assert places(root(text)) == [
        ("steps", (1, 1, 1, 6)),
        ("créer😀", (2, 3, 2, 9)),
        ("effect", (2, 12, 2, 18)),
        ("read", (2, 20, 2, 24)),
        ("ids", (2, 26, 2, 29)),
        ("é", (2, 32, 2, 33)),
        ("😀", (2, 35, 2, 36)),
        ("z", (2, 38, 2, 41)),
    ]


@pytest.mark.parametrize("change", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")])
def test_a_byte_order_mark_and_windows_line_ends_move_nothing(change: Any) -> None:
    text = "a:\n  b: 1\n\nc: é\n"
    assert places(root(change(text))) == places(root(text))


def test_an_old_mac_line_end_is_a_line_end() -> None:
    assert places(root("a: 1\rb: 2"))[2:] == [("b", (2, 1, 2, 2)), (2, (2, 4, 2, 5))]


def test_utf_16_is_read() -> None:
    assert places(root("é: 1".encode("utf-16"))) == [("é", (1, 1, 1, 2)), (1, (1, 4, 1, 5))]


def test_a_line_separator_of_unicode_is_no_line_end_for_places() -> None:
    assert places(root("a: [x\u2028, y]\nb: 1"))[2:] == [
        ("y", (1, 9, 1, 10)),
        ("b", (2, 1, 2, 2)),
        (1, (2, 4, 2, 5)),
    ]


def test_a_block_ends_with_its_last_value_and_not_with_what_follows() -> None:
    mapping = root("a:\n  b: |\n    text\n\n\n# note\nc: {d: 1}\n")
    assert isinstance(mapping, Mapping)
    assert where(mapping) == (1, 1, 7, 10)
    assert where(mapping.entries[0].value) == (2, 3, 3, 9)
    assert where(mapping.entries[1].value) == (7, 4, 7, 10)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        *(
            (word, word)
            for word in ("on", "off", "yes", "No", "y", "12:30:45", "1_000", "0b1", "+", ".", "2026-01-01")
        ),
        *((word, None) for word in ("null", "Null", "~", "")),
        *((word, True) for word in ("true", "True", "TRUE")),
        ("False", False),
        ("010", 10),
        ("-7", -7),
        ("0o17", 15),
        ("0x1F", 31),
        ("1e3", 1000.0),
        ("-.5", -0.5),
        ("1.", 1.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("'true'", "true"),
        ('"1"', "1"),
        ("!!str 1", "1"),
        ("!!int 1", 1),
        ("!!float 1", 1),
        ("! 1", "1"),
    ],
)
def test_scalars_mean_what_yaml_1_2_says(text: str, meaning: object) -> None:
    found = plain(root(f"a: {text}"))["a"]
    assert (found, type(found)) == (meaning, type(meaning))


@pytest.mark.parametrize("text", ["!Ref x", "!!int x", "!!binary aGk=", "!Sub [a]", "!x {a: 1}", "9" * 5000])
def test_what_only_its_own_program_understands_is_opaque(text: str) -> None:
    mapping = root(f"a: {text}")
    assert isinstance(mapping, Mapping)
    assert isinstance(mapping.entries[0].value, Opaque)


def test_not_a_number_is_one() -> None:
    assert math.isnan(plain(root(".nan")))


def test_duplicate_keys_are_kept_in_order() -> None:
    assert places(root("a: 1\nb: 2\na: 3\n")) == [
        ("a", (1, 1, 1, 2)),
        (1, (1, 4, 1, 5)),
        ("b", (2, 1, 2, 2)),
        (2, (2, 4, 2, 5)),
        ("a", (3, 1, 3, 2)),
        (3, (3, 4, 3, 5)),
    ]


def test_an_alias_stands_at_its_own_place_and_its_parts_where_they_are_written() -> None:
    mapping = root("a: &x {b: 1}\nc: *x\n")
    assert isinstance(mapping, Mapping)
    alias = mapping.entries[1].value
    assert where(alias) == (2, 4, 2, 6)
    assert places(alias) == [("b", (1, 8, 1, 9)), (1, (1, 11, 1, 12))]


def test_a_merge_has_no_key_and_stands_before_what_overrides_it() -> None:
    mapping = root("base: &b {x: 1, y: 1}\nuse:\n  x: 2\n  <<: *b\n")
    assert isinstance(mapping, Mapping)
    use = mapping.entries[1].value
    assert isinstance(use, Mapping)
    assert [entry.key is None for entry in use.entries] == [True, False]
    assert plain(use) == {"x": 2, "y": 1}


def test_of_several_merged_mappings_the_first_wins() -> None:
    text = "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}\n"
    assert plain(root(text))["c"] == {"x": 1, "y": 2}


def test_a_quoted_merge_key_is_a_key() -> None:
    assert plain(root("{'<<': {a: 1}}")) == {"<<": {"a": 1}}


def test_an_alias_of_what_it_stands_in_is_opaque() -> None:
    assert plain(root("a: &x [1, *x]")) == {"a": [1, ...]}


def test_anchors_end_with_their_document() -> None:
    assert [plain(value) for value in roots("steps.yaml", "a: &x 1\n---\n- 2\n---\n")] == [
        {"a": 1},
        [2],
        None,
    ]
    assert refusal("a: &x 1\n---\na: *x\n") == ((3, 4), "it is not valid YAML: no anchor 'x' before it")


def test_an_empty_file_has_no_documents() -> None:
    assert roots("steps.yaml", "# nothing\n") == ()


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("a: [1, 2\nb: 3\n", (2, 2), "did not find expected ',' or ']' while parsing a flow sequence"),
        ("a: b: c", (1, 5), "mapping values are not allowed in this context"),
        (
            "a:\n\t- b",
            (2, 1),
            "found character that cannot start any token while scanning for the next token",
        ),
        ("'abc\n\nd", (3, 2), "found unexpected end of stream while scanning a quoted scalar"),
    ],
)
def test_a_half_written_file_is_unreadable_at_its_place(
    text: str, place: tuple[int, int], reason: str
) -> None:
    assert refusal(text) == (place, f"it is not valid YAML: {reason}")


def test_bytes_that_are_no_text_are_unreadable_at_their_place() -> None:
    assert refusal("é: ".encode() + b"\xff") == ((1, 4), "byte 0xff is not UTF-8")
    assert refusal("a: 1\nb: \x00") == ((2, 4), "the character '\\x00' is not allowed in YAML")


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_unreadable(opening: str) -> None:
    (line, _), reason = refusal(opening * 100_000)
    assert line == 1
    assert "nest" in reason


def test_nesting_through_aliases_counts() -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 300))]
    assert refusal("\n".join(lines)) == ((199, 14), "it is nested more than 200 levels deep")


def test_aliases_that_unfold_without_measure_are_unreadable() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 20)]
    (line, _), reason = refusal("\n".join(lines))
    assert (line, reason) == (5, "its aliases unfold to more than 100000 values")


def test_the_python_reader_of_yaml_gives_the_same_places(monkeypatch: pytest.MonkeyPatch) -> None:
    from stepcheck.frontends import _yaml

    text = "é: &a\n  b: |\n    x\n\n  c: [1, {d: 2}]\ne: {<<: *a}\n"
    fast = root(text)
    monkeypatch.setattr(_yaml, "_LOADER", yaml.SafeLoader)
    assert root(text) == fast


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text("ab é😀:#-'\"", max_size=6)
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abé ", max_size=3), inner, max_size=3)
    ),
)


@given(TREES, st.booleans())
def test_what_is_dumped_is_read_back(tree: Any, flow: bool) -> None:
    # The dumper writes YAML 1.1: it quotes words such as `on`, and gives every float a point.
    text = yaml.safe_dump(tree, allow_unicode=True, default_flow_style=flow)
    assert plain(root(text)) == tree


@given(
    st.binary(max_size=200) | st.text("ab:-[]{}&*!|>'\"%@`,?# \n\t<\x85\u2028é", max_size=60).map(str.encode)
)
def test_arbitrary_bytes_are_read_or_unreadable(data: bytes) -> None:
    try:
        found = roots("steps.yaml", data)
    except Unreadable as error:
        assert error.unread.span >= ("steps.yaml", 1, 1, 1, 1)
        assert "\n" not in error.unread.reason
    else:
        for value in found:
            for _, place in places(value):
                assert place[:2] <= place[2:]


def test_a_sequence_at_the_root_has_a_place() -> None:
    value = root("- 1\n-  [2,\n  3]\n\n")
    assert isinstance(value, Sequence)
    assert at(value.span) == (1, 1, 3, 5)
