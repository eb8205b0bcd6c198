"""Python: the statement around a place, and what a file says as a stream."""

import ast
import io
import tokenize
import warnings
from dataclasses import dataclass

from stepcheck.facts import Span
from stepcheck.fixes.comment import without_comment
from stepcheck.fixes.edit import CannotFix, Edit
from stepcheck.fixes.kind import Kind
from stepcheck.fixes.text import line_starts
from stepcheck.fixes.value import replaced
from stepcheck.fixes.verify import Item, Stream
from stepcheck.rule import Change, RemoveComment, ReplaceValue

_LARGEST = 64 * 1024
_DEEPEST = 100
"""libcst ends the process with a crash at about 1,200 nested brackets, and runs out of stack before."""

_NOT_SAID = frozenset(("ctx", "type_ignores", "type_comment", "kind"))


@dataclass(frozen=True, slots=True)
class Statement:
    """The whole lines of the top-level statement (or statements sharing lines) around a place."""

    text: str
    start: int
    """Offset in the file."""
    line: int
    """Of the file, where it starts."""


def parsed(text: str) -> ast.Module:
    """The syntax tree. Raises CannotFix where the running Python cannot parse the text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotFix(f"this Python cannot parse the file: {error}") from error


def statement(text: str, tree: ast.Module, span: Span) -> Statement:
    """The statement that holds the span. Raises CannotFix where none does, or it is too much for libcst."""
    found = [_lines(node) for node in tree.body]
    holding = [lines for lines in found if lines[0] <= span.line and span.end_line <= lines[1]]
    if not holding:
        raise CannotFix("no statement of the file holds the place")
    first, last = min(lines[0] for lines in holding), max(lines[1] for lines in holding)
    while shared := [lines for lines in found if lines[0] < first <= lines[1] or lines[0] <= last < lines[1]]:
        first, last = min(first, *(lines[0] for lines in shared)), max(last, *(lines[1] for lines in shared))
    starts = [*line_starts(text), len(text)]
    chunk = text[starts[first - 1] : starts[last]]
    if len(chunk.encode("utf-8", "surrogatepass")) > _LARGEST:
        raise CannotFix(f"the statement from line {first} on is larger than 64 KB")
    if _depth(chunk) > _DEEPEST:
        raise CannotFix(f"the statement from line {first} on nests more than {_DEEPEST} brackets")
    return Statement(chunk, starts[first - 1], first)


def _lines(node: ast.stmt) -> tuple[int, int]:
    decorators = (
        node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []
    )
    return min([node.lineno, *(each.lineno for each in decorators)]), node.end_lineno or node.lineno


def _depth(chunk: str) -> int:
    """The most brackets open at one place; those in strings and comments count too, to be safe."""
    depth = deepest = 0
    for character in chunk:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest


def stream(tree: ast.Module) -> Stream:
    """What the file says, in order; a dict's values stand right behind their keys."""
    items: list[Item] = []
    todo: list[object] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Dict):
            children: list[object] = [
                part for pair in zip(node.keys, node.values, strict=True) for part in pair
            ]
        elif isinstance(node, ast.AST):
            children = [value for name, value in ast.iter_fields(node) if name not in _NOT_SAID]
        elif isinstance(node, list):
            children = node
        else:
            items.append((type(node).__name__, repr(node)))
            continue
        match node:  # an entry starts with its key
            case ast.Constant() | ast.keyword():
                pass
            case ast.Assign(targets=[target], value=value):
                items.append(("assignment", ast.unparse(target)))
                children = [value]
            case ast.AnnAssign(target=target):
                items.append(("assignment", ast.unparse(target)))
                children = [node.annotation, node.value, node.simple]
            case _:
                items.append((type(node).__name__, ""))
        todo += reversed(children)
    return items


def edit(text: str, change: Change) -> Edit:
    """The edit that takes a comment away or replaces a value; other changes are libcst's. Raises CannotFix."""
    if isinstance(change, ReplaceValue):
        return replaced(text, change)
    if not isinstance(change, RemoveComment):
        raise CannotFix("libcst gave no answer")
    try:
        comments = [
            token
            for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline)
            if token.type == tokenize.COMMENT and token.start[0] == change.span.line
        ]
    except (tokenize.TokenError, SyntaxError) as error:
        raise CannotFix("this Python cannot split the file into tokens") from error
    if not any(token.start[1] < change.span.column <= token.end[1] for token in comments):
        raise CannotFix("no comment stands there any more")
    return without_comment(text, change)


KIND = Kind(edit, lambda text: stream(parsed(text)))
