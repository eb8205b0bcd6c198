"""Follows dotted names: through scopes, imports, re-exports, star imports, classes and instances."""

from collections.abc import Iterator

from stepcheck.analysis.files import locate, submodule
from stepcheck.analysis.found import (
    Defined,
    File,
    Held,
    Missing,
    Outside,
    Thing,
    Unbound,
    Unknown,
    nearest_name,
)
from stepcheck.analysis.modules import Item, Modules
from stepcheck.code.module import Binding, Class, Function, How, Import, Module, ScopeKind
from stepcheck.facts import Invocation, Name, Span

DEEPEST = 40
"""Steps from name to name that are followed."""


def find(project: Modules, dotted: str, at: Span, depth: int = 0) -> Thing:
    """What a dotted name means at a place of the project."""
    module = project.module(at.path)
    if module is None or depth > DEEPEST:
        return Unknown()
    scope = module.scope_at(at)
    if "." in dotted:
        whole = [item for item in project.items(module, scope, dotted) if isinstance(item, Binding)]
        if any(item.how is How.ASSIGNED for item in whole):
            return Held(module.path, scope, dotted, tuple(whole))
    head, *rest = dotted.split(".")
    thing = _head(project, module, scope, head, at, depth)
    for part in rest:
        thing = member(project, thing, part, depth + 1)
    return thing


def member(project: Modules, thing: Thing, name: str, depth: int = 0) -> Thing:
    """What `thing.name` means."""
    if depth > DEEPEST:
        return Unknown()
    match thing:
        case File():
            return _of_module(project, thing, name, depth)
        case Defined(item=Class() as cls, path=path, through=through):
            return _of_class(project, path, cls, name, through, depth)
        case Held():
            return _of_value(project, thing, name, depth)
        case Outside(dotted=dotted):
            return Outside(f"{dotted}.{name}")
        case Missing():
            return thing
        case _:
            return Unknown()


def definers(held: Held) -> list[Binding]:
    """The bindings that decide what a name holds: those after which nothing earlier matters."""
    found: list[Binding] = []
    for binding in held.bindings:
        if binding.how in (How.ASSIGNED, How.HELD) or (binding.how is How.DELETED and binding.key is None):
            if not binding.conditional:
                found.clear()
            found.append(binding)
        elif binding.how is How.DECLARED and not found:
            found.append(binding)
    return found


def bases(project: Modules, path: str, cls: Class, depth: int = 0) -> Iterator[Thing]:
    """What the bases of a class mean; Unknown for one that is no name."""
    for base in cls.bases:
        yield find(project, base.dotted, base.span, depth + 1) if isinstance(base, Name) else Unknown()


def exported(module: Module) -> list[str]:
    """The plain names that a module binds at its top."""
    names = [item.name for item in module.bindings if item.scope == 0]
    names += [item.name for item in module.functions if item.scope == 0]
    names += [item.name for item in module.classes if item.scope == 0]
    names += [item.alias for item in module.imports if item.scope == 0]
    return sorted({name for name in names if name.isidentifier()})


def _head(project: Modules, module: Module, scope: int, name: str, at: Span, depth: int) -> Thing:
    first = True
    while True:
        if first or module.scopes[scope].kind is not ScopeKind.CLASS:
            items = project.items(module, scope, name)
            thing = _chosen(project, module, scope, items, at, depth)
            if thing is not None:
                return thing
        if scope == 0:
            break
        scope, first = module.scopes[scope].parent, False
    if name in module.bound:
        return Unknown()
    through_star = _of_stars(project, module, name, depth)
    return through_star or Unbound(module.path, name)


def _chosen(
    project: Modules, module: Module, scope: int, items: list[Item], at: Span, depth: int
) -> Thing | None:
    """What a scope's items make of their name; None where they only change what an outer scope holds."""
    binders = [item for item in items if not isinstance(item, Binding) or item.how in _BINDS]
    if not binders:
        return None
    if module.scope_at(at) == scope and at.path == module.path:
        binders = [item for item in binders if item.span <= at] or binders
    last = max((index for index, item in enumerate(binders) if not item.conditional), default=0)
    fallback: Thing = Unknown()
    for item in binders[last:]:
        thing = _meaning(project, module, scope, item, items, depth)
        if not isinstance(thing, Missing):
            return thing
        fallback = thing
    return fallback


_BINDS = frozenset({How.ASSIGNED, How.HELD, How.DECLARED})


def _meaning(
    project: Modules, module: Module, scope: int, item: Item, items: list[Item], depth: int
) -> Thing:
    match item:
        case Function() | Class():
            return Defined(module.path, item)
        case Import():
            return _imported(project, module, item, depth + 1)
        case Binding():
            return Held(
                module.path, scope, item.name, tuple(each for each in items if isinstance(each, Binding))
            )


def _imported(project: Modules, module: Module, item: Import, depth: int) -> Thing:
    if depth > DEEPEST:
        return Unknown()
    found = locate(project, item.module, module.path, item.level)
    if not item.name:
        return found
    if isinstance(found, File) and found.path == module.path:
        # a package's own __init__ imports one of its modules: `from . import calls`
        inner = submodule(project, found, item.name)
        return inner if inner is not None else Unknown()
    return member(project, found, item.name, depth + 1)


def _of_module(project: Modules, file: File, name: str, depth: int) -> Thing:
    inner = submodule(project, file, name)
    if file.folder:
        if inner is None and (near := nearest_name(name, project.modules_in(file.path))):
            return Missing(f"no module {file.dotted + '.' + name!r} in the project", near)
        return inner or Outside(f"{file.dotted}.{name}")
    module = project.module(file.path)
    if module is None:
        return inner or Unknown()
    end = Span(module.path, module.scopes[0].span.end_line + 1, 1, 0, 0)
    items = project.items(module, 0, name)
    thing = _chosen(project, module, 0, items, end, depth + 1)
    if thing is not None:
        return thing
    through_star = _of_stars(project, module, name, depth)
    if through_star is not None or inner is not None:
        return inner or through_star or Unknown()
    if module.dynamic or name.startswith("__"):
        return Unknown()
    known = exported(module)
    if file.path.endswith("__init__.py"):
        known += project.modules_in(file.path.removesuffix("__init__.py").rstrip("/") or ".")
    return Missing(f"no {name!r} in {module.path}", nearest_name(name, sorted(known)))


def _of_stars(project: Modules, module: Module, name: str, depth: int) -> Thing | None:
    """What a star import binds to a name; None where there is none that could."""
    if depth > DEEPEST:
        return Unknown()
    for item in module.imports:
        if item.alias != "*":
            continue
        found = locate(project, item.module, module.path, item.level)
        source = project.module(found.path) if isinstance(found, File) and not found.folder else None
        if source is None or not isinstance(found, File):
            return Unknown()
        if source.path == module.path:
            continue
        hidden = name not in source.exports if source.exports is not None else name.startswith("_")
        thing = _of_module(project, found, name, depth + 2)
        if not hidden and not isinstance(thing, Missing):
            return thing
    return None


def _of_class(project: Modules, path: str, cls: Class, name: str, through: str, depth: int) -> Thing:
    module = project.module(path)
    if module is None or depth > DEEPEST:
        return Unknown()
    items = project.items(module, cls.body, name)
    for item in reversed(items):
        if isinstance(item, Function):
            return Defined(path, item, through)
        thing = _meaning(project, module, cls.body, item, items, depth)
        if not isinstance(item, Binding) or item.how in _BINDS:
            return thing
    for base in bases(project, path, cls, depth):
        if isinstance(base, Defined) and isinstance(base.item, Class):
            thing = _of_class(project, base.path, base.item, name, through, depth + 1)
            if not isinstance(thing, Unknown):
                return thing
    return Unknown()


def _of_value(project: Modules, held: Held, name: str, depth: int) -> Thing:
    """What an attribute of a value means: of another name's, or of an instance."""
    deciding = definers(held)
    if len(deciding) != 1 or deciding[0].conditional:
        return Unknown()
    value = deciding[0].value
    if isinstance(value, Name):
        return member(project, find(project, value.dotted, value.span, depth + 1), name, depth + 1)
    if isinstance(value, Invocation):
        made = find(project, value.function.dotted, value.function.span, depth + 1)
        if isinstance(made, Defined) and isinstance(made.item, Class):
            through = f"{held.path}:{held.name}"
            return member(project, Defined(made.path, made.item, through), name, depth + 1)
        if isinstance(made, Outside):
            return Outside(f"{held.path}:{held.name}.{name}")
    return Unknown()
