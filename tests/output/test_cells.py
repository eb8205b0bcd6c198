import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepcheck.output._cells import escape, glyphs, width, wrap

TEXT = st.text(st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\nb\r\n\tc", "a\\nb\\r\\n\\tc"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202eright to left", "\\u202eright to left"),
        ("bad \udc80 byte", "bad \\udc80 byte"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("写入 👨\u200d👩 é", "写入 👨\u200d👩 é"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped_and_all_else_kept(text: str, shown: str) -> None:
    assert escape(text) == shown


@pytest.mark.parametrize(
    ("text", "cells"),
    [("abc", 3), ("写入", 4), ("\uff46", 2), ("e\u0301", 1), ("👩", 2), ("a\u200db", 2), ("한", 2)],
)
def test_wide_characters_take_two_cells_and_combining_ones_none(text: str, cells: int) -> None:
    assert width(text) == cells


def test_a_tab_fills_up_to_the_next_multiple_of_four() -> None:
    assert [(glyph.text, glyph.start) for glyph in glyphs("a\tb\t\tc")] == [
        ("a", 0),
        ("   ", 1),
        ("b", 4),
        ("   ", 5),
        ("    ", 8),
        ("c", 12),
    ]


@given(TEXT)
def test_escaped_text_is_one_printable_line_and_escaping_it_again_changes_nothing(text: str) -> None:
    shown = escape(text)
    assert escape(shown) == shown
    assert shown.splitlines() in ([], [shown])
    shown.encode("utf-8")


def test_text_is_broken_at_spaces_and_later_lines_are_indented() -> None:
    assert wrap("one two three four", 12, first="* ", rest="  ") == ["* one two", "  three four"]


def test_a_word_wider_than_the_line_is_broken() -> None:
    assert wrap("a bbbbbbbbbbbbbbbbbbbb c", 10) == ["a", "bbbbbbbbbb", "bbbbbbbbbb", "c"]
    assert wrap("写" * 7, 8) == ["写写写写", "写写写"]


def test_without_a_limit_nothing_is_broken() -> None:
    assert wrap("one " * 100 + "end", 0, first="> ") == ["> " + "one " * 100 + "end"]


@given(TEXT.map(escape), st.integers(12, 60))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, columns: int) -> None:
    lines = wrap(text, columns, rest="  ")
    assert all(width(line) <= columns for line in lines)
    assert "".join("".join(lines).split(" ")) == "".join(text.split(" "))
