"""Whether a repeat of a write is known for one: by a key, by an id that the caller chose, by a question before."""

from stepcheck.analysis.paths import RETURNED, always_before, begun, completed, no_exception
from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.act import Act, Deed
from stepcheck.behaviour.calls.reach import Place, Reached
from stepcheck.behaviour.context import at
from stepcheck.catalogue import declared
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import Attribute, Call, Compound, Constant, Item, Variable, walk
from stepcheck.facts import Effect, KeyState

_ASKS = frozenset({Deed.ASKS, Deed.LOOKUP, Deed.CLAIM, Deed.LOCK})
_IDS = frozenset(
    {"id", "pk", "_id", "uuid", "external_id", "reference", "ref", "client_ref", "client_reference", "external_ref",
     "external_reference", "merchant_reference", "merchant_ref", "merchant_order_id", "request_uuid", "slug",
     "client_reference_id", "invoice_number", "document_id", "Key", "key", "file_name", "object_name"}
)  # fmt: skip
"""Names of what a caller chooses so that the other side, or the table, knows the thing again."""


def asked(place: Place) -> bool:
    """Whether something is asked before it on every path, and the answer may say that it is not to be done."""
    study, flow, point = place.study, place.flow, place.point
    asks = {act.point for act in study.acts(flow) if act.deed in _ASKS and act.point != point}
    for other, call in study.context.calls(flow):
        if other != point and study.through(flow, call).surely & _ASKS:
            asks.add(other)
    if not asks or not always_before(flow, asks, point):
        return False
    return any(RETURNED in begun(flow, (completed(ask),), {point}, no_exception, tried=True) for ask in asks)


def key(one: Reached, call: Call) -> KeyState:
    """What is known of the key of a write, given here or on the way; an id that the caller chose is one."""
    place = one.place
    state = keys.state(place.study.context, place.flow, call, place.point)
    if state is not KeyState.ABSENT:
        return state
    if _names_thing(call) or _sets_state(one.act, call):
        return KeyState.STABLE
    ways = [way for each in one.way if isinstance(way := at(each.flow, each.point), Call)]
    return KeyState.OPAQUE if any(_mentions(way) for way in ways) else KeyState.ABSENT


def _mentions(call: Call) -> bool:
    values = (*call.arguments, *(word.value for word in call.keywords))
    texts = [word.name for word in call.keywords]
    for value in values:
        for part in walk(value):
            if isinstance(part, Variable | Attribute):
                texts.append(part.name)
            elif isinstance(part, Constant) and isinstance(part.value, str) and len(part.value) < 40:
                texts.append(part.value)
    return any(words.mentions_key(text) or text in ("key", "dedupe") for text in texts)


def _names_thing(call: Call) -> bool:
    """Whether the caller says of which thing it is, by an id that is not made right here."""
    for word in call.keywords:
        if word.name in _IDS and isinstance(word.value, Variable | Attribute | Item):
            return True
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            match part:
                case Compound(
                    kind="entry", parts=(Constant(value=str(name)), Variable() | Attribute() | Item())
                ) if name in _IDS:
                    return True
                case _:
                    pass
    return False


def _sets_state(act: Act, call: Call) -> bool:
    """Whether a POST goes to an address that says which state shall be: `/orders/{id}/close`."""
    if words.last(act.name) not in ("post", "patch", "request"):
        return False
    for value in (
        *call.arguments[:2],
        *(word.value for word in call.keywords if word.name in ("url", "path")),
    ):
        texts = [
            part.value
            for part in walk(value)
            if isinstance(part, Constant) and isinstance(part.value, str) and "/" in part.value
        ]
        if texts:
            segments = [segment for segment in texts[-1].split("/") if segment]
            last = segments[-1] if segments else ""
            told = verb(last.replace("-", "_").split(":")[-1])
            settles = words.last(last.replace("-", "_")) in declared.group("settles")
            return settles or (told is not None and told.effect is Effect.IDEM_WRITE)
    return False
