"""Whether the other side is asked for a thing, and its answer decides, before the thing is made there."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.outward import Outward
from stepcheck.behaviour.ledgering.claiming import Scene
from stepcheck.catalogue import names
from stepcheck.code.flow import Point

_JOINTS = frozenset(
    {"by", "for", "of", "with", "or", "and", "id", "ids", "all", "one", "async", "sync", "a", "in"}
)
"""Words of a call's name that say nothing of what it is about."""


def asked_first(scene: Scene, one: Outward) -> bool:
    """Whether `stripe.Customer.search` decides about `stripe.Customer.create`, here or in a helper."""
    answers = {point for point in _questions(scene, one) if one.point in scene.after(point)}
    return bool(answers) and scene.decides(answers, one.point) is not None


def _questions(scene: Scene, one: Outward) -> Iterator[Point]:
    study, flow = scene.study, scene.flow
    for act in study.acts(flow):
        if _asks_for(act, one):
            yield act.point
    for point, call in study.context.calls(flow):
        for helper in study.context.called(flow, call):
            if helper.index != flow.index and any(_asks_for(act, one) for act in study.acts(helper)):
                yield point


def _asks_for(act: Act, one: Outward) -> bool:
    """Whether a question is for what the write makes: it is asked of the same resource, or names the same thing."""
    if act.deed is not Deed.ASKS:
        return False
    asked, made = act.name.rpartition(".")[0], one.name.rpartition(".")[0]
    if not asked or asked != made:
        return False
    return words.last(asked)[:1].isupper() or bool(_things(act.name) & _things(one.name))


def _things(name: str) -> frozenset[str]:
    """What a call is about: `customer` of `find_customer_by_email` and of `create_customer`."""
    return frozenset(word.rstrip("s") for word in names.words(words.last(name))[1:]) - _JOINTS
