"""The published JSON Schema accepts what the loader accepts and refuses misspelt fields."""

import json
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from stepcheck.cli import main
from stepcheck.facts import FIELDS
from stepcheck.schema import config_schema, table_schema

CREATE = {
    "effect": "non_idem_write",
    "call": "shop.calls.create",
    "query": "shop.calls.find",
    "compensate": "withdraw",
    "compensate_deadline": "PT10M",
    "max_attempts": None,
    "retry": {"max_attempts": 2, "base": 0.5},
    "timeout": "PT30S",
    "identity": ["order"],
    "dedupe": {"window": "P1D"},
    "absence": {"query_lag": 0, "late_bound": "PT1M", "basis": "manual"},
    "on_uncertain": "query",
    "description": "makes the slip",
}
VALIDATOR = jsonschema.Draft202012Validator(table_schema())


def accepts(document: Any) -> bool:
    return bool(VALIDATOR.is_valid(document))


def accepts_step(**changes: Any) -> bool:
    return accepts({"steps": {"create": {**CREATE, **changes}}})


@pytest.mark.parametrize("field", ["max_attempts", "timeout"])
def test_a_null_that_says_no_limit_is_not_the_default(field: str) -> None:
    shown = table_schema()["$defs"]["Step"]["properties"][field]
    assert "default" not in shown
    [null] = [each for each in shown["anyOf"] if each.get("type") == "null"]
    assert null["description"].startswith("no limit")


def test_the_schemas_are_valid_themselves() -> None:
    jsonschema.Draft202012Validator.check_schema(table_schema())
    jsonschema.Draft202012Validator.check_schema(config_schema())


@pytest.mark.parametrize(
    "document",
    [
        {"steps": {"create": CREATE}},
        {"steps": [{"name": "create", **CREATE}]},
        {"tables": {"eu": {"create": CREATE}, "us": {"steps": {"create": CREATE}}}},
        {"eu": {"steps": {"create": CREATE}}, "us": {"steps": [{"name": "create", **CREATE}]}},
        {"create": CREATE},
        {"x-write": {"effect": "idem_write"}, "steps": {"create": CREATE}, "owner": "team"},
    ],
)
def test_every_form_of_a_table_is_accepted(document: Any) -> None:
    assert accepts(document)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"steps": 3},
        {"steps": [CREATE]},
        {"steps": {"create": {"effect": "read"}}},
        {"steps": {"create": None}},
    ],
)
def test_what_is_no_table_is_refused(document: Any) -> None:
    assert not accepts(document)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("qurey", "shop.calls.find"),
        ("effect", "write"),
        ("compensate_deadline", "P1M"),
        ("compensate_deadline", "PT"),
        ("compensate_deadline", 600),
        ("timeout", 0),
        ("max_attempts", 0),
        ("retry", {"bse": 1}),
        ("identity", "order"),
        ("dedupe", {"windw": "P1D"}),
        ("on_uncertain", "retry"),
        ("call", 3),
        ("effect_class", "read"),
    ],
)
def test_a_misspelt_field_and_a_wrong_value_are_refused(field: str, value: Any) -> None:
    assert accepts_step()
    assert not accepts_step(**{field: value})


def test_another_name_of_a_field_is_accepted_in_its_place() -> None:
    other = {name: value for name, value in CREATE.items() if name not in ("effect", "identity")}
    assert accepts({"steps": {"create": {**other, "effect_class": "read", "key_params": ["a"]}}})
    assert not accepts({"steps": {"create": other}})


def test_every_field_is_described() -> None:
    properties = table_schema()["$defs"]["Step"]["properties"]
    assert {field.name: properties[field.name]["description"] for field in FIELDS} == {
        field.name: field.meaning for field in FIELDS
    }


@pytest.mark.parametrize(
    ("arguments", "expected"), [([], table_schema), (["table"], table_schema), (["config"], config_schema)]
)
def test_the_command_prints_the_schema(arguments: list[str], expected: Any) -> None:
    result = CliRunner().invoke(main, ["schema", *arguments])
    assert (result.exit_code, json.loads(result.output)) == (0, expected())
