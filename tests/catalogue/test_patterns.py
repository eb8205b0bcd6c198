"""Names as patterns of segments."""

import pytest

from stepcheck.catalogue.aliases import canonical
from stepcheck.catalogue.patterns import Pattern, Patterns, parts


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("a.*.c", "a.b.c", True),
        ("a.*.c", "a.b.b.c", True),
        ("a.*.c", "a.c", False),
        ("*.c", "a.b.c", True),
        ("*.c", "c", False),
        ("a.*", "a.b.c", True),
        ("a.create_*", "a.create_x", True),
        ("a.create_*", "a.create_", False),
        ("a.*Client.get", "a.XClient.get", True),
        ("a.*Client.get", "a.b.XClient.get", False),
        ("a.b", "a.b.c", False),
    ],
)
def test_a_star_stands_for_one_segment_or_more(pattern: str, name: str, fits: bool) -> None:
    assert Pattern.of(pattern).fits(parts(name)) is fits


def test_the_more_specific_pattern_wins() -> None:
    found = Patterns.of([("a.*.d", 1), ("a.b.*.d", 2), ("*.d", 3), ("a.*", 4)])
    assert found.find(parts("a.b.c.d")) == 2
    assert found.find(parts("a.c.d")) == 1
    assert found.find(parts("x.d")) == 3
    assert found.find(parts("a.x")) == 4
    assert found.find(parts("x.y")) is None


def test_dots_inside_quotes_divide_nothing() -> None:
    assert parts("boto3.client('a.b').get") == ("boto3", "client('a.b')", "get")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("sqlite3.connect().execute", "sqlite3.Connection.execute"),
        ("sqlite3.connect().cursor().execute", "sqlite3.Cursor.execute"),
        ("motor.motor_asyncio.AsyncIOMotorClient[][].insert_one", "pymongo.MongoClient.[].[].insert_one"),
        ("openai.AsyncOpenAI.responses.create", "openai.OpenAI.responses.create"),
        ("mine.connect().execute", "mine.connect().execute"),
    ],
)
def test_other_names_are_led_back_to_one(name: str, meant: str) -> None:
    assert canonical(name) == meant
