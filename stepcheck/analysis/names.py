"""Follows dotted names: through scopes, imports, re-exports, star imports, classes and instances."""

from collections.abc import Iterator
from dataclasses import dataclass

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
from stepcheck.analysis.modules import Item, Modules, Uses
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
        whole = project.uses(module, scope, dotted)
        if any(isinstance(item, Binding) and item.how is How.ASSIGNED for item in _all_deciding(whole)):
            return _held(module.path, scope, dotted, whole, len(whole.items))
    head, *rest = dotted.split(".")
    thing = _head(_Where(project, module, scope, depth), head, at)
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
        case Defined(item=Class()):
            return _of_class(project, thing, name, depth)
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
    for binding in held.deciding:
        if binding.how is not How.DECLARED:
            if not binding.conditional:
                found.clear()
            found.append(binding)
        elif not found:
            found.append(binding)
    return found


def ancestors(project: Modules, cls: Defined, depth: int = 0) -> list[Thing]:
    """A class and all it inherits from, nearest first, each once; what is no class of the project too."""
    found: list[Thing] = []
    waiting: list[Thing] = [Defined(cls.path, cls.item)]
    while waiting:
        thing = waiting.pop(0)
        if thing in found:
            continue
        found.append(thing)
        for base in thing.item.bases if isinstance(thing, Defined) and isinstance(thing.item, Class) else ():
            if isinstance(base, Name) and depth < DEEPEST:
                waiting.append(find(project, base.dotted, base.span, depth + 1))
            else:
                waiting.append(Unknown())
    return found


def exported(module: Module) -> list[str]:
    """The plain names that a module binds at its top."""
    names = [item.name for item in module.bindings if item.scope == 0]
    names += [item.name for item in module.functions if item.scope == 0]
    names += [item.name for item in module.classes if item.scope == 0]
    names += [item.alias for item in module.imports if item.scope == 0]
    return sorted({name for name in names if name.isidentifier()})


@dataclass(frozen=True, slots=True)
class _Where:
    """A scope of a module, and how many names were followed to get there."""

    project: Modules
    module: Module
    scope: int
    depth: int


def _head(where: _Where, name: str, at: Span) -> Thing:
    """What a plain name means in a scope, or in those around it."""
    module, scope, first = where.module, where.scope, True
    while True:
        if first or module.scopes[scope].kind is not ScopeKind.CLASS:
            uses = where.project.uses(module, scope, name)
            thing = _chosen(_Where(where.project, module, scope, where.depth), uses, at)
            if thing is not None:
                return thing
        if scope == 0:
            break
        scope, first = module.scopes[scope].parent, False
    if name in module.bound:
        return Unknown()
    return _of_stars(where.project, module, name, where.depth) or Unbound(module.path, name)


def _chosen(where: _Where, uses: Uses, at: Span) -> Thing | None:
    """What a scope's items make of their name; None where they only change what an outer scope holds."""
    end = len(uses.items)
    if at.path == where.module.path and end and where.module.scope_at(at) == where.scope:
        before = uses.until(at)
        end = before if any(map(_binds, uses.backwards(before))) else end
    binders: list[Item] = []
    for item in uses.backwards(end):
        if _binds(item):
            binders.append(item)
            if not item.conditional:
                break
    missing: Missing | None = None
    for item in reversed(binders):
        thing = _meaning(where, item, uses, end)
        if not isinstance(thing, Missing):
            return thing
        missing = thing
    return missing


def _binds(item: Item) -> bool:
    """Whether an item gives its name something, and does not only change what it holds."""
    return not isinstance(item, Binding) or item.how in (How.ASSIGNED, How.HELD, How.DECLARED)


def _meaning(where: _Where, item: Item, uses: Uses, end: int) -> Thing:
    match item:
        case Function() | Class():
            return Defined(where.module.path, item)
        case Import():
            return _imported(where.project, where.module, item, where.depth + 1)
        case Binding():
            return _held(where.module.path, where.scope, item.name, uses, end)


def _held(path: str, scope: int, name: str, uses: Uses, end: int) -> Held:
    """A name with the first `end` of its uses, and the last of those that decide, back to one that surely does."""
    deciding: list[Binding] = []
    for item in uses.backwards(end):
        if isinstance(item, Binding):
            deciding.append(item)
            if item.how is not How.DECLARED and not item.conditional:
                break
    return Held(path, scope, name, uses.bindings(end), tuple(reversed(deciding)))


def _all_deciding(uses: Uses) -> Iterator[Item]:
    return uses.backwards(len(uses.items))


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
    thing = _chosen(_Where(project, module, 0, depth + 1), project.uses(module, 0, name), _end(module))
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
    return Missing(f"no {name!r} in {project.shown(module.path)}", nearest_name(name, sorted(known)))


def _of_stars(project: Modules, module: Module, name: str, depth: int) -> Thing | None:
    """What star imports, and the star imports of what they import, bind to a name; None where none could."""
    seen = {module.path}
    waiting = [module]
    unknown = False
    while waiting:
        importer = waiting.pop(0)
        for item in importer.imports:
            found = locate(project, item.module, importer.path, item.level) if item.alias == "*" else None
            if found is None:
                continue
            source = project.module(found.path) if isinstance(found, File) and not found.folder else None
            if source is None or source.dynamic:
                unknown = True
                continue
            hidden = name not in source.exports if source.exports is not None else name.startswith("_")
            if hidden or source.path in seen:
                continue
            seen.add(source.path)
            thing = _chosen(
                _Where(project, source, 0, depth + 1), project.uses(source, 0, name), _end(source)
            )
            if thing is not None and not isinstance(thing, Missing):
                return thing
            waiting.append(source)
    return Unknown() if unknown else None


def _end(module: Module) -> Span:
    """Behind everything in a file."""
    last = module.scopes[0].span
    return Span(module.path, last.end_line + 1, 1, last.end_line + 1, 1)


def _of_class(project: Modules, made: Defined, name: str, depth: int) -> Thing:
    for owner in ancestors(project, made, depth):
        module = project.module(owner.path) if isinstance(owner, Defined) else None
        if module is None or not isinstance(owner, Defined) or not isinstance(owner.item, Class):
            return Unknown()
        uses = project.uses(module, owner.item.body, name)
        for item in uses.backwards(len(uses.items)):
            if isinstance(item, Function):
                return Defined(owner.path, item, made.through)
            if _binds(item):
                where = _Where(project, module, owner.item.body, depth)
                return _meaning(where, item, uses, len(uses.items))
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
