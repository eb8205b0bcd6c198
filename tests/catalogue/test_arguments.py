"""What is seen of the arguments of a call."""

from collections.abc import Callable

import pytest

from stepcheck.catalogue.arguments import Arguments

Written = Callable[[str], tuple[str, Arguments]]


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ("'a'", "a"),
        ("'a' 'b'", "ab"),
        ("f'a{x}b'", "a{}b"),
        ("'a' + x + 'b'", "a{}b"),
        ("'a %s b' % x", "a {} b"),
        ("'a {} b'.format(x)", "a {} b"),
        ("'a {name!r} b'.format(name=x)", "a {} b"),
        ("x", None),
        ("x + y", None),
        ("1", None),
        ("b'a'", None),
        ("None", None),
    ],
)
def test_a_text_is_read_with_holes(written: Written, argument: str, text: str | None) -> None:
    _, arguments = written(f"f({argument})")
    assert arguments.positional[0].text == text


def test_a_text_behind_a_call_that_marks_it_is_read(written: Written) -> None:
    _, arguments = written("from sqlalchemy import text\nf(text('SELECT 1'))")
    assert arguments.positional[0].text == "SELECT 1"


def test_words_are_seen_at_any_depth(written: Written) -> None:
    _, arguments = written("f({'$inc': {'a': [F('n') + shop.rate]}})")
    assert {"$inc", "a", "F()", "n", "shop.rate", "rate"} <= arguments.positional[0].words


def test_keywords_and_places_are_one_question(written: Written) -> None:
    _, arguments = written("f(1, b=2)")
    by_place, by_name = arguments.get("a", 0), arguments.get("b", 5)
    assert by_place is not None and by_name is not None
    assert (by_place.value, by_name.value) == (1, 2)
    assert arguments.get("c", 1) is None


@pytest.mark.parametrize("call", ["f(*values)", "f(**values)", "f(1, *values, a=2)"])
def test_a_spread_leaves_it_open(written: Written, call: str) -> None:
    assert written(call)[1].open


def test_without_a_spread_all_is_seen(written: Written) -> None:
    assert not written("f(1, a=2)")[1].open


@pytest.mark.parametrize(
    ("argument", "whole"),
    [("{'a': b}", True), ("[1, x]", True), ("1", True), ("{**base, 'a': 1}", False), ("[*rest]", False), ("x", False),
     ("g()", False)],
)  # fmt: skip
def test_it_is_told_whether_a_value_is_all_written_here(written: Written, argument: str, whole: bool) -> None:
    _, arguments = written(f"f(a={argument})")
    assert arguments.keywords["a"].whole is whole


def test_the_calls_that_give_an_argument_are_seen_with_their_arguments(written: Written) -> None:
    _, arguments = written("from m import g, h\nf(g(1) | h(b=2))")
    first, second = arguments.positional[0].calls
    assert (first.name, first.arguments.positional[0].value) == ("m.g", 1)
    assert (second.name, second.arguments.keywords["b"].value) == ("m.h", 2)
