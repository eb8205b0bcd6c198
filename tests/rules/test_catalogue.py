from pathlib import Path

import pytest

from stepcheck import rules
from stepcheck.catalogue.durations import iso_duration
from stepcheck.catalogue.effects import meant
from stepcheck.catalogue.names import words
from stepcheck.facts import parse_duration


def test_a_module_with_a_leading_underscore_is_no_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rules.names()
    for name in ("_shared.py", "zz_last.py"):
        (tmp_path / name).touch()
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    assert rules.names() == [*before, "zz-last"]


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("10m", "PT10M"),
        ("600", "PT10M"),
        ("90 seconds", "PT1M30S"),
        ("1h30m", "PT1H30M"),
        ("1 day, 2 hours", "P1DT2H"),
        ("00:10:00", "PT10M"),
        ("P10M", "PT10M"),
        ("pt10m", "PT10M"),
        ("PT90M", "PT1H30M"),
        ("10 min", "PT10M"),
        ("0", ""),
        ("-PT10M", ""),
        ("P1Y", ""),
        ("10 parsecs", ""),
        ("1m 1m", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_a_duration_as_others_write_it_is_said_in_iso_8601(written: str, iso: str) -> None:
    assert iso_duration(written) == iso
    assert not iso or parse_duration(iso).text == iso


@pytest.mark.parametrize(
    ("written", "classes"),
    [
        ("write", ["idem_write", "non_idem_write"]),
        ("Read-Only", ["read"]),
        ("NON_IDEM_WRITE", ["non_idem_write"]),
        ("non idempotent", ["non_idem_write"]),
        ("idempotent", ["idem_write"]),
        ("idem_wirte", ["idem_write"]),
        ("raed", ["read"]),
        ("burn", []),
        ("", []),
    ],
)
def test_a_word_for_an_effect_class_is_understood(written: str, classes: list[str]) -> None:
    assert list(meant(written)) == classes


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("non_idempotent", ("non", "idempotent")),
        ("requestID", ("request", "id")),
        ("HTTPClient", ("http", "client")),
        ("UUID4", ("uuid4",)),
        ("calls.fetch-orders", ("calls", "fetch", "orders")),
        ("", ()),
    ],
)
def test_a_name_is_split_into_its_words(name: str, split: tuple[str, ...]) -> None:
    assert words(name) == split
