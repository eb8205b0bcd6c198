"""Lowering of `match`: each case is tried in order, and what it captures is bound before its guard."""

import ast
from collections.abc import Iterator

from stepcheck.code.flow.branching import condition
from stepcheck.code.flow.builder import Builder
from stepcheck.code.flow.expression import Compound, Expression, Result
from stepcheck.code.flow.guarded import Body
from stepcheck.code.flow.operation import Assign, Evaluate
from stepcheck.facts import Span


def matched(builder: Builder, node: ast.Match, run: Body) -> None:
    """Lower a `match` statement; `run` lowers the bodies of its cases."""
    number = builder.number()
    builder.emit(Evaluate(number, builder.value(node.subject), builder.source.span(node.subject)))
    subject = Result(number)
    after = builder.block()
    for case in node.cases:
        if builder.current is None:
            break
        body, following = builder.block(), builder.block()
        captures = tuple(_captures(case.pattern))
        parts = tuple([builder.value(part) for part in _values(case.pattern)])
        span = _span(builder, case.pattern)
        if _irrefutable(case.pattern):
            builder.goto(body)
        else:
            builder.touch()
            builder.branch(
                Compound("match", ast.unparse(case.pattern), (subject, *parts)), span, body, following
            )
        builder.start(body)
        for name in captures:
            captured: Expression = Compound("unpack", name, (subject,))
            builder.emit(Assign(builder.variable(name), captured, False, span), raises=False)
        if case.guard is not None:
            passed = builder.block()
            condition(builder, case.guard, passed, following)
            builder.start(passed)
        run(builder, case.body)
        builder.goto(after)
        builder.start(following)
    builder.goto(after)
    builder.start(after)


def _captures(pattern: ast.pattern) -> Iterator[str]:
    """The names that a pattern binds, each once, in order."""
    seen: set[str] = set()
    for part in ast.walk(pattern):
        match part:
            case (
                ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name))
            ):
                if name not in seen:
                    seen.add(name)
                    yield name


def _values(pattern: ast.pattern) -> Iterator[ast.expr]:
    """What a pattern reads to compare with."""
    for part in ast.walk(pattern):
        match part:
            case ast.MatchValue(value=read) | ast.MatchClass(cls=read):
                yield read
            case ast.MatchMapping(keys=keys):
                yield from keys


def _irrefutable(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _irrefutable(inner)
        case ast.MatchOr(patterns=patterns):
            return _irrefutable(patterns[-1])
        case _:
            return False


def _span(builder: Builder, pattern: ast.pattern) -> Span:
    place = ast.Pass(
        lineno=pattern.lineno,
        col_offset=pattern.col_offset,
        end_lineno=pattern.end_lineno,
        end_col_offset=pattern.end_col_offset,
    )
    return builder.source.span(place)
