"""Examples for the tests of the harness, written as pages write them."""

from textwrap import dedent

from stepcheck.harms.prepared import prepared
from stepcheck.harms.situations import Situation
from stepcheck.harms.trial import Played, trial
from stepcheck.page import Example, Mark


def example(text: str, name: str = "example.py", line: int = 1) -> Example:
    """One file, with a finding at a line: what is run is the function around it."""
    text = dedent(text).lstrip("\n")
    return Example(True, {name: text}, (Mark(name, line, ""),), 1)


def several(**files: str) -> Example:
    """Several Python files by their modules' names."""
    return Example(True, {f"{name}.py": dedent(text).lstrip("\n") for name, text in files.items()}, (), 1)


def runs(text: str, situation: Situation, faults: int, line: int = 1) -> list[Played]:
    """Every schedule of some code in a situation."""
    made = prepared(example(text, line=line))
    assert made is not None
    return list(trial(made, situation, faults))


def worst(text: str, situation: Situation, faults: int, line: int = 1) -> set[str]:
    """The harms that are seen in any schedule."""
    return {wrong.harm for played in runs(text, situation, faults, line) for wrong in played.wrong}
