"""Calls that stand for steps, read into fields: arguments by position and by name, and a class's defaults."""

from dataclasses import dataclass

from stepcheck.analysis.found import Defined, Thing
from stepcheck.analysis.names import ancestors, find
from stepcheck.analysis.project import Project
from stepcheck.code.module import Binding, Class, Function, How, Module
from stepcheck.facts import (
    SILENT_FIELDS,
    Effect,
    Entry,
    Invocation,
    Mapping,
    Name,
    Opaque,
    Scalar,
    Sequence,
    Value,
)
from stepcheck.frontends import TableOptions
from stepcheck.frontends._fields import SPELLINGS, nearest_field

NAMES = ("name", "step_name", "step", "id", "key")
"""Arguments that name a step, the most telling first."""

_EMPTY = frozenset({"list", "tuple", "dict", "set", "frozenset"})


@dataclass(frozen=True, slots=True)
class CallFields:
    """What a call says about a step."""

    name: Value | None
    """None where the call does not say."""
    fields: Mapping


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    default: Value | None = None
    place: Value | None = None
    """The key that stands for it in messages."""


def call_fields(project: Project, call: Invocation, options: TableOptions) -> CallFields:
    """The fields that a call gives. Arguments that are no fields are left out, misspelt ones are kept.

    Defaults of a class of the project count as what the class writes; `None` and `()` write nothing there.
    """
    parameters = _parameters(project, find(project, call.function.dotted, call.function.span))
    entries: list[Entry] = []
    defaults = [
        Entry(parameter.place, parameter.default)
        for parameter in parameters or ()
        if parameter.default is not None and parameter.place is not None and _spelled(parameter.name, options)
    ]
    if defaults:
        entries.append(Entry(None, Mapping(tuple(defaults), call.span)))
    name, positional = _positional(call, parameters)
    entries += positional
    declared = {parameter.name for parameter in parameters or ()}
    for entry in call.keywords:
        key = entry.key.value if isinstance(entry.key, Scalar) else None
        if key is None:
            entries.append(entry)
        elif isinstance(key, str) and key not in declared - set(NAMES):
            if _spelled(key, options) or (key not in NAMES and nearest_field(key)):
                entries.append(entry)
        elif isinstance(key, str) and _spelled(key, options):
            entries.append(entry)
    given = {
        entry.key.value: entry.value
        for entry in (*call.keywords, *positional)
        if isinstance(entry.key, Scalar) and isinstance(entry.key.value, str)
    }
    for word in NAMES:
        if name is None and word in given:
            name = given[word]
    kept = [
        entry for entry in entries if not (isinstance(entry.key, Scalar) and entry.key.value in NAMES[1:])
    ]
    return CallFields(name, Mapping(tuple(kept), call.span))


def as_fields(project: Project, value: Value, options: TableOptions) -> Value:
    """A mapping of fields, for a mapping or for a call that gives some; for anything else the value."""
    found = project.value(value)
    if isinstance(found, Invocation):
        fields = call_fields(project, found, options).fields
        return fields if any(entry.key is not None for entry in fields.entries) else found
    return found


def _positional(call: Invocation, parameters: list[_Parameter] | None) -> tuple[Value | None, list[Entry]]:
    """The step's name and the fields that positional arguments give."""
    name: Value | None = None
    entries: list[Entry] = []
    for index, argument in enumerate(call.arguments):
        if parameters is not None and index < len(parameters):
            entries.append(Entry(Scalar(parameters[index].name, argument.span), argument))
        elif parameters is not None:
            entries.append(Entry(None, Opaque("an argument too many", argument.span)))
        elif isinstance(argument, Scalar) and argument.value in tuple(Effect):
            entries.append(Entry(Scalar("effect", argument.span), argument))
        elif index == 0 and isinstance(argument, Scalar | Name):
            name = argument
        else:
            entries.append(Entry(None, Opaque("an argument by position", argument.span)))
    return name, entries


def _parameters(project: Project, thing: Thing) -> list[_Parameter] | None:
    """What may be given to a function or class of the project; None where that cannot be seen."""
    match thing:
        case Defined(item=Function() as function, through=through):
            names = function.parameters
            module = project.module(thing.path)
            method = through or (module and any(cls.body == function.scope for cls in module.classes))
            return [_Parameter(name) for name in (names[1:] if method else names)]
        case Defined(item=Class()):
            return _fields(project, thing)
        case _:
            return None


def _fields(project: Project, cls: Defined) -> list[_Parameter] | None:
    """The fields of a dataclass, pydantic model, NamedTuple, attrs class or TypedDict; else of `__init__`."""
    found: dict[str, _Parameter] = {}
    lineage = ancestors(project, cls)
    for owner in reversed(lineage):
        module = project.module(owner.path) if isinstance(owner, Defined) else None
        if module is None or not isinstance(owner, Defined) or not isinstance(owner.item, Class):
            continue
        made = [
            item for item in project.items(module, owner.item.body, "__init__") if isinstance(item, Function)
        ]
        if made:
            found = {name: _Parameter(name) for name in made[-1].parameters[1:]}
            continue
        for binding in _own_fields(module, owner.item):
            place = Scalar(binding.name, binding.span)
            found[binding.name] = _Parameter(binding.name, _default(binding), place)
    return list(found.values()) or None


def _own_fields(module: Module, cls: Class) -> list[Binding]:
    return [
        binding
        for binding in module.bindings
        if binding.scope == cls.body
        and binding.how in (How.ASSIGNED, How.DECLARED)
        and binding.annotation.rpartition(".")[2] != "ClassVar"
        and not binding.name.startswith("__")
        and binding.name != "model_config"
    ]


def _default(binding: Binding) -> Value | None:
    if binding.how is How.DECLARED:
        return None
    value = binding.value
    if _empty(value):
        return None
    if not isinstance(value, Invocation) or value.function.dotted.rpartition(".")[2] not in (
        "field",
        "Field",
        "ib",
    ):
        return value
    for entry in value.keywords:
        if isinstance(entry.key, Scalar) and entry.key.value == "default":
            return None if _empty(entry.value) else entry.value
        if isinstance(entry.key, Scalar) and entry.key.value in ("default_factory", "factory"):
            made = entry.value.dotted if isinstance(entry.value, Name) else ""
            return None if made in _EMPTY else Opaque("made by a factory", entry.value.span)
    return value.arguments[0] if value.arguments and not isinstance(value.arguments[0], Opaque) else None


def _empty(value: Value) -> bool:
    """Whether a default stands for "not given"."""
    match value:
        case Scalar(value=content):
            return content is None
        case Sequence(items=items):
            return not items
        case Mapping(entries=entries):
            return not entries
        case _:
            return False


def tells_effect(fields: Value, options: TableOptions) -> bool:
    """Whether fields are given an effect class, which makes a call one about a step."""
    if not isinstance(fields, Mapping):
        return False
    for entry in fields.entries:
        if entry.key is None and isinstance(entry.value, Mapping):
            if tells_effect(entry.value, options):
                return True
        elif isinstance(entry.key, Scalar) and isinstance(entry.key.value, str):
            name = options.aliases.get(entry.key.value, entry.key.value)
            word = entry.value.value if isinstance(entry.value, Scalar) else None
            if SPELLINGS.get(name) == "effect" or word in (Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE):
                return True
    return False


def may_tell(project: Project, calls: list[Invocation], options: TableOptions) -> bool:
    """Whether calls of one function could give an effect class: a cheap question before reading them all."""
    for call in calls:
        words = [*call.arguments, *(entry.value for entry in call.keywords)]
        if any(isinstance(word, Scalar) and word.value in tuple(Effect) for word in words):
            return True
        if tells_effect(Mapping(call.keywords, call.span), options):
            return True
    known = [call for call in calls if _is_class(call) or any(map(_tells, call.arguments))]
    return any(
        options.aliases.get(parameter.name, SPELLINGS.get(parameter.name)) == "effect"
        for call in known[:1]
        for parameter in _parameters(project, find(project, call.function.dotted, call.function.span)) or ()
    )


def _is_class(call: Invocation) -> bool:
    return call.function.dotted.rpartition(".")[2][:1].isupper()


def _tells(argument: Value) -> bool:
    """Whether an argument is named after an effect class."""
    return isinstance(argument, Name) and argument.dotted.rpartition(".")[2].lower() in tuple(Effect)


def _spelled(name: str, options: TableOptions) -> bool:
    return name in SPELLINGS or name in options.aliases or name in SILENT_FIELDS
