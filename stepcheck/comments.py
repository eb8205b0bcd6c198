"""The comments of a file that speak to us, with their places; what looks like one in a string is none."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.facts import Span

# Strings first, so that a `#` inside one is passed over.
_PYTHON = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|(?P<comment>\#[^\n\r]*)",
    re.DOTALL,
)
_TOML = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|(?P<comment>\#[^\n\r]*)",
    re.DOTALL,
)
_OURS = re.compile(r"#+\s*stepcheck:")
_HASH = re.compile(r"(?:^|(?<=[ \t]))#[^\n\r]*", re.MULTILINE)
_LINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment that begins with `# stepcheck:`, also behind another comment on the line."""

    span: Span
    text: str
    """What follows the colon."""
    alone: bool
    """Whether nothing but spaces stands before it on its line."""


def read(path: str, text: str, suffix: str) -> list[Comment]:
    """All of them, in the order of the file. JSON has no comments."""
    if "stepcheck:" not in text or suffix == ".json":
        return []
    starts = [0, *(end.end() for end in _LINE.finditer(text))]
    found = []
    for start, end in _yaml(text) if suffix in (".yaml", ".yml") else _by_pattern(text, suffix):
        ours = _OURS.search(text, start, end)
        if ours is None:
            continue
        at = ours.start()
        line = bisect_right(starts, at)
        first = starts[line - 1]
        span = Span(path, line, at - first + 1, line, end - first + 1)
        found.append(Comment(span, text[ours.end() : end].strip(), not text[first:at].strip()))
    return found


def blank(line: str) -> bool:
    """Whether a line of code holds nothing but a comment."""
    return line.lstrip().startswith("#")


def _by_pattern(text: str, suffix: str) -> Iterator[tuple[int, int]]:
    pattern = _TOML if suffix == ".toml" else _PYTHON
    for found in pattern.finditer(text):
        if found["comment"] is not None:
            yield found.start(), len(text[: found.end()].rstrip()) if found[0][-1:].isspace() else found.end()


def _yaml(text: str) -> Iterator[tuple[int, int]]:
    """A `#` at the start of a line or behind a space begins a comment, except in a scalar that holds it."""
    scalars = list(_yaml_scalars(text))
    starts = [start for start, _ in scalars]
    at = 0
    while found := _HASH.search(text, at):
        before = bisect_right(starts, found.start()) - 1
        if before >= 0 and found.start() < scalars[before][1]:
            at = scalars[before][1]
        else:
            yield found.span()
            at = found.end()


def _yaml_scalars(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of quoted and block scalars, as far as the text is YAML."""
    import yaml  # noqa: PLC0415 (slow to import)

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for token in yaml.scan(text, Loader=loader):
            if isinstance(token, yaml.ScalarToken) and not token.plain:
                start, end = token.start_mark.index, token.end_mark.index
                if token.style in ("|", ">"):  # its first line may end in a true comment
                    start = text.find("\n", start, end) + 1 or end
                yield start, end
    except yaml.YAMLError:
        return
