"""Writes that can carry a key and carry none, where code runs more than once."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from stepcheck.analysis.paths import begun
from stepcheck.behaviour.again.rerun import Rerun
from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.given import Given
from stepcheck.behaviour.calls.roles import Role
from stepcheck.behaviour.keying.keyplaces import is_key
from stepcheck.behaviour.keying.survey import Survey
from stepcheck.catalogue import keys as known_keys
from stepcheck.catalogue import names
from stepcheck.catalogue.call_fact import Place
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.key_words import key_words
from stepcheck.code.flow import Call, Constant, Flow, FlowKind, ParameterKind, Point, walk
from stepcheck.facts import Again, Effect, Evidence, KeyState, Limit, Outcome, Span
from stepcheck.facts.keying import UnkeyedWrite

_KINDS = key_words("kinds")
"""Kinds of calls whose keys say that a second one is not meant; those of queues and files are other things."""
_MONEY = key_words("money")
_PLACES = frozenset({Place.KEYWORD, Place.OPTIONS, Place.HEADER, Place.BODY})
_GUARDS = (Deed.CLAIM, Deed.LOCK)
_HOST = re.compile(r"https?://([\w.-]+)")


Twins: TypeAlias = Mapping[str, tuple[tuple[str, Span], ...]]
"""By the name of a call as written, the keys that it is given somewhere in the file, and where."""


def keyed(survey: Survey) -> Twins:
    """The calls of the file that are given a key by a name."""
    found: dict[str, list[tuple[str, Span]]] = {}
    for flow in survey.study.flows:
        for _, call in survey.context.calls(flow):
            named = next((word.name for word in call.keywords if is_key(word.name)), "")
            if named and "." in call.dotted:
                found.setdefault(call.dotted, []).append((named, call.span))
    return {name: tuple(places) for name, places in found.items()}


def unkeyed(survey: Survey, flow: Flow, twins: Twins) -> Iterator[UnkeyedWrite]:
    """Every write of a function without the key that it can carry, with what runs it more than once."""
    given = Given(survey.context, flow)
    taken = [(act, _takes(survey, flow, act, given, twins)) for act in survey.study.acts(flow)]
    found = [(act, key) for act, key in taken if key is not None] + list(_helped(survey, flow))
    if not found:
        return
    guards = {act.point for act in survey.study.acts(flow) if act.deed in _GUARDS}
    for act, (key, evidence) in found:
        told = _again(survey, flow, act.point, money=_money(act, key))
        # That a call elsewhere has a key tells less than the catalogue: then who runs it again must be plain.
        if told is None or (evidence is Evidence.BODY and not (told[1] and _plain(told[0]))):
            continue
        again, sure = told
        claimed = bool(guards) and act.point not in begun(flow, (Point(0, 0),), guards)
        yield UnkeyedWrite(
            act.name, act.span, flow.qualname, key, again, evidence if sure else Evidence.NAME, claimed
        )


def _takes(survey: Survey, flow: Flow, act: Act, given: Given, twins: Twins) -> tuple[str, Evidence] | None:
    """The key that a call can carry and does not, as words for a message; None for others."""
    call = act.call
    if call is None or act.deed is not Deed.WRITE:
        return None
    arguments = given.of(act.point, call)
    if arguments.open:
        return None
    fact = known(call.qualified or f"?{call.dotted}", arguments)
    key = fact.key if fact is not None else None
    if fact is None or key is None or fact.kind not in _KINDS or key.place not in _PLACES:
        return _by_host(survey, flow, act, call) or _by_twin(survey, flow, act, call, twins)
    if "*" in fact.name.rpartition(".")[2]:
        return None  # a family of calls, not all of which take it
    if key.effect is not Effect.IDEM_WRITE or fact.effect is not Effect.NON_IDEM_WRITE or key.required:
        return None
    if known_keys.given(key, arguments) is not False and not _absent(survey, flow, act, call):
        return None
    if not _absent(survey, flow, act, call):
        return None
    where = {Place.HEADER: "the header ", Place.BODY: "", Place.OPTIONS: "", Place.KEYWORD: ""}[key.place]
    return f"{where}{key.name!r}", fact.evidence


def _absent(survey: Survey, flow: Flow, act: Act, call: Call) -> bool:
    return keys.state(survey.context, flow, call, act.point) is KeyState.ABSENT


def _by_host(survey: Survey, flow: Flow, act: Act, call: Call) -> tuple[str, Evidence] | None:
    """A POST to a service that is known to honour a header."""
    if words.last(call.dotted).lower() not in ("post", "request", "patch"):
        return None
    for value in (*call.arguments, *(word.value for word in call.keywords if word.name == "url")):
        for part in walk(value):
            if isinstance(part, Constant) and isinstance(part.value, str):
                host = _HOST.match(part.value)
                header = known_keys.header_of(host.group(1)) if host else ""
                if header and _absent(survey, flow, act, call):
                    return f"the header {header!r}", Evidence.KNOWN
    return None


def _by_twin(survey: Survey, flow: Flow, act: Act, call: Call, twins: Twins) -> tuple[str, Evidence] | None:
    """A call that is given a key elsewhere in the file, and none here."""
    if call.dotted not in twins or any(not word.name for word in call.keywords):
        return None
    named = next((name for name, span in twins[call.dotted] if span != call.span), "")
    return (repr(named), Evidence.BODY) if named and _absent(survey, flow, act, call) else None


def _helped(survey: Survey, flow: Flow) -> Iterator[tuple[Act, tuple[str, Evidence]]]:
    """Calls of functions of the file that take a key, need none, and are given none."""
    for point, call in survey.context.calls(flow):
        helpers = survey.context.called(flow, call)
        if len(helpers) != 1 or any(not word.name for word in call.keywords):
            continue
        helper = helpers[0]
        wanted = [
            (number, parameter)
            for number, parameter in enumerate(helper.parameters)
            if is_key(parameter.name)
            and parameter.default is not None
            and parameter.kind is not ParameterKind.STAR
        ]
        if len(wanted) != 1 or Deed.WRITE not in survey.study.done(helper).may:
            continue
        number, parameter = wanted[0]
        method = bool(helper.parameters) and helper.parameters[0].name in ("self", "cls")
        passed = len(call.arguments) + (1 if method else 0)
        starred = any(getattr(one, "kind", "") == "star" for one in call.arguments)
        given = starred or call.keyword(parameter.name) is not None
        keyword = parameter.kind is ParameterKind.KEYWORD
        if not given and (keyword or passed <= number) and not _makes(helper, parameter.name):
            act = Act(
                Deed.WRITE,
                call.dotted or helper.name,
                point,
                call.span,
                call,
                Evidence.BODY,
                "it sends something",
            )
            yield act, (repr(parameter.name), Evidence.BODY)


def _makes(helper: Flow, name: str) -> bool:
    """Whether a function makes a key itself where it is given none."""
    return any(
        getattr(getattr(operation, "target", None), "name", "") == name for _, operation in helper.points()
    )


def _plain(again: Again) -> bool:
    return again.evidence is not Evidence.NAME and "queue" not in again.who


def _money(act: Act, key: str) -> bool:
    """Whether a write moves money: then a client that asks twice is enough."""
    call = act.call
    fact = known(call.qualified or f"?{call.dotted}") if call is not None else None
    pays = (fact is not None and fact.kind == "payment") or key.startswith("the header")
    texts = [act.name] + [
        str(one.value) for one in (call.arguments if call else ()) if isinstance(one, Constant)
    ]
    return pays and any(_MONEY.intersection(names.words(text)) for text in texts)


def _again(survey: Survey, flow: Flow, point: Point, *, money: bool) -> tuple[Again, bool] | None:
    """What runs the place more than once, and whether that is sure."""
    found: Rerun | None = None
    for rerun in survey.reruns:
        if (
            rerun.again.doubtful
            and rerun.holds(flow.index, point)
            and (found is None or rerun.sure > found.sure)
        ):
            found = rerun
    if found is not None:
        return found.again, found.sure
    if not money or flow.kind is not FlowKind.FUNCTION:
        return None
    for runs in survey.study.runs(flow):
        if runs.role is Role.ROUTE and runs.evidence is not Evidence.NAME:
            again = Again(runs.who, runs.span, Limit.OPAQUE, None, Outcome.UNKNOWN, "", Evidence.BODY)
            return again, False
    return None
