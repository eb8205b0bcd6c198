"""The rules: one module each, found by being here."""

import importlib
import pkgutil

from stepcheck.rule import Rule, RuleFunction


def names() -> list[str]:
    """The names of all rules, sorted, without importing any."""
    return sorted(
        module.name.replace("_", "-")
        for module in pkgutil.iter_modules(__path__)
        if not module.name.startswith("_")
    )


def load() -> tuple[Rule, ...]:
    """All rules, sorted by name."""
    return tuple(load_one(name) for name in names())


def load_one(name: str) -> Rule:
    """The rule of that name. Raises ModuleNotFoundError if there is none, TypeError if it is malformed."""
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    found = [value for value in vars(module).values() if isinstance(value, RuleFunction)]
    said = {(one.stage, one.severity) for one in found}
    if len(said) != 1 or len({one.fact for one in found}) != len(found) or not module.__doc__:
        raise TypeError(
            f"{module.__name__} must have a docstring and functions under @rule, one a kind of fact, "
            "of one stage and severity"
        )
    return Rule(name, module.__doc__.strip(), found[0].stage, found[0].severity, tuple(found))
