"""Which callable a name means: whether the project defines it, and as what it is known everywhere."""

from dataclasses import replace

from stepcheck.analysis.files import canonical, locate
from stepcheck.analysis.found import (
    Defined,
    File,
    Found,
    Held,
    Missing,
    Outside,
    Thing,
    Unbound,
    nearest_name,
)
from stepcheck.analysis.modules import Modules
from stepcheck.analysis.names import DEEPEST, definers, find, member
from stepcheck.code.module import How, Module
from stepcheck.facts import Invocation, Lambda, Name, Scalar, Span, Target

MISSPELT = 50
"""Names of one file that are compared with what it binds: where so many are unbound, none is misspelt."""
_PARTIALS = frozenset({"functools.partial", "functools.partialmethod", "partial"})


def lookup(project: Modules, dotted: str, importer: str = "") -> Found:
    """The callable that a dotted path names (`shop.calls.create`, `shop.calls:create`), seen from a file.

    The longest module that exists is taken, and the rest are attributes of it.
    """
    path, colon, attributes = dotted.partition(":")
    parts = path.split(".") + (attributes.split(".") if colon else [])
    if not all(part.isidentifier() for part in parts):
        return Found(Target.UNKNOWN)
    for length in range(len(parts), 0, -1):
        thing: Thing = locate(project, ".".join(parts[:length]), importer)
        if isinstance(thing, File):
            for part in parts[length:]:
                thing = member(project, thing, part)
            return described(project, thing, dotted)
    return Found(Target.OUTSIDE, ".".join(parts))


def callable_at(project: Modules, name: Name, depth: int = 0) -> Found:
    """The callable that a name means in the place where it stands."""
    return described(project, find(project, name.dotted, name.span), name.dotted, name.span, depth)


def described(
    project: Modules, thing: Thing, dotted: str = "", at: Span | None = None, depth: int = 0
) -> Found:
    """A thing as a callable."""
    match thing:
        case Defined(path=path, item=item, through=through):
            module = project.module(path)
            around = module.scopes[item.scope].name if module else ""
            name = ".".join(part for part in (canonical(project, path), around, item.name) if part)
            return Found(Target.FUNCTION, f"{through}.{item.name}" if through else name, item.span)
        case Held():
            return _held(project, thing, depth)
        case Outside(dotted=identity):
            return Found(Target.OUTSIDE, identity)
        case Missing(why=why, nearest=nearest):
            return Found(Target.MISSING, why=why, nearest=nearest)
        case Unbound(path=path, name=name):
            return Found(Target.UNKNOWN, f"{path}:{dotted or name}")
        case File(path=path):
            return Found(Target.UNKNOWN, f"{path}:")
        case _:
            place = f"{at.path}:{dotted}" if at is not None and dotted else ""
            return Found(Target.UNKNOWN, place)


def _held(project: Modules, held: Held, depth: int) -> Found:
    deciding = definers(held)
    last = deciding[-1] if deciding else held.bindings[-1]
    module = project.module(held.path)
    around = module.scopes[held.scope].name if module else ""
    identity = ".".join(part for part in (canonical(project, held.path), around, held.name) if part)
    if len(deciding) == 1 and not last.conditional and depth <= DEEPEST:
        value = last.value
        if isinstance(value, Name):
            return callable_at(project, value, depth + 1)
        if isinstance(value, Invocation):
            inner = unwrapped(project, value)
            if inner is not None:
                # What its arguments are decides what it does, so it is no twin of the bare function.
                return replace(callable_at(project, inner, depth + 1), identity=identity)
            return Found(Target.FUNCTION, identity, last.span)
        if isinstance(value, Lambda):
            return Found(Target.FUNCTION, identity, last.span)
    exists = last.how is How.ASSIGNED and not isinstance(last.value, Scalar)
    return Found(Target.FUNCTION, identity, last.span) if exists else Found(Target.UNKNOWN, identity)


def unwrapped(project: Modules, value: Invocation) -> Name | None:
    """The function inside a `functools.partial(...)`; None for any other call."""
    dotted = value.function.dotted
    thing = find(project, dotted, value.function.span)
    name = thing.dotted if isinstance(thing, Outside) else dotted if isinstance(thing, Unbound) else ""
    if name not in _PARTIALS or not value.arguments:
        return None
    first = value.arguments[0]
    if isinstance(first, Invocation):
        return unwrapped(project, first)
    return first if isinstance(first, Name) else None


def nearest_bound(project: Modules, path: str, name: str) -> str:
    """The function or name of a file that a misspelt name was probably meant to be, or nothing."""
    module = project.module(path)
    asked = project.misspelt.setdefault(path, {})
    if module is None or (name not in asked and len(asked) >= MISSPELT):
        return ""
    if name not in asked:
        asked[name] = nearest_name(name, _callables(module))
    return asked[name]


def _callables(module: Module) -> list[str]:
    names = {function.name for function in module.functions} | {cls.name for cls in module.classes}
    return sorted(names | {item.alias for item in module.imports})
