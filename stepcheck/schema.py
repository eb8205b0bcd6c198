"""What is published of formats: the JSON Schemas of step tables and of the configuration, and the table of fields."""

from typing import Any

from stepcheck.facts import FIELDS
from stepcheck.frontends._fields import EXECUTOR, READINGS
from stepcheck.stepdef import StepDef

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def table_schema() -> dict[str, Any]:
    """A file with `steps`, or with several tables that have their own `steps`; YAML, TOML and JSON alike."""
    step = StepDef.model_json_schema(ref_template="#/$defs/{model}")
    definitions = step.pop("$defs", {})
    return {
        "$schema": DIALECT,
        "title": "step tables",
        "description": "Steps of workflows, each with what repeating it does to the world.",
        "type": "object",
        "properties": {
            "steps": {"$ref": "#/$defs/Steps"},
            "tables": {
                "description": "tables by name",
                "type": "object",
                "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Table"}, {"$ref": "#/$defs/Steps"}]},
            },
        },
        "anyOf": [
            {"required": ["steps"]},
            {"required": ["tables"]},
            _map_of("Table"),
            _map_of("Step"),
        ],
        "$defs": {
            **definitions,
            "Step": _with_aliases(step),
            "Steps": {
                "title": "steps",
                "description": "steps by name, or a list of steps that have a name",
                "anyOf": [
                    _map_of("Step"),
                    {"type": "array", "items": {"$ref": "#/$defs/Step", "required": ["name"]}},
                ],
            },
            "Table": {
                "title": "table",
                "description": "one workflow",
                "type": "object",
                "properties": {"steps": {"$ref": "#/$defs/Steps"}},
                "required": ["steps"],
            },
        },
    }


def config_schema() -> dict[str, Any]:
    """The configuration: the whole of stepcheck.toml, or the section [tool.stepcheck] of pyproject.toml."""
    from stepcheck._config_model import Configuration  # noqa: PLC0415

    return {"$schema": DIALECT, **Configuration.model_json_schema(), "title": "stepcheck configuration"}


def _map_of(definition: str) -> dict[str, Any]:
    """Names with what they stand for; beside them, what is there to be merged elsewhere (`x-defaults`)."""
    return {
        "type": "object",
        "minProperties": 1,
        "patternProperties": {r"^(x-|\.)": {}},
        "additionalProperties": {"$ref": f"#/$defs/{definition}"},
    }


def _with_aliases(step: dict[str, Any]) -> dict[str, Any]:
    """The step's schema with other spellings of fields, each of which may stand for the first."""
    step["title"] = "step"
    required = set(step.pop("required", ()))
    alternatives: list[dict[str, Any]] = []
    for field in FIELDS:
        for alias in field.aliases:
            same = step["properties"][field.name]
            step["properties"][alias] = {**same, "description": f"another name of {field.name!r}"}
            alternatives.append({"not": {"required": [field.name, alias]}})
        if field.aliases and field.name in required:
            spellings = (field.name, *field.aliases)
            alternatives.append({"anyOf": [{"required": [spelling]} for spelling in spellings]})
            required.remove(field.name)
    return {**step, "required": sorted(required), "allOf": alternatives}


def fields_table() -> str:
    """A Markdown table of a step's fields: what each takes, means, and what holds where it is not written."""
    rows = ["| field | takes | meaning | not written |", "|---|---|---|---|"]
    for field in FIELDS:
        names = " or ".join(f"`{name}`" for name in (field.name, *field.aliases))
        unwritten = READINGS[field.name].whose.removeprefix(EXECUTOR)
        rows.append(f"| {names} | {field.values} | {field.meaning} | {unwritten} |")
    return "\n".join(rows) + "\n"
