"""Whether a data file that does not parse is written in another language than its name says, and is none of ours."""

import json
import re

_OURS = re.compile(rb"(?i)idem_write|stepcheck:|effect(?:_class)?[\"']?[ \t]*[:=][ \t]*[\"']?read\b")
"""An effect class, or an ignore comment."""
_TEMPLATE = re.compile(rb"\{\{|\{%")
_STRING_OR_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')


def foreign(data: bytes, suffix: str) -> bool:
    """Whether it is JSON with comments, or YAML that a template engine fills in, and shows no effect class.

    True is said only of a file that could not be read as what its suffix says.
    """
    if _OURS.search(data):
        return False
    match suffix:
        case ".json":
            return _commented(data)
        case ".yaml" | ".yml":
            return _TEMPLATE.search(data) is not None
        case _:
            return False


def _commented(data: bytes) -> bool:
    """Whether it is JSON but for comments and for commas behind the last part."""
    try:
        text = data.decode("utf-8-sig")
        text = _STRING_OR_COMMENT.sub(lambda found: found[1] or " ", text)
        json.loads(_STRING_OR_LAST_COMMA.sub(lambda found: found[1] or "", text))
    except (ValueError, RecursionError):
        return False
    return True
