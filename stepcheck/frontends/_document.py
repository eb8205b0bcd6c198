"""A data file (YAML, TOML, JSON) as a tree of values with exact places."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from stepcheck.facts import Span, Unreadable, UnreadFile, Value
from stepcheck.frontends._text import Text

SYNTAXES = {".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".json": "json"}
"""The syntax of a data file by its suffix."""


@dataclass(frozen=True, slots=True)
class Document:
    """One data file. Facts of it depend on its bytes alone."""

    path: str
    roots: tuple[Value, ...]
    """One value a YAML document; exactly one for TOML and JSON."""
    syntax: str


def read_document(path: str, data: bytes) -> Document:
    """Read a data file by its suffix: every key and value with its place, duplicate keys kept.

    Raises Unreadable, with line and column, for whatever is not a document of that syntax.
    """
    syntax = SYNTAXES.get(PurePosixPath(path).suffix.lower(), "")
    if not syntax:
        raise Unreadable(UnreadFile(Span(path, 1, 1, 1, 1), "it is neither YAML, TOML nor JSON by its name"))
    return Document(path, _reader(syntax)(Text(path, data)), syntax)


def _reader(syntax: str) -> Callable[[Text], tuple[Value, ...]]:
    """The reader of a syntax; each brings its own parser, so only the one that is needed is imported."""
    if syntax == "yaml":
        from stepcheck.frontends._yaml import read_yaml  # noqa: PLC0415

        return read_yaml
    if syntax == "toml":
        from stepcheck.frontends._toml import read_toml  # noqa: PLC0415

        return read_toml
    from stepcheck.frontends._json import read_json  # noqa: PLC0415

    return read_json
