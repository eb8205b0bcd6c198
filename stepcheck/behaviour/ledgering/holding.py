"""Claims that nothing leaves when the work behind them fails."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun, failed
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.calls.named_fields import statement
from stepcheck.behaviour.calls.outward import Outward
from stepcheck.behaviour.ledgering.claiming import Scene, handlers, refused_repeats, tests_row
from stepcheck.behaviour.ledgering.transactions import Transaction, no_swallow
from stepcheck.behaviour.ledgering.works import Work, works
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import arguments, ledgers, names
from stepcheck.catalogue.claims import claim
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Call,
    EdgeKind,
    Point,
)
from stepcheck.facts import Evidence
from stepcheck.facts.ledgering import HeldClaim

_EXPIRES = frozenset({"ex", "px", "exat", "pxat", "timeout", "ttl", "expire", "expires", "ExpiresAt"})


def held(scene: Scene, writes: tuple[Outward, ...], found: tuple[Transaction, ...]) -> Iterator[HeldClaim]:
    """Every claim with the first call behind it that may fail."""
    study, flow = scene.study, scene.flow
    taken = [act for act in study.acts(flow) if claims(scene, act)]
    if not taken:
        return
    done = tuple(works(scene, writes))
    for act in taken:
        for work in sorted(done, key=lambda one: one.point):
            if work.point == act.point or work.point not in scene.after(act.point):
                continue
            if any(one.holds(act.point) and one.holds(work.point) for one in found):
                continue
            if work.keyed and refused_repeats(study, flow, act.point) is not None:
                continue
            if not _gates(scene, act, work.point) or (_mails(work) and not act.states):
                continue
            left = _left(scene, work.point) or _swept(study, act)
            yield HeldClaim(
                act.span, act.name, flow.qualname, _lower(act.evidence, work.evidence), work.name, work.span,
                left, _expires(scene, act),
            )  # fmt: skip
            break


def _mails(work: Work) -> bool:
    """Whether it sends a message: then a claim that is never given back is how to send it at most once."""
    told = verb(work.name)
    return told is not None and told.word in (
        "send",
        "email",
        "mail",
        "sms",
        "notify",
        "announce",
        "broadcast",
    )


def _lower(one: Evidence, other: Evidence) -> Evidence:
    return Evidence.NAME if Evidence.NAME in (one, other) else Evidence.BODY


def claims(scene: Scene, act: Act) -> bool:
    """Whether an act claims something for good: `_gates` says whether what comes next depends on it."""
    if act.call is None:
        return False
    if act.deed is Deed.CLAIM:
        return act.evidence is not Evidence.NAME and not act.name.endswith(
            ("mkdir", "open", "symlink", "link")
        )
    return act.deed is Deed.RECORD and refused_repeats(scene.study, scene.flow, act.point) is not None


def _gates(scene: Scene, act: Act, then: Point) -> bool:
    """Whether only the one who got the claim comes to `then`, and others are turned away for good."""
    for starts in _turned_away(scene, act):
        reached = begun(scene.flow, starts, (), no_swallow)
        if then not in reached and not _does_more(scene, reached):
            return True
    test = scene.decides({act.point}, then)
    if test is None or tests_row(scene, test) or _row_tested(scene, act):
        return False
    return not _does_more(scene, _others(scene, test, then))


def _others(scene: Scene, test: Point, then: Point) -> frozenset[Point]:
    """What those do whom a test does not let through to `then`, and nobody else."""
    sides = [
        begun(scene.flow, (Point(edge.target, 0),), (), scene.onward)
        for edge in scene.flow.blocks[test.block].edges
        if edge.kind in (EdgeKind.TRUE, EdgeKind.FALSE)
    ]
    away = [side for side in sides if then not in side]
    return frozenset().union(*away) - scene.after(then)


def _turned_away(scene: Scene, act: Act) -> Iterator[tuple[Point, ...]]:
    """Where handlers begin that take the refusal of a second claim."""
    refused = refused_repeats(scene.study, scene.flow, act.point)
    if refused is not None:
        yield refused[1]
    elif act.deed is Deed.CLAIM and words.last(act.name) in (
        "put_item",
        "update_item",
        "put_object",
        "transact_write_items",
    ):
        for _, _, starts in handlers(scene.study, scene.flow, act.point):
            yield starts


def _row_tested(scene: Scene, act: Act) -> bool:
    """Whether some other test looks into the record that was claimed: `if row.state == "done"`."""
    for point, operation in scene.flow.points():
        if (
            type(operation).__name__ == "Branch"
            and act.point in scene.made_of(point)
            and tests_row(scene, point)
        ):
            return True
    return False


def _does_more(scene: Scene, reached: frozenset[Point]) -> bool:
    """Whether a way does anything but answer."""
    return any(
        act.point in reached
        and act.deed in (Deed.RECORD, Deed.WRITE, Deed.LOOKUP, Deed.ASKS, Deed.SETS, Deed.CLAIM)
        for act in scene.study.acts(scene.flow)
    ) or any(
        point in reached and bool(scene.study.context.called(scene.flow, call) or _opaque(call))
        for point, call in scene.study.context.calls(scene.flow)
    )


def _opaque(call: Call) -> bool:
    name = words.last(call.dotted)
    return (
        bool(name)
        and not name[:1].isupper()
        and not call.dotted.startswith(("log", "logger", "logging"))
        and not ({"response", "jsonify", "abort", "make", "ack", "rollback", "json"} & set(names.words(name)))
    )


def _left(scene: Scene, point: Point) -> bool:
    """Whether some path from the failure of a call records, deletes, releases or hands over."""
    starts = failed(scene.flow, point)
    if not starts:
        return False
    reached = begun(scene.flow, starts, (), no_swallow)
    if any(row.point in reached and not (row.cached and row.call is None) for row in scene.rows):
        return True
    leaving = (Deed.DELETE, Deed.RECORD, Deed.CLAIM, Deed.ROLLBACK, Deed.WRITE, Deed.SETS)
    if any(act.point in reached and act.deed in leaving for act in scene.study.acts(scene.flow)):
        return True
    told = {act.point for act in scene.study.acts(scene.flow) if act.deed is Deed.HARMLESS}
    for place, call in scene.study.context.calls(scene.flow):
        if place in reached and place not in told:
            name = words.last(call.dotted) or getattr(call.callee, "name", "")
            if ledgers.known().releases.intersection(names.words(name)):
                return True
            if scene.study.through(scene.flow, call).may & {Deed.RECORD, Deed.DELETE, Deed.CLAIM}:
                return True
    return False


def _swept(study: Study, act: Act) -> bool:
    """Whether something else in the file picks up claims that were left."""
    states = set(act.states) - {"True", "False"}
    for flow in study.context.file.flows:
        if ledgers.known().sweeps.intersection(names.words(flow.name)):
            return True
        if flow.qualname.startswith("<"):
            continue
        for other in study.acts(flow) if states else ():
            if other.deed is Deed.LOOKUP and states.intersection(other.states):
                return True
    return False


def _expires(scene: Scene, act: Act) -> bool:
    call = act.call
    if call is None:
        return False
    last = words.last(act.name)
    if _EXPIRES.intersection(word.name for word in call.keywords):
        return True
    if claim(act.name, arguments.read(call)) is not None and last == "add":
        return True
    for point, other in scene.study.context.calls(scene.flow):
        if words.last(other.dotted) in ("expire", "pexpire", "expireat") and point in scene.after(act.point):
            return True
    fields = {word.name for word in call.keywords}
    text = statement(scene.study, scene.flow, call)
    fields |= text.writes if text is not None else frozenset()
    found = {word for name in fields for word in names.words(name)}
    return bool(
        found & {"expires", "lease", "ttl", "until", "heartbeat", "expiry", "deadline", "locked", "leased"}
    )
