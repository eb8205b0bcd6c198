"""Keys that a model makes up: ids of its calls, parameters of tools, and schemas that ask it for one."""

from collections.abc import Iterator, Sequence

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed
from stepcheck.behaviour.calls.roles import Role
from stepcheck.behaviour.keying.keyplaces import Placed, Use, is_key
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.values.origin import Origin
from stepcheck.behaviour.values.trace import origins
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Item,
    Parameter,
    Variable,
    dotted,
    reads,
    variables,
    walk,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.keying import ModelKey, Writer

_CALL_IDS = key_words("call_ids")
_CALLS = frozenset({"call", "use", "invocation"})
_TOOLS = frozenset({"tool", "function"})
_LOOSE = key_words("loose")
"""Names of parameters that may serve as a key, and as other things."""
_SCHEMAS = key_words("schemas")
_TEXTS = frozenset({"", "builtins.str", "builtins.int", "uuid.UUID", "?UUID", "?uuid.UUID"})


def written(survey: Survey, flow: Flow, given: Sequence[Placed]) -> Iterator[ModelKey]:
    """Every key of a function that a model makes up."""
    tool = flow.kind is FlowKind.FUNCTION and any(runs.role is Role.TOOL for runs in survey.study.runs(flow))
    told: set[Span] = set()
    for one in given:
        if one.use not in (Use.SENT, Use.JOB, Use.CLAIM):
            continue
        found = _writer(survey, flow, one, tool=tool)
        if found is not None and found.sends not in told:
            told.add(found.sends)
            yield found
    if tool:
        yield from _handed(survey, flow, told)


def _writer(survey: Survey, flow: Flow, given: Placed, *, tool: bool) -> ModelKey | None:
    sends = given.sends.span if given.sends is not None else given.span
    for origin in origins(survey.context, flow, given.value, given.point):
        text = _call_id(origin)
        if text:
            return ModelKey(given.name, given.span, sends, Writer.CALL, text, flow.qualname, Evidence.BODY)
        parameter = _parameter(origin) if tool and origin.flow is flow else None
        if parameter is not None and _only_key(survey, flow, given, parameter):
            return ModelKey(
                given.name,
                parameter.span,
                sends,
                Writer.PARAMETER,
                parameter.name,
                flow.qualname,
                Evidence.BODY,
            )
    return None


def _call_id(origin: Origin) -> str:
    """The id of a tool's call, as written; nothing for anything else."""
    value = origin.value
    match value:
        case Variable(name=name) if words.spaced(name) in _CALL_IDS:
            return name
        case Attribute(name=name) if words.spaced(name) in _CALL_IDS:
            return dotted(value) or name
        case Item(index=Constant(value=str(name))) if words.spaced(name) in _CALL_IDS:
            return name
        case Attribute(base=Variable() as base, name="id"):
            return f"{base.name}.id" if _is_call(origin, base) else ""
        case Item(base=Variable() as base, index=Constant(value="id" | "call_id" as name)):
            return f"{base.name}[{name!r}]" if _is_call(origin, base) else ""
        case Attribute(base=Attribute(name=held), name="id") if _named_call(held):
            return dotted(value)
        case Attribute(base=Variable() as base, name="call_id"):
            return f"{base.name}.call_id"
        case _:
            return ""


def _named_call(name: str) -> bool:
    found = set(names.words(name))
    return bool(found & _TOOLS and found & _CALLS) or name in ("toolcall", "tooluse", "toolCall")


def _is_call(origin: Origin, base: Variable) -> bool:
    """Whether a variable is a call of a tool: by its name, or as an item of `message.tool_calls`."""
    if _named_call(base.name.partition("@")[0]):
        return True
    for loop in origin.flow.loops:
        if base.name in loop.targets and loop.iterable is not None:
            last = words.last(dotted(loop.iterable))
            if last in ("tool_calls", "function_calls", "tool_uses"):
                return True
    if base.name not in ("block", "item", "part", "content", "call"):
        return False
    return any(
        isinstance(part, Constant) and part.value in ("tool_use", "function_call", "tool_call")
        for _, operation in origin.flow.points()
        for expression in reads(operation)
        for part in walk(expression)
    )


def _parameter(origin: Origin) -> Parameter | None:
    if not isinstance(origin.value, Variable):
        return None
    for parameter in origin.flow.parameters:
        made = parameter.default is not None and parameter.default.call is not None
        if parameter.name == origin.value.name and parameter.annotation in _TEXTS and not made:
            return parameter
    return None


def _only_key(survey: Survey, flow: Flow, given: Placed, parameter: Parameter) -> bool:
    """Whether a parameter serves as the key and as nothing else."""
    if is_key(parameter.name):
        return True
    if words.spaced(parameter.name) not in _LOOSE:
        return False
    for point, operation in flow.points():
        read = sum(one.name == parameter.name for value in reads(operation) for one in variables(value))
        if point == given.point:
            read -= sum(one.name == parameter.name for one in variables(given.value))
        if read and not isinstance(operation, Assign) and not survey.does(flow, point, Deed.HARMLESS):
            return False
    return True


def _handed(survey: Survey, flow: Flow, told: set[Span]) -> Iterator[ModelKey]:
    """A parameter of a tool that is called like a key and handed on as `key=`, or in its place."""
    for parameter in flow.parameters:
        if not is_key(parameter.name) or parameter.annotation not in _TEXTS:
            continue
        for point, call in survey.context.calls(flow):
            values = [*call.arguments, *(word.value for word in call.keywords)]
            act = survey.act(flow, point)
            acts = act is None or act.deed.value in ("write", "sets", "opaque", "claim")
            if call.span not in told and acts and any(_is(value, parameter.name) for value in values):
                told.add(call.span)
                yield ModelKey(
                    parameter.name, parameter.span, call.span, Writer.PARAMETER, parameter.name, flow.qualname,
                    Evidence.BODY,
                )  # fmt: skip
                return


def _is(value: Expression, name: str) -> bool:
    return isinstance(value, Variable) and value.name == name


def schemas(flow: Flow) -> Iterator[ModelKey]:
    """Every schema of a tool, written out as a dict, that asks the model for a key."""
    for _, operation in flow.points():
        for expression in reads(operation):
            for part in walk(expression):
                match part:
                    case Compound(
                        kind="entry", parts=(Constant(value=str(held)), Compound(kind="dict") as schema)
                    ):
                        if held in _SCHEMAS:
                            yield from _asked(flow, schema, operation.span)
                    case _:
                        pass


def _asked(flow: Flow, schema: Compound, span: Span) -> Iterator[ModelKey]:
    for entry in schema.parts:
        match entry:
            case Compound(
                kind="entry", parts=(Constant(value="properties"), Compound(kind="dict", parts=fields))
            ):
                for field in fields:
                    match field:
                        case Compound(kind="entry", parts=(Constant(value=str(name)), _)) if is_key(name):
                            yield ModelKey(
                                name, span, span, Writer.SCHEMA, name, flow.qualname, Evidence.BODY
                            )
                        case _:
                            pass
            case _:
                pass
