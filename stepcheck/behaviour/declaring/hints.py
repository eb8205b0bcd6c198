"""What tools that a model calls are said to do (`readOnlyHint`, `idempotentHint`), and what they do."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from stepcheck.behaviour.calls.alterations import alterations
from stepcheck.behaviour.calls.reach import reached
from stepcheck.behaviour.study import Study
from stepcheck.code.flow import (
    Assign,
    Call,
    Compound,
    Constant,
    Evaluated,
    Expression,
    Flow,
    FlowKind,
    Result,
    Variable,
)
from stepcheck.facts import Span
from stepcheck.facts.declaring import Hint

_HINTS = {
    "readOnlyHint": "readOnlyHint",
    "read_only_hint": "readOnlyHint",
    "idempotentHint": "idempotentHint",
    "idempotent_hint": "idempotentHint",
}
"""As the protocol spells them, and as Python libraries do."""
DEPTH = 6
"""Names and calls followed from a decorator to the hints."""
_GIVES = ("annotations", "hints", "tool_annotations")


def hints(study: Study) -> Iterator[Hint]:
    """Every hint that is given as true of a function of the file which alters something."""
    for flow, span, given in _annotated(study):
        said = dict(given)
        if not said:
            continue
        writes = tuple(alterations(reached(study, flow), here=True))
        if not writes:
            continue
        # What only reads is idempotent, too: one finding says it all.
        name = "readOnlyHint" if "readOnlyHint" in said else next(iter(said))
        yield Hint(span, flow.qualname, name, writes)


def _annotated(study: Study) -> Iterator[tuple[Flow, Span, list[tuple[str, Span]]]]:
    """The functions of the file that hints are given about."""
    module = study.context.file.flows[0]
    decorators = {made.span for flow in study.context.file.flows for made in flow.decorators}
    for flow in study.flows:
        for made in flow.decorators if flow.kind is FlowKind.FUNCTION else ():
            yield flow, made.span, list(_Reading(study, module, made).true())
        for _, call in study.context.calls(flow):
            if call.span in decorators or not any(word.name in (*_GIVES, *_HINTS) for word in call.keywords):
                continue
            said = list(_Reading(study, flow, None).of_call(call))
            for function in _applied(study, flow, call) if said else ():
                yield function, call.span, said


def _applied(study: Study, flow: Flow, call: Call) -> list[Flow]:
    """The function that a call is about: `add_tool(f, annotations=...)`, `tool(annotations=...)(f)`."""
    values = list(call.arguments[:1])
    values += [word.value for word in call.keywords if word.name in ("fn", "func", "function", "handler")]
    values += [
        other.arguments[0]
        for _, other in study.context.calls(flow)
        if other.callee == Result(call.number) and other.arguments
    ]
    flows = study.context.file.flows
    return [flows[index] for value in values for index in study.context.callees.named(flow, value)]


@dataclass(frozen=True, slots=True)
class _Reading:
    """Hints, read where they are written: in a decorator, or in a function."""

    study: Study
    flow: Flow
    """Of the place; for a decorator the module, where what it names is made."""
    decorator: Evaluated | None

    def true(self) -> Iterator[tuple[str, Span]]:
        """Those that a decorator says are true."""
        if self.decorator is not None and self.decorator.call is not None:
            yield from self.of_call(self.decorator.call)

    def of_call(self, call: Call, left: int = DEPTH) -> Iterator[tuple[str, Span]]:
        """Those that a call is given, itself or in its `annotations`."""
        for word in call.keywords:
            if word.name in _HINTS and self.is_true(word.value):
                yield _HINTS[word.name], word.span
            elif word.name in _GIVES or not word.name:
                yield from self.inside(word.value, word.span, left - 1)

    def inside(self, value: Expression, span: Span, left: int) -> Iterator[tuple[str, Span]]:
        """Those in a dict or an instance of annotations."""
        if left <= 0:
            return
        match value:
            case Compound(kind="dict", parts=parts):
                yield from self.of_dict(parts, span, left)
            case Variable(name=name):
                elsewhere = replace(self, decorator=None)
                for held in self.held(name):
                    yield from elsewhere.inside(held, span, left - 1)
            case Result(number=number):
                made = self.made(number)
                if made is not None:
                    yield from self.of_call(made, left - 1)
                    for given in made.arguments:
                        yield from self.inside(given, span, left - 1)
            case _:
                return

    def of_dict(self, parts: tuple[Expression, ...], span: Span, left: int) -> Iterator[tuple[str, Span]]:
        """Those among the entries of a dict."""
        for part in parts:
            match part:
                case Compound(kind="entry", parts=(Constant(value=str(name)), held)):
                    if name in _HINTS and self.is_true(held):
                        yield _HINTS[name], span
                case Compound(kind="spread", parts=(held, *_)):
                    yield from self.inside(held, span, left - 1)
                case _:
                    pass

    def is_true(self, value: Expression) -> bool:
        """Whether it is `True`, or a name of the file for it."""
        if isinstance(value, Variable):
            held = self.held(value.name)
            return len(held) == 1 and isinstance(held[0], Constant) and held[0].value is True
        return isinstance(value, Constant) and value.value is True

    def made(self, number: int) -> Call | None:
        """The call whose answer it is."""
        if self.decorator is not None:
            return self.decorator.calls[number] if number < len(self.decorator.calls) else None
        found = self.study.context.operation(self.flow, number)
        return found[1] if found is not None and isinstance(found[1], Call) else None

    def held(self, name: str) -> list[Expression]:
        """What is assigned to a name here, or at the top of the file."""
        for flow in dict.fromkeys((self.flow.index, 0)):
            found = [
                operation.value
                for _, operation in self.study.context.file.flows[flow].points()
                if isinstance(operation, Assign)
                and isinstance(operation.target, Variable)
                and operation.target.name == name
            ]
            if found:
                return found
        return []
