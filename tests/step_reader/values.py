"""Plain values as the tree that frontends read, and a resolver that follows nothing."""

from dataclasses import dataclass, field
from typing import Any

from stepcheck.facts import (
    Entry,
    Invocation,
    Mapping,
    Name,
    Opaque,
    Reference,
    Scalar,
    Sequence,
    Span,
    Target,
    Value,
)

HERE = Span("steps.py", 3, 5, 3, 9)
NAME = Span("steps.py", 1, 2, 1, 8)


def tree(value: Any) -> Value:
    if isinstance(value, Scalar | Mapping | Sequence | Name | Opaque | Invocation):
        return value
    if isinstance(value, dict):
        return Mapping(tuple(Entry(tree(key), tree(part)) for key, part in value.items()), HERE)
    if isinstance(value, list | tuple):
        return Sequence(tuple(tree(item) for item in value), HERE)
    return Scalar(value, HERE)


@dataclass(frozen=True)
class Names:
    """Knows what some names stand for; every other one is a callable from outside."""

    known: dict[str, Any] = field(default_factory=dict)

    def value(self, value: Value) -> Value:
        if isinstance(value, Name) and value.dotted in self.known:
            return tree(self.known[value.dotted])
        return value

    def reference(self, value: Value, step_names: frozenset[str]) -> Reference | None:
        if isinstance(value, Opaque):
            return None
        text = value.dotted if isinstance(value, Name) else str(getattr(value, "value", "?"))
        return Reference(text, Target.STEP if text in step_names else Target.OUTSIDE, "", value.span)
