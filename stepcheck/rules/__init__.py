"""The rules: one module each, found by being here."""

import importlib
import pkgutil

from stepcheck.rule import AnyRule, Rule, RuleFunction


def names() -> list[str]:
    """The names of all rules, sorted, without importing any."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def load() -> tuple[AnyRule, ...]:
    """All rules, sorted by name."""
    return tuple(load_one(name) for name in names())


def load_one(name: str) -> AnyRule:
    """The rule of that name. Raises ModuleNotFoundError if there is none, TypeError if it is malformed."""
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    found = [value for value in vars(module).values() if isinstance(value, RuleFunction)]
    if len(found) != 1 or not module.__doc__:
        raise TypeError(f"{module.__name__} must have a docstring and exactly one function under @rule")
    made = found[0]
    return Rule(name, module.__doc__.strip(), made.stage, made.severity, made.fact, made.check)
