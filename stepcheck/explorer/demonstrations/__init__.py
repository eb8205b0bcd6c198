"""Every kind of mistake beside its good twin: the bad scenario shows its harm, the good one shows none."""

import importlib

from stepcheck.explorer.demonstrations.demonstration import Demonstration

__all__ = ["Demonstration", "find", "load", "of_rule"]

ROOMS = ("pages", "keys", "retries", "outcomes", "questions", "plans", "people", "storage", "undoing")
"""Modules of this package, each with a function `demonstrations`."""


def load() -> tuple[Demonstration, ...]:
    """Return all demonstrations in the order of their rooms."""
    found: list[Demonstration] = []
    for room in ROOMS:
        module = importlib.import_module(f"{__name__}.{room}")
        found += module.demonstrations()
    return tuple(found)


def find(name: str) -> Demonstration:
    """Return the demonstration of that name. Raises KeyError."""
    for one in load():
        if one.name == name:
            return one
    raise KeyError(name)


def of_rule(rule: str) -> tuple[Demonstration, ...]:
    """Return the demonstrations that belong to a rule's page, the nearest first; none where there is none."""
    found = [one for one in load() if rule in one.rules]
    return tuple(sorted(found, key=lambda one: one.rules.index(rule)))
