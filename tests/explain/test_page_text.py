from textwrap import dedent

import pytest

from stepcheck import page, rules
from stepcheck.output._cells import width
from stepcheck.output._page import lines, plain
from stepcheck.output._style import Style


def shown(text: str, columns: int = 40, *, color: bool = False) -> list[str]:
    return list(lines(page.read(dedent(text)), columns, Style(color)))


def test_headings_stand_out_and_prose_is_wrapped_anew() -> None:
    text = """\
    # a-rule

    One sentence that is
    longer than the forty columns that there are.

    ## What happens

    1. A task calls, and then it waits for a long time.
       Nothing comes.
    2. It calls again.
    """
    assert shown(text) == [
        "a-rule",
        "",
        "One sentence that is longer than the",
        "forty columns that there are.",
        "",
        "WHAT HAPPENS",
        "",
        "1. A task calls, and then it waits for a",
        "   long time. Nothing comes.",
        "2. It calls again.",
    ]


def test_examples_are_labelled_and_kept_as_they_are() -> None:
    text = """\
    ```python bad file=calls.py
    send( 1 )  # finding: may be sent twice
    # not a heading

    | no table |
    ```

    ```python good
    send(1)
    ```

    ```sh
    ls
    ```
    """
    assert shown(text) == [
        "  bad calls.py:",
        "    send( 1 )  # finding: may be sent twice",
        "    # not a heading",
        "",
        "    | no table |",
        "",
        "  good:",
        "    send(1)",
        "",
        "    ls",
    ]


def test_a_fence_inside_an_example_does_not_end_it() -> None:
    assert shown("```python good\nx\n```sh\ny\n```\nend") == ["  good:", "    x", "    ```sh", "    y", "end"]


def test_tables_are_kept_and_never_wrapped() -> None:
    row = "| a very long cell of a table | another very long cell |"
    assert shown(f"text\n{row}\n|---|---|\nmore") == ["text", row, "|---|---|", "more"]


def test_emphasis_loses_its_marks_and_code_keeps_its_backticks() -> None:
    text = "A **strong** word, an *emphatic* one, `a * b * c`, 2 * 3 * 4, `**kwargs` and a_b_c."
    assert shown(text, 0) == ["A strong word, an emphatic one, `a * b * c`, 2 * 3 * 4, `**kwargs` and a_b_c."]


def test_links_show_their_address_only_where_they_leave_the_handbook() -> None:
    text = "See [another rule](other.md), [the norm](https://example.org/x), `calls[name](x)`."
    assert shown(text, 0) == ["See another rule, the norm (https://example.org/x), `calls[name](x)`."]


def test_colour_marks_headings_labels_expectations_and_code() -> None:
    text = """\
    ## Example

    Use `x`.

    ```python bad
    send()  # finding: twice
    ```
    """
    assert shown(text, color=True) == [
        "\x1b[1mExample\x1b[0m",
        "",
        "Use \x1b[36m`x`\x1b[0m.",
        "",
        "  \x1b[1;31mbad:\x1b[0m",
        "    send()  \x1b[1;31m# finding: twice\x1b[0m",
    ]
    assert shown("```python good\nx  # finding: no\n```", color=True)[1] == "    x  # finding: no"


def test_an_expectation_that_names_its_severity_is_marked_too() -> None:
    text = "```python bad\nsend()  # finding[warning]: twice\n```"
    assert shown(text, color=True)[1] == "    send()  \x1b[1;31m# finding[warning]: twice\x1b[0m"


def test_terminal_escapes_in_a_page_are_shown_not_sent() -> None:
    assert shown("a \x1b[2J b\n```\n\x1b[2J\n```") == ["a \\x1b[2J b", "    \\x1b[2J"]


@pytest.mark.parametrize("name", rules.names())
def test_every_page_fits_its_prose_into_eighty_columns(name: str) -> None:
    prose = [line for line in plain(page.find(name)).splitlines() if not line.startswith(("    ", "|"))]
    assert prose[0] == name
    assert max(map(width, prose)) <= 80
