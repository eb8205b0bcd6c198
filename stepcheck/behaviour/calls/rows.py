"""Of which model or table a row is: told by the query that gave it, or by the class that made it."""

import re
from dataclasses import dataclass, field

from stepcheck.behaviour.calls.chains import chain
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import receivers, sql
from stepcheck.catalogue.arguments import Arguments
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Await,
    Call,
    Compound,
    Constant,
    Evaluate,
    Expression,
    Flow,
    Item,
    Next,
    Point,
    Result,
    Variable,
    dotted,
    walk,
)

_CLASS = re.compile(r"_{0,2}[A-Z]+[a-z0-9]\w*")
_TAKES_MODEL = frozenset(
    {"query", "select", "insert", "update", "delete", "get", "merge", "add", "add_all", "refresh", "get_or_404",
     "get_object_or_404", "get_list_or_404", "select_from", "bulk_save_objects", "bulk_insert_mappings", "upsert",
     "first_or_404",
     "scalar", "scalars", "execute", "exec", "save", "delete_all", "get_one", "fetch", "remove", "persist", "flush"}
)  # fmt: skip
_BUILDS = frozenset({"insert", "select", "update", "delete", "get_object_or_404", "get_list_or_404"})
_TAKES_NAME = frozenset({"Table", "collection", "get_collection", "table", "from_", "dataset"})
_STATEMENTS = ("query", "statement", "sql", "operation", "sql_script", "clause")
_DEEPEST = 6


def is_class(name: str) -> bool:
    """Whether a name is that of a class, as PEP 8 has them: `Order`, not `ORDERS` or `order`."""
    return _CLASS.fullmatch(name) is not None


@dataclass(slots=True)
class Rows:
    """What the values of one function are rows of."""

    context: Context
    flow: Flow
    known: dict[int, str] = field(default_factory=dict)
    """By the number of the call that gave them."""

    def written_to(self, point: Point, call: Call, given: Arguments) -> str:
        """What a call reads or writes rows of: a model, a table, else what it is called on."""
        statement = _statement(given)
        if statement:
            return statement
        links = chain(self.context, self.flow, call)
        for link in links.links:
            if link.name in _TAKES_NAME and link.call.arguments and _text(link.call.arguments[0]):
                return _text(link.call.arguments[0])
            if link.name in _TAKES_MODEL and link.call.arguments:
                named = self._model(link.call.arguments[0], point)
                if named:
                    return named
        first = links.links[0].call.callee
        of = self._named(first) or self.of(links.head, point)
        if of or not isinstance(first, Attribute):
            return of
        return dotted(first.base) or dotted(links.head)

    def queried(self, value: Variable, point: Point) -> bool:
        """Whether a variable holds the answer of a query, or one still to be made."""
        found = [one.value(self.flow) for one in self.context.definitions(self.flow).of(value.name, point)]
        return bool(found) and all(isinstance(held, Result) and held.number in self.known for held in found)

    def of(self, value: Expression, point: Point, left: int = _DEEPEST) -> str:
        """What a value is a row of, or holds rows of; nothing where that is not told."""
        if left <= 0:
            return ""
        match value:
            case Result(number=number):
                return self.known.get(number) or self._made(number, left)
            case Variable(name=name):
                return self._variable(name, point, left)
            case Item(base=base, index=Constant(value=str(name))) if receivers.store(dotted(base)):
                return name
            case Attribute(base=base, name=name) if receivers.store(dotted(base)) and dotted(base) != "self":
                return self._named(value) or name
            case Item(base=base):
                return self.of(base, point, left - 1)
            case Attribute():
                return self._named(value)
            case Compound(
                kind="iterated" | "unpack" | "choice" | "test" | "star" | "list" | "tuple", parts=parts
            ):
                return next((found for part in parts if (found := self.of(part, point, left - 1))), "")
            case _:
                return ""

    def _variable(self, name: str, point: Point, left: int) -> str:
        found = set()
        for one in self.context.definitions(self.flow).of(name, point):
            held = one.value(self.flow)
            if held is not None and one.point is not None:
                found.add(self.of(held, one.point, left - 1))
        found.discard("")
        return found.pop() if len(found) == 1 else ""

    def _made(self, number: int, left: int) -> str:
        made = self.context.operation(self.flow, number)
        if made is None:
            return ""
        place, operation = made
        match operation:
            case Call(callee=Variable(name=name), arguments=given):
                if name in _BUILDS and given:
                    return self._model(given[0], place)
                return name if is_class(name) else ""
            case Call(callee=Attribute(base=base, name=name) as callee):
                if name in _TAKES_NAME and operation.arguments and _text(operation.arguments[0]):
                    return _text(operation.arguments[0])
                if is_class(name):
                    return name
                return self._named(callee) if self.known.get(number) else self.of(base, place, left - 1)
            case Await(value=value) | Evaluate(value=value) | Next(iterable=value) | Assign(value=value):
                return self.of(value, place, left - 1)
            case _:
                return ""

    def _model(self, value: Expression, point: Point) -> str:
        """What the first argument of `query`, `select`, `add` is, or is a row of."""
        match value:
            case Variable() | Attribute():
                return self._named(value, whole=True) or self.of(value, point)
            case _:
                inner = [part for part in walk(value) if isinstance(part, Result)]
                for part in inner:
                    made = self.context.operation(self.flow, part.number)
                    if made is not None and isinstance(made[1], Call):
                        found = self.written_to(made[0], made[1], Arguments())
                        if is_class(found) or found in self.known.values():
                            return found
                return self.of(value, point)

    @staticmethod
    def _named(value: Expression, *, whole: bool = False) -> str:
        """The class in a dotted name: `models.Order.objects.filter` is of Order."""
        parts = dotted(value).split(".")
        found = [part for part in (parts if whole else parts[:-1]) if is_class(part)]
        return found[-1] if found else ""


def _statement(given: Arguments) -> str:
    argument = next((found for name in _STATEMENTS if (found := given.get(name))), given.get("", 0))
    text = argument.text if argument is not None else None
    if not text or " " not in text.strip():
        return ""
    statement = sql.classify(text)
    return statement.table if statement is not None else ""


def _text(value: Expression) -> str:
    return value.value if isinstance(value, Constant) and isinstance(value.value, str) else ""
