"""Which names of a file hold values that get fields in ways that are not followed."""

from stepcheck.analysis.found import Held
from stepcheck.analysis.modules import Modules
from stepcheck.analysis.names import find
from stepcheck.code.module import How, Module
from stepcheck.facts import Mapping, Name, Sequence, Span, Value


def completed_unseen(project: Modules, module: Module) -> frozenset[tuple[int, str]]:
    """Scope and name of each: those that the file changes so, and those whose values they are made of."""
    found: set[tuple[int, str]] = set()
    waiting = list(module.changed)
    while waiting:
        dotted, at = waiting.pop()
        head = dotted.partition(".")[0]
        owner = find(project, dotted, at)
        if not isinstance(owner, Held):
            owner = find(project, head, at)
        if not isinstance(owner, Held) or owner.path != module.path or (owner.scope, owner.name) in found:
            continue
        found.add((owner.scope, owner.name))
        for binding in owner.bindings:
            if binding.how in (How.ASSIGNED, How.MERGED, How.ENTRY):
                waiting += _parts(binding.value)
    return frozenset(found)


def _parts(value: Value) -> list[tuple[str, Span]]:
    """The names that a value is, or spreads, or lists."""
    match value:
        case Name(dotted=dotted, span=span):
            return [(dotted, span)]
        case Mapping(entries=entries):
            values = [entry.value for entry in entries]
            return [(value.dotted, value.span) for value in values if isinstance(value, Name)]
        case Sequence(items=items):
            return [(item.dotted, item.span) for item in items if isinstance(item, Name)]
        case _:
            return []
