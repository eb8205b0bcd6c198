"""Whether a function does nothing at all, and how."""

from stepcheck.behaviour.calls.act import Deed
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Await,
    Call,
    Constant,
    Delete,
    Enter,
    Flow,
    Item,
    Raise,
    Result,
    Return,
    Variable,
    Yield,
)

_NOTHING = frozenset({Deed.HARMLESS, Deed.PAUSE})
_LOGS = frozenset(
    {"log", "logger", "logging", "print", "warn", "warning", "info", "debug", "error", "exception"}
)


def empty(study: Study, flow: Flow) -> str:
    """Why nothing happens when the function is run (`its body is empty`), or nothing where something does.

    A function that raises, hands out a value that it was not given, or stores something does something.
    """
    if flow.spent or not flow.blocks:
        return ""
    acts = {act.point: act for act in study.acts(flow)}
    logs = False
    for point, operation in flow.points():
        match operation:
            case Call():
                act = acts.get(point)
                if act is None or act.deed not in _NOTHING or act.weak:
                    return ""
                logs = True
            case Await() | Yield() | Raise() | Delete() | Enter():
                return ""
            case Assign(target=Attribute() | Item()):
                return ""
            case Return(value=value) if not isinstance(value, Constant | Variable | Result):
                return ""
            case _:
                pass
    return "it only logs" if logs else "its body is empty"
