"""The writes of a function to the outside, itself or in functions of the file that it calls."""

from dataclasses import dataclass

from stepcheck.behaviour.calls import keys, words
from stepcheck.behaviour.calls.acts import Act, Deed, written
from stepcheck.behaviour.calls.effects import does
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import conclusions, names
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import Call, Flow, Point
from stepcheck.facts import Effect, Evidence, KeyState, Span

_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Write:
    """A call that does something outside, here or in a function of the file that it calls."""

    point: Point
    span: Span
    name: str
    evidence: Evidence
    call: Call
    strong: bool
    """Known, or an HTTP verb; else it is told by a word of its name."""
    enqueues: bool
    """It hands a job to a queue of ours."""
    inner: Call
    """The call that does it: `call` itself, or one in a helper."""


def writes(study: Study, flow: Flow) -> tuple[Write, ...]:
    """The writes to the outside of a function, in the order of its blocks."""
    found: list[Write] = []
    for act in study.acts(flow):
        made = _write(study, flow, act)
        if made is not None:
            found.append(made)
    for point, call in study.context.calls(flow):
        inside = _inside(study, flow, call, _DEPTH)
        if inside is not None:
            name = written(study.context, flow, call) or "the call"
            found.append(
                Write(point, call.span, name, inside.evidence, call, inside.strong, False, inside.inner)
            )
    return tuple(sorted(found, key=lambda one: one.point))


def _write(study: Study, flow: Flow, act: Act) -> Write | None:
    if act.deed is not Deed.WRITE or act.call is None:
        return None
    call = act.call
    fact = study.context.fact(call, call.qualified) if call.qualified else None
    if fact is not None and (fact.effect is Effect.READ or fact.kind in conclusions.listed("kinds_inside")):
        return None
    if fact is not None and fact.kind == "http" and does(study.context, flow, call) is None:
        return None
    if conclusions.listed("takes").intersection(names.words(words.last(act.name))[:1]):
        return None
    strong = not act.weak and act.evidence is not Evidence.NAME
    listed = fact is not None and fact.effect is Effect.NON_IDEM_WRITE and not fact.name.startswith("*")
    if not strong and not listed and not _grave(act):
        return None
    enqueues = fact is not None and fact.kind == "enqueue"
    return Write(act.point, act.span, act.name, act.evidence, call, strong, enqueues, call)


def _grave(act: Act) -> bool:
    """Whether the word that tells of a write is one of those that people notice twice."""
    last = words.last(act.name)
    receiver = words.last(act.name.rpartition(".")[0]).lower()
    told = verb(act.name)
    spoken = names.words(last)
    if last[:1].isupper() or conclusions.records(last) or "request" in spoken:
        return False
    if len(spoken) == 1 and not receiver:
        return False
    if spoken[:1] == ("post",) and len(spoken) > 1 and spoken[1] not in conclusions.listed("posts"):
        return False
    if receiver in ("self", "cls") and told is not None and told.word in conclusions.listed("shows"):
        return False
    if not act.weak:
        return True
    listed = conclusions.listed
    if listed("makes").intersection(spoken[:1]) and listed("business").intersection(spoken[1:]):
        return bool(receiver) and receiver not in ("self", "cls") and not receiver.endswith("()")
    return told is not None and told.grave and receiver not in conclusions.listed("channels")


def _inside(study: Study, flow: Flow, call: Call, left: int) -> Write | None:
    """The first write in the functions of the file that a call runs; one told by its name, if theirs tell it, too."""
    for helper in study.context.called(flow, call):
        asking = words.asks(helper.name) or _reads(helper.name)
        if left <= 0 or study.context.large(helper) or helper.generator or asking:
            continue
        for act in study.acts(helper):
            made = _write(study, helper, act)
            if made is not None and not made.enqueues and (made.strong or told_by_name(f"it.{helper.name}")):
                return made
        for _, inner in study.context.calls(helper):
            made = _inside(study, helper, inner, left - 1)
            if made is not None:
                return made
    return None


def inside(study: Study, flow: Flow) -> Write | None:
    """The first write in a function, itself or through functions of the file that it calls."""
    found = writes(study, flow)
    return found[0] if found else None


def told_by_name(name: str) -> bool:
    """Whether a callable of that name (its dotted one) writes, by the catalogue or by its words."""
    fact = known(f"?{name}")
    if fact is not None:
        return fact.effect is Effect.NON_IDEM_WRITE and fact.kind not in conclusions.listed("kinds_inside")
    receiver = words.last(name.rpartition(".")[0]).lower()
    told = verb(name)
    if (
        not receiver
        or receiver in conclusions.listed("channels")
        or "request" in names.words(words.last(name))
    ):
        return False
    grave = told is not None and told.grave
    return grave or bool(words.writes(name) and words.client(receiver))


def _reads(name: str) -> bool:
    told = verb(name)
    return told is not None and told.effect is Effect.READ


def keyed(study: Study, flow: Flow, write: Write) -> KeyState:
    """What is known of the key of a write; any argument that is called a key counts."""
    if any(
        names.words(word.name)[-1:] in (("key",), ("ref",), ("reference",)) for word in write.call.keywords
    ):
        return KeyState.STABLE
    return keys.state(study.context, flow, write.call, write.point)
