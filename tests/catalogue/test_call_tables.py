"""The tables of calls are well formed: typed, sourced, unique, and closed under their own references."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import stepcheck.catalogue
from stepcheck.catalogue.call_fact import KINDS
from stepcheck.catalogue.call_table import SHAPES, Entry, packages, table
from stepcheck.catalogue.calls import exists, known
from stepcheck.catalogue.patterns import parts
from stepcheck.catalogue.retries import client

FOLDER = Path(stepcheck.catalogue.__file__).with_name("calls")
TABLES = [*sorted(packages()), SHAPES]
FIELDS = {
    "names", "kind", "effect", "by", "when", "key", "repeat", "lookup", "undo", "client", "additive", "claims",
    "bound", "weak", "note", "source", "checked",
}  # fmt: skip
SOURCE = re.compile(r"https://\S+|judged: .+|PEP \d+.*")
CHECKED = re.compile(r"|inferred|librdkafka.*|[\w-]+ [\d.]+( service models?)?( \(.*\))?|botocore .*")


def entries() -> list[Entry]:
    return [entry for name in TABLES for entry in table(name).written]


def test_there_are_tables_of_every_kind_of_library() -> None:
    assert len(packages()) >= 80
    assert len(entries()) >= 950
    assert {entry.fact.kind for entry in entries()} == KINDS


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_no_field_that_nobody_reads(name: str) -> None:
    written = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    groups = written.pop("calls")
    assert set(written) <= FIELDS - {"names", "effect"}
    assert {field for group in groups for field in group} <= FIELDS
    for condition in (condition for group in groups for condition in group.get("when", ())):
        assert set(condition) <= {
            "argument",
            "position",
            "matches",
            "contains",
            "given",
            "effect",
            "additive",
        }
        assert len({"matches", "contains", "given"} & set(condition)) == 1
        re.compile(condition.get("matches", ""))


@pytest.mark.parametrize("name", TABLES)
def test_every_name_of_a_table_stands_in_it_once_and_belongs_there(name: str) -> None:
    counted = Counter(entry.fact.name for entry in table(name).written)
    assert [found for found, times in counted.items() if times > 1] == []
    first = "*" if name == SHAPES else name
    assert [found for found in counted if parts(found)[0] != first] == []


def test_every_fact_has_a_source() -> None:
    facts = [entry.fact for entry in entries()]
    assert [fact.name for fact in facts if not SOURCE.fullmatch(fact.source)] == []
    assert [(fact.name, fact.checked) for fact in facts if not CHECKED.fullmatch(fact.checked)] == []


def test_every_counterpart_is_a_call_that_is_known() -> None:
    missing = [
        (entry.fact.name, other)
        for entry in entries()
        for other in (*entry.fact.lookup, *entry.fact.undo)
        if not exists(other)
    ]
    assert missing == []


def test_what_asks_whether_it_happened_is_a_read() -> None:
    wrong = [
        (entry.fact.name, other)
        for entry in entries()
        for other in entry.fact.lookup
        if (fact := known(other)) is not None and fact.effect.writes
    ]
    assert wrong == []


def test_every_client_is_one_of_which_the_retries_are_known() -> None:
    assert (
        sorted(
            {fact.client for fact in (e.fact for e in entries()) if fact.client and not client(fact.client)}
        )
        == []
    )


def test_no_read_has_a_key_or_an_undo_of_its_own() -> None:
    reads = [
        entry.fact for entry in entries() if not entry.fact.effect.writes and not entry.when and not entry.by
    ]
    assert [fact.name for fact in reads if fact.key or fact.undo or fact.additive or fact.claims] == []


def test_a_key_never_makes_a_call_worse() -> None:
    keyed = [entry.fact for entry in entries() if entry.fact.key is not None]
    order = ["read", "idem_write", "non_idem_write"]
    assert [f.name for f in keyed if f.key and order.index(f.key.effect) > order.index(f.effect)] == []
