"""What may be spelt in more ways than one: orders, salted hashes, addresses, floats, raw bodies."""

from typing import TypeAlias

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.values.origin import Origin
from stepcheck.catalogue import names
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import (
    Attribute,
    Await,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    FlowKind,
    Function,
    Item,
    ParameterKind,
    Result,
    Variable,
    dotted,
    reads,
    walk,
)
from stepcheck.facts import Change, Evidence, Span

Found: TypeAlias = tuple[Change, str, str, Span, Evidence]

_PICKLES = key_words("pickles")
_JSON = key_words("json")
_WRITTEN = frozenset({"list", "tuple", "dict", "text"})
_TEXT = key_words("turns_to_text")
_DICTS = key_words("dict_types")
_SETS = key_words("set_types")
_RAW = key_words("raw_bodies")
_ORDER = "whose order is not fixed"
_CALLABLES = key_words("callables")


def spelt(context: Context, origin: Origin) -> Found | None:
    """Why equal values may give another text there; None where they give the same."""
    value = origin.value
    match value:
        case Call():
            return _call(context, origin, value)
        case Compound(kind="set", text=text, parts=parts):
            if (len(parts) < 2 and text != "for") or origin.ordered:
                return None
            return (Change.UNORDERED, "a set", _ORDER, origin.span, Evidence.BODY)
        case Variable():
            return _variable(context, origin, value)
        case Attribute(base=base, name=name) if name in _RAW and _is_request(base):
            return _body(origin, f"{dotted(value)}")
        case Function(flow=number) if origin.through in ("str", "repr", "format"):
            if context.file.flows[number].kind is FlowKind.FUNCTION:
                return _address(origin, context.file.flows[number].name)
            return None
        case _:
            return None


def _call(context: Context, origin: Origin, call: Call) -> Found | None:
    known = call.qualified.removeprefix("?")
    last = words.last(known) or words.last(call.dotted)
    if (known == "builtins.hash" or last == "__hash__") and not _whole_number(call):
        return (Change.SALTED, "hash()", "which every process salts differently", call.span, Evidence.KNOWN)
    if known == "builtins.id" and len(call.arguments) == 1:
        return (Change.SALTED, "id()", "which is an address in memory", call.span, Evidence.KNOWN)
    if known in ("builtins.set", "builtins.frozenset") and call.arguments and not origin.ordered:
        if origin.through in ("hash", ""):
            return None
        return (Change.UNORDERED, "a set", _ORDER, call.span, Evidence.BODY)
    if known == "builtins.float" and origin.through in ("str", "repr", "format", "join", "update"):
        return _float(call.span, "float()")
    if last in ("dumps", "packb"):
        return _dumped(context, origin, call, known)
    if last == "SerializeToString" and call.keyword("deterministic") is None:
        why = "whose bytes differ for equal messages"
        return (Change.UNORDERED, "SerializeToString()", why, call.span, Evidence.KNOWN)
    if last in ("items", "keys", "values") and not call.arguments and not origin.ordered:
        return _parts(context, origin, call)
    if last in ("body", "get_data", "get_json", "json") and isinstance(call.callee, Attribute):
        if last in ("get_json", "json") and (
            origin.ordered or origin.through not in ("str", "repr", "format")
        ):
            return None
        return _body(origin, f"{call.dotted}()") if _is_request(call.callee.base) else None
    if last == "fromtimestamp" and "datetime" in known and len(call.arguments) == 1 and not call.keywords:
        why = "which is told in the time zone of the machine"
        return (Change.UNORDERED, "datetime.fromtimestamp()", why, call.span, Evidence.KNOWN)
    return _object(context, origin, call)


def _whole_number(call: Call) -> bool:
    """Whether the argument is no text: whole numbers are their own hash."""
    return any(
        isinstance(one, Constant) and isinstance(one.value, int | float) and not isinstance(one.value, bool)
        for one in call.arguments
    )


def _dumped(context: Context, origin: Origin, call: Call, known: str) -> Found | None:
    package = known.partition(".")[0]
    if package in _PICKLES:
        why = "whose bytes differ for equal values"
        return (Change.UNORDERED, f"{known}()", why, call.span, Evidence.KNOWN)
    unknown = any(word.name == "" for word in call.keywords)
    if package not in _JSON or unknown or origin.ordered or _sorts(call):
        return None
    given = call.arguments[0] if call.arguments else None
    if given is None or _written(context, origin, given):
        return None
    why = "which keeps whatever order the keys came in"
    return (Change.UNORDERED, f"{package}.{words.last(known)}()", why, call.span, Evidence.KNOWN)


def _sorts(call: Call) -> bool:
    sort = call.keyword("sort_keys")
    if sort is not None:
        return not (isinstance(sort.value, Constant) and sort.value.value is False)
    option = call.keyword("option")
    return option is not None and any("SORT_KEYS" in getattr(part, "name", "") for part in walk(option.value))


def _written(context: Context, origin: Origin, given: Expression) -> bool:
    """Whether the order is that of the source: a literal, sorted things, or text."""
    if isinstance(given, Constant):
        return True
    if isinstance(given, Compound):
        return given.kind in _WRITTEN and not any(
            isinstance(part, Compound) and part.kind in ("spread", "star") for part in given.parts
        )
    if isinstance(given, Variable):
        held = [
            one.value(origin.flow) for one in context.definitions(origin.flow).of(given.name, origin.point)
        ]
        return (
            bool(held)
            and all(one is not None and _written(context, origin, one) for one in held)
            and not _grown(origin.flow, given.name)
        )
    if isinstance(given, Result):
        made = context.operation(origin.flow, given.number)
        call = made[1] if made is not None else None
        if isinstance(call, Call):
            name = words.last(call.dotted) or getattr(call.callee, "name", "")
            return name in ("sorted", "model_dump", "asdict", "str", "isoformat", "astuple", "hexdigest")
        return not isinstance(call, Await)
    return isinstance(given, Attribute) and given.name == "args"


def _grown(flow: Flow, name: str) -> bool:
    """Whether entries are put into a variable's dict under names that are not fixed."""
    for _, operation in flow.points():
        if isinstance(operation, Call) and isinstance(operation.callee, Attribute):
            base = operation.callee.base
            if (
                isinstance(base, Variable)
                and base.name == name
                and operation.callee.name in ("update", "extend")
            ):
                return True
    return False


def _variable(context: Context, origin: Origin, value: Variable) -> Found | None:
    """A dict, a set or a float given to the function, turned into text as it is."""
    if origin.ordered or origin.through not in _TEXT:
        return None
    parameter = next((one for one in origin.flow.parameters if one.name == value.name), None)
    if parameter is None:
        return None
    kind = parameter.annotation.rpartition(".")[2].removeprefix("?")
    texts = origin.through in ("str", "repr", "format", "urlencode")
    if parameter.kind is ParameterKind.DOUBLE_STAR or kind in _DICTS:
        if texts:
            what = f"the text of {value.name!r}"
            return (
                Change.UNORDERED,
                what,
                "which keeps whatever order the keys came in",
                origin.span,
                Evidence.BODY,
            )
        return None
    if kind in _SETS and origin.through != "hash":
        return (Change.UNORDERED, value.name, _ORDER, origin.span, Evidence.BODY)
    if kind == "float" and origin.through in ("str", "repr", "format", "join", "update"):
        return _float(origin.span, value.name)
    if texts and not kind and _subscripted(origin.flow, value.name):
        what = f"the text of {value.name!r}"
        return (
            Change.UNORDERED,
            what,
            "which keeps whatever order the keys came in",
            origin.span,
            Evidence.BODY,
        )
    if texts and not kind and value.name in _CALLABLES and _is_called(origin.flow, value.name):
        return _address(origin, value.name)
    return _instance(context, origin, parameter.annotation)


def _float(span: Span, text: str) -> Found:
    return (Change.UNORDERED, text, "a float, which is spelt in more ways than one", span, Evidence.BODY)


def _subscripted(flow: Flow, name: str) -> bool:
    """Whether a variable is used as a dict: `payload["amount"]`, `payload.items()`."""
    for _, operation in flow.points():
        if isinstance(operation, Call) and operation.dotted in (
            f"{name}.items",
            f"{name}.keys",
            f"{name}.get",
        ):
            return True
        for value in reads(operation):
            for part in walk(value):
                match part:
                    case Item(base=Variable(name=held), index=Constant(value=str())) if held == name:
                        return True
                    case _:
                        pass
    return False


def _is_called(flow: Flow, name: str) -> bool:
    return any(call.dotted == name for _, call in flow.calls())


def _parts(context: Context, origin: Origin, call: Call) -> Found | None:
    """`params.items()`, joined in the order they came in."""
    callee = call.callee
    if origin.through not in ("join", "str", "repr", "format", "urlencode") or not isinstance(
        callee, Attribute
    ):
        return None
    base = callee.base
    if isinstance(base, Variable):
        held = [
            one.value(origin.flow) for one in context.definitions(origin.flow).of(base.name, origin.point)
        ]
        if held and all(isinstance(one, Compound) and one.kind == "dict" for one in held):
            return None
    elif not isinstance(base, Attribute):
        return None
    name = dotted(base) or "the dict"
    why = "which keeps whatever order the keys came in"
    return (Change.UNORDERED, f"{name}.{callee.name}()", why, call.span, Evidence.BODY)


def _is_request(base: Expression) -> bool:
    found = names.words(words.last(dotted(base)))
    return bool(found) and found[-1] in ("request", "req")


def _body(origin: Origin, text: str) -> Found:
    why = "whose bytes the sender may write in another way"
    return (Change.UNORDERED, text, why, origin.span, Evidence.BODY)


def _object(context: Context, origin: Origin, call: Call) -> Found | None:
    """The text of an object of a class here that says nothing of its own text."""
    if origin.through not in ("str", "repr", "format"):
        return None
    return _instance(context, origin, call.qualified) if call.qualified.startswith(":") else None


def _instance(context: Context, origin: Origin, annotation: str) -> Found | None:
    if not annotation.startswith(":") or origin.through not in ("str", "repr", "format"):
        return None
    for one in context.file.classes:
        if one.qualname == annotation.removeprefix(":"):
            told = {name for name, _ in one.methods} & {"__str__", "__repr__", "__format__"}
            bases = [base for base in one.bases if base != "builtins.object"]
            decorated = context.file.flows[one.flow].decorators
            if not told and not bases and not decorated:
                return _address(origin, one.qualname)
    return None


def _address(origin: Origin, name: str) -> Found:
    why = "which holds an address in memory"
    return (Change.SALTED, f"the text of {name!r}", why, origin.span, Evidence.BODY)
