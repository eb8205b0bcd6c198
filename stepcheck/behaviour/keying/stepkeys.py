"""The keys by which an executor of our own tells its steps apart: without the task, or by name and not by number."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.behaviour.values.origin import Origin
from stepcheck.behaviour.values.trace import origins
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Item,
    Point,
    Reach,
    Return,
    Variable,
    dotted,
    reads,
    walk,
)
from stepcheck.facts import Evidence, Span
from stepcheck.facts.keying import SharedKey, Sharing

_RUNS = key_words("runs")
_NUMBERS = key_words("numbers")
_STEPS = key_words("steps")
_GIVEN = key_words("given")
_KEEPS = key_words("keeps")
_DURABLE = key_words("durable")
_CACHES = key_words("caches")


def step_keys(survey: Survey, flow: Flow) -> Iterator[SharedKey]:
    """Every key of steps that an executor of the file makes, where two steps can have the same one."""
    if flow.kind is not FlowKind.FUNCTION or _CACHES.intersection(names.words(flow.qualname)):
        return
    for value, point, span, text in (*_kept(survey, flow), *_made(flow)):
        found = _judged(survey, flow, value, point)
        if found is not None:
            sharing, parts, evidence = found
            yield SharedKey("key", span, span, flow.qualname, sharing, parts, text, None, evidence)
            return


def _kept(survey: Survey, flow: Flow) -> Iterator[tuple[Expression, Point, Span, str]]:
    """What a function keeps the result of the function that it was given under: `journal[key] = fn(*args)`."""
    called = {parameter.name for parameter in flow.parameters}
    runs = [call for _, call in survey.context.calls(flow) if call.dotted in called]
    if not runs or not _durable(flow):
        return
    for point, operation in flow.points():
        match operation:
            case Assign(target=Item(base=base, index=index)) if _keeps(base):
                yield index, point, operation.span, runs[0].dotted
            case Call(dotted=name) if operation.arguments and words.last(name) in (
                "put", "set", "save", "record", "store", "append_result", "complete", "write",
            ) and _keeps(getattr(operation.callee, "base", operation.callee)):  # fmt: skip
                yield operation.arguments[0], point, operation.span, runs[0].dotted
            case _:
                pass


def _keeps(base: Expression) -> bool:
    found = set(names.words(words.last(dotted(base))))
    return bool(found & _KEEPS) and not found & _CACHES


def _durable(flow: Flow) -> bool:
    told = set(names.words(flow.qualname))
    for parameter in flow.parameters:
        told.update(names.words(parameter.name))
    return bool(told & _DURABLE)


def _made(flow: Flow) -> Iterator[tuple[Expression, Point, Span, str]]:
    """What a function gives back that is there to make keys of steps: `step_key(task_id, name, params)`."""
    found = set(names.words(flow.name))
    given = [parameter.name for parameter in flow.parameters]
    told = {word for name in given for word in names.words(name)}
    if "key" not in found or found & {"api", "public", "private", "sort", "cache", "partition"}:
        return
    if not (told & _STEPS and told & _GIVEN):
        return
    for point, operation in flow.points():
        if isinstance(operation, Return) and operation.value != Constant(None):
            yield operation.value, point, operation.span, flow.name


def _judged(
    survey: Survey, flow: Flow, value: Expression, point: Point
) -> tuple[Sharing, str, Evidence] | None:
    """What two steps share a key by; None for a key that says enough, or of which too little is to be seen."""
    parts: dict[str, set[str]] = {}
    for origin in origins(survey.context, flow, value, point):
        name = _name(origin)
        if name:
            parts[name] = set(names.words(name))
    every = set[str]().union(*parts.values()) if parts else set[str]()
    steps = every & (_STEPS | {"qualname"})
    if not steps or every & _NUMBERS or _numbered(flow, value):
        return None
    if not every & _GIVEN and not every & _RUNS:
        return None
    text = " and ".join(repr(name) for name in parts)
    if not every & (_RUNS | {"id", "key"}):
        return Sharing.TASKS, text, Evidence.NAME
    if every - steps - _GIVEN - _RUNS - {"id", "name", "qualname", "module", "self", "ctx", "context"}:
        return None
    return Sharing.NAME, text, Evidence.BODY if "qualname" in every or "name" in every else Evidence.NAME


def _name(origin: Origin) -> str:
    value = origin.value
    match value:
        case Variable(name=name, reach=Reach.LOCAL | Reach.FREE):
            return name.partition("@")[0]
        case Attribute(name=name):
            return dotted(value).replace("__", "") or name.strip("_")
        case Item(index=Constant(value=str(name))):
            return name
        case Compound(kind="iterated" | "unpack"):
            return "item"
        case _:
            return ""


def _numbered(flow: Flow, value: Expression) -> bool:
    """Whether something counts in the function: `run.seq += 1`, `next(counter)`."""
    del value
    for _, operation in flow.points():
        if isinstance(operation, Assign) and operation.augmented:
            return True
        if isinstance(operation, Call) and (
            words.last(operation.dotted) in ("next", "next_seq", "allocate") or operation.dotted == "len"
        ):
            return True
        for expression in reads(operation):
            for part in walk(expression):
                if isinstance(part, Attribute) and _NUMBERS.intersection(names.words(part.name)):
                    return True
    return False
