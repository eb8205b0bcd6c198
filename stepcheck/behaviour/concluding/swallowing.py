"""Writes whose error ends in a record that they are done."""

from collections.abc import Iterator

from stepcheck.analysis.loops import per_item
from stepcheck.analysis.paths import RETURNED, begun, completed, no_exception
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.outgoing import Write
from stepcheck.behaviour.calls.roles import Role
from stepcheck.behaviour.concluding.concluded import Concluded
from stepcheck.behaviour.concluding.endings import said
from stepcheck.behaviour.concluding.swallowers import ways
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import conclusions, names
from stepcheck.catalogue.conclusions import Ended
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Branch,
    Call,
    Compound,
    Constant,
    Edge,
    EdgeKind,
    Expression,
    Flow,
    Point,
    Raise,
    Result,
    Return,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Span
from stepcheck.facts.concluding import ConcludedWrite, Conclusion


def swallowed(study: Study, flow: Flow, made: tuple[Write, ...]) -> Iterator[ConcludedWrite]:
    """Every write that is recorded as done on a path on which it failed; one fact a record."""
    told: set[Span] = set()
    for write in made:
        if write.enqueues:
            continue
        for starts, after, caught_at in ways(study, flow, write):
            found = _done(study, flow, write, starts, made) or _ended(study, flow, write, starts, made)
            if found is not None and found.span not in told:
                told.add(found.span)
                yield ConcludedWrite(
                    found.span, write.name, write.span, flow.qualname, write.evidence, Conclusion.DONE,
                    found.how, after, caught_at,
                )  # fmt: skip


def _done(
    study: Study, flow: Flow, write: Write, starts: tuple[Point, ...], made: tuple[Write, ...]
) -> Concluded | None:
    """A record that the write is done, on a path that nothing between the failure and the record decides about."""
    heads = {
        loop.head
        for loop in study.context.loops(flow)
        if write.point.block in loop.blocks and per_item(study.context.definitions(flow), loop, write.point)
    }
    succeeded = begun(flow, (completed(write.point),), (), no_exception)
    own = begun(flow, starts, (), no_exception) - succeeded
    follow = _Follow(study, flow, write, heads, own)
    first = begun(flow, starts, {write.point}, follow)
    if any(
        one.ended in (Ended.FAILED, Ended.WRONG, Ended.OPEN, Ended.UNCERTAIN)
        for one in said(study, flow, first & own)
    ) or _dealt_with(study, flow, first & own):
        return None
    usual = {one.span for one in said(study, flow, succeeded)}
    for one in said(study, flow, first):
        if one.span not in usual:
            continue
        if one.ended is Ended.DONE and one.record and _belongs(write, one, made):
            return one
    return None


def _ended(
    study: Study, flow: Flow, write: Write, starts: tuple[Point, ...], made: tuple[Write, ...]
) -> Concluded | None:
    """The end of a step whose engine records that it is done, where the failure of its only write leads there."""
    if len(made) > 1 or not write.strong:
        return None
    who = next((runs.who for runs in study.runs(flow) if runs.role is Role.STEP), "") or _in_table(
        study, flow
    )
    if not who:
        return None
    own = begun(flow, starts, (), _kept_raised)
    if RETURNED not in own or _dealt_with(study, flow, own) or any(_answers(flow, point) for point in own):
        return None
    if next(said(study, flow, own), None) is not None:
        return None
    how = f"{flow.name!r} returns, and {who} records that"
    return Concluded(Ended.DONE, how, write.point, write.span, record=True)


def _kept_raised(block: int, edge: Edge) -> bool:
    """Whether nothing raises here, and no context manager takes what was raised: `with Client()` lets it through."""
    return edge.kind is not EdgeKind.SWALLOWED and no_exception(block, edge)


def _in_table(study: Study, flow: Flow) -> str:
    """The executor, where the file's top names the function as the `call` of a step."""
    for _, operation in study.context.file.flows[0].points() if flow.parent == 0 else ():
        for value in reads(operation):
            for part in walk(value):
                match part:
                    case Compound(kind="entry", parts=(Constant(value="call"), Variable(name=name))):
                        if name == flow.name:
                            return "the executor"
                    case _:
                        pass
    return ""


def _answers(flow: Flow, point: Point) -> bool:
    """Whether something is answered, or raised, from which a caller could tell."""
    operations = flow.blocks[point.block].operations
    operation = operations[point.position] if point.position < len(operations) else None
    if isinstance(operation, Return):
        return not (isinstance(operation.value, Constant) and operation.value.value in (None, True))
    return isinstance(operation, Raise)


class _Follow:
    """Which edges a path may take: none back to the head of a loop over items, and none behind a test that knows."""

    def __init__(
        self, study: Study, flow: Flow, write: Write, heads: set[int], own: frozenset[Point]
    ) -> None:
        self.study, self.flow, self.write, self.heads, self.own = study, flow, write, heads, own
        self.after = begun(flow, (completed(write.point),), (), no_exception)

    def __call__(self, block: int, edge: Edge) -> bool:
        if not no_exception(block, edge) or edge.target in self.heads:
            return False
        operations = self.flow.blocks[block].operations
        last = operations[-1] if operations else None
        return not (isinstance(last, Branch) and self.knows(last.test, Point(block, len(operations) - 1), 3))

    def knows(self, test: Expression, point: Point, left: int) -> bool:
        """Whether a test depends on whether the write failed: on what it gave, or on what the handler set."""
        for part in walk(test):
            match part:
                case Result(number=number) if left > 0:
                    made = self.study.context.operation(self.flow, number)
                    if made is None:
                        continue
                    if made[0] == self.write.point:
                        return True
                    if isinstance(made[1], Call):
                        call = made[1]
                        values = (call.callee, *call.arguments, *(word.value for word in call.keywords))
                        if any(self.knows(value, made[0], left - 1) for value in values):
                            return True
                case Variable(name=name):
                    if any(
                        one.point is not None and (one.point in self.own or one.point in self.after)
                        for one in self.study.context.definitions(self.flow).of(name, point)
                    ):
                        return True
                case _:
                    pass
        return False


def _dealt_with(study: Study, flow: Flow, points: frozenset[Point]) -> bool:
    """Whether the handler does something about it: hands it over, keeps it, retries, or asks."""
    for act in study.acts(flow):
        if act.point in points and act.call is not None:
            last = words.last(act.name)
            if conclusions.hands_over(act.name) or last in ("retry", "append", "add", "put", "delay"):
                return True
            if words.asks(act.name) or "fail" in names.words(last) or "rollback" in last:
                return True
    return any(
        point in points and {"fail", "failed", "failure", "error"} & set(names.words(words.last(call.dotted)))
        for point, call in study.context.calls(flow)
        if study.context.called(flow, call)
    )


def _belongs(write: Write, one: Concluded, made: tuple[Write, ...]) -> bool:
    """Whether the record is of that write, and not of what it was done beside."""
    state = set(names.words(one.how.partition(" ")[2])) | set(names.words(one.how))
    verb_word = verb(write.name)
    found = set(names.words(write.name)) | ({verb_word.word} if verb_word else set())
    inner = set(names.words(write.inner.dotted))
    if conclusions.listed("noticed") & state:
        return bool(conclusions.listed("notices") & (found | inner))
    if conclusions.listed("paid") & state:
        return bool(conclusions.listed("pays") & (found | inner))
    if (conclusions.listed("notices") - {"post"}) & (found | inner):
        return False
    others = [other for other in made if other.span != write.span]
    return not others
