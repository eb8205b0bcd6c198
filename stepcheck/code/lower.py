"""Python source → `Module`, one file at a time, from the standard library's syntax tree."""

import ast
from dataclasses import dataclass, field
from itertools import zip_longest

from stepcheck.code.changes import changes
from stepcheck.code.exports import exports
from stepcheck.code.module import Binding, Class, Function, How, Import, Module, Scope, ScopeKind
from stepcheck.code.names import names
from stepcheck.code.recorder import At, Recorder
from stepcheck.code.source import read
from stepcheck.code.values import RAISES, dotted_name, inner_expressions
from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Scalar, Sequence, Span


def lower(path: str, data: bytes) -> Module:
    """The facts of one file. Raises Unreadable for what cannot be read, with the place and the reason."""
    source, tree = read(path, data)
    known = names(tree, source)
    record = Recorder(source)
    _Statements(record).run(tree)
    return Module(
        path=path,
        scopes=tuple(record.scopes),
        bindings=tuple(record.bindings),
        imports=tuple(record.imports),
        functions=tuple(record.functions),
        classes=tuple(record.classes),
        applications=tuple(record.applications),
        bound=known.bound,
        loose=known.loose,
        exports=exports(record.bindings),
        dynamic=known.dynamic,
        failing=tuple(record.failing),
        changed=changes(tree, source),
    )


@dataclass(slots=True)
class _Statements:
    """Goes through the statements of one file in its order, without recursion."""

    record: Recorder
    waiting: list[tuple[ast.stmt, At]] = field(default_factory=list)

    def run(self, tree: ast.Module) -> None:
        last = self.record.source.lines
        self.record.scopes.append(
            Scope(ScopeKind.MODULE, "", Span(self.record.source.path, 1, 1, len(last), len(last[-1]) + 1), 0)
        )
        self.push(tree.body, At(0, False))
        while self.waiting:
            self.statement(*self.waiting.pop())

    def push(self, statements: list[ast.stmt], at: At) -> None:
        self.waiting.extend((statement, at) for statement in reversed(statements))

    def statement(self, node: ast.stmt, at: At) -> None:
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
                self.record.outer.update({(at.scope, name): isinstance(node, ast.Global) for name in several})
            case _:
                self.block(node, at)

    def block(self, node: ast.stmt, at: At) -> None:
        """Every other statement: its expressions stand alone, its targets are held, its blocks follow."""
        branches = isinstance(
            node, ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar | ast.Match
        )
        inner = At(at.scope, at.conditional or branches)
        if isinstance(node, ast.With | ast.AsyncWith) and any(map(_raises, node.items)):
            self.record.failing.append(self.record.source.span(node))
        for expression in inner_expressions(node):
            if not isinstance(getattr(expression, "ctx", None), ast.Store):
                self.record.standing(expression, at)
            else:
                self.record.hold(expression, inner)
        blocks: list[tuple[list[ast.stmt], At]] = []
        for part in ("body", "handlers", "cases", "orelse", "finalbody"):
            for item in getattr(node, part, ()):
                if isinstance(item, ast.stmt):
                    blocks.append(([item], at if part == "finalbody" else inner))
                else:
                    blocks.append((item.body, inner))
                    self.clause(item, inner)
        for statements, place in reversed(blocks):
            self.push(statements, place)

    def clause(self, node: ast.ExceptHandler | ast.match_case, at: At) -> None:
        if isinstance(node, ast.ExceptHandler):
            if node.name:
                self.record.held(node.name, self.record.source.span(node), at)
            return
        for pattern in ast.walk(node.pattern):
            name = getattr(pattern, "rest", None) or getattr(pattern, "name", None)
            if isinstance(name, str) and isinstance(pattern, ast.pattern):
                line, column = pattern.lineno, pattern.col_offset + 1
                self.record.held(name, Span(self.record.source.path, line, column, line, column), at)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, at: At) -> None:
        decorators = self.record.values(node.decorator_list, at)
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        given = positional[len(positional) - len(arguments.defaults) :]
        pairs = [*zip(given, arguments.defaults, strict=True)]
        pairs += [
            (arg, default)
            for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if default is not None
        ]
        self.record.functions.append(
            Function(
                name=node.name,
                span=self.record.source.name_of(node),
                scope=at.scope,
                conditional=at.conditional,
                decorators=decorators,
                parameters=tuple(arg.arg for arg in positional),
                keyword_only=tuple(arg.arg for arg in arguments.kwonlyargs),
                defaults=tuple(self.default(arg, default, at) for arg, default in pairs),
                variable=arguments.vararg is not None or arguments.kwarg is not None,
            )
        )
        inner = self.record.open(ScopeKind.FUNCTION, node, at)
        others = [arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
        for arg in [*positional, *[arg for arg in others if arg is not None]]:
            self.record.held(arg.arg, self.record.source.span(arg), inner)
        self.push(node.body, inner)

    def default(self, arg: ast.arg, node: ast.expr, at: At) -> Entry:
        value = self.record.value(node, at)
        self.record.keep(value, at)
        place = self.record.source.span(arg)
        end = place.column + len(arg.arg)
        return Entry(Scalar(arg.arg, place._replace(end_line=place.line, end_column=end)), value)

    def class_(self, node: ast.ClassDef, at: At) -> None:
        decorators = self.record.values(node.decorator_list, at)
        bases = self.record.values(node.bases, at)
        for keyword in node.keywords:
            self.record.standing(keyword.value, at)
        inner = self.record.open(ScopeKind.CLASS, node, at)
        self.record.classes.append(
            Class(
                node.name,
                self.record.source.name_of(node),
                at.scope,
                inner.scope,
                at.conditional,
                decorators,
                bases,
            )
        )
        self.push(node.body, inner)

    def import_(self, node: ast.Import | ast.ImportFrom, at: At) -> None:
        for alias in node.names:
            span = self.record.source.span(alias)
            if isinstance(node, ast.Import):
                bound = alias.asname or alias.name.partition(".")[0]
                module = alias.name if alias.asname else bound
                self.record.imports.append(Import(bound, module, "", 0, span, at.scope, at.conditional))
            else:
                bound = alias.asname or alias.name
                self.record.imports.append(
                    Import(bound, node.module or "", alias.name, node.level, span, at.scope, at.conditional)
                )

    def assign(self, targets: list[ast.expr], node: ast.expr, at: At) -> None:
        if isinstance(node, ast.Tuple | ast.List):
            for target in targets:
                if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(node.elts):
                    starred = [item for item in [*target.elts, *node.elts] if isinstance(item, ast.Starred)]
                    if not starred and len(targets) == 1:
                        for part, item in zip_longest(target.elts, node.elts):
                            self.assign([part], item, at)
                        return
        value = self.record.value(node, at)
        for target in targets:
            self.record.bind(target, value, at)
            if dotted_name(target):
                # the value belongs to the first target: the others are names for it
                value = Name(dotted_name(target), self.record.source.span(target))

    def annotated(self, target: ast.expr, node: ast.expr | None, annotation: ast.expr, at: At) -> None:
        head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if node is not None:
            self.record.bind(target, self.record.value(node, at), at, dotted_name(head))
        elif dotted_name(target):
            span = self.record.source.span(target)
            self.record.bindings.append(
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

    def augmented(self, node: ast.AugAssign, at: At) -> None:
        value = self.record.value(node.value, at)
        name = dotted_name(node.target)
        if name and isinstance(node.op, ast.BitOr | ast.Add):
            self.record.grow(name, How.MERGED, value, self.record.source.span(node.target), at)
            return
        merged = isinstance(node.op, ast.BitOr)
        if merged and self.record.amend(node.target, Entry(None, value, at.conditional), at):
            return
        self.record.keep(value, at)
        self.record.hold(node.target, at)

    def delete(self, target: ast.expr, at: At) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self.delete(part, at)
            return
        span = self.record.source.span(target)
        gone = Opaque("deleted", span)
        if dotted_name(target):
            self.record.grow(dotted_name(target), How.DELETED, gone, span, at)
        elif isinstance(target, ast.Subscript) and dotted_name(target.value):
            key = self.record.value(target.slice, at)
            self.record.grow(dotted_name(target.value), How.DELETED, gone, span, at, key)
        else:
            for expression in inner_expressions(target):
                self.record.standing(expression, at)

    def call(self, node: ast.Call, at: At) -> None:
        """A call for its effect, which may change what a name holds."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        name = dotted_name(owner) if owner is not None else ""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method == "update" and isinstance(owner, ast.Subscript) and len(node.args) <= 1:
            entries = [Entry(None, self.record.value(argument, at)) for argument in node.args]
            for keyword in node.keywords:
                key = Scalar(keyword.arg, self.record.source.keyword(keyword)) if keyword.arg else None
                entries.append(Entry(key, self.record.value(keyword.value, at)))
            more = Mapping(tuple(entries), self.record.source.span(node))
            if self.record.amend(owner, Entry(None, more, at.conditional), at):
                return
        if method == "setdefault" and isinstance(owner, ast.Subscript) and len(node.args) == 2:
            given, default = self.record.values(node.args, at)
            # the field may be there already: it is one of the two
            if self.record.amend(owner, Entry(given, default, True), at):
                return
        value = self.record.value(node, at)
        if not name or not isinstance(value, Invocation) or not self.change(name, method, value, at):
            self.record.keep(value, at)

    def change(self, name: str, method: str, call: Invocation, at: At) -> bool:
        """Record `name.method(...)` as a change of `name`, where it is one."""
        span, arguments = call.function.span, call.arguments
        match method:
            case "update" if len(arguments) <= 1:
                entries = call.keywords
                if arguments and isinstance(arguments[0], Mapping) and not entries:
                    self.record.grow(name, How.MERGED, arguments[0], span, at)
                    return True
                first = (Entry(None, arguments[0]),) if arguments else ()
                self.record.grow(name, How.MERGED, Mapping(first + entries, call.span), span, at)
            case "setdefault" if len(arguments) == 2:
                self.record.grow(name, How.ENTRY, arguments[1], span, At(at.scope, True), arguments[0])
            case "append" | "add" if len(arguments) == 1 and not call.keywords:
                self.record.grow(name, How.MERGED, Sequence(arguments, arguments[0].span), span, at)
            case "extend" if len(arguments) == 1 and not call.keywords:
                self.record.grow(name, How.MERGED, arguments[0], span, at)
            case "insert" if len(arguments) == 2 and not call.keywords:
                self.record.grow(name, How.MERGED, Sequence(arguments[1:], arguments[1].span), span, at)
            case "pop" if 1 <= len(arguments) <= 2:
                self.record.grow(name, How.DELETED, Opaque("deleted", span), span, at, arguments[0])
            case _:
                return False
        return True


def _raises(item: ast.withitem) -> bool:
    """Whether a `with` waits for an error: `pytest.raises(...)`, `self.assertRaises(...)`."""
    call = item.context_expr
    return isinstance(call, ast.Call) and dotted_name(call.func).rpartition(".")[2] in RAISES
