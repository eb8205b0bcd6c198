"""Follows values: names to what they hold, enum members to values, well-known calls to their results."""

import math
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import takewhile
from typing import Any

from stepcheck.analysis.found import Defined, Held, Outside, Thing, Unbound
from stepcheck.analysis.modules import Modules
from stepcheck.analysis.names import DEEPEST, ancestors, definers, find
from stepcheck.code.module import Binding, Class, How
from stepcheck.code.values import ITEM
from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Scalar, Sequence, Span, Value

_WRAPPERS = {
    "types.MappingProxyType": 0,
    "collections.OrderedDict": 0,
    "copy.copy": 0,
    "copy.deepcopy": 0,
    "typing.cast": 1,
    "typing_extensions.cast": 1,
    "frozendict.frozendict": 0,
    "immutables.Map": 0,
}
"""Calls that give back one of their arguments, by position."""
_CONSTANTS: dict[str, float] = {"math.inf": math.inf, "math.nan": math.nan}
_TEXT_ENUMS = frozenset({"enum.StrEnum", "strenum.StrEnum", "backports.strenum.StrEnum"})
_ENUMS = _TEXT_ENUMS | {"enum.Enum", "enum.IntEnum", "enum.Flag", "enum.IntFlag"}


def evaluate(project: Modules, value: Value, depth: int = 0) -> Value:
    """What a value comes to. A name comes back as the last name it could be followed to."""
    if depth > DEEPEST:
        return Opaque("followed too far", value.span)
    match value:
        case Name():
            return _name(project, value, depth)
        case Invocation():
            return _invocation(project, value, depth)
        case _:
            return value


def completed(project: Modules, held: Held, depth: int = 0, before: Span | None = None) -> Value:
    """What a name holds after all that its scope does to it: entries and items added, overridden, deleted.

    With `before`, only what stands before that place of the same file counts.
    """
    deciding = definers(held)
    if len(deciding) != 1 or deciding[0].conditional or deciding[0].how is not How.ASSIGNED:
        return Opaque("bound in more than one way", held.bindings[-1].span)
    value = evaluate(project, deciding[0].value, depth + 1)
    later = held.bindings[held.bindings.index(deciding[0]) + 1 :]
    if before is not None:
        later = tuple(takewhile(lambda binding: not _reaches(binding, before), later))
    if isinstance(value, Mapping):
        return _grown(project, value, later)
    for binding in later:
        if isinstance(value, Sequence) and binding.how is How.MERGED and not binding.conditional:
            more = evaluate(project, binding.value, depth + 1)
            items = more.items if isinstance(more, Sequence) else (Opaque("a spread", more.span),)
            value = Sequence(value.items + items, value.span)
        elif binding.how in (How.MERGED, How.ENTRY, How.DELETED):
            return Opaque("changed after it was bound", binding.span)
    return value


def _reaches(binding: Binding, place: Span) -> bool:
    """Whether a statement about a name ends behind a place of its file."""
    return binding.span.path == place.path and binding.value.span[3:] >= place[1:3]


def enum_member(project: Modules, held: Held, depth: int = 0) -> Scalar | None:
    """The value of an enum's member; None for what is no member, or a member whose value cannot be told."""
    module = project.module(held.path)
    cls = (
        next((cls for cls in module.classes if cls.body == held.scope), None)
        if module and held.scope
        else None
    )
    if (
        cls is None
        or not _is_enum(project, Defined(held.path, cls), _ENUMS, depth)
        or len(held.bindings) != 1
    ):
        return None
    value = held.bindings[0].value
    if isinstance(value, Invocation) and value.function.dotted.rpartition(".")[2] == "auto":
        text = _is_enum(project, Defined(held.path, cls), _TEXT_ENUMS, depth)
        return Scalar(held.name.lower(), held.bindings[0].span) if text else None
    if isinstance(value, Sequence) and value.items:
        value = value.items[0]
    value = evaluate(project, value, depth + 1)
    return value if isinstance(value, Scalar) else None


def outside_name(thing: Thing) -> str:
    """The dotted name of what is no part of the project; a name that nothing binds stands for itself."""
    match thing:
        case Outside(dotted=dotted):
            return dotted
        case Unbound(name=name):
            return name
        case _:
            return ""


def _name(project: Modules, value: Name, depth: int) -> Value:
    prefix, _, last = value.dotted.rpartition(".")
    if last in ("value", "name") and "." in prefix:
        owner = find(project, prefix, value.span, depth)
        if isinstance(owner, Held) and (member := enum_member(project, owner, depth)) is not None:
            return member if last == "value" else Scalar(owner.name, value.span)
    thing = find(project, value.dotted, value.span, depth)
    match thing:
        case Held():
            member = enum_member(project, thing, depth)
            if member is not None:
                return member
            result = completed(project, thing, depth + 1)
            return value if isinstance(result, Opaque) and _is_field(project, thing) else result
        case Outside(dotted=dotted) if dotted in _CONSTANTS:
            return Scalar(_CONSTANTS[dotted], value.span)
        case Defined() | Outside():
            return value
        case _:
            return value


def _is_field(project: Modules, held: Held) -> bool:
    """Whether a name stands for a member of a class, whose name may tell what its value does not."""
    module = project.module(held.path)
    return module is not None and any(cls.body == held.scope for cls in module.classes) and held.scope > 0


def _item(project: Modules, value: Invocation, depth: int) -> Value:
    """What `X["k"]` comes to, before the place where it stands."""
    owner = find(project, value.function.dotted.removesuffix(ITEM), value.function.span, depth)
    key = evaluate(project, value.arguments[0], depth + 1)
    whole = completed(project, owner, depth + 1, value.span) if isinstance(owner, Held) else value
    if not isinstance(whole, Mapping):
        return Opaque("an item of something", value.span)
    for entry in reversed(whole.entries):
        own = None if entry.key is None else evaluate(project, entry.key, depth + 1)
        if entry.conditional or not isinstance(own, Scalar):
            break  # it may have replaced what came before
        if _same(own, key):
            return evaluate(project, entry.value, depth + 1)
    return Opaque("an item of something", value.span)


def _invocation(project: Modules, value: Invocation, depth: int) -> Value:
    if value.function.dotted.endswith(ITEM):
        return _item(project, value, depth)
    if value.function.dotted.endswith(".copy") and not value.arguments and not value.keywords:
        copied = Name(value.function.dotted.removesuffix(".copy"), value.function.span)
        whole = evaluate(project, copied, depth + 1)
        return whole if isinstance(whole, Mapping | Sequence) else value
    thing = find(project, value.function.dotted, value.function.span, depth)
    name = outside_name(thing)
    if isinstance(thing, Defined) and isinstance(thing.item, Class):
        if len(value.arguments) == 1 and _is_enum(project, thing, _ENUMS, depth):
            return evaluate(project, value.arguments[0], depth + 1)
        return value
    if isinstance(thing, Unbound) and "." not in value.function.dotted:
        # a snippet that leaves out its imports, or a builtin
        name = {"timedelta": "datetime.timedelta", "cast": "typing.cast"}.get(name, name)
        name = "types.MappingProxyType" if name == "MappingProxyType" else name
    if isinstance(thing, Unbound) and value.function.dotted == "datetime.timedelta":
        name = "datetime.timedelta"
    if name == "datetime.timedelta":
        return _timedelta(project, value, depth)
    if name in _WRAPPERS and len(value.arguments) > _WRAPPERS[name]:
        return evaluate(project, value.arguments[_WRAPPERS[name]], depth + 1)
    if name in _CASTS and len(value.arguments) == 1 and not value.keywords:
        argument = evaluate(project, value.arguments[0], depth + 1)
        if isinstance(argument, Scalar):
            try:
                return Scalar(_CASTS[name](argument.value), value.span)
            except (ValueError, TypeError, OverflowError):
                return value
    if name in ("list", "tuple", "set", "frozenset", "sorted") and len(value.arguments) == 1:
        inner = evaluate(project, value.arguments[0], depth + 1)
        return inner if isinstance(inner, Sequence) else Opaque("worked out when it runs", value.span)
    return value


_CASTS: dict[str, Callable[[Any], str | int | float]] = {"float": float, "int": int, "str": str}


def _timedelta(project: Modules, value: Invocation, depth: int) -> Value:
    order = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
    given: dict[str, float] = {}
    pairs: list[tuple[str, Value]] = list(zip(order, value.arguments, strict=False))
    for entry in value.keywords:
        if not isinstance(entry.key, Scalar):
            return Opaque("worked out when it runs", value.span)
        pairs.append((str(entry.key.value), entry.value))
    for unit, amount in pairs:
        number = evaluate(project, amount, depth + 1)
        if unit not in order or not isinstance(number, Scalar) or not isinstance(number.value, int | float):
            return Opaque("worked out when it runs", value.span)
        given[unit] = number.value
    try:
        return Scalar(timedelta(**given), value.span)
    except (OverflowError, ValueError):
        return Opaque("a length of time that cannot be", value.span)


def _is_enum(project: Modules, cls: Defined, roots: frozenset[str], depth: int) -> bool:
    return any(
        outside_name(base) in roots or (isinstance(base, Unbound) and f"enum.{base.name}" in roots)
        for base in ancestors(project, cls, depth)
    )


def _grown(project: Modules, value: Mapping, later: Iterable[Binding]) -> Mapping:
    """A mapping after more statements about it."""
    entries = list(value.entries)
    for binding in later:
        match binding.how:
            case How.ENTRY:
                entries.append(Entry(binding.key, binding.value, binding.conditional))
            case How.MERGED:
                entries.append(Entry(None, binding.value, binding.conditional))
            case How.DELETED if binding.key is not None and not binding.conditional:
                gone = evaluate(project, binding.key)
                entries = [
                    entry
                    for entry in entries
                    if entry.key is None or not _same(evaluate(project, entry.key), gone)
                ]
            case How.DELETED:
                entries.append(Entry(None, Opaque("deleted", binding.span), binding.conditional))
            case _:
                pass
    return Mapping(tuple(entries), value.span) if later else value


def _same(left: Value, right: Value) -> bool:
    return isinstance(left, Scalar) and isinstance(right, Scalar) and left.value == right.value
