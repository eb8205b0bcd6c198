"""What a name or a chain of attributes is, as far as the file alone tells."""

import ast
import builtins

from stepcheck.code.flow.graph import FlowKind
from stepcheck.code.flow.scope import Binding, How, Scope

_BUILTINS = frozenset(dir(builtins))
_CHAIN = 40
"""Links followed from name to value to name; longer ones are left unresolved."""
_CALLED_THROUGH = frozenset({"functools.partial", "functools.partialmethod"})
_TRANSPARENT = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired"})


class Names:
    """What names are, asked and kept for one file: as `Call.qualified`, or nothing."""

    def __init__(self, found: list[Scope]) -> None:
        self._scopes = {scope.node: scope for scope in found}
        self._known: dict[tuple[Scope, str], str] = {}
        self._members: dict[tuple[Scope, str], str] = {}

    def scope(self, node: ast.AST) -> Scope:
        """The scope that a function, class, lambda or generator expression makes."""
        return self._scopes[node]  # type: ignore[index]

    def of(self, node: ast.expr, scope: Scope, left: int = _CHAIN) -> str:
        """What the expression is: a dotted path, or nothing."""
        if left <= 0:
            return ""
        match node:
            case ast.Name(id=name):
                return self.name(name, scope, left - 1)
            case ast.Attribute(value=base, attr=attribute):
                known = self.of(base, scope, left - 1)
                return self._member(known, attribute, scope, left - 1) if known else ""
            case ast.Call(func=function, args=arguments):
                called = self.of(function, scope, left - 1)
                if called in _CALLED_THROUGH and arguments:
                    return self.of(arguments[0], scope, left - 1)
                return instance(called, self._is_class(called, scope)) if called else ""
            case ast.Await(value=value) | ast.Starred(value=value):
                return self.of(value, scope, left - 1)
            case ast.NamedExpr(value=value):
                return self.of(value, scope, left - 1)
            case ast.Subscript(value=base):
                known = self.of(base, scope, left - 1)
                return known + "[]" if known else ""
            case ast.BoolOp(values=values):
                return self._agreed([self.of(value, scope, left - 1) for value in values])
            case ast.IfExp(body=body, orelse=orelse):
                return self._agreed([self.of(body, scope, left - 1), self.of(orelse, scope, left - 1)])
            case _:
                return ""

    def name(self, name: str, scope: Scope, left: int = _CHAIN) -> str:
        """What a name is when read in the scope."""
        owner = scope.owner(name)
        if owner is None:
            return f"builtins.{name}" if name in _BUILTINS else f"?{name}"
        known = self._known.get((owner, name))
        if known is None:
            self._known[owner, name] = ""  # a name that is bound through itself stays unknown
            bindings = [binding for binding in owner.bindings[name] if not _is_none(binding)]
            known = self._agreed([self._bound(binding, owner, left) for binding in bindings])
            self._known[owner, name] = known
        return known

    def annotation(self, node: ast.expr | None, scope: Scope, left: int = _CHAIN) -> str:
        """What an annotation names, with `Optional`, `| None` and quotes taken away."""
        if left <= 0:
            return ""
        match node:
            case ast.Constant(value=str(text)):
                return self.annotation(_quoted(text), scope, left - 1)
            case ast.BinOp(left=one, op=ast.BitOr(), right=ast.Constant(value=None)):
                return self.annotation(one, scope, left - 1)
            case ast.BinOp(left=ast.Constant(value=None), op=ast.BitOr(), right=other):
                return self.annotation(other, scope, left - 1)
            case ast.Subscript(value=ast.Name(id=outer) | ast.Attribute(attr=outer), slice=inner) if (
                outer in _TRANSPARENT
            ):
                return self.annotation(
                    inner.elts[0] if isinstance(inner, ast.Tuple) else inner, scope, left - 1
                )
            case ast.Subscript(value=base):
                return self.annotation(base, scope, left - 1)
            case ast.Name() | ast.Attribute():
                return self.of(node, scope, left - 1)
            case _:
                return ""

    def _bound(self, binding: Binding, owner: Scope, left: int) -> str:
        node = binding.node
        match binding.how:
            case How.IMPORT:
                return binding.dotted
            case How.DEFINED if node is not None:
                return ":" + self.scope(node).qualname
            case How.FIRST if owner.parent is not None:
                return ":" + owner.parent.qualname
            case How.INSTANCE if isinstance(node, ast.expr):
                return self.annotation(node, owner.parent or owner, left)
            case How.VALUE | How.ENTERED if isinstance(node, ast.expr):
                return self.of(node, owner, left)
            case How.ITEM if isinstance(node, ast.expr):
                known = self.of(node, owner, left)
                return known + "[]" if known else ""
            case _:
                return ""

    def _member(self, known: str, attribute: str, scope: Scope, left: int) -> str:
        """An attribute of what is known: of a class of this file what it holds, else one name more."""
        found = self._class(known, scope)
        if found is None:
            return f"{known}.{attribute}"
        key = (found, attribute)
        if key not in self._members:
            self._members[key] = f"{known}.{attribute}"
            self._members[key] = self._class_member(found, attribute, left)
        return self._members[key]

    def _class_member(self, found: Scope, attribute: str, left: int) -> str:
        own = f":{found.qualname}.{attribute}"
        bindings = found.bindings.get(attribute, [])
        if any(binding.how is How.DEFINED for binding in bindings):
            return own
        values = [self.of(value, place, left) for value, place in found.attributes.get(attribute, [])]
        values += [self._bound(binding, found, left) for binding in bindings if not _is_none(binding)]
        values = [value for value in values if value != "builtins.None"]
        if values or attribute in found.attributes or bindings:
            return self._agreed(values) or own
        for base in found.node.bases if isinstance(found.node, ast.ClassDef) else ():
            known = self.of(base, found.parent or found, left - 1)
            if known and self._class(known, found) is not found:
                return self._member(known, attribute, found, left - 1)
        return own

    def _class(self, known: str, scope: Scope) -> Scope | None:
        """The class of this file that goes by the name."""
        if not known.startswith(":"):
            return None
        place = scope.module()
        for part in known[1:].replace(".<locals>", "").split("."):
            binding = place.bindings.get(part, [Binding(How.OTHER)])[-1]
            if binding.how is not How.DEFINED or binding.node is None:
                return None
            place = self.scope(binding.node)
        return place if place.kind is FlowKind.CLASS else None

    def _is_class(self, known: str, scope: Scope) -> bool | None:
        return self._class(known, scope) is not None if known.startswith(":") else None

    @staticmethod
    def _agreed(names: list[str]) -> str:
        known = {name for name in names if name}
        return known.pop() if len(known) == 1 and all(names) else ""


def instance(called: str, is_class: bool | None = None) -> str:
    """What calling something gives: its name again for a class (told by its capital), else `name()`."""
    if is_class is None:
        last = called.rpartition(".")[2].lstrip("_?")
        is_class = last[:1].isupper() and not called.endswith(("()", "[]"))
    return called if is_class else called + "()"


def _quoted(text: str) -> ast.expr | None:
    """The expression that a quoted annotation is."""
    try:
        return ast.parse(text, mode="eval").body if len(text) < 200 else None
    except (SyntaxError, ValueError, RecursionError):
        return None


def _is_none(binding: Binding) -> bool:
    return isinstance(binding.node, ast.Constant) and binding.node.value is None
