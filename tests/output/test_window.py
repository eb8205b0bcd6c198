from hypothesis import given
from hypothesis import strategies as st

from stepcheck.output._cells import width
from stepcheck.output._window import Window, window

LINE = "0123456789" * 5


def test_a_line_that_fits_is_shown_whole() -> None:
    assert window(LINE, 3, 6, 50) == Window(LINE, 2, 5)


def test_a_long_line_is_cut_behind_a_place_near_its_start() -> None:
    assert window(LINE, 3, 6, 20) == Window("01234567890123456...", 2, 5)
    assert window(LINE, 15, 18, 20) == Window("01234567890123456...", 14, 17)


def test_a_long_line_is_cut_before_a_place_near_its_end() -> None:
    assert window(LINE, 49, 51, 20) == Window("...34567890123456789", 18, 20)


def test_a_long_line_is_cut_on_both_sides_of_a_place_in_its_middle() -> None:
    shown = window(LINE, 25, 27, 20)
    assert shown == Window("...89012345678901...", 9, 11)
    assert shown.text[shown.start : shown.end] == "45"


def test_of_a_place_wider_than_the_room_the_start_is_shown() -> None:
    assert window(LINE, 11, 51, 20) == Window("...01234567890123...", 3, 20)


def test_an_empty_place_at_the_end_of_a_line_is_marked_behind_it() -> None:
    assert window("abc", 4, 4, 20) == Window("abc", 3, 4)


def test_wide_characters_and_tabs_move_the_mark() -> None:
    assert window("\t写入 = x", 5, 6, 40) == Window("    写入 = x", 9, 10)


def test_a_line_of_ten_million_characters_is_laid_out_around_the_place_only() -> None:
    line = "x" * 5_000_000 + "HERE" + "y" * 5_000_000
    shown = window(line, 5_000_001, 5_000_005, 40)
    assert shown.text[shown.start : shown.end] == "HERE"
    assert width(shown.text) <= 40


@given(st.text(st.characters(exclude_characters="\r\n"), max_size=200), st.data(), st.integers(16, 80))
def test_what_is_shown_fits_and_the_mark_is_in_sight(line: str, data: st.DataObject, room: int) -> None:
    column = data.draw(st.integers(1, len(line) + 1))
    end = data.draw(st.integers(column, len(line) + 1))
    shown = window(line, column, end, room)
    assert width(shown.text) <= room
    assert 0 <= shown.start < shown.end <= room + 1
