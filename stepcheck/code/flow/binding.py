"""Which names a file binds, where, and to what: one walk over the tree, before anything is lowered."""

import ast

from stepcheck.code.flow.graph import FlowKind
from stepcheck.code.flow.scope import Binding, FunctionNode, How, Scope, ScopeNode

_SILENT = frozenset({ast.Constant, ast.Load, ast.Store, ast.Del, ast.Pass})
"""What binds nothing and has nothing inside."""
_PLAIN = frozenset(
    {ast.Call, ast.Attribute, ast.Subscript, ast.Expr, ast.If, ast.Return, ast.keyword, ast.Compare}
)
"""Frequent nodes that bind nothing themselves."""


def scopes(tree: ast.Module) -> list[Scope]:
    """Every scope of the file that becomes a flow, in the order of the text, with the names it binds."""
    return _Walk(tree).run()


class _Walk:
    """The walk's stack and what it has found."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(0, FlowKind.MODULE, tree, None, "<module>")
        self.found = [self.module]
        self.waiting: list[tuple[ast.AST, Scope]] = []
        self.declared: list[tuple[str, Binding, Scope]] = []

    def run(self) -> list[Scope]:
        self.push(self.module.node, self.module)
        while self.waiting:
            node, scope = self.waiting.pop()
            self.visit(node, scope)
        for name, binding, scope in self.declared:
            scope.bind(name, binding)
        self.found.sort(key=_position)
        for index, scope in enumerate(self.found):
            scope.index = index
        return self.found

    def push(self, node: ast.AST, scope: Scope) -> None:
        """Wait for the children of a node."""
        inside = [
            child
            for child in ast.iter_child_nodes(node)
            if type(child) not in _SILENT and not (type(child) is ast.Name and type(child.ctx) is ast.Load)
        ]
        self.waiting.extend([(child, scope) for child in reversed(inside)])

    def bind(self, scope: Scope, name: str, binding: Binding) -> None:
        """Bind at the end of the walk: `global` may stand behind, in another function."""
        self.declared.append((name, binding, scope))

    def visit(self, node: ast.AST, scope: Scope) -> None:  # noqa: PLR0912 - one arm a kind of node
        if type(node) in _PLAIN:
            self.push(node, scope)
            return
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                self.bind(scope, name, Binding(How.OTHER))
            case ast.Name() | ast.Constant():
                pass
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node, scope)
            case ast.Lambda():
                inner = self.enter(FlowKind.LAMBDA, node, scope, "<lambda>")
                self.parameters(node.args, inner, scope)
                self.waiting.append((node.body, inner))
            case ast.ClassDef():
                self.bind(scope, node.name, Binding(How.DEFINED, node))
                inner = self.enter(FlowKind.CLASS, node, scope, node.name)
                self.waiting.extend((part, inner) for part in reversed(node.body))
                outside = (*node.decorator_list, *node.bases, *(word.value for word in node.keywords))
                self.waiting.extend((part, scope) for part in outside)
            case ast.GeneratorExp(elt=element, generators=[first, *_] as loops):
                inner = self.enter(FlowKind.GENERATOR, node, scope, "<genexpr>")
                self.waiting.append((first.iter, scope))
                self.waiting.append((element, inner))
                self.loops(loops, inner, inner, skip_first=True)
            case ast.ListComp(elt=element, generators=loops) | ast.SetComp(elt=element, generators=loops):
                self.waiting.append((element, scope))
                self.loops(loops, scope, None, skip_first=False)
            case ast.DictComp(key=key, value=value, generators=loops):
                self.waiting.extend(((value, scope), (key, scope)))
                self.loops(loops, scope, None, skip_first=False)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                place = scope
                while place.kind is FlowKind.GENERATOR and place.parent is not None:
                    place = place.parent
                self.bind(place, name, Binding(How.VALUE, value))
                self.waiting.append((value, scope))
            case ast.Yield() | ast.YieldFrom():
                scope.yields = True
                self.push(node, scope)
            case ast.expr():
                self.push(node, scope)
            case _:
                self.statement(node, scope)

    def statement(self, node: ast.AST, scope: Scope) -> None:  # noqa: PLR0912 - one arm a kind of node
        match node:
            case ast.Assign(targets=targets, value=value):
                self.waiting.append((value, scope))
                for target in targets:
                    self.target(target, Binding(How.VALUE, value), scope)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                how = Binding(How.INSTANCE, annotation) if value is None else Binding(How.VALUE, value)
                self.target(target, how, scope)
                self.waiting.append((annotation, scope))
                if value is not None:
                    self.waiting.append((value, scope))
            case ast.For(target=target, iter=items) | ast.AsyncFor(target=target, iter=items):
                self.waiting.extend((part, scope) for part in reversed((*node.body, *node.orelse)))
                self.waiting.append((items, scope))
                self.target(target, Binding(How.ITEM, items), scope)
            case ast.withitem(context_expr=context, optional_vars=target):
                self.waiting.append((context, scope))
                if target is not None:
                    self.target(target, Binding(How.ENTERED, context), scope)
            case ast.Import(names=names):
                for alias in names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    self.bind(scope, bound, Binding(How.IMPORT, None, alias.name if alias.asname else bound))
            case ast.ImportFrom(names=names):
                dots = "." * node.level + (node.module or "")
                for alias in names:
                    joined = f"{dots}{alias.name}" if dots.endswith(".") else f"{dots}.{alias.name}"
                    self.bind(scope, alias.asname or alias.name, Binding(How.IMPORT, None, joined))
            case ast.Global(names=names):
                scope.outer.update(dict.fromkeys(names, True))
            case ast.Nonlocal(names=names):
                scope.outer.update(dict.fromkeys(names, False))
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                self.bind(scope, name, Binding(How.OTHER))
                self.push(node, scope)
            case _:
                self.push(node, scope)

    def target(self, target: ast.expr, binding: Binding, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                self.bind(scope, name, binding)
            case ast.Attribute(value=ast.Name(id=base), attr=attribute) if base == scope.first_parameter():
                if (
                    scope.parent is not None
                    and binding.how is How.VALUE
                    and isinstance(binding.node, ast.expr)
                ):
                    scope.parent.attributes.setdefault(attribute, []).append((binding.node, scope))
            case _:
                self.waiting.append((target, scope))

    def loops(
        self, loops: list[ast.comprehension], scope: Scope, binds: Scope | None, *, skip_first: bool
    ) -> None:
        """Wait for the parts of a comprehension; its targets are names of the generator only."""
        for position, loop in enumerate(loops):
            self.waiting.extend((test, scope) for test in loop.ifs)
            if position or not skip_first:
                self.waiting.append((loop.iter, scope))
            if binds is None:
                continue
            if isinstance(loop.target, ast.Name):
                self.bind(binds, loop.target.id, Binding(How.ITEM, loop.iter))
            else:
                self.waiting.append((loop.target, binds))

    def enter(self, kind: FlowKind, node: ScopeNode, parent: Scope, name: str) -> Scope:
        prefix = "" if parent.kind is FlowKind.MODULE else parent.qualname + "."
        if prefix and parent.kind is not FlowKind.CLASS:
            prefix += "<locals>."
        scope = Scope(len(self.found), kind, node, parent, prefix + name)
        self.found.append(scope)
        return scope

    def function(self, node: FunctionNode, scope: Scope) -> None:
        self.bind(scope, node.name, Binding(How.DEFINED, node))
        inner = self.enter(FlowKind.FUNCTION, node, scope, node.name)
        self.waiting.extend((part, inner) for part in reversed(node.body))
        self.parameters(node.args, inner, scope)
        self.waiting.extend((part, scope) for part in reversed(node.decorator_list))
        if node.returns is not None:
            self.waiting.append((node.returns, scope))

    def parameters(self, arguments: ast.arguments, inner: Scope, outer: Scope) -> None:
        first = inner.first_parameter()
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            if argument.annotation is not None:
                self.bind(inner, argument.arg, Binding(How.INSTANCE, argument.annotation))
                self.waiting.append((argument.annotation, outer))
            elif argument.arg == first:
                self.bind(inner, argument.arg, Binding(How.FIRST))
            else:
                self.bind(inner, argument.arg, Binding(How.OTHER))
        for starred in (arguments.vararg, arguments.kwarg):
            if starred is not None:
                self.bind(inner, starred.arg, Binding(How.OTHER))
                if starred.annotation is not None:
                    self.waiting.append((starred.annotation, outer))
        defaults = [*arguments.defaults, *(value for value in arguments.kw_defaults if value is not None)]
        self.waiting.extend((value, outer) for value in reversed(defaults))


def _position(scope: Scope) -> tuple[int, int, int]:
    node = scope.node
    if isinstance(node, ast.Module):
        return (0, 0, 0)
    return (node.lineno, node.col_offset, scope.index)
