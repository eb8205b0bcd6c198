"""A compensation that is itself a write nobody can ask about, run outside the ledger."""

from collections.abc import Iterator

from stepcheck.facts import Reference, Step, StepTable, Target
from stepcheck.facts.bodies import Part, StepBody
from stepcheck.facts.undoing import BlindUndo
from stepcheck.rule import Evidence, Problem, Related, Severity, rule


@rule(StepTable, stage=5, severity=Severity.WARNING)
def blind_compensation(table: StepTable) -> Iterator[Problem]:
    """Report a compensation that is the step's own call, or the bare call of another, unguarded step."""
    unguarded = _unguarded(table)
    for step in table.steps:
        undo = step.compensate.value
        if undo is None or not step.writes:
            continue
        if _is_call_of(step, undo):
            yield Problem(
                undo.span,
                f"undoing {step.name!r} does it a second time: its compensate {undo.name!r} is its own call",
                step=step.name,
                related=(Related(step.call.span, f"the call of {step.name!r}"),),
            )
            continue
        other = unguarded.get(undo.identity) if undo.target is not Target.STEP else None
        if other is not None:
            yield Problem(
                undo.span,
                f"undoing {step.name!r} may happen twice after a lost answer: its compensate "
                f"{undo.name!r} is a bare callable, outside the ledger that holds the step {other.name!r}",
                step=step.name,
                related=(
                    Related(other.span, f"{other.name!r} is a non_idem_write with no query and no dedupe"),
                ),
            )


@rule(StepBody, stage=5, severity=Severity.WARNING)
def blind_body(body: StepBody) -> Iterator[Problem]:
    """Report a compensation whose body does something once more each time it is run."""
    loud = (one for one in body.writes if not one.ours or one.evidence is not Evidence.NAME)
    write = next((one for one in loud if one.repeats), None)
    if body.part is Part.COMPENSATE and not body.twin and write is not None:
        yield Problem(
            body.span,
            f"undoing {body.step.name!r} may happen twice after a lost answer: its compensate {body.name!r} "
            f"comes to {write.name!r} ({write.why}), with no key and nothing asked before",
            step=body.step.name,
            evidence=write.evidence,
            related=(
                *(Related(span, "by this call") for span in write.via),
                Related(write.span, f"here: {write.why}"),
            ),
            about=write.span,
        )


@rule(BlindUndo, stage=5, severity=Severity.WARNING)
def blind_undo(undo: BlindUndo) -> Iterator[Problem]:
    """Report an undo in plain code that is sent without a key, a record or a question."""
    write = undo.write
    yield Problem(
        write.span,
        f"{write.name!r} may make up twice for one thing: when its answer is lost, whoever runs {undo.function!r} "
        f"again does it once more ({write.why}), as it has no key, no record before it, and nothing asks",
        evidence=write.evidence,
    )


def _unguarded(table: StepTable) -> dict[str, Step]:
    """By the identity of its call, the first unguarded step that has it."""
    found: dict[str, Step] = {}
    for step in table.steps:
        if step.call.value is not None and step.call.value.identity and step.unguarded:
            found.setdefault(step.call.value.identity, step)
    return found


def _is_call_of(step: Step, undo: Reference) -> bool:
    if undo.target is Target.STEP:
        return undo.name == step.name
    return step.call.value is not None and undo.same_as(step.call.value)
