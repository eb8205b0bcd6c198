"""What a state, a status or an answer says of how something ended."""

import re
from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import conclusions
from stepcheck.catalogue.conclusions import Ended
from stepcheck.code.flow import (
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Result,
    Variable,
    dotted,
)

_LONG = 50


def quoted(text: str) -> str:
    """A text in quotes, on one line, for messages: long ones are cut."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    for sign in "'\"`":
        plain = plain.replace(sign, "")
    return f"'{plain[:_LONG].rstrip()}...'" if len(plain) > _LONG else f"'{plain}'"


def state(value: Expression) -> tuple[str, Ended] | None:
    """The state that a value is, as written, with what it says: `"failed"`, `Status.FAILED`, `FAILED.value`."""
    match value:
        case Constant(value=str(text), kind=""):
            said = conclusions.of_state(text)
            return None if said is None else (text, said)
        case Attribute(base=base, name="value" | "name"):
            return state(base)
        case Attribute(name=name):
            if not name[:1].isupper():
                return None
            said = conclusions.of_state(name)
            return None if said is None else (dotted(value) or name, said)
        case Variable(name=name) if name.isupper():
            said = conclusions.of_state(name)
            return None if said is None else (name, said)
        case _:
            return None


def code(value: Expression) -> tuple[Ended, str] | None:
    """What an HTTP status says: `402`, `status.HTTP_402_PAYMENT_REQUIRED`."""
    number: int | None = None
    if isinstance(value, Constant) and type(value.value) is int:
        number = value.value
    elif isinstance(value, Attribute):
        found = re.search(r"(?<!\d)([245]\d\d)(?!\d)", value.name)
        number = int(found[1]) if found else None
    elif isinstance(value, Constant) and isinstance(value.value, str) and value.value[:3].isdigit():
        number = int(value.value[:3])
    said = conclusions.of_code(number) if number is not None else None
    return None if said is None else (said, f"it is answered with {number}")


def answers(context: Context, flow: Flow, value: Expression, left: int) -> Iterator[tuple[Ended, str, bool]]:
    """What each part of an answer says, how, and whether in so many words."""
    match value:
        case Compound(kind="dict", parts=parts):
            for part in parts:
                match part:
                    case Compound(kind="entry", parts=(Constant(value=name), held)):
                        yield from _named(str(name), held)
                    case _:
                        pass
        case Compound(kind="list", parts=parts):
            yield from (found for part in parts for found in answers(context, flow, part, left - 1))
        case Compound(kind="tuple", parts=parts) if parts:
            yield from answers(context, flow, parts[0], left)
            yield from (found for part in parts[1:] for found in _beside(part))
        case Result(number=number) if left > 0:
            made = context.operation(flow, number)
            if made is not None and isinstance(made[1], Call):
                yield from _made(context, flow, made[1], left)
        case Attribute(name=name) if not name.isupper():
            return
        case _:
            found = state(value)
            if found is not None:
                yield found[1], f"it is answered with {quoted(found[0])}", True
            else:
                yield from text(value)


def _beside(value: Expression) -> Iterator[tuple[Ended, str, bool]]:
    """What is said beside a body: a status, or a state."""
    held, status = state(value), code(value)
    if held is not None:
        yield held[1], f"it is answered with {quoted(held[0])}", True
    elif status is not None:
        yield *status, False


def _made(context: Context, flow: Flow, call: Call, left: int) -> Iterator[tuple[Ended, str, bool]]:
    """What an answer says that a call makes: `JsonResponse({...}, status=402)`, `Result(success=False)`."""
    last = words.last(call.dotted) or getattr(call.callee, "name", "")
    if context.called(flow, call) and not last[:1].isupper():
        return
    made = conclusions.of_state(last)
    if made is Ended.FAILED:
        yield made, f"it is answered with {last!r}", True
    for word in call.keywords:
        yield from _named(word.name, word.value)
    for argument in call.arguments:
        told = answers(context, flow, argument, left - 1)
        plain = isinstance(argument, Constant)
        yield from (one for one in told if not plain or one[0] in (Ended.FAILED, Ended.DONE))


def _named(name: str, value: Expression) -> Iterator[tuple[Ended, str, bool]]:
    if name in conclusions.listed("answer_status") and (status := code(value)) is not None:
        yield *status, False
    elif conclusions.holds_state(name) and (found := state(value)) is not None:
        yield found[1], f"it is answered with {quoted(found[0])}", True
    elif name in conclusions.listed("answer_flag"):
        if isinstance(value, Constant) and isinstance(value.value, bool):
            ended = Ended.DONE if value.value else Ended.FAILED
            yield ended, f"{name!r} is answered with {value.value}", False
    elif name in conclusions.listed("answer_text"):
        yield from text(value)


def spelled(value: Expression) -> str:
    """A sentence as it is written, its filled-in parts left out; nothing for what is none."""
    match value:
        case Constant(value=str(sentence), kind=""):
            return sentence
        case Compound(kind="text", parts=parts):
            return " ".join(str(one.value) for one in parts if isinstance(one, Constant))
        case _:
            return ""


def text(value: Expression) -> Iterator[tuple[Ended, str, bool]]:
    """What a sentence says; of several in a list each that says something."""
    if isinstance(value, Compound) and value.kind in ("list", "tuple"):
        for part in value.parts:
            yield from text(part)
    sentence = spelled(value)
    said = conclusions.of_answer(sentence) if sentence else None
    if said is not None:
        yield said, f"it is answered with {quoted(sentence)}", True
