"""Where names are bound: the scopes of a file, each with its names and how they get bound."""

import ast
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from stepcheck.code.flow.graph import FlowKind

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
ScopeNode: TypeAlias = ast.Module | ast.ClassDef | FunctionNode | ast.Lambda | ast.GeneratorExp


class How(Enum):
    """How a name gets bound."""

    IMPORT = "import"
    """To `Binding.dotted`."""
    VALUE = "value"
    """To the value of `Binding.node`."""
    INSTANCE = "instance"
    """To an instance of the class that `Binding.node`, an annotation, names."""
    FIRST = "first"
    """The first parameter of a method: to an instance of the class, or to the class."""
    ENTERED = "entered"
    """To what entering the context manager `Binding.node` gives."""
    ITEM = "item"
    """To an item of `Binding.node`."""
    DEFINED = "defined"
    """To the function or class `Binding.node`."""
    OTHER = "other"


class Binding(NamedTuple):
    """One way in which a name gets bound."""

    how: How
    node: ast.AST | None = None
    dotted: str = ""


@dataclass(slots=True, eq=False)
class Scope:
    """A stretch of a file with names of its own. Filled by `scopes`, then left alone."""

    index: int
    kind: FlowKind
    node: ScopeNode
    parent: "Scope | None"
    qualname: str
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, bool] = field(default_factory=dict)
    """Names declared `global` (True) or `nonlocal` (False)."""
    attributes: dict[str, list[tuple[ast.expr, "Scope"]]] = field(default_factory=dict)
    """Of a class: what its methods assign to attributes of their first parameter."""
    yields: bool = False

    def bind(self, name: str, binding: Binding) -> None:
        """Add a way in which the name gets bound, in this scope or the one it is declared for."""
        place = self
        if name in self.outer:
            place = self.owner(name) or self
        place.bindings.setdefault(name, []).append(binding)

    def owner(self, name: str) -> "Scope | None":
        """The scope whose variable the name is when read here; None where nothing in the file binds it."""
        if self.outer.get(name) is True:
            return self.module()
        if name in self.bindings and name not in self.outer:
            return self
        above = self.parent
        while above is not None:
            if above.kind is not FlowKind.CLASS and name in above.bindings and name not in above.outer:
                return above
            above = above.parent
        return None

    def module(self) -> "Scope":
        """The scope of the whole file."""
        place = self
        while place.parent is not None:
            place = place.parent
        return place

    def first_parameter(self) -> str:
        """The name of a method's first parameter; nothing for what is no method, or a static one."""
        node = self.node
        if self.parent is None or self.parent.kind is not FlowKind.CLASS:
            return ""
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return ""
        if any(isinstance(made, ast.Name) and made.id == "staticmethod" for made in node.decorator_list):
            return ""
        names = [*node.args.posonlyargs, *node.args.args]
        return names[0].arg if names else ""
