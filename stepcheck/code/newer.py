"""Syntax that the running Python does not know yet, told from its looks alone."""

import re
import sys

_FAR = 2_000
"""Characters of the refused line, and of a list of type parameters, that are looked at."""
_TYPE_ALIAS = re.compile(r"(?:^|;)\s*type\s+\w+\s*(?:\[[^=]*\]\s*)?=\s*[^=\s]")
_PARAMETERS = re.compile(r"\b(?:def|class)\s+\w+\s*(?=\[)")
_DEFAULT = re.compile(r"\b(?:def|class|type)\s+\w+\s*\[[^\[\]()]*\w\s*=[^=]")
_QUOTE_INSIDE = re.compile(r"""(?<![\w'"])(?:[fF][rR]?|[rR][fF])(["'])(?:(?!\1)[^{])*\{(?>[^}]*\1)[^}]*\}""")
_OPEN_FIELD = re.compile(r"""(?<![\w'"])(?:[fF][rR]?|[rR][fF])(["'])(?:(?!\1)[^{])*\{(?:(?!\1)[^}])*$""")
_TEMPLATE = re.compile(r"""(?<![\w'"])(?:[tT][rR]?|[rR][tT])["']""")
_EXCEPT = re.compile(r"^\s*except\*?\s+[\w.]+(?:\s*,\s*(?:\w+\.)*[A-Z]\w*)+\s*:")
"""Python 2 has a variable behind the comma, which nobody writes with a capital."""
_LAZY = re.compile(r"^\s*lazy\s+(?:import|from)\s+[\w.]")


def newer_syntax(text: str, line: int, running: tuple[int, int] = sys.version_info[:2]) -> bool:
    """Whether what a Python refuses at a line (counted from 1) looks like syntax of a newer one.

    A hint and no proof: that only a newer Python's parser could give.
    """
    lines = text.split("\n", line)
    refused = lines[line - 1][:_FAR]
    if (
        running < (3, 12)
        and (
            _TYPE_ALIAS.search(refused)  # PEP 695
            or _parametrised("\n".join(lines[line - 1 :])[:_FAR])
            or _QUOTE_INSIDE.search(refused)  # PEP 701
            or _OPEN_FIELD.search(refused)
        )
    ):
        return True
    if running < (3, 13) and _DEFAULT.search(refused):  # PEP 696
        return True
    if running < (3, 14) and (_TEMPLATE.search(refused) or _EXCEPT.search(refused)):  # PEPs 750 and 758
        return True
    return running < (3, 15) and _LAZY.search(refused) is not None  # PEP 810


def _parametrised(text: str) -> bool:
    """Whether the first line of a text defines something with type parameters (PEP 695)."""
    found = _PARAMETERS.search(text.partition("\n")[0])
    if found is None:
        return False
    depth = 0
    for at in range(found.end(), len(text)):
        if text[at] in "[(":
            depth += 1
        elif text[at] in "])":
            depth -= 1
            if depth == 0:
                return text[at + 1 :].lstrip()[:1] in ("(", ":")
    return False
