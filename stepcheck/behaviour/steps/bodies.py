"""The functions of a project by the places where they are defined, and which of them a call runs, across files."""

from collections.abc import Callable

from stepcheck.analysis.callables import described
from stepcheck.analysis.files import locate
from stepcheck.analysis.found import File, Thing
from stepcheck.analysis.names import member
from stepcheck.analysis.project import Project
from stepcheck.behaviour import context
from stepcheck.behaviour.calls.reach import Body, inside
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import Call, FileFlow, Flow, FlowKind
from stepcheck.facts import Name, Span, Target

_OTHERS = ("?", ":", "builtins.")
"""What begins a qualified name that no import brings."""


class Bodies:
    """The functions of a project; a file is read when something in it is asked for, and kept."""

    def __init__(self, project: Project, read: Callable[[str], FileFlow | None]) -> None:
        """`read` gives the functions of a file of the project, None for one that cannot be read."""
        self.followed: set[Span] = set()
        """The calls whose functions were found."""
        self.opaque: set[Span] = set()
        """The calls of which nothing is known."""
        self._project = project
        self._read = read
        self._studies: dict[str, Study | None] = {}
        self._flows: dict[str, dict[Span, Flow]] = {}
        self._called: dict[tuple[Span, str], tuple[Body, ...]] = {}

    def at(self, definition: Span) -> Body | None:
        """The function, lambda or class (then what makes an instance) whose name stands there."""
        study = self._study(definition.path)
        if study is None:
            return None
        flow = self._flows[definition.path].get(definition)
        if flow is not None and flow.kind is FlowKind.CLASS:
            made = study.context.callees.by_name.get(f":{flow.qualname}", ())
            flow = study.context.file.flows[made[0]] if made else None
        return None if flow is None or flow.spent else (study, flow)

    def called(self, study: Study, flow: Flow, call: Call) -> tuple[Body, ...]:
        """The functions of the project that a call runs, of whichever file."""
        key = (call.span, call.dotted)
        if key not in self._called:
            self._called[key] = tuple(inside(study, flow, call)) or self._elsewhere(flow.span.path, call)
            if self._called[key]:
                self.followed.add(call.span)
        return self._called[key]

    def _elsewhere(self, path: str, call: Call) -> tuple[Body, ...]:
        definition = self._imported(path, call.qualified) or self._named(call)
        body = self.at(definition) if definition is not None else None
        return () if body is None else (body,)

    def _imported(self, path: str, qualified: str) -> Span | None:
        """Where the function of that qualified name (`..client.Client.send`) is defined, seen from a file."""
        if not qualified or qualified.startswith(_OTHERS):
            return None
        dotted = qualified.lstrip(".")
        level, parts = len(qualified) - len(dotted), dotted.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        for length in range(len(parts), 0, -1):
            thing: Thing = locate(self._project, ".".join(parts[:length]), path, level)
            if isinstance(thing, File):
                for part in parts[length:]:
                    thing = member(self._project, thing, part)
                return described(self._project, thing).definition
        return None

    def _named(self, call: Call) -> Span | None:
        """Where the function is defined that the written name means in its place."""
        if "." not in call.dotted or call.qualified.startswith(("?", "builtins.")):
            return None
        found = self._project.callable_at(Name(call.dotted, call.span))
        return found.definition if found.target is Target.FUNCTION else None

    def _study(self, path: str) -> Study | None:
        if path not in self._studies:
            file = self._read(path)
            study = None if file is None else Study(context.study(file), {}, (), ())
            self._studies[path] = study
            flows = study.context.file.flows if study is not None else ()
            self._flows[path] = {flow.span: flow for flow in flows}
        return self._studies[path]
