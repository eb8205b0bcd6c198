"""The comments of a file that speak to us, with their places; what looks like one in a string is none."""

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from stepcheck.facts import Span

# For what Python itself does not tokenize. Strings first, so that a `#` inside one is passed over.
_PYTHON = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|(?P<comment>\#[^\n\r]*)",
    re.DOTALL,
)
# Of up to five quotes in a row the last three close such a string (TOML 1.0).
_TOML = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"{3,5}'
    r"|'''.*?'{3,5}"
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
    for start, end in _places(text, suffix):
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


def _places(text: str, suffix: str) -> Iterable[tuple[int, int]]:
    """Where comments start and end."""
    if suffix in (".yaml", ".yml"):
        return _yaml(text)
    if suffix == ".toml":
        return _by_pattern(text, _TOML)
    try:
        return list(_python(text))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return _by_pattern(text, _PYTHON)


def _python(text: str) -> Iterator[tuple[int, int]]:
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            start = starts[token.start[0] - 1] + token.start[1]
            yield start, start + len(token.string.rstrip())


def _by_pattern(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
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
