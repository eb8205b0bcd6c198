"""Takes down the facts of one file while its statements are gone through."""

import ast
from dataclasses import dataclass, field

from stepcheck.code.module import Application, Binding, Class, Function, How, Import, Scope, ScopeKind
from stepcheck.code.source import Source
from stepcheck.code.values import ITEM, Expressions, dotted_name
from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Sequence, Span, Value


@dataclass(frozen=True, slots=True)
class At:
    """Where the statement being read stands."""

    scope: int
    conditional: bool


@dataclass(slots=True)
class Recorder:
    """The facts of one file so far. The first scope is the module's."""

    source: Source
    scopes: list[Scope] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    applications: list[Application] = field(default_factory=list)
    outer: dict[tuple[int, str], bool] = field(default_factory=dict)
    """Names declared `global` (True) or `nonlocal` in a scope."""
    failing: list[Span] = field(default_factory=list)
    """Blocks that are meant to fail."""

    def open(
        self, kind: ScopeKind, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, at: At
    ) -> At:
        """Open the scope of a definition's body."""
        first = node.body[0]
        start = self.source.span(first)
        if isinstance(first, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and first.decorator_list:
            start = self.source.span(first.decorator_list[0])
        end = self.source.span(node)
        around = self.scopes[at.scope].name
        name = f"{around}.{node.name}" if around else node.name
        span = Span(self.source.path, start.line, start.column, end.end_line, end.end_column)
        self.scopes.append(Scope(kind, name, span, at.scope))
        return At(len(self.scopes) - 1, False)

    def bind(self, target: ast.expr, value: Value, at: At, annotation: str = "") -> None:
        """Give a value to an assignment's target."""
        name = dotted_name(target)
        span = self.source.span(target)
        if name:
            scope, conditional = self.home(name, at)
            self.bindings.append(
                Binding(name, How.ASSIGNED, value, span, scope, conditional, annotation=annotation)
            )
        elif isinstance(target, ast.Subscript) and dotted_name(target.value):
            key = self.value(target.slice, at)
            name = dotted_name(target.value)
            scope, conditional = self.home(name, at)
            self.bindings.append(Binding(name, How.ENTRY, value, span, scope, conditional, key))
        elif isinstance(target, ast.Subscript) and _is_item(target.value):
            entry = Entry(self.value(target.slice, at), value, at.conditional)
            self.amend(target.value, entry, at)
        else:
            self.bindings.append(Binding("", How.STANDING, value, span, at.scope, at.conditional))
            self.hold(target, at)

    def amend(self, target: ast.expr, entry: Entry, at: At) -> bool:
        """Take `X["k"]["f"] = v` for `X["k"] = {**X["k"], "f": v}`; whether the target is of that form."""
        if not isinstance(target, ast.Subscript) or not _is_item(target):
            return False
        name, span = dotted_name(target.value), self.source.span(target)
        key = self.value(target.slice, at)
        item = Invocation(Name(name + ITEM, self.source.span(target.value)), (key,), (), span)
        scope, _ = self.home(name, at)
        value = Mapping((Entry(None, item), entry), entry.value.span)
        self.bindings.append(Binding(name, How.ENTRY, value, span, scope, False, key))
        return True

    def grow(  # noqa: PLR0913, PLR0917 - all that a binding holds
        self, name: str, how: How, value: Value, span: Span, at: At, key: Value | None = None
    ) -> None:
        """Take down what a statement does to the value of a name."""
        scope, conditional = self.home(name, at)
        self.bindings.append(Binding(name, how, value, span, scope, conditional, key))

    def home(self, name: str, at: At) -> tuple[int, bool]:
        """The scope that a binding in this place goes to, and whether it may not be made at all."""
        head = name.partition(".")[0]
        is_global = self.outer.get((at.scope, head))
        if is_global is None:
            return at.scope, at.conditional
        return (0 if is_global else self.scopes[at.scope].parent), True

    def hold(self, target: ast.expr, at: At) -> None:
        """Bind every name of a target to what only a run could tell."""
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.held(node.id, self.source.span(node), at)

    def held(self, name: str, span: Span, at: At) -> None:
        """Bind a name to what only a run could tell."""
        value = Opaque("known only when it runs", span)
        scope, conditional = self.home(name, at)
        self.bindings.append(Binding(name, How.HELD, value, span, scope, conditional))

    def values(self, nodes: list[ast.expr], at: At) -> tuple[Value, ...]:
        """The values of several expressions."""
        return tuple([self.value(node, at) for node in nodes])

    def standing(self, node: ast.expr, at: At) -> None:
        """Read an expression whose value goes to no name."""
        if not isinstance(node, ast.Name | ast.Constant):
            self.keep(self.value(node, at), at)

    def keep(self, value: Value, at: At) -> None:
        """Keep a value that goes to no name, if a table could be in it."""
        if isinstance(value, Mapping | Sequence | Invocation):
            self.bindings.append(Binding("", How.STANDING, value, value.span, at.scope, at.conditional))

    def value(self, node: ast.expr, at: At) -> Value:
        """The value of an expression; what it holds beside that is kept as standing alone."""
        expressions = Expressions(self.source)
        value = expressions.read(node)
        while expressions.aside:
            self.keep(expressions.read(expressions.aside.pop()), at)
        for part in expressions.parts:
            self.keep(part, at)
        for decorator, argument in expressions.applied:
            self.applications.append(Application(decorator, argument, at.scope, at.conditional))
        for target, named in expressions.named:
            self.bind(target, named, At(at.scope, True))
        return value


def _is_item(node: ast.expr) -> bool:
    """Whether it is `X["k"]`, with a plain or dotted name for `X`."""
    return isinstance(node, ast.Subscript) and bool(dotted_name(node.value))
