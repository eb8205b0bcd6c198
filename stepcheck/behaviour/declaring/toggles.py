"""Functions named for a state that shall be, which turn the state round: `enable` that a repeat undoes."""

import re
from collections.abc import Iterator

from stepcheck.behaviour.study import Study
from stepcheck.catalogue import declared, names
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
    Result,
    dotted,
    walk,
)
from stepcheck.facts import Span
from stepcheck.facts.declaring import Toggle

_SQL = re.compile(r"(?is)\bset\s+.*?\b(\w+)\s*=\s*(?:not\s+\1\b|1\s*-\s*\1\b|!\s*\1\b)")


def toggles(study: Study) -> Iterator[Toggle]:
    """Every such function, with the first place where it turns something round."""
    for flow in study.flows:
        if flow.kind is not FlowKind.FUNCTION:
            continue
        found = names.words(flow.name)
        if (
            not found
            or declared.group("turns").intersection(found)
            or found[0] not in declared.group("states")
        ):
            continue
        turned = next(_turned(study, flow), None)
        if turned is not None:
            yield Toggle(turned[1], flow.qualname, found[0], turned[0], flow.span)


def _turned(study: Study, flow: Flow) -> Iterator[tuple[str, Span]]:
    for _, operation in flow.points():
        match operation:
            case Assign(target=Attribute() | Item() as target, value=value, span=span):
                if _opposite(value) == target:
                    yield dotted(target) or getattr(target, "name", "") or "the state", span
            case Call(keywords=keywords, arguments=arguments, span=span):
                for word in keywords:
                    if word.name and word.name in _names(study, flow, _opposite(word.value)):
                        yield word.name, span
                for value in arguments:
                    for part in walk(value):
                        if isinstance(part, Constant) and isinstance(part.value, str):
                            stated = _SQL.search(part.value)
                            if stated is not None:
                                yield stated[1], span
            case _:
                pass


def _opposite(value: Expression) -> Expression | None:
    """What a value is the opposite of."""
    if isinstance(value, Compound) and value.kind == "unary" and value.text in ("not", "~"):
        return value.parts[0]
    return None


def _names(study: Study, flow: Flow, value: Expression | None) -> tuple[str, ...]:
    """What a column goes by: `job.active`, `F("active")`."""
    if isinstance(value, Attribute):
        return (value.name,)
    made = study.context.operation(flow, value.number) if isinstance(value, Result) else None
    if made is None or not isinstance(made[1], Call):
        return ()
    return tuple(str(given.value) for given in made[1].arguments if isinstance(given, Constant))
