"""Python source → `Module`, one file at a time, from the standard library's syntax tree."""

import ast
from dataclasses import dataclass, field
from itertools import zip_longest

from stepcheck.code.module import (
    Application,
    Binding,
    Class,
    Function,
    How,
    Import,
    Module,
    Scope,
    ScopeKind,
)
from stepcheck.code.names import names
from stepcheck.code.source import Source, read
from stepcheck.code.values import Expressions, dotted_name, inner_expressions
from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Scalar, Sequence, Span, Value

_GROWS = frozenset({"update", "append", "extend", "insert", "add", "setdefault", "pop"})
_CLEARS = frozenset({"clear", "popitem", "remove"})


def lower(path: str, data: bytes) -> Module:
    """The facts of one file. Raises Unreadable for what cannot be read, with the place and the reason."""
    source, tree = read(path, data)
    bound, loose = names(tree, source)
    lowering = _Lowering(source)
    lowering.run(tree)
    return Module(
        path=path,
        scopes=tuple(lowering.scopes),
        bindings=tuple(lowering.bindings),
        imports=tuple(lowering.imports),
        functions=tuple(lowering.functions),
        classes=tuple(lowering.classes),
        applications=tuple(lowering.applications),
        bound=bound,
        loose=loose,
        exports=_exports(lowering.bindings),
        dynamic=_dynamic(tree),
    )


@dataclass(frozen=True, slots=True)
class _At:
    """Where the statement being read stands."""

    scope: int
    conditional: bool


@dataclass(slots=True)
class _Lowering:
    """Collects the facts of one file, statement by statement, in the order of the file."""

    source: Source
    scopes: list[Scope] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    applications: list[Application] = field(default_factory=list)
    outer: dict[tuple[int, str], bool] = field(default_factory=dict)
    """Names declared `global` or `nonlocal` in a scope."""
    waiting: list[tuple[ast.stmt, _At]] = field(default_factory=list)

    def run(self, tree: ast.Module) -> None:
        last = self.source.lines
        self.scopes.append(
            Scope(ScopeKind.MODULE, "", Span(self.source.path, 1, 1, len(last), len(last[-1]) + 1), 0)
        )
        self.push(tree.body, _At(0, False))
        while self.waiting:
            self.statement(*self.waiting.pop())

    def push(self, statements: list[ast.stmt], at: _At) -> None:
        self.waiting.extend((statement, at) for statement in reversed(statements))

    def statement(self, node: ast.stmt, at: _At) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node, at)
            case ast.ClassDef():
                self.class_(node, at)
            case ast.Assign(targets=targets, value=value):
                self.assign(targets, value, at)
            case ast.AnnAssign(target=target, value=value, annotation=annotation):
                self.annotated(target, value, annotation, at)
            case ast.AugAssign():
                self.augmented(node, at)
            case ast.Delete(targets=targets):
                for deleted in targets:
                    self.delete(deleted, at)
            case ast.Import() | ast.ImportFrom():
                self.import_(node, at)
            case ast.Expr(value=ast.Call() as call):
                self.call(call, at)
            case ast.Global(names=several) | ast.Nonlocal(names=several):
                self.outer.update({(at.scope, name): isinstance(node, ast.Global) for name in several})
            case _:
                self.block(node, at)

    def block(self, node: ast.stmt, at: _At) -> None:
        """Every other statement: its expressions stand alone, its targets are held, its blocks follow."""
        branches = isinstance(
            node, ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar | ast.Match
        )
        inner = _At(at.scope, at.conditional or (branches and not _type_checking(node)))
        for expression in inner_expressions(node):
            if not isinstance(getattr(expression, "ctx", None), ast.Store):
                self.standing(expression, at)
            else:
                self.hold(expression, inner)
        blocks: list[tuple[list[ast.stmt], _At]] = []
        for part in ("body", "handlers", "cases", "orelse", "finalbody"):
            for item in getattr(node, part, ()):
                if isinstance(item, ast.stmt):
                    blocks.append(([item], at if part == "finalbody" else inner))
                else:
                    blocks.append((item.body, inner))
                    self.clause(item, inner)
        for statements, place in reversed(blocks):
            self.push(statements, place)

    def clause(self, node: ast.ExceptHandler | ast.match_case, at: _At) -> None:
        if isinstance(node, ast.ExceptHandler):
            if node.name:
                self.held(node.name, self.source.span(node), at)
            return
        for pattern in ast.walk(node.pattern):
            name = getattr(pattern, "rest", None) or getattr(pattern, "name", None)
            if isinstance(name, str) and isinstance(pattern, ast.pattern):
                line, column = pattern.lineno, pattern.col_offset + 1
                self.held(name, Span(self.source.path, line, column, line, column), at)

    # Definitions

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, at: _At) -> None:
        decorators = self.values(node.decorator_list, at)
        arguments = node.args
        for default in [
            *arguments.defaults,
            *[value for value in arguments.kw_defaults if value is not None],
        ]:
            self.standing(default, at)
        positional = [*arguments.posonlyargs, *arguments.args]
        span = self.source.name_of(node)
        self.functions.append(
            Function(
                node.name, span, at.scope, at.conditional, decorators, tuple(arg.arg for arg in positional)
            )
        )
        inner = self.open(ScopeKind.FUNCTION, node, at)
        others = [arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
        for arg in [*positional, *[arg for arg in others if arg is not None]]:
            self.held(arg.arg, self.source.span(arg), inner)
        self.push(node.body, inner)

    def class_(self, node: ast.ClassDef, at: _At) -> None:
        decorators = self.values(node.decorator_list, at)
        bases = self.values(node.bases, at)
        for keyword in node.keywords:
            self.standing(keyword.value, at)
        inner = self.open(ScopeKind.CLASS, node, at)
        self.classes.append(
            Class(
                node.name, self.source.name_of(node), at.scope, inner.scope, at.conditional, decorators, bases
            )
        )
        self.push(node.body, inner)

    def open(
        self, kind: ScopeKind, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, at: _At
    ) -> _At:
        first = node.body[0]
        start = self.source.span(first)
        if isinstance(first, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and first.decorator_list:
            start = self.source.span(first.decorator_list[0])
        end = self.source.span(node)
        around = self.scopes[at.scope].name
        name = f"{around}.{node.name}" if around else node.name
        span = Span(self.source.path, start.line, start.column, end.end_line, end.end_column)
        self.scopes.append(Scope(kind, name, span, at.scope))
        return _At(len(self.scopes) - 1, False)

    def import_(self, node: ast.Import | ast.ImportFrom, at: _At) -> None:
        for alias in node.names:
            span = self.source.span(alias)
            if isinstance(node, ast.Import):
                bound = alias.asname or alias.name.partition(".")[0]
                module = alias.name if alias.asname else bound
                self.imports.append(Import(bound, module, "", 0, span, at.scope, at.conditional))
            else:
                bound = alias.asname or alias.name
                self.imports.append(
                    Import(bound, node.module or "", alias.name, node.level, span, at.scope, at.conditional)
                )

    # Bindings

    def assign(self, targets: list[ast.expr], node: ast.expr, at: _At) -> None:
        if isinstance(node, ast.Tuple | ast.List):
            for target in targets:
                if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(node.elts):
                    starred = [item for item in [*target.elts, *node.elts] if isinstance(item, ast.Starred)]
                    if not starred and len(targets) == 1:
                        for part, item in zip_longest(target.elts, node.elts):
                            self.assign([part], item, at)
                        return
        value = self.value(node, at)
        for target in targets:
            self.bind(target, value, at)
            if dotted_name(target):
                # the value belongs to the first target: the others are names for it
                value = Name(dotted_name(target), self.source.span(target))

    def bind(self, target: ast.expr, value: Value, at: _At, annotation: str = "") -> None:
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
        else:
            self.bindings.append(Binding("", How.STANDING, value, span, at.scope, at.conditional))
            self.hold(target, at)

    def annotated(self, target: ast.expr, node: ast.expr | None, annotation: ast.expr, at: _At) -> None:
        head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if node is not None:
            self.bind(target, self.value(node, at), at, dotted_name(head))
        elif dotted_name(target):
            span = self.source.span(target)
            self.bindings.append(
                Binding(
                    dotted_name(target),
                    How.DECLARED,
                    Opaque("not given", span),
                    span,
                    at.scope,
                    at.conditional,
                    annotation=dotted_name(head),
                )
            )

    def augmented(self, node: ast.AugAssign, at: _At) -> None:
        value = self.value(node.value, at)
        name = dotted_name(node.target)
        if name and isinstance(node.op, ast.BitOr | ast.Add):
            self.grow(name, How.MERGED, value, self.source.span(node.target), at)
            return
        self.bindings.append(Binding("", How.STANDING, value, value.span, at.scope, at.conditional))
        self.hold(node.target, at)

    def delete(self, target: ast.expr, at: _At) -> None:
        name = dotted_name(target)
        if name:
            self.grow(
                name,
                How.DELETED,
                Opaque("deleted", self.source.span(target)),
                self.source.span(target),
                at,
            )
        elif isinstance(target, ast.Subscript) and dotted_name(target.value):
            span = self.source.span(target)
            self.grow(
                dotted_name(target.value),
                How.DELETED,
                Opaque("deleted", span),
                span,
                at,
                self.value(target.slice, at),
            )

    def call(self, node: ast.Call, at: _At) -> None:
        """A call for its effect, which may change what a name holds."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        name = dotted_name(owner) if owner is not None else ""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        value = self.value(node, at)
        if not name or not isinstance(value, Invocation) or not self.change(name, method, value, at):
            self.keep(value, at)

    def change(self, name: str, method: str, call: Invocation, at: _At) -> bool:
        """Record `name.method(...)` as a change of `name`, where it is one."""
        span, arguments = call.function.span, call.arguments
        match method:
            case "update" if len(arguments) <= 1:
                entries = call.keywords
                if arguments and isinstance(arguments[0], Mapping) and not entries:
                    self.grow(name, How.MERGED, arguments[0], span, at)
                    return True
                first = (Entry(None, arguments[0]),) if arguments else ()
                self.grow(name, How.MERGED, Mapping(first + entries, call.span), span, at)
            case "setdefault" if len(arguments) == 2:
                self.grow(name, How.ENTRY, arguments[1], span, _At(at.scope, True), arguments[0])
            case "append" | "add" if len(arguments) == 1 and not call.keywords:
                self.grow(name, How.MERGED, Sequence(arguments, arguments[0].span), span, at)
            case "extend" if len(arguments) == 1 and not call.keywords:
                self.grow(name, How.MERGED, arguments[0], span, at)
            case "insert" if len(arguments) == 2 and not call.keywords:
                self.grow(name, How.MERGED, Sequence(arguments[1:], arguments[1].span), span, at)
            case "pop" if 1 <= len(arguments) <= 2:
                self.grow(name, How.DELETED, Opaque("deleted", span), span, at, arguments[0])
            case _:
                return False
        return True

    def grow(self, name: str, how: How, value: Value, span: Span, at: _At, key: Value | None = None) -> None:
        scope, conditional = self.home(name, at)
        self.bindings.append(Binding(name, how, value, span, scope, conditional, key))

    def home(self, name: str, at: _At) -> tuple[int, bool]:
        """The scope that a binding in this place goes to, and whether it may not be made at all."""
        head = name.partition(".")[0]
        is_global = self.outer.get((at.scope, head))
        if is_global is None:
            return at.scope, at.conditional
        return (0 if is_global else self.scopes[at.scope].parent), True

    def hold(self, target: ast.expr, at: _At) -> None:
        """Bind every name of a target to what only a run could tell."""
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.held(node.id, self.source.span(node), at)

    def held(self, name: str, span: Span, at: _At) -> None:
        value = Opaque("known only when it runs", span)
        scope, conditional = self.home(name, at)
        self.bindings.append(Binding(name, How.HELD, value, span, scope, conditional))

    # Expressions

    def values(self, nodes: list[ast.expr], at: _At) -> tuple[Value, ...]:
        return tuple([self.value(node, at) for node in nodes])

    def standing(self, node: ast.expr, at: _At) -> None:
        if not isinstance(node, ast.Name | ast.Constant):
            self.keep(self.value(node, at), at)

    def keep(self, value: Value, at: _At) -> None:
        """Keep a value that goes to no name, if a table could be in it."""
        if isinstance(value, Mapping | Sequence | Invocation):
            self.bindings.append(Binding("", How.STANDING, value, value.span, at.scope, at.conditional))

    def value(self, node: ast.expr, at: _At) -> Value:
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
            self.bind(target, named, _At(at.scope, True))
        return value


def _type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and dotted_name(node.test).rpartition(".")[2] == "TYPE_CHECKING"


def _exports(bindings: list[Binding]) -> tuple[str, ...] | None:
    """What `__all__` lists; None where nothing or not only strings are put into it."""
    listed: list[str] = []
    found = False
    for binding in bindings:
        if binding.name != "__all__" or binding.scope != 0:
            continue
        found = True
        if not isinstance(binding.value, Sequence):
            return None
        for item in binding.value.items:
            if not isinstance(item, Scalar) or not isinstance(item.value, str):
                return None
            listed.append(item.value)
    return tuple(listed) if found else None


def _dynamic(tree: ast.Module) -> bool:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__":
            return True
    return any(
        (isinstance(node, ast.Name) and node.id in ("globals", "vars", "exec"))
        or (isinstance(node, ast.Attribute) and dotted_name(node) == "sys.modules")
        for node in ast.walk(tree)
    )
