"""How far a record has come by what a call writes or asks for, and whether a change names the state that it ends."""

from collections.abc import Iterable, Iterator

from stepcheck.behaviour.calls.chains import Chain, chain, fields
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import names
from stepcheck.catalogue.arguments import Arguments
from stepcheck.catalogue.sql import texts
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Result,
    Variable,
    walk,
)

_ASKS = frozenset({"filter", "filter_by", "exclude", "where", "find", "find_one", "get", "having"})
_SETS = frozenset({"update", "values", "set", "aupdate", "set_"})
_BUILDERS = ("insert", "update", "delete", "select")
_CONTAINERS = frozenset({"list", "tuple", "dict", "set", "text"})
_MAKES_CONTAINERS = frozenset(
    {"list", "dict", "set", "tuple", "deque", "defaultdict", "OrderedDict", "Counter", "sorted", "bytearray"}
)
_LOOKUPS = ("__in", "__isnull", "__exact", "__iexact", "__lt", "__lte", "__gt", "__gte")


def of_call(call: Call, given: Arguments, name: str) -> tuple[str, ...]:
    """The states among the arguments of a call, or in its name: `update(status="sent")`, `mark_sent(row)`."""
    found: list[str] = []
    for word in call.keywords:
        if names.tells_state(_column(word.name)):
            found += of_store(_column(word.name), word.value)
        elif word.name in ("defaults", "values", "data", "document"):
            found += _of_entries(word.value)
    for value in call.arguments:
        found += _of_entries(value)
    for argument in given.all():
        if argument.text and " " in argument.text:
            found += [text.lower() for text in texts(argument.text) if text.isidentifier()]
    last = name.rpartition(".")[2]
    if names.words(last)[:1] in (("mark",), ("set",), ("is",), ("was",), ("already",), ("record",)):
        found += [said] if (said := names.said_state(last)) else []
    return tuple(dict.fromkeys(found))


def of_store(name: str, value: Expression) -> tuple[str, ...]:
    """The states that an attribute of that name is set to; `sent_at = now()` is "sent", and None is nothing."""
    if isinstance(value, Constant) and value.value is None:
        return ()
    found = list(_texts((value,)))
    said = names.said_state(name)
    if said and value != Constant(False):
        found.append(said)
    return tuple(dict.fromkeys(found))


def _of_entries(value: Expression) -> Iterator[str]:
    """States in dict literals: `{"$set": {"status": "done"}}`."""
    for part in walk(value):
        match part:
            case Compound(kind="entry", parts=(Constant(value=str(name)), held)) if names.tells_state(name):
                yield from of_store(name, held)
            case _:
                pass


def _texts(values: Iterable[Expression]) -> Iterator[str]:
    for value in values:
        for part in walk(value):
            match part:
                case Constant(value=bool(text)):
                    yield str(text)
                case Constant(value=str(text), kind=""):
                    yield text
                case Attribute(name=name) if name.isupper():
                    yield name.lower()
                case _:
                    pass


def compares(links: Chain) -> bool:
    """Whether a change is made only where a column still is what the change ends.

    `filter(state="open").update(state="paid")`, `update_one({"state": "open"}, {"$set": {"state": "paid"}})`.
    """
    asked: set[str] = set()
    changed: set[str] = set()
    for link in links.links:
        if link.name in _ASKS:
            asked |= _columns(link.call)
        elif link.name in _SETS:
            changed |= _columns(link.call)
    last = links.links[-1].call
    if links.links[-1].name in ("update_one", "find_one_and_update", "find_one_and_replace", "update_many"):
        asked |= _top(last, 0, "filter")
        changed |= fields(_argument(last, 1, "update"))
        if "$setOnInsert" in changed:
            return True
    return bool(asked & changed)


def built(context: Context, flow: Flow, call: Call) -> tuple[str, bool] | None:
    """The verb of the statement that a call executes, and whether it compares; None where that is not told."""
    value = _argument(call, 0, "statement")
    if not isinstance(value, Result):
        value = _through(context, flow, value)
    made = context.operation(flow, value.number) if isinstance(value, Result) else None
    if made is None or not isinstance(made[1], Call):
        return None
    links = chain(context, flow, made[1])
    for link in links.links:
        verb = link.name.rpartition(".")[2]
        if verb in _BUILDERS:
            return verb, compares(links)
    return None


def container(context: Context, flow: Flow, value: Expression) -> bool:
    """Whether a value is a container made here."""
    if isinstance(value, Compound):
        return value.kind in _CONTAINERS
    if isinstance(value, Result):
        made = context.operation(flow, value.number)
        if made is not None and isinstance(made[1], Call):
            return made[1].dotted.rpartition(".")[2] in _MAKES_CONTAINERS
    return False


def _through(context: Context, flow: Flow, value: Expression) -> Expression:
    if not isinstance(value, Variable):
        return value
    found = {
        one.value(flow)
        for point, operation in context.calls(flow)
        if value in operation.arguments
        for one in context.definitions(flow).of(value.name, point)
    }
    held = found.pop() if len(found) == 1 else None
    return value if held is None else held


def _columns(call: Call) -> set[str]:
    found = {_column(word.name) for word in call.keywords if word.name}
    for value in call.arguments:
        found |= fields(value)
    return found


def _column(name: str) -> str:
    for ending in _LOOKUPS:
        name = name.removesuffix(ending)
    return name


def _top(call: Call, position: int, name: str) -> set[str]:
    """The keys of a dict literal that is an argument, but not those of dicts inside."""
    value = _argument(call, position, name)
    parts = value.parts if isinstance(value, Compound) and value.kind == "dict" else ()
    entries = [part for part in parts if isinstance(part, Compound) and part.kind == "entry"]
    keys = [entry.parts[0] for entry in entries]
    return {key.value for key in keys if isinstance(key, Constant) and isinstance(key.value, str)}


def _argument(call: Call, position: int, name: str) -> Expression:
    if len(call.arguments) > position:
        return call.arguments[position]
    return next((word.value for word in call.keywords if word.name == name), Constant(None))
