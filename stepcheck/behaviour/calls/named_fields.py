"""Which fields of a record a call names, which states it says, and the statement in SQL that it hands over."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import sqltext, words
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import ledgers, names
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Result,
    Variable,
    dotted,
    walk,
)

_LOOKS = frozenset(
    {"get", "first", "exists", "filter", "filter_by", "one", "one_or_none", "scalar", "find_one", "get_item"}
)
_CHAIN = frozenset({"filter", "filter_by", "exclude", "get", "where", "values", "query"})


def is_state(word: str) -> bool:
    """Whether a word says that something was done."""
    listed = ledgers.known()
    return word in listed.done or word in listed.past or (len(word) > 5 and word.endswith("ed"))


def statement(study: Study, flow: Flow, call: Call) -> sqltext.Text | None:
    """The statement that a call hands over, where its text is written there."""
    if not call.arguments:
        return None
    value: Expression = call.arguments[0]
    for _ in range(2):
        if isinstance(value, Constant):
            return sqltext.read(value.value) if isinstance(value.value, str) and " " in value.value else None
        if isinstance(value, Compound) and value.kind == "text":
            text = "".join(str(part.value) if isinstance(part, Constant) else " ? " for part in value.parts)
            return sqltext.read(text)
        if not isinstance(value, Result):
            return None
        made = study.context.operation(flow, value.number)
        if made is None or not isinstance(made[1], Call) or not made[1].arguments:
            return None
        value = made[1].arguments[0]
    return None


def fields_of(study: Study, flow: Flow, call: Call) -> tuple[frozenset[str], tuple[str, ...]]:
    """The fields that a call names, through the calls that it is chained to, and made records handed in."""
    fields: set[str] = set()
    states: list[str] = []
    last = words.last(call.dotted) or getattr(call.callee, "name", "")
    calls = [call]
    if last not in ("update", "aupdate", "set", "execute"):
        calls += [
            one for one in chain(study, flow, call) if getattr(one.callee, "name", "") in _CHAIN | _LOOKS
        ]
    for value in call.arguments:
        for made in made_by(study, flow, value):
            calls.append(made)
            calls += chain(study, flow, made)
    for one in calls:
        for word in one.keywords:
            if word.name == "defaults":
                continue
            fields.add(word.name.partition("__")[0])
            states += state(word.name, word.value)
            if word.name in _DOCUMENTS:
                fields |= {name for name, _ in _named(word.value)}
        for value in one.arguments:
            for name, held in _named(value):
                fields.add(name)
                states += () if held is None else state(name, held)
    return frozenset(fields), tuple(states)


_DOCUMENTS = frozenset({"Key", "Item", "document", "filter", "values", "data"})


def made_by(study: Study, flow: Flow, value: Expression) -> Iterator[Call]:
    """The calls that give a value: at once, or by way of a variable."""
    if isinstance(value, Result):
        made = study.context.operation(flow, value.number)
        if made is not None and isinstance(made[1], Call):
            yield made[1]
    elif isinstance(value, Variable):
        for _, operation in flow.points():
            if (
                isinstance(operation, Assign)
                and operation.target == value
                and isinstance(operation.value, Result)
            ):
                yield from made_by(study, flow, operation.value)


def _named(value: Expression) -> Iterator[tuple[str, Expression | None]]:
    """The fields in a dict literal, and those that a comparison asks for."""
    for part in walk(value):
        match part:
            case Compound(kind="entry", parts=(Constant(value=name), held)):
                yield str(name), held
            case Compound(kind="compare", parts=(Attribute(name=name), *_)):
                yield name, None
            case _:
                pass


def chain(study: Study, flow: Flow, call: Call) -> list[Call]:
    """The calls that a method is called on the answer of: for `a.filter(x).first()` that of `filter`."""
    found: list[Call] = []
    at: Expression = call.callee
    for _ in range(20):
        if isinstance(at, Attribute):
            at = at.base
        elif isinstance(at, Result):
            made = study.context.operation(flow, at.number)
            if made is None or not isinstance(made[1], Call):
                break
            found.append(made[1])
            at = made[1].callee
        else:
            break
    return found


_STATUS = frozenset({"status", "state", "stage", "phase", "result", "outcome"})


def state(field: str, value: Expression) -> tuple[str, ...]:
    """The state that setting a field to a value says."""
    found = names.words(field)
    match value:
        case Constant(value=True):
            return (field,)
        case Constant(value=str(text)) if _STATUS.intersection(found) or is_state(text.lower()):
            return (text,)
        case Attribute(name=name) if _STATUS.intersection(found):
            return (name.lower(),)
        case Result() | Attribute() | Variable() if found[-1:] in (("at",), ("on",), ("date",), ("time",)):
            return (field,)
        case Compound(kind="choice" | "test", parts=parts):
            return tuple(one for part in parts for one in state(field, part))
        case _:
            return ()


def positional(call: Call) -> tuple[str, ...]:
    """`ledger.record(step, "done")`."""
    return tuple(
        value.value
        for value in call.arguments
        if isinstance(value, Constant) and isinstance(value.value, str) and len(value.value) < 24
        and " " not in value.value
    )  # fmt: skip


def model(study: Study, flow: Flow, call: Call) -> str:
    """The model named among the arguments, or of the record made there."""
    for one in (call, *chain(study, flow, call)):
        for value in one.arguments:
            for part in walk(value):
                if isinstance(part, Result):
                    made = study.context.operation(flow, part.number)
                    if made is not None and isinstance(made[1], Call):
                        name = words.last(made[1].dotted)
                        if name[:1].isupper():
                            return name
                        inner = (
                            model(study, flow, made[1])
                            if made[1].dotted in ("select", "insert", "update")
                            else ""
                        )
                        if inner:
                            return inner
                elif isinstance(part, Variable | Attribute):
                    name = words.last(dotted(part))
                    if name[:1].isupper() and not name.isupper():
                        return name
    return ""
