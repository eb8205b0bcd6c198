"""Writes that are taken for failed although they may have been done, and handlers too narrow to see that."""

from collections.abc import Iterator

from stepcheck.analysis.paths import begun, completed, no_exception
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.outgoing import Write, keyed
from stepcheck.behaviour.concluding import raised
from stepcheck.behaviour.concluding.answers import state
from stepcheck.behaviour.concluding.concluded import Concluded
from stepcheck.behaviour.concluding.endings import Handler, handlers, said, settles
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import conclusions, names
from stepcheck.catalogue.conclusions import Ended
from stepcheck.code.flow import Assign, Call, Constant, Flow, Point, Return, Variable, reads, walk
from stepcheck.facts import Evidence, Span
from stepcheck.facts.concluding import ConcludedWrite, Conclusion, Missed, NarrowHandler


def failures(study: Study, flow: Flow, made: tuple[Write, ...]) -> Iterator[ConcludedWrite]:
    """Every handler that says that a write failed after an exception that does not tell; one fact a handler."""
    told: set[Span] = set()
    for write in sorted(made, key=lambda one: (not one.strong, one.point)):
        if write.enqueues:
            continue
        for handler in handlers(study, flow, write):
            if handler.catch.span in told:
                continue
            found = failed(study, flow, write, handler)
            if found is not None:
                told.add(handler.catch.span)
                yield ConcludedWrite(
                    found.span, write.name, write.span, flow.qualname, write.evidence, Conclusion.FAILED,
                    found.how, raised.shown(handler.unknown), handler.catch.span,
                )  # fmt: skip


def failed(study: Study, flow: Flow, write: Write, handler: Handler) -> Concluded | None:
    """Where a handler says that the write failed, though its exceptions leave that open."""
    open_ended = [
        name for name in handler.unknown if not raised.by_status(name) and not raised.of_database(name)
    ]
    if not open_ended or settles(study, flow, handler.inside):
        return None
    named = any(not raised.broad(name) for name in open_ended)
    cancelled = all(raised.cancels(name) for name in open_ended)
    answered = [*_answered_false(flow, write, handler)] if named and not cancelled else []
    for found in (*said(study, flow, handler.inside), *_carried(study, flow, handler), *answered):
        if found.ended is Ended.FAILED:
            answers = named or (write.strong and (found.plain or _weighs(write)))
            if found.record or (answers and not cancelled):
                return found
        elif found.ended is Ended.WRONG and found.record and named and not cancelled:
            return found
    return None


def _weighs(write: Write) -> bool:
    """Whether a write by its words moves money, goods or messages: then people act on a loose answer, too."""
    texts = [
        write.name,
        write.inner.dotted,
        *(
            part.value
            for value in write.inner.arguments[:1]
            for part in walk(value)
            if isinstance(part, Constant)
        ),
    ]
    found = {word.removesuffix("s") for text in texts if isinstance(text, str) for word in names.words(text)}
    return bool(found & (conclusions.listed("pays") | conclusions.listed("business")))


def _answered_false(flow: Flow, write: Write, handler: Handler) -> Iterator[Concluded]:
    """`return False` in the handler of a function that returns True when the write succeeds."""
    succeeded = begun(flow, (completed(write.point),), (), no_exception)
    if not any(_returns(flow, point, value=True) for point in succeeded):
        return
    for point in sorted(handler.inside):
        if _returns(flow, point, value=False):
            span = flow.blocks[point.block].operations[point.position].span
            how = "it is answered with False"
            yield Concluded(Ended.FAILED, how, point, span, record=False, plain=False)


def _returns(flow: Flow, point: Point, *, value: bool) -> bool:
    operations = flow.blocks[point.block].operations
    operation = operations[point.position] if point.position < len(operations) else None
    return (
        isinstance(operation, Return)
        and isinstance(operation.value, Constant)
        and operation.value.value is value
    )


def _carried(study: Study, flow: Flow, handler: Handler) -> Iterator[Concluded]:
    """A state put into a variable in the handler, which is written down or answered behind it."""
    for point in sorted(handler.inside):
        operations = flow.blocks[point.block].operations
        if point.position >= len(operations):
            continue
        match operations[point.position]:
            case Assign(target=Variable(name=name), value=value, span=span) if conclusions.holds_state(name):
                found = state(value)
                if found is not None and _used(study, flow, name, point):
                    yield Concluded(found[1], f"{name!r} becomes {found[0]!r}", point, span, record=True)
            case _:
                pass


def _used(study: Study, flow: Flow, name: str, point: Point) -> bool:
    """Whether what a variable holds there is written down or answered."""
    known = study.context.definitions(flow)
    for place in begun(flow, (completed(point),), (), no_exception):
        operations = flow.blocks[place.block].operations
        operation = operations[place.position] if place.position < len(operations) else None
        match operation:
            case Assign(target=Variable()):
                continue
            case Assign() | Return():
                pass
            case Call(dotted=dotted) if conclusions.records(words.last(dotted)):
                pass
            case _:
                continue
        inside = [part for value in reads(operation) for part in walk(value)]
        if any(isinstance(part, Variable) and part.name == name for part in inside) and any(
            one.point == point for one in known.of(name, place)
        ):
            return True
    return False


def narrow(study: Study, flow: Flow, made: tuple[Write, ...]) -> Iterator[NarrowHandler]:
    """Handlers that leave some lost answers of a write open and not others; one fact a handler."""
    told: set[Span] = set()
    for write in made:
        if write.enqueues:
            continue
        every = handlers(study, flow, write)
        for handler in every:
            if handler.catch.span in told or not _leaves_open(study, flow, handler, recorded=False):
                continue
            found = _missed(study, flow, write, handler, every)
            if found is not None:
                told.add(handler.catch.span)
                yield found


def _leaves_open(study: Study, flow: Flow, handler: Handler, *, recorded: bool) -> bool:
    """Whether a handler of certain lost answers takes them for what they are, and writes that down."""
    named = [
        name
        for name in handler.unknown
        if not (raised.broad(name) or raised.cancels(name) or raised.by_status(name))
    ]
    return bool(named) and settles(study, flow, handler.inside, recorded=recorded)


def _missed(
    study: Study, flow: Flow, write: Write, handler: Handler, every: tuple[Handler, ...]
) -> NarrowHandler | None:
    context = study.context
    kinds = [kind for one in every for kind in one.catch.types]
    package = raised.library([write.inner.qualified, *kinds])
    lost = list(conclusions.lost(package))
    status = conclusions.status_error(package)
    if status and _raises_for_status(study, flow, write):
        lost.append(status)
    for name in lost:
        taker: Handler | None = None
        perhaps = False
        for one in every:
            answers = [raised.is_a(context, name, kind) for kind in one.catch.types] or [True]
            if True in answers:
                taker = one
                break
            perhaps = perhaps or None in answers
        if perhaps or taker is handler:
            continue
        shown = raised.shown([name]).replace("exceptions.", "")
        if taker is None and not _leaves_open(study, flow, handler, recorded=True):
            continue
        if taker is None:
            return NarrowHandler(
                handler.catch.span, write.name, write.span, flow.qualname, write.evidence,
                raised.shown(handler.unknown), shown, Missed.ESCAPES, write.span, "", keyed(study, flow, write),
            )  # fmt: skip
        found = failed(study, flow, write, taker) or _refused(study, flow, taker, name)
        if found is not None:
            return NarrowHandler(
                handler.catch.span, write.name, write.span, flow.qualname,
                Evidence.BODY if write.strong else Evidence.NAME,
                raised.shown(handler.unknown), shown, Missed.FAILED, found.span, found.how,
                keyed(study, flow, write),
            )  # fmt: skip
    return None


def _refused(study: Study, flow: Flow, handler: Handler, name: str) -> Concluded | None:
    """Where every status of an answer is taken for a refusal, 5xx included."""
    if not raised.by_status(name) or settles(study, flow, handler.inside):
        return None
    return next((one for one in said(study, flow, handler.inside) if one.ended is Ended.FAILED), None)


def _raises_for_status(study: Study, flow: Flow, write: Write) -> bool:
    """Whether the answer's status is made an exception in what the handlers of the write guard."""
    after = begun(flow, (completed(write.point),), (), no_exception)
    return any(
        point in after and words.last(call.dotted) == "raise_for_status"
        for point, call in study.context.calls(flow)
    )
