"""The configuration as a model: which keys there are, what they take, and how a mistake in them is told."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from stepcheck import output, rules
from stepcheck.facts import FIELDS, Mapping, Scalar, Unreadable, Value
from stepcheck.facts import Sequence as Items
from stepcheck.frontends import TableOptions
from stepcheck.frontends._text import Text
from stepcheck.frontends._toml import read_toml
from stepcheck.rule import Severity
from stepcheck.settings import ALL, STAGES, Settings, UsageError, hint

_FIELD_NAMES = tuple(known.name for known in FIELDS)
_RULE_NAMES = 'a list of rule names, such as ["volatile-key"]'
_PATTERNS = 'a list of patterns as in .gitignore, such as ["vendor/"]'


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class _Section(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, alias_generator=_kebab, validate_by_alias=True
    )


class Tables(_Section):
    """What a team adds to the vocabulary of step tables."""

    extra_fields: list[str] = Field(
        default_factory=list,
        description='a list of field names, such as ["owner"]',
        title="fields that are no mistake",
    )
    aliases: dict[str, str] = Field(
        default_factory=dict,
        description='a table from your name of a field to ours, such as {side_effect = "effect"}',
        title="other spellings of fields",
    )


class CallEntry(_Section):
    """What a team says of one call."""

    effect: Literal["read", "idem_write", "non_idem_write"] = Field(
        description='"read", "idem_write" or "non_idem_write"', title="what a repeat of the call does"
    )
    key: str | None = Field(
        None, description="the name of an argument", title="the argument that carries the idempotency key"
    )
    claims: bool = Field(False, description="true or false", title="only the first of several does anything")
    rows: bool = Field(False, description="true or false", title="it reads or changes rows of our own")


def _entry(written: object) -> object:
    """An effect alone stands for an entry that has nothing else."""
    return {"effect": written} if isinstance(written, str) else written


class Configuration(_Section):
    """The keys of [tool.stepcheck] in pyproject.toml, or of stepcheck.toml; descriptions follow "must be"."""

    select: list[str] | None = Field(None, description=_RULE_NAMES, title="the rules that run")
    ignore: list[str] = Field(default_factory=list, description=_RULE_NAMES, title="rules that do not run")
    per_file_ignores: dict[str, list[str]] = Field(
        default_factory=dict,
        description='a table from patterns to lists of rule names, such as {"tests/" = ["missing-timeout"]}',
        title="rules that do not run on some files",
    )
    stage: Annotated[int, Field(ge=1, le=STAGES)] = Field(
        STAGES,
        description="a whole number from 1 to 5",
        title="the stage of the adoption ladder that is enforced",
    )
    severity: dict[str, Literal["error", "warning"]] = Field(
        default_factory=dict,
        description='a table from rule names to "error" or "warning", such as {missing-timeout = "error"}',
        title="severities that differ from the rule's own",
    )
    exclude: list[str] | None = Field(
        None, description=_PATTERNS, title="in place of the folders excluded by default"
    )
    extend_exclude: list[str] = Field(default_factory=list, description=_PATTERNS, title="excluded besides")
    force_exclude: bool = Field(False, description="true or false", title="exclude named files, too")
    code: bool = Field(True, description="true or false", title="read the bodies of functions, too")
    max_file_size: Annotated[int, Field(gt=0)] | None = Field(
        None, description="a whole number of bytes above 0", title="larger files are reported as unread"
    )
    baseline: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="a path as a string", title="the file of known findings"
    )
    source_roots: Annotated[list[str], Field(min_length=1)] | None = Field(
        None,
        description='a list of folders, such as [".", "src"]',
        title="where imports of the project start",
    )
    calls: dict[
        Annotated[str, Field(min_length=1)],
        Annotated[
            CallEntry,
            BeforeValidator(
                _entry, json_schema_input_type=CallEntry | Literal["read", "idem_write", "non_idem_write"]
            ),
        ],
    ] = Field(
        default_factory=dict,
        description="a table from names of calls to what a repeat of them does, such as "
        '{"*.notary.stamp" = "non_idem_write", "shop.pay" = {effect = "non_idem_write", key = "ref"}}',
        title="what calls do that the catalogue does not know",
    )
    tables: Tables = Field(
        default_factory=Tables, description="a table", title="the vocabulary of step tables"
    )
    output_format: str | None = Field(
        None, description="the name of an output format", title="how findings are shown"
    )


def read(section: dict[str, Any], defaults: Settings, file: str) -> Settings:
    """The settings with what the section says. Raises UsageError, one line a mistake, in the file's order."""
    whole = not file.endswith("pyproject.toml")
    lines = _Lines(defaults.file or defaults.root, file, () if whole else ("tool", "stepcheck"))
    try:
        given = Configuration.model_validate(section)
    except ValidationError as error:
        raise UsageError(_told(error, lines, file, whole)) from None
    mistakes = _wrong_names(given)
    if mistakes:
        told = sorted((lines.of(place), message) for place, message in mistakes)
        raise UsageError("\n".join(f"{file}:{line}: {message}" for line, message in told))
    return _settings(given, defaults)


def _settings(given: Configuration, defaults: Settings) -> Settings:
    return replace(
        defaults,
        select=defaults.select if given.select is None else tuple(given.select),
        ignore=tuple(given.ignore),
        per_file_ignores=tuple((pattern, tuple(names)) for pattern, names in given.per_file_ignores.items()),
        stage=given.stage,
        severity=MappingProxyType({name: Severity(level) for name, level in given.severity.items()}),
        exclude=None if given.exclude is None else tuple(given.exclude),
        extend_exclude=tuple(given.extend_exclude),
        force_exclude=given.force_exclude,
        code=given.code,
        calls=MappingProxyType(
            {
                name: MappingProxyType(entry.model_dump(exclude_defaults=True))
                for name, entry in given.calls.items()
            }
        ),
        max_file_size=given.max_file_size or defaults.max_file_size,
        baseline=None if given.baseline is None else defaults.root / given.baseline,
        source_roots=defaults.source_roots if given.source_roots is None else tuple(given.source_roots),
        tables=TableOptions(frozenset(given.tables.extra_fields), dict(given.tables.aliases)),
        output_format=given.output_format or defaults.output_format,
    )


Place = tuple[str | int, ...]


def _wrong_names(given: Configuration) -> list[tuple[Place, str]]:
    """Names that are strings, as they must be, but name nothing."""
    known = rules.names()
    named: list[tuple[Place, str]] = [
        (("select", index), name) for index, name in enumerate(given.select or ())
    ]
    named += [(("ignore", index), name) for index, name in enumerate(given.ignore)]
    named += [(("severity", name), name) for name in given.severity]
    for pattern, names in given.per_file_ignores.items():
        named += [(("per-file-ignores", pattern, index), name) for index, name in enumerate(names)]
    wrong: list[tuple[Place, str]] = [
        (place, f"no rule is named {name!r}{hint(name, known)}")
        for place, name in named
        if name not in known and (name != ALL or place[0] == "severity")
    ]
    wrong += [
        (("tables", "aliases", alias), f"no field of a step is named {name!r}{hint(name, _FIELD_NAMES)}")
        for alias, name in given.tables.aliases.items()
        if name not in _FIELD_NAMES
    ]
    formats = output.names()
    if given.output_format is not None and given.output_format not in formats:
        wrong.append((("output-format",), _no_format(given.output_format, formats)))
    return wrong


def _no_format(name: str, formats: Sequence[str]) -> str:
    return f"no output format is named {name!r}{hint(name, formats) or '; there are ' + ', '.join(formats)}"


def _told(error: ValidationError, lines: "_Lines", file: str, whole: bool) -> str:
    told = []
    for mistake in error.errors(include_url=False):
        place: Place = mistake["loc"]
        model, where = _model(place, whole)
        line = lines.of(place)
        if mistake["type"] == "extra_forbidden":
            known = [_kebab(name) for name in model.model_fields]
            told.append((line, f"unknown key {place[-1]!r} in {where}{hint(str(place[-1]), known)}"))
        else:
            key = place[0] if model is Configuration else place[1] if model is Tables else place[2]
            must = model.model_fields[str(key).replace("-", "_")].description
            told.append((line, f"{str(key)!r} in {where} must be {must}, not {_short(mistake['input'])}"))
    return "\n".join(f"{file}:{line}: {message}" for line, message in sorted(set(told)))


def _model(place: Place, whole: bool) -> tuple[type[_Section], str]:
    """The model that a mistake's place belongs to, and how its section is headed."""
    if place[0] == "calls" and len(place) > 2:
        return CallEntry, "[calls]" if whole else "[tool.stepcheck.calls]"
    if place[0] == "tables" and len(place) > 1:
        return Tables, "[tables]" if whole else "[tool.stepcheck.tables]"
    return Configuration, "stepcheck.toml" if whole else "[tool.stepcheck]"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Lines:
    """The lines of a configuration's keys and values."""

    def __init__(self, location: Path, file: str, prefix: Place) -> None:
        """Read the file. Raises UsageError, under the name `file`, where it is too deep to be read."""
        self._prefix = prefix
        try:
            (self._document,) = read_toml(Text(file, location.read_bytes()))
        except Unreadable as error:
            unread = error.unread
            raise UsageError(f"{file}:{unread.span.line}: {unread.reason}") from None

    def of(self, place: Place) -> int:
        """The line of the innermost part of the place that is written; 1 where none is."""
        value, line = self._document, 1
        for part in (*self._prefix, *place):
            found = _part(value, part)
            if found is None:
                break
            value, line = found
        return line


def _part(value: Value, part: str | int) -> tuple[Value, int] | None:
    """What stands under a key or at an index, and its line."""
    if isinstance(value, Items) and isinstance(part, int) and part < len(value.items):
        item = value.items[part]
        return item, item.span.line
    if isinstance(value, Mapping):
        for entry in value.entries:
            if isinstance(entry.key, Scalar) and entry.key.value == part:
                return entry.value, entry.key.span.line
    return None
