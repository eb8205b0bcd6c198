"""A model decides how often something is tried, or whether it is done once more."""

from collections.abc import Iterator

from stepcheck.facts.remembering import Left, ModelParameter
from stepcheck.rule import Problem, Severity, rule

_HARM = {
    Left.ATTEMPTS: "how often it is tried is for the step's definition to say",
    Left.CLASS: "what a repeat does is for the step's definition to say",
    Left.AGAIN: "whether it is done once more is for the ledger, or for a person, to say",
}


@rule(ModelParameter, stage=1, severity=Severity.WARNING)
def model_decides_retry(parameter: ModelParameter) -> Iterator[Problem]:
    """Report a parameter of a tool that writes, by which the model has it done again."""
    if not parameter.sends:
        return
    yield Problem(
        parameter.span,
        f"a model that sees no answer may have {parameter.tool!r} done twice: it fills in {parameter.name!r}, and "
        f"{_HARM[parameter.left]}",
        evidence=parameter.evidence,
    )
