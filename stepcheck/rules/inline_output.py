"""An output of any length stored in the ledger's row, where a reference to it belongs."""

from collections.abc import Iterator

from stepcheck.catalogue.names import why_bulky
from stepcheck.facts import Step
from stepcheck.facts.remembering import StoredOutput
from stepcheck.rule import Evidence, Problem, Severity, rule


@rule(Step, stage=2, severity=Severity.WARNING)
def inline_output(step: Step) -> Iterator[Problem]:
    """Report `output: inline` on a step that, by its name, returns much. A write returns a receipt."""
    if step.output.value != "inline" or step.writes or step.effect.opaque:
        return
    called = step.call.value.name if step.call.value is not None else ""
    word = why_bulky(step.name) or why_bulky(called)
    if word:
        yield Problem(
            step.output.span,
            f"every replay of the task reads the whole output of {step.name!r} again: it is stored inline in "
            f"the ledger, and by the word {word!r} in its name it can be long",
            step=step.name,
            evidence=Evidence.NAME,
        )


@rule(StoredOutput, stage=2, severity=Severity.WARNING)
def stored_output(output: StoredOutput) -> Iterator[Problem]:
    """Report an answer of any length that code puts into a row of the log."""
    yield Problem(
        output.span,
        f"every replay of the task reads all of {output.text!r} again: it is stored in the row of "
        f"{output.log!r}, and can be long ({output.why})",
        evidence=output.evidence,
    )
