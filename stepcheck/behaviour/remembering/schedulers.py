"""Schedulers, and threads that run jobs by the clock, that are started with a web application."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Deed, written
from stepcheck.behaviour.remembering import loading
from stepcheck.behaviour.study import Study
from stepcheck.catalogue.memory import says
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Enter,
    Expression,
    Flow,
    Point,
    Result,
    dotted,
)
from stepcheck.facts import Evidence
from stepcheck.facts.remembering import StartedScheduler

_SCHEDULERS = frozenset(
    {"BackgroundScheduler", "AsyncIOScheduler", "APScheduler", "GeventScheduler", "TornadoScheduler",
     "TwistedScheduler", "AsyncScheduler", "Scheduler"}
)  # fmt: skip
_QUIET = frozenset({Deed.ASKS, Deed.LOOKUP, Deed.HARMLESS, Deed.PAUSE, Deed.CLAIM, Deed.LOCK, Deed.COMMIT})
_REPEATS = frozenset({"repeat_every", "repeat_at"})
"""Decorators of fastapi-utils."""
_TAKES = frozenset(
    {"Thread", "Timer", "create_task", "ensure_future", "start_new_thread", "spawn", "RepeatedTimer"}
)


def schedulers(study: Study) -> Iterator[StartedScheduler]:
    """Every scheduler that is started where each worker of a web server comes by."""
    names = {
        words.last(call.dotted) for flow in study.context.file.flows for _, call in study.context.calls(flow)
    }
    decorated = [
        (flow, made)
        for flow in study.flows
        for made in flow.decorators
        if words.last(made.dotted) in _REPEATS
    ]
    if not (decorated or names & (_TAKES | {"start"})) or not loading.web(study):
        return
    for flow, made in decorated:
        quiet = study.done(flow).may <= _QUIET
        yield StartedScheduler(
            made.span, flow.name, "when the application starts", _locks(study, flow), quiet, Evidence.BODY
        )  # fmt: skip
    for flow, point, at, guarded in loading.started(study):
        operation = flow.blocks[point.block].operations[point.position]
        if not isinstance(operation, Call):
            continue
        found = _scheduler(study, flow, operation) or _threaded(study, flow, point, operation)
        if found is not None:
            name, jobs, evidence = found
            locked = guarded or loading.guarded(study, flow, point)
            locks = bool(jobs) and all(_locks(study, job) for job in jobs)
            quiet = bool(jobs) and all(study.done(job).may <= _QUIET for job in jobs)
            yield StartedScheduler(operation.span, name, at, locked or locks, quiet, evidence)


def _scheduler(study: Study, flow: Flow, call: Call) -> tuple[str, list[Flow], Evidence] | None:
    """A scheduler that is started, with its jobs as far as they are in the file."""
    if words.last(call.dotted) != "start" and getattr(call.callee, "name", "") != "start":
        return None
    if not isinstance(call.callee, Attribute):
        return None
    receiver = call.callee.base
    made = _made_by(study, flow, receiver)
    name = dotted(receiver) or made or "the scheduler"
    if made == "BlockingScheduler":
        return None
    if made in _SCHEDULERS:
        return name, _jobs(study, dotted(receiver)), Evidence.BODY
    if not made and says("timed", name) and call.dotted:
        return name, _jobs(study, dotted(receiver)), Evidence.NAME
    return None


def _made_by(study: Study, flow: Flow, value: Expression) -> str:
    """The class that a value is made by, or nothing."""
    if isinstance(value, Result):
        made = study.context.operation(flow, value.number)
        return words.last(made[1].dotted) if made is not None and isinstance(made[1], Call) else ""
    name = words.last(dotted(value))
    for other in study.context.file.flows:
        for _, one in other.points():
            if (
                isinstance(one, Assign)
                and words.last(dotted(one.target)) == name
                and isinstance(one.value, Result)
            ):
                made = study.context.operation(other, one.value.number)
                if made is not None and isinstance(made[1], Call):
                    return words.last(made[1].dotted)
    return ""


def _jobs(study: Study, receiver: str) -> list[Flow]:
    """The functions of the file that a scheduler runs; none where one is not in the file."""
    context = study.context
    last = words.last(receiver)
    found: list[Flow] = []
    for flow in context.file.flows:
        for made in flow.decorators:
            if made.dotted.rpartition(".")[0].endswith(last) and last:
                found.append(flow)
        for _, call in context.calls(flow):
            if words.last(call.dotted) != "add_job":
                continue
            given = (
                call.arguments[0]
                if call.arguments
                else next((word.value for word in call.keywords if word.name == "func"), None)
            )
            named = context.callees.named(flow, given) if given is not None else ()
            if not named:
                return []
            found += [context.file.flows[index] for index in named]
    return found


def _threaded(study: Study, flow: Flow, point: Point, call: Call) -> tuple[str, list[Flow], Evidence] | None:
    """A thread or task that is started and goes round by the clock, doing something outside."""
    del point
    if words.last(call.dotted) not in _TAKES:
        return None
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        targets = list(study.context.callees.named(flow, value))
        made = study.context.operation(flow, value.number) if isinstance(value, Result) else None
        if made is not None and isinstance(made[1], Call):
            targets += [one.index for one in study.context.called(flow, made[1])]
        for index in targets:
            job = study.context.file.flows[index]
            if _goes_round(study, job, words.last(call.dotted) == "Timer"):
                return job.name, [job], Evidence.BODY
    return None


def _goes_round(study: Study, flow: Flow, timer: bool) -> bool:
    """Whether a function runs jobs over and over, and waits in between."""
    endless = any(loop.kind == "while" for loop in flow.loops)
    names = {words.last(call.dotted) for _, call in study.context.calls(flow)}
    again = timer and "Timer" in names
    if not again and not (endless and any(words.pauses(name) for name in names)):
        return False
    if "run_pending" in names:
        return True
    helpers = [helper for _, call in study.context.calls(flow) for helper in study.context.called(flow, call)]
    return any(act.deed is Deed.WRITE and not act.weak for one in (flow, *helpers) for act in study.acts(one))


def _locks(study: Study, flow: Flow) -> bool:
    """Whether a job lets one process through by itself."""
    if study.done(flow).may.intersection((Deed.CLAIM, Deed.LOCK)):
        return True
    return any(
        loading.lets_one(written(study.context, flow, call)) for _, call in study.context.calls(flow)
    ) or any(isinstance(one, Enter) and loading.lets_one(one.qualified) for _, one in flow.points())
