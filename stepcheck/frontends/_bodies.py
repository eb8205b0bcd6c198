"""The fields of a step that the body of a function, or of an `__init__`, sets by itself."""

from collections.abc import Iterator

from stepcheck.analysis.found import Held
from stepcheck.analysis.names import definers, find
from stepcheck.analysis.project import Project
from stepcheck.code.module import Binding, Function, How, Module
from stepcheck.facts import Entry, Invocation, Mapping, Name, Scalar, Sequence, Value
from stepcheck.frontends import TableOptions
from stepcheck.frontends._fields import READINGS, field_name

EVERY = frozenset(READINGS)
"""All fields of a step."""


def set_in(project: Project, module: Module, function: Function, options: TableOptions) -> frozenset[str]:
    """The fields that a body writes, in a dict or as an attribute, other than as they were given to it.

    All fields, where it hands fields on to something else or takes some from what cannot be read.
    """
    scopes = _scopes(module, function)
    found: set[str] = set()
    for binding in module.bindings:
        if binding.scope not in scopes:
            continue
        name = binding.name.rpartition(".")[2]
        if binding.how is How.ASSIGNED and "." in binding.name and not _handed_on(binding, name):
            found.add(field_name(name, options))
        if binding.how is How.MERGED and not isinstance(binding.value, Mapping | Sequence):
            found |= _spread(project, binding.value, options, set())
        entry = (Entry(binding.key, binding.value),) if binding.key is not None else ()
        found |= _in_entries(project, entry, options, set())
        found |= _in(project, binding.value, options, set())
    return EVERY & found


def _scopes(module: Module, function: Function) -> frozenset[int]:
    """The scope of a function's body, and those inside it."""
    found: set[int] = set()
    for index, scope in enumerate(module.scopes):
        own = scope.parent == function.scope and scope.name.rpartition(".")[2] == function.name
        after = scope.span[1:3] > function.span[1:3]
        if index and ((own and after and not found) or scope.parent in found):
            found.add(index)
    return frozenset(found)


def _handed_on(binding: Binding, name: str) -> bool:
    """Whether an attribute gets what was given under its name."""
    value = binding.value
    return isinstance(value, Name) and value.dotted == name and not binding.conditional


def _in(project: Project, value: Value, options: TableOptions, seen: set[Value]) -> frozenset[str]:
    match value:
        case Mapping(entries=entries):
            return _in_entries(project, entries, options, seen)
        case Sequence(items=items):
            return frozenset().union(*(_in(project, item, options, seen) for item in items))
        case Invocation(arguments=arguments, keywords=keywords):
            if any(entry.key is None or _field(entry, options) for entry in keywords):
                return EVERY
            parts = (*arguments, *(entry.value for entry in keywords))
            return frozenset().union(*(_in(project, part, options, seen) for part in parts))
        case _:
            return frozenset()


def _in_entries(
    project: Project, entries: tuple[Entry, ...], options: TableOptions, seen: set[Value]
) -> frozenset[str]:
    return frozenset(_of_entries(project, entries, options, seen))


def _of_entries(
    project: Project, entries: tuple[Entry, ...], options: TableOptions, seen: set[Value]
) -> Iterator[str]:
    for entry in entries:
        if entry.key is None:
            yield from _spread(project, entry.value, options, seen)
            continue
        name = _field(entry, options)
        if name and not (isinstance(entry.value, Name) and field_name(entry.value.dotted, options) == name):
            yield name
        yield from _in(project, entry.value, options, seen)


def _spread(project: Project, value: Value, options: TableOptions, seen: set[Value]) -> frozenset[str]:
    """The fields that something spread into a step brings: none where it is what the function was given."""
    if isinstance(value, Mapping):
        return _in(project, value, options, seen)
    if not isinstance(value, Name) or value in seen:
        return EVERY if value not in seen else frozenset()
    seen.add(value)
    owner = find(project, value.dotted, value.span)
    if isinstance(owner, Held) and owner.scope and all(each.how is How.HELD for each in definers(owner)):
        return frozenset()
    found = project.value(value)
    return _in(project, found, options, seen) if isinstance(found, Mapping) else EVERY


def _field(entry: Entry, options: TableOptions) -> str:
    key = entry.key.value if isinstance(entry.key, Scalar) else None
    name = field_name(key, options) if isinstance(key, str) else ""
    return name if name in EVERY else ""
