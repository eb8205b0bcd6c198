"""What a function alters for others to see: writes outside and rows of our own, but not what is kept of reads."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from stepcheck.behaviour.calls import known_again, words
from stepcheck.behaviour.calls.act import Act, Deed
from stepcheck.behaviour.calls.effects import does, done_at
from stepcheck.behaviour.calls.given import Given
from stepcheck.behaviour.calls.reach import Place, Reached
from stepcheck.behaviour.calls.rows import is_class
from stepcheck.behaviour.context import at
from stepcheck.catalogue import http, receivers, traces
from stepcheck.catalogue.arguments import Arguments
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Constant,
    Flow,
    Reach,
    Variable,
    walk,
)
from stepcheck.facts import Effect, Evidence, KeyState, Span
from stepcheck.facts.bodies import BodyWrite

_LIGHT = frozenset({"file", "process", "llm", "search", "vector", "data", "infra"})
"""Kinds of calls that stay here, or whose repeats matter to nobody but the bill."""
_COMMON = _LIGHT | {"redis", "sql", "orm", "http"}
"""Kinds whose shapes much else has, too."""
_ALTERS = frozenset({Deed.WRITE, Deed.SETS, Deed.RECORD, Deed.DELETE})
_MAKES = frozenset(
    {"create", "acreate", "insert", "add", "add_all", "insert_one", "insert_many", "bulk_create", "abulk_create",
     "append", "execute", "executemany", "bulk_save_objects"}
)  # fmt: skip
"""Methods of stores that a repeat does once more."""
_WHERE_MISSING = frozenset({"get_or_create", "aget_or_create", "setdefault"})
_HANDS_OVER = frozenset(
    {"delay", "apply_async", "enqueue", "kiq", "send_task", "defer", "defer_async", "async_task"}
)
_VERBS = frozenset({"post", "put", "patch"})
_GROWS = frozenset({"append", "appendleft", "extend", "insert"})


def alterations(found: Iterable[Reached], *, here: bool = False) -> Iterator[BodyWrite]:
    """Those among what a function comes to, each once; with `here` also files, and what the file's names hold."""
    for _, made in placed(found, here=here):
        yield made


def placed(found: Iterable[Reached], *, here: bool = False) -> list[tuple[Reached, BodyWrite]]:
    """The same, each with its act and the way to it."""
    told: dict[object, tuple[Reached, BodyWrite]] = {}
    for one in found:
        made = _alteration(one) or (_here(one) if here else None)
        if made is not None:
            told.setdefault(made.span, (one, made))
    return list(told.values())


def _alteration(one: Reached) -> BodyWrite | None:
    act, place = one.act, one.place
    if _told_by_address(act):
        act = replace(act, weak=False, evidence=Evidence.BODY, why=f"it is a {words.last(act.name).upper()}")
        one = replace(one, act=act)
    if act.weak or act.deed not in _ALTERS or _kept_of_reads(act, place.flow) or _doubtful(act):
        return None
    if act.call is None:
        # A changed row is written when the transaction is committed; `save` tells for itself.
        commits = any(other.deed is Deed.COMMIT for other in place.study.acts(place.flow))
        if not commits or act.evidence is not Evidence.BODY:
            return None
        return _told(one, Effect.NON_IDEM_WRITE if act.additive else Effect.IDEM_WRITE, KeyState.OPAQUE)
    given = Given(place.study.context, place.flow).of(act.point, act.call)
    fact = known(act.call.qualified or act.name, given)
    if fact is not None and fact.kind in _LIGHT and fact.evidence is Evidence.KNOWN:
        return None
    last = words.last(act.name)
    if last in _WHERE_MISSING:
        return None
    plain = _told_by_address(act)
    if act.deed is Deed.WRITE and not plain and _posts(act, fact) and _only_asks(place, act.call, given):
        return None
    if act.deed is Deed.WRITE or act.additive:
        effect = Effect.NON_IDEM_WRITE
    elif act.deed is Deed.RECORD and fact is not None and fact.effect.writes:
        effect = fact.effect
    elif act.deed is Deed.RECORD and last in _MAKES:
        effect = Effect.NON_IDEM_WRITE
    else:
        effect = Effect.IDEM_WRITE
    return _told(one, effect, known_again.key(one, act.call))


def _told_by_address(act: Act) -> bool:
    """Whether a library's POST goes to an address that is written out: then the function's name excuses nothing."""
    call = act.call
    if call is None or act.deed is not Deed.WRITE or words.last(act.name) not in ("post", "patch"):
        return False
    library = http.is_library(call.qualified.removeprefix("?").partition(".")[0])
    return library and bool(done_at(call)) and not traces.address(done_at(call))


def _here(one: Reached) -> BodyWrite | None:
    """A file that is written, a list of the module that grows."""
    act, call = one.act, one.act.call
    if call is None or _kept_of_reads(act, one.place.flow):
        return None
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    if isinstance(base, Variable) and base.reach is Reach.GLOBAL and words.last(act.name) in _GROWS:
        return _told(
            replace(one, act=replace(act, evidence=Evidence.BODY, why="it grows by one more")),
            Effect.NON_IDEM_WRITE,
            known_again.key(one, call),
        )
    fact = known(
        call.qualified or act.name, Given(one.place.study.context, one.place.flow).of(act.point, call)
    )
    if fact is not None and act.weak and act.deed is Deed.WRITE and fact.kind not in _COMMON:
        # What a catalogued name suggests is enough where a tool is said to do nothing of the kind.
        return _told(one, fact.effect, known_again.key(one, call)) if fact.effect.writes else None
    if fact is None or fact.kind != "file" or not fact.effect.writes or fact.evidence is not Evidence.KNOWN:
        return None
    return _told(one, fact.effect, KeyState.ABSENT if fact.additive else KeyState.OPAQUE)


def _posts(act: Act, fact: CallFact | None) -> bool:
    return words.last(act.name) in ("post", "request") or (fact is not None and fact.kind == "http")


def _only_asks(place: Place, call: Call, given: Arguments) -> bool:
    """Whether a POST asks, by its address; where that is not told, by what else is known of it."""
    addresses = [
        one.text for one in (given.get("url", 0), given.get("path", 1)) if one is not None and one.text
    ]
    addresses = [text for text in addresses if "/" in text]
    if addresses:
        return any(http.asks(text) or traces.address(text) for text in addresses)
    return does(place.study.context, place.flow, call) is None


def _told(one: Reached, effect: Effect, key: KeyState) -> BodyWrite:
    act = one.act
    last = words.last(act.name)
    return BodyWrite(
        act.name,
        act.span,
        one.place.flow.qualname,
        effect,
        act.evidence,
        f"it is a {last.upper()}" if last in _VERBS and act.deed is not Deed.DELETE else act.why,
        key,
        ours=act.deed in (Deed.RECORD, Deed.DELETE),
        asked=any(known_again.asked(place) for place in (*one.way, one.place)),
        via=tuple(_span(place) for place in one.way),
    )


def _span(place: Place) -> Span:
    return at(place.flow, place.point).span


def _doubtful(act: Act) -> bool:
    """Whether only a name tells, and it is one that much of what only reads has, too."""
    if act.evidence is not Evidence.NAME:
        return False
    last = words.last(act.name)
    if last in _HANDS_OVER:
        told = verb(act.name.rpartition(".")[0])
        return told is None or not told.effect.writes
    if act.deed is Deed.RECORD:
        return act.why.endswith("by its name")  # `record_event`, `mark_seen`
    if act.deed is Deed.WRITE:
        told = verb(act.name)
        return last in ("post", "patch", "request") or told is None or not told.effect.writes
    return False


def _kept_of_reads(act: Act, flow: Flow) -> bool:
    """Whether it only notes that something was looked at."""
    receiver = act.name.rpartition(".")[0]
    if receiver.endswith("request.session"):
        return True
    for part in (act.subject, receiver):
        stores = receivers.store(part) or receivers.client(part)
        if part and traces.record(part) and (is_class(words.last(part)) or not stores):
            return True
    return traces.columns(_columns(act, flow))


def _columns(act: Act, flow: Flow) -> list[str]:
    """The columns that it changes, as far as they are named."""
    call = act.call
    if call is None:
        return [words.last(act.name)]
    last = words.last(act.name)
    if last in ("update", "aupdate", "update_or_create"):
        return [word.name for word in call.keywords if word.name]
    if last not in ("save", "asave"):
        return []
    fields = call.keyword("update_fields")
    if fields is not None:
        return [
            part.value
            for part in walk(fields.value)
            if isinstance(part, Constant) and isinstance(part.value, str)
        ]
    base = call.callee.base if isinstance(call.callee, Attribute) else None
    if not isinstance(base, Variable):
        return []
    return [
        operation.target.name
        for _, operation in flow.points()
        if isinstance(operation, Assign)
        and isinstance(operation.target, Attribute)
        and operation.target.base == base
    ]
