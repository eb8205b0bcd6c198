"""Steps that a table declares alike but for their names: they are simulated once, under a stand-in."""

from dataclasses import replace

from stepcheck.facts import Step

STAND_IN = "⟦step⟧"
"""Printable, so that its quoted form is itself in quotes, and no name that anybody gives to a step."""


def nameless(step: Step) -> Step:
    """Return the step under the stand-in, so that its model equals that of any step declared alike."""
    undo = step.compensate.value
    if undo is not None and undo.name == step.name:
        return step
    return replace(step, name=STAND_IN)


def named(sentences: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return what was told of the stand-in as told of the step of this name."""
    quoted = repr(STAND_IN)
    return tuple(sentence.replace(quoted, repr(name)).replace(STAND_IN, name) for sentence in sentences)
