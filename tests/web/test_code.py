"""Code with marks, and the check that the other tests of pages rest on."""

import pytest

from stepcheck.web.code import Line, Mark, block
from stepcheck.web.frame import document
from stepcheck.web.style import COLOURS, STYLE
from tests.web.wellformed import problems


def test_lines_have_numbers_marks_and_notes_and_a_gap_where_numbers_leap() -> None:
    lines = (
        Line(8, "def f():"),
        Line(9, "    a < b", (Mark(4, 5, "error", "here"), Mark(8, 9, "place"))),
        Line(12, "end"),
    )
    assert block(lines) == (
        '<pre class="code" style="--gutter: 2"><code>'
        '<span class="l" data-n="8">def f():\n</span>'
        '<span class="l here" data-n="9">    <mark class="error">a</mark> &lt; <mark class="place">b</mark>\n</span>'
        '<span class="note error">here\n</span>'
        '<span class="l gap" data-n="⋮">\n</span>'
        '<span class="l" data-n="12">end\n</span>'
        "</code></pre>"
    )


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        (
            (Mark(0, 4, "error"), Mark(2, 6, "place")),
            '<mark class="error">abcd</mark><mark class="place">ef</mark>',
        ),
        ((Mark(0, 6, "error"), Mark(2, 4, "place")), '<mark class="error">abcdef</mark>'),
        ((Mark(6, 7, "error"),), 'abcdef<mark class="error"> </mark>'),
        ((Mark(9, 10, "error"),), 'abcdef<mark class="error"> </mark>'),
    ],
)
def test_places_that_overlap_or_lie_behind_the_line_are_marked_as_far_as_they_can_be(
    marks: tuple[Mark, ...], shown: str
) -> None:
    assert f">{shown}\n</span>" in block((Line(1, "abcdef", marks),))


def test_a_page_that_is_not_well_formed_is_told_of() -> None:
    good = document("a < b", "<style></style>", ['<h1 id="a">x</h1>', '<a href="#a">x</a>'])
    assert problems(good) == []
    assert "<title>a &lt; b</title>" in good
    for wrong in (
        "<p>",
        "</b>",
        '<i id="a"></i>',
        '<a href="#b">b</a>',
        "<h3>c</h3>",
        "<svg></svg>",
        "<th>x</th>",
    ):
        assert len(problems(document("x", "", ['<h1 id="a">x</h1>', wrong]))) > 0, wrong
    for outside in ('<a href="https://example.org">x</a>', '<img src="x.png">', "<style>@import x</style>"):
        assert len(problems(document("x", "", [outside]))) > 0, outside


def luminance(colour: str) -> float:
    """Of `#rgb` or `#rrggbb`, relative (WCAG 2.1)."""
    letters = colour.removeprefix("#")
    letters = letters if len(letters) == 6 else "".join(letter * 2 for letter in letters)
    parts = [int(letters[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "grounds"),
    [
        ("ink", ("paper", "head", "bad-back", "good-back", "warn-back")),
        ("soft", ("paper", "head")),
        ("link", ("paper", "head")),
        ("bad", ("paper", "head", "bad-back")),
        ("good", ("paper", "head", "good-back")),
        ("warn", ("paper", "head", "warn-back")),
    ],
)
def test_every_colour_of_letters_stands_out_from_its_grounds(
    scheme: str, ink: str, grounds: tuple[str, ...]
) -> None:
    light, dark = COLOURS.split("@media")
    named = dict(
        part.strip().removeprefix("--").split(": ")
        for part in (light if scheme == "light" else dark)
        .partition(":root {")[2]
        .partition("}")[0]
        .split(";")
        if part.strip()
    )
    assert [ground for ground in grounds if contrast(named[ink], named[ground]) < 4.5] == []


def test_the_style_sheet_fetches_nothing_and_closes_what_it_opens() -> None:
    assert "url(" not in STYLE
    assert STYLE.count("{") == STYLE.count("}")
