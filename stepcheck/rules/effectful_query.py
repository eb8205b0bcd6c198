"""A query that is itself a write: asking whether something happened makes it happen."""

from collections.abc import Iterator

from stepcheck.facts import Step, StepTable, Target
from stepcheck.facts.bodies import Part, StepBody
from stepcheck.rule import Evidence, Problem, Related, rule


@rule(StepTable, stage=1)
def effectful_query(table: StepTable) -> Iterator[Problem]:
    """Report a query that is the call of a step that writes: most often of its own."""
    for step in table.steps:
        query, writer = step.query.value, _asked_by_writing(step, table)
        if query is None or writer is None:
            continue
        own = writer.name == step.name
        happens = "it happen again" if own else f"{writer.name!r} happen"
        whose = "its own call" if own else "the call of that write"
        yield Problem(
            query.span,
            f"asking whether {step.name!r} happened makes {happens}: its query {query.name!r} is {whose}",
            step=step.name,
            related=(
                Related(writer.call.span, f"the call of {writer.name!r}, which is {writer.effect.value}"),
            ),
        )


@rule(StepBody, stage=1)
def query_that_does(body: StepBody) -> Iterator[Problem]:
    """Report a query whose body writes, or picks whatever came last; one that is a step's call is told above."""
    if body.part is not Part.QUERY or body.twin:
        return
    step = body.step
    write = next((one for one in body.writes if not one.fills), None)
    if write is not None:
        yield Problem(
            body.span,
            f"asking whether {step.name!r} happened changes something: its query {body.name!r} comes to "
            f"{write.name!r} ({write.why})",
            step=step.name,
            evidence=write.evidence,
            related=(
                *(Related(span, "by this call") for span in write.via),
                Related(write.span, f"here: {write.why}"),
            ),
            about=write.span,
        )
    elif body.newest is not None:
        yield Problem(
            body.span,
            f"asking whether {step.name!r} happened may find another one: its query {body.name!r} picks the "
            f"latest ({body.newest.name!r}), and asks for none by key or identity",
            step=step.name,
            evidence=Evidence.BODY,
            related=(Related(body.newest.span, "picks the latest"),),
        )


def _asked_by_writing(step: Step, table: StepTable) -> Step | None:
    query = step.query.value
    if query is None:
        return None
    if query.target is Target.STEP:
        named = table.step(query.name)
        return named if named is not None and named.writes else None
    calls = ((other, other.call.value) for other in (step, *table.steps) if other.writes)
    return next((other for other, call in calls if call is not None and query.same_as(call)), None)
