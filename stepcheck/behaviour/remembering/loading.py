"""What runs when the workers of a web server load an application."""

from collections.abc import Iterator

from stepcheck.analysis.paths import START, always_before, begun
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed, written
from stepcheck.behaviour.remembering.gates import gates
from stepcheck.behaviour.study import Study
from stepcheck.behaviour.values.ingredients import ingredients
from stepcheck.catalogue.names import words as split
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Branch,
    Call,
    Constant,
    EdgeKind,
    Enter,
    Flow,
    Imported,
    Item,
    Point,
    Variable,
    dotted,
    walk,
)

_APPS = frozenset(
    {"Flask", "FastAPI", "Starlette", "Quart", "Sanic", "Litestar", "Dash", "get_wsgi_application", "APIFlask",
     "get_asgi_application", "NinjaAPI", "Falcon", "Bottle"}
)  # fmt: skip
_FACTORIES = frozenset(
    {"create_app", "make_app", "build_app", "get_app", "app_factory", "create_application", "init_app"}
)
_STARTUPS = frozenset(
    {"on_event", "on_startup", "before_first_request", "before_app_first_request", "before_serving", "listener",
     "before_server_start", "after_server_start", "main_process_start", "startup"}
)  # fmt: skip
_LETS_ONE = frozenset(
    {"lock", "leader", "claim", "acquire", "flock", "lockf", "filelock", "mutex", "setnx", "bind", "elected",
     "primary", "worker", "ordinal", "singleton", "environ", "getenv", "env", "argv", "advisory", "main",
     "enabled", "settings", "config", "testing"}
)  # fmt: skip
_RELOADS = frozenset({"WERKZEUG_RUN_MAIN", "RUN_MAIN", "FLASK_DEBUG", "DEBUG"})
"""They tell the reloader's processes apart, and not the workers of a server."""
_DEPTH = 3


def web(study: Study) -> bool:
    """Whether the file has to do with a web application that workers load."""
    for found in study.context.file.classes:
        if any(words.last(base.lstrip("?:")) == "AppConfig" for base in found.bases):
            return True
    for flow in study.context.file.flows:
        for _, call in study.context.calls(flow):
            if words.last(call.dotted) in _APPS:
                return True
    for _, one in study.context.file.flows[0].points():
        brought = (
            words.last(one.value.dotted)
            if isinstance(one, Assign) and isinstance(one.value, Imported)
            else ""
        )
        if brought in _APPS | {"app", "create_app", "flask"}:
            return True
        if isinstance(one, Assign) and isinstance(one.target, Variable) and one.target.name == "urlpatterns":
            return True
    return any(flow.name in _FACTORIES for flow in study.context.file.flows)


def started(study: Study) -> Iterator[tuple[Flow, Point, str, bool]]:
    """Every call made when the application is loaded or starts, with when, and whether a lock is passed before."""
    flows = study.context.file.flows
    seen: set[int] = set()
    waiting = [(flow, at, False, _DEPTH) for flow in flows if (at := _loaded(study, flow))]
    while waiting:
        flow, at, before, left = waiting.pop(0)
        if flow.index in seen or study.context.large(flow):
            continue
        seen.add(flow.index)
        loaded = _imported(flow) if flow.index == 0 else None
        for point, call in study.context.calls(flow):
            if loaded is not None and point not in loaded:
                continue
            yield flow, point, at, before
            helpers = study.context.called(flow, call) if left > 1 else ()
            if helpers:
                passed = before or guarded(study, flow, point)
                waiting += [(helper, at, passed, left - 1) for helper in helpers]


def _loaded(study: Study, flow: Flow) -> str:
    """When a function is run by each worker, for messages; nothing for others."""
    if flow.index == 0:
        return "when the module is imported"
    if flow.name in _FACTORIES:
        return f"by {flow.name!r}"
    if flow.name == "ready" and _bases(study, flow):
        return "when the app is ready"
    for made in flow.decorators:
        if words.last(made.dotted) in _STARTUPS:
            return "when the application starts"
        if words.last(made.dotted) == "asynccontextmanager" and any(
            parameter.name in ("app", "application", "_app", "_") for parameter in flow.parameters
        ):
            return "when the application starts"
    return "when the application starts" if _handed(study, flow) else ""


def _bases(study: Study, flow: Flow) -> bool:
    prefix = flow.qualname.rpartition(".")[0]
    return any(
        found.qualname == prefix and any(words.last(base.lstrip("?:")) == "AppConfig" for base in found.bases)
        for found in study.context.file.classes
    )


def _handed(study: Study, flow: Flow) -> bool:
    """Whether a function is given to the application to be run at its start."""
    for other in study.context.file.flows:
        for _, call in study.context.calls(other):
            for word in call.keywords:
                if word.name in ("lifespan", "on_startup") and any(
                    isinstance(part, Variable) and part.name == flow.name for part in walk(word.value)
                ):
                    return True
            if words.last(call.dotted) == "add_event_handler" and any(
                isinstance(value, Variable) and value.name == flow.name for value in call.arguments
            ):
                return True
    return False


def _imported(flow: Flow) -> frozenset[Point]:
    """What of a module is run when it is imported, and not only where it is the program."""
    programs = {
        point.block
        for point, one in flow.points()
        if isinstance(one, Branch)
        and any(isinstance(part, Variable) and part.name == "__name__" for part in walk(one.test))
    }
    return begun(
        flow, (START,), (), lambda block, edge: not (block in programs and edge.kind is EdgeKind.TRUE)
    )


def guarded(study: Study, flow: Flow, point: Point) -> bool:
    """Whether something before a call lets only one process come to it."""
    locks = study.places(flow, Deed.CLAIM, Deed.LOCK)
    locks |= {
        place for place, call in study.context.calls(flow) if lets_one(written(study.context, flow, call))
    }
    locks |= {place for place, one in flow.points() if isinstance(one, Enter) and lets_one(one.qualified)}
    if locks and always_before(flow, locks, point):
        return True
    for gate in gates(flow, point):
        for one in ingredients(study.context, flow, gate.test, gate.point):
            match one.value:
                case Call() as call:
                    name = call.dotted
                    if any(isinstance(part, Constant) and part.value in _RELOADS for part in call.arguments):
                        continue
                case Item(index=Constant(value=text)) if text in _RELOADS:
                    continue
                case Variable() | Attribute():
                    name = dotted(one.value)
                    if name.endswith(("environ", "environ.get")):
                        continue
                case Item(base=base):
                    name = dotted(base)
                case _:
                    continue
            if _LETS_ONE.intersection(split(name)):
                return True
    return False


def lets_one(name: str) -> bool:
    """Whether a call of that name lets one process through and keeps the others out."""
    found = set(split(words.last(name.removesuffix("()"))))
    return bool({"lock", "flock", "lockf", "filelock", "acquire", "claim", "leader", "advisory"} & found)
