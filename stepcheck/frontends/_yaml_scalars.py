"""What a YAML scalar means by the core schema of YAML 1.2."""

import re

from stepcheck.facts import Opaque, Scalar, Span, Value

CORE = "tag:yaml.org,2002:"

_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")
_KINDS: dict[str, type | tuple[type, ...]] = {
    "null": type(None),
    "bool": bool,
    "int": int,
    "float": (int, float),
}


def scalar(content: str, tag: str | None, plain: bool, span: Span) -> Value:
    """A scalar with the tag that was written, if one was; `plain` is without quotes and not a block."""
    if tag in (None, "!", f"{CORE}str"):
        return _plain(content, span) if plain and tag is None else Scalar(content, span)
    value = _plain(content, span)
    kind = _KINDS.get(tag.removeprefix(CORE))
    if kind is not None and isinstance(value, Scalar) and isinstance(value.value, kind):
        return value
    return tagged(tag, span)


def tagged(tag: str, span: Span) -> Opaque:
    """Something with a tag that has no meaning here."""
    return Opaque(f"tagged {tag!r}, which only the program that reads it understands", span)


def _plain(content: str, span: Span) -> Value:
    """What an unquoted scalar means: YAML 1.2.2 §10.3.2. `on`, `yes` and `12:30:45` are text."""
    if _NULL.fullmatch(content):
        return Scalar(None, span)
    if _TRUE.fullmatch(content):
        return Scalar(True, span)
    if _FALSE.fullmatch(content):
        return Scalar(False, span)
    if _OCTAL.fullmatch(content):
        return Scalar(int(content[2:], 8), span)
    if _HEX.fullmatch(content):
        return Scalar(int(content[2:], 16), span)
    if _INFINITY.fullmatch(content):
        return Scalar(float(content.replace(".", "")), span)
    if _NAN.fullmatch(content):
        return Scalar(float("nan"), span)
    try:
        if _INT.fullmatch(content):
            return Scalar(int(content), span)
        return Scalar(float(content) if _FLOAT.fullmatch(content) else content, span)
    except ValueError:
        return Opaque("a number of more digits than Python reads", span)
