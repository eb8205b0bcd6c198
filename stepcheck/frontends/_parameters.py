"""What a function or class of the project may be given, with its defaults, and what it decides by itself."""

from dataclasses import dataclass, replace

from stepcheck.analysis.found import Defined, Outside, Thing, Unbound
from stepcheck.analysis.names import ancestors
from stepcheck.analysis.project import Project
from stepcheck.code.module import Binding, Class, Function, How, Module
from stepcheck.facts import Entry, Invocation, Mapping, Name, Opaque, Scalar, Sequence, Value
from stepcheck.frontends import TableOptions
from stepcheck.frontends._bodies import EVERY, set_in
from stepcheck.frontends._fields import field_name

_EMPTY = frozenset({"list", "tuple", "dict", "set", "frozenset"})
_FIELD_MAKERS = frozenset({"field", "Field", "ib"})
_PLAIN_BASES = frozenset(
    {"object", "ABC", "BaseModel", "Generic", "NamedTuple", "Protocol", "SQLModel", "Struct", "TypedDict"}
)
"""Bases from outside, by their last names, that bring no field of a step along."""
_AFTERWARDS = frozenset({"__post_init__", "__attrs_post_init__", "model_post_init", "__new__"})
_VALIDATORS = frozenset({"model_validator", "root_validator"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that a call may give."""

    name: str
    default: Value | None = None
    """None where there is none, or where it stands for "not given"."""
    place: Value | None = None
    """The key that stands for it in messages."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a call of a function or class may give, and the fields that are settled elsewhere."""

    positional: tuple[Parameter, ...] | None
    """In order; None where that cannot be seen."""
    others: tuple[Parameter, ...] = ()
    """By name only, and what a class sets for all its instances."""
    decided: frozenset[str] = frozenset()
    """Fields of a step that its body may set where the call does not give them."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All of them."""
        return (*(self.positional or ()), *self.others)


def signature(project: Project, thing: Thing, options: TableOptions) -> Signature | None:
    """What may be given to a function or class of the project; None where that cannot be seen."""
    match thing:
        case Defined(item=Function() as function, through=through):
            module = project.module(thing.path)
            bound = through or (module is not None and _is_method(module, function))
            made = _of_function(function, skip=1 if bound else 0)
            decided = set_in(project, module, function, options) if module is not None else EVERY
            return replace(made, decided=decided)
        case Defined(item=Class()):
            return _of_class(project, thing, options)
        case _:
            return None


def _is_method(module: Module, function: Function) -> bool:
    static = any(isinstance(each, Name) and each.dotted == "staticmethod" for each in function.decorators)
    return not static and any(cls.body == function.scope for cls in module.classes)


def _of_function(function: Function, skip: int) -> Signature:
    defaults = {entry.key.value: entry for entry in function.defaults if isinstance(entry.key, Scalar)}

    def parameter(name: str) -> Parameter:
        entry = defaults.get(name)
        if entry is None:
            return Parameter(name)
        return Parameter(name, None if _empty(entry.value) else entry.value, entry.key)

    return Signature(
        tuple(parameter(name) for name in function.parameters[skip:]),
        tuple(parameter(name) for name in function.keyword_only),
    )


def _of_class(project: Project, cls: Defined, options: TableOptions) -> Signature | None:
    """The fields of a dataclass, pydantic model, NamedTuple, attrs class or TypedDict; else of `__init__`."""
    made = Signature(())
    inherits = False
    for owner in reversed(ancestors(project, cls)):
        if isinstance(owner, Defined) and isinstance(owner.item, Class):
            made = _extended(project, owner, made, options, inherits=inherits)
        else:
            inherits = inherits or not _is_plain(owner)
    if inherits and isinstance(cls.item, Class) and not cls.item.decorators and not _has_init(project, cls):
        # what its base takes by position cannot be seen
        made = Signature(None, made.parameters, made.decided)
    return made if made.parameters or made.decided else None


def _has_init(project: Project, cls: Defined) -> bool:
    return any(
        isinstance(owner, Defined)
        and isinstance(owner.item, Class)
        and (module := project.module(owner.path)) is not None
        and project.items(module, owner.item.body, "__init__")
        for owner in ancestors(project, cls)
    )


def _extended(
    project: Project, owner: Defined, base: Signature, options: TableOptions, *, inherits: bool
) -> Signature:
    """A class's signature, from that of its bases. `inherits` tells that some of these are not seen."""
    cls, module = owner.item, project.module(owner.path)
    if module is None or not isinstance(cls, Class):
        return base
    methods = [function for function in module.functions if function.scope == cls.body]
    own = [
        Parameter(binding.name, _default(binding), Scalar(binding.name, binding.span))
        for binding in _own_fields(module, cls)
    ]
    decided = base.decided | (EVERY & {field_name(method.name, options) for method in methods})
    inits = [method for method in methods if method.name == "__init__"]
    if inits:
        made = _of_function(inits[-1], skip=1)
        known = _names(made.parameters, options)
        names = {parameter.name for parameter in made.parameters}
        # a field that a base takes and this one does not may be handed on to it
        handed = EVERY if inherits or inits[-1].variable else EVERY & _names(base.parameters, options)
        decided |= (handed - known) | set_in(project, module, inits[-1], options)
        others = (*made.others, *(each for each in own if each.name not in names))
        made = Signature(made.positional, others, decided)
    else:
        found = {each.name: each for each in base.positional or ()} | {each.name: each for each in own}
        others = tuple(each for each in base.others if each.name not in found)
        made = Signature(tuple(found.values()), others, decided)
    afterwards = any(
        method.name in _AFTERWARDS or any(_last(each) in _VALIDATORS for each in method.decorators)
        for method in methods
    )
    return replace(made, decided=EVERY) if afterwards else made


def _is_plain(base: Thing) -> bool:
    match base:
        case Outside(dotted=name) | Unbound(name=name):
            return name.rpartition(".")[2] in _PLAIN_BASES
        case _:
            return False


def _last(value: Value) -> str:
    name = value.function if isinstance(value, Invocation) else value
    return name.dotted.rpartition(".")[2] if isinstance(name, Name) else ""


def _names(parameters: tuple[Parameter, ...], options: TableOptions) -> frozenset[str]:
    return frozenset(field_name(parameter.name, options) for parameter in parameters)


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
    value = binding.value
    if binding.how is How.DECLARED or _empty(value):
        return None
    if not isinstance(value, Invocation) or _last(value) not in _FIELD_MAKERS:
        return value
    for entry in value.keywords:
        if isinstance(entry.key, Scalar) and entry.key.value == "default":
            return None if _empty(entry.value) else entry.value
        if isinstance(entry.key, Scalar) and entry.key.value in ("default_factory", "factory"):
            return None if _last(entry.value) in _EMPTY else Opaque("made by a factory", entry.value.span)
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


def defaults_of(made: Signature, options: TableOptions) -> tuple[Entry, ...]:
    """The defaults that are fields of a step, each in its place."""
    return tuple(
        Entry(parameter.place, parameter.default)
        for parameter in made.parameters
        if parameter.default is not None
        and parameter.place is not None
        and field_name(parameter.name, options) in EVERY
    )
