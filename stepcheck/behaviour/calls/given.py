"""The arguments of calls as the catalogue asks for them: through variables, constants of the file and inner calls."""

from collections import Counter
from dataclasses import dataclass, field

from stepcheck.behaviour.calls.rows import is_class
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import arguments, names
from stepcheck.catalogue.arguments import Arguments
from stepcheck.code.flow import (
    Assign,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Point,
    Reach,
    Result,
    Variable,
    dotted,
)

OFTEN = 12
"""Times that one variable is followed for one call."""


@dataclass(slots=True)
class Given:
    """The arguments of the calls of one function."""

    context: Context
    flow: Flow
    _results: dict[int, Call] | None = None
    _read: dict[int, Arguments] = field(default_factory=dict)
    _constants: dict[str, Expression] | None = None
    _followed: Counter[str] = field(default_factory=Counter)
    """How often each variable was followed for one call: what holds itself must come to an end."""
    _holds: dict[str, Expression | None] = field(default_factory=dict)
    """What each variable that was followed for that call holds."""

    def of(self, point: Point, call: Call) -> Arguments:
        """The arguments of a call of the function."""
        if call.number not in self._read:
            if self._results is None:
                self._results = {one.number: one for _, one in self.context.calls(self.flow)}
            self._followed.clear()
            self._holds.clear()
            self._read[call.number] = arguments.read(
                call, self._results, lambda value: self._follow(value, point)
            )
        return self._read[call.number]

    def _follow(self, value: Expression, point: Point) -> Expression:
        """A variable that holds one literal or the answer of one call: that."""
        for _ in range(4):
            if not isinstance(value, Variable):
                break
            self._followed[value.name] += 1
            if self._followed[value.name] > OFTEN:
                break
            if value.name not in self._holds:
                self._holds[value.name] = self._held(value, point)
            held = self._holds[value.name]
            if held is None:
                break
            value = held
        return value

    def _held(self, value: Variable, point: Point) -> Expression | None:
        found = self.context.definitions(self.flow).of(value.name, point)
        if len(found) == 1 and found[0].point is not None:
            held = found[0].value(self.flow)
            kinds = Constant | Result | Variable
            literal = isinstance(held, Compound) and held.kind in ("text", "dict", "list", "tuple", "binary")
            return held if isinstance(held, kinds) or literal else None
        if not found and value.reach is Reach.GLOBAL:
            return self._constant(value.name)
        return None

    def _constant(self, name: str) -> Expression | None:
        """A literal that the module binds the name to, once."""
        if self._constants is None:
            self._constants = _constants(self.context.file.flows[0])
        return self._constants.get(name)


def _constants(module: Flow) -> dict[str, Expression]:
    bound: dict[str, Expression] = {}
    twice: set[str] = set()
    for block in module.blocks:
        for operation in block.operations:
            if isinstance(operation, Assign) and isinstance(operation.target, Variable):
                name = operation.target.name
                if name in bound:
                    twice.add(name)
                bound[name] = operation.value
    return {
        name: value
        for name, value in bound.items()
        if name not in twice and isinstance(value, Constant | Compound)
    }


def counts(given: Arguments) -> bool:
    """Whether all that is given is one number: `delay(5)` waits, `task.delay(order_id)` hands over."""
    first = next(iter(given.positional), None)
    return not given.keywords and len(given.positional) == 1 and first is not None and _number(first.value)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def addressed(given: Arguments) -> bool:
    """Whether the first argument may be an address."""
    first = given.get("url", 0)
    if first is None:
        return given.open
    return not first.literal or (isinstance(first.value, str) and "/" in first.value)


def of_class(call: Call) -> bool:
    """Whether the first argument is a class: `session.get(Order, id)` asks for a row of it."""
    first = call.arguments[0] if call.arguments else None
    return first is not None and is_class(dotted(first).rpartition(".")[2])


def names_address(call: Call, given: Arguments) -> bool:
    """Whether the first argument is an address by what is written: a path, or a variable called url."""
    first = given.get("url", 0)
    if first is not None and isinstance(first.value, str) and "/" in first.value:
        return True
    value = next(iter(call.arguments), None) or next(
        (w.value for w in call.keywords if w.name == "url"), None
    )
    named = names.words(dotted(value)) if value is not None else ()
    return bool({"url", "uri", "path", "endpoint", "address", "href", "link"}.intersection(named))


def item(given: Arguments) -> bool:
    """Whether the arguments are those of a dict's `get`: a literal, and perhaps a default."""
    first = next(iter(given.positional), None)
    return not given.keywords and (first is None or first.literal)
