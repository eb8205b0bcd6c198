"""Tells syntax that the running Python does not know yet from syntax that no Python knows."""

import re

_HINT = re.compile(
    r"^\s*type\s+\w+\s*(\[|=)"  # PEP 695 alias
    r"|\b(def|class)\s+\w+\s*\["  # PEP 695 parameters
    r"|\b[fFrRtT]{1,2}['\"]"  # PEP 701 and PEP 750 strings
    r"|^\s*except\*?\s+[\w.]+\s*,"  # PEP 758
    r"|^\s*lazy\s+(import|from)\b"  # PEP 810
)
_LONGEST = 262_144
_DEEPEST = 100


def newer_syntax(text: str, line: str) -> bool:
    """Whether libcst reads a text that the running Python refuses at `line`.

    libcst can take the process down on deep nesting, so it is asked only about texts that are small and flat,
    and only where the refused line looks like syntax of a newer Python.
    """
    if (
        len(text) > _LONGEST
        or not _HINT.search(line)
        or _depth(text) > _DEEPEST
        or _longest_chain(text) > _DEEPEST
    ):
        return False
    try:
        import libcst  # noqa: PLC0415 - slow to import, and rarely needed

        libcst.parse_module(text)
    except Exception:  # its documented errors, and those of its native parser
        return False
    return True


def _depth(text: str) -> int:
    """The deepest nesting of brackets, those in strings and comments included."""
    depth = deepest = 0
    for bracket in re.findall(r"[()\[\]{}]", text):
        depth = depth + 1 if bracket in "([{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _longest_chain(text: str) -> int:
    """The most calls and subscripts that one line holds."""
    return max((len(re.findall(r"[)\]][.(\[]", line)) for line in text.split("\n")), default=0)
