"""Where a new entry goes in a dict or a call, so that lines, commas and comments stay as they were."""

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from stepcheck.fixes.edit import CannotFix

_NO_COMMENT = cst.TrailingWhitespace()
Blank = cst.BaseParenthesizableWhitespace
E = TypeVar("E", cst.DictElement, cst.Arg)


def inserted_element(owner: cst.Dict, index: int, key: str, value: str) -> cst.Dict:
    """The dict with `key: value` behind its element at that index, in the quotes that element's key has."""
    before = owner.elements[index]
    if not isinstance(before, cst.DictElement):
        raise CannotFix("the entry is spread into the dict")
    quote = before.key.quote[0] if isinstance(before.key, cst.SimpleString) else '"'
    new = cst.DictElement(
        key=_string(key, quote),
        value=_string(value, quote),
        whitespace_after_colon=_plain(before.whitespace_after_colon),
    )
    lead = _lead([element.comma for element in owner.elements], index, owner.lbrace.whitespace_after)
    elements = list(owner.elements)
    if index + 1 < len(elements):
        elements[index : index + 1] = _between(before, new, lead)
        return owner.with_changes(elements=elements)
    first, after = _split(owner.rbrace.whitespace_before, lead)
    trailing = isinstance(before.comma, cst.Comma)
    elements[index:] = [
        before.with_changes(comma=cst.Comma(whitespace_after=first)),
        new.with_changes(comma=cst.Comma() if trailing else cst.MaybeSentinel.DEFAULT),
    ]
    return owner.with_changes(elements=elements, rbrace=owner.rbrace.with_changes(whitespace_before=after))


def inserted_argument(owner: cst.Call, index: int, key: str, value: str) -> cst.Call:
    """The call with `key=value` behind its argument at that index."""
    before = owner.args[index]
    quote = '"'
    if isinstance(before.value, cst.SimpleString):
        quote = before.value.quote[0]
    new = cst.Arg(keyword=cst.Name(key), value=_string(value, quote), equal=before.equal)
    lead = _lead([argument.comma for argument in owner.args], index, owner.whitespace_before_args)
    args = list(owner.args)
    if index + 1 < len(args):
        args[index : index + 1] = _between(before, new, lead)
    elif isinstance(before.comma, cst.Comma):
        first, after = _split(before.comma.whitespace_after, lead)
        args[index:] = [
            before.with_changes(comma=before.comma.with_changes(whitespace_after=first)),
            new.with_changes(comma=cst.Comma(whitespace_after=after)),
        ]
    else:
        first, after = _split(before.whitespace_after_arg, lead)
        args[index:] = [
            before.with_changes(
                comma=cst.Comma(whitespace_after=first), whitespace_after_arg=cst.SimpleWhitespace("")
            ),
            new.with_changes(whitespace_after_arg=after),
        ]
    return owner.with_changes(args=args)


def _lead(commas: Sequence[cst.Comma | cst.MaybeSentinel], index: int, opening: Blank) -> Blank:
    """What stands before a new entry: a line end and the indentation of its neighbours, or one blank."""
    before = commas[index - 1] if index else None
    behind = commas[index]
    candidates = [
        before.whitespace_after if isinstance(before, cst.Comma) else opening,
        behind.whitespace_after if isinstance(behind, cst.Comma) and index + 1 < len(commas) else None,
    ]
    for blank in candidates:
        if isinstance(blank, cst.ParenthesizedWhitespace):
            return blank.with_changes(first_line=_NO_COMMENT, empty_lines=[])
    return cst.SimpleWhitespace(" ")


def _between(before: E, new: E, lead: Blank) -> list[E]:
    """Two entries where there was one: a comment on the first's line stays, lines below go behind both."""
    comma = before.comma
    if not isinstance(comma, cst.Comma):
        raise CannotFix("the entry has no comma")
    first, after = _split(comma.whitespace_after, lead)
    return [
        before.with_changes(comma=comma.with_changes(whitespace_after=first)),
        new.with_changes(comma=cst.Comma(whitespace_after=after)),
    ]


def _split(blank: Blank, lead: Blank) -> tuple[Blank, Blank]:
    """What stood behind the old entry, in two: what stays on its line, and what goes behind the new one."""
    if not isinstance(blank, cst.ParenthesizedWhitespace):
        return lead, blank
    if isinstance(lead, cst.ParenthesizedWhitespace):
        return lead.with_changes(first_line=blank.first_line), blank.with_changes(first_line=_NO_COMMENT)
    if blank.first_line.comment is not None:
        raise CannotFix("a comment behind the entry would change its place")
    return lead, blank


def _plain(blank: Blank) -> Blank:
    return blank if isinstance(blank, cst.SimpleWhitespace) else cst.SimpleWhitespace(" ")


def _string(text: str, quote: str) -> cst.SimpleString:
    return cst.SimpleString(quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote)
