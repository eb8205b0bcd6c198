"""A step's number is counted anew, so after a restart another step gets the number and the records of this one."""

from collections.abc import Iterator

from stepcheck.facts.remembering import Numbering, StepNumber
from stepcheck.rule import Problem, rule

_WHY = {
    Numbering.LENGTH: "the length of a list in memory, which is shorter after it was cut or lost",
    Numbering.COUNTER: "a counter that starts from the same number in each process",
    Numbering.SKIPPING: "counted up only for what is run, so what is skipped on resume shifts it",
    Numbering.UNORDERED: "a place in something that has no order of its own",
    Numbering.COMPLETION: "a place in the order in which things happened to end",
}


@rule(StepNumber, stage=2)
def reused_step_seq(number: StepNumber) -> Iterator[Problem]:
    """Report a step's number that a restart gives to another step."""
    given = "" if number.given == number.name else f"{number.given!r}, "
    yield Problem(
        number.span,
        f"after a restart another step may get this one's number, and its records and key: {number.name!r} is "
        f"{given}{_WHY[number.numbering]}",
        evidence=number.evidence,
    )
