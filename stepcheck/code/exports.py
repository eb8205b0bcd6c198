"""What a module's `__all__` lists."""

from stepcheck.code.module import Binding
from stepcheck.facts import Scalar, Sequence


def exports(bindings: list[Binding]) -> tuple[str, ...] | None:
    """What `__all__` lists; None where nothing or not only strings are put into it."""
    listed: list[str] = []
    found = False
    for binding in bindings:
        if binding.name != "__all__" or binding.scope != 0:
            continue
        found = True
        if not isinstance(binding.value, Sequence):
            return None
        for item in binding.value.items:
            if not isinstance(item, Scalar) or not isinstance(item.value, str):
                return None
            listed.append(item.value)
    return tuple(listed) if found else None
