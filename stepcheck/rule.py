"""What a rule is: a value made of a function over one kind of fact."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeAlias, TypeVar

from stepcheck.facts import Evidence, Span

F = TypeVar("F")

__all__ = [
    "AddEntry",
    "AnyFunction",
    "Change",
    "Evidence",
    "Fix",
    "Problem",
    "Related",
    "RemoveComment",
    "RenameKey",
    "ReplaceValue",
    "Rule",
    "RuleFunction",
    "Severity",
    "rule",
]


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class RenameKey:
    """Write another name for a field: the key at `span` becomes `new`, in the quotes it had."""

    span: Span
    new: str


@dataclass(frozen=True, slots=True)
class AddEntry:
    """Add `key: value` (a string) to a step, right behind the entry whose key or value `after` is the place of."""

    after: Span
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class ReplaceValue:
    """Write another text for a value: the string or number at `span` becomes the string `new`."""

    span: Span
    new: str


@dataclass(frozen=True, slots=True)
class RemoveComment:
    """Take the comment at `span` away, and its line where nothing else stands on it."""

    span: Span


Change: TypeAlias = RenameKey | AddEntry | ReplaceValue | RemoveComment


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends a problem."""

    title: str
    """In the imperative: "rename 'qurey' to 'query'"."""
    change: Change
    safe: bool
    """Whether the meaning of a right program stays; unsafe ones are applied only when asked for."""


@dataclass(frozen=True, slots=True)
class Related:
    """A further place of a problem, with what it has to do with it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule yields: one place, one line that stands alone, and what it rests on.

    It carries neither rule name nor severity nor stage: those are the rule's, and the engine adds them.
    """

    span: Span
    message: str
    """Lower case, no full stop: what happens to whom, and who retries."""
    step: str = ""
    """The step it is about, where it is about one."""
    evidence: Evidence = Evidence.DECLARED
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    about: Span | None = None
    """The write that it is about, where that is not `span`: of several rules, one speaks of it (`yields_to`)."""


@dataclass(frozen=True, slots=True)
class RuleFunction(Generic[F]):
    """A rule before it has a name: what `@rule` leaves in a module."""

    fact: type[F]
    stage: int
    severity: Severity
    check: Callable[[F], Iterator[Problem]]
    yields_to: frozenset[str] = frozenset()


AnyFunction: TypeAlias = RuleFunction[Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. Its name is its module's (with dashes), its sentence the module's docstring."""

    name: str
    sentence: str
    stage: int
    severity: Severity
    functions: tuple[AnyFunction, ...]
    """One for each kind of fact that it speaks about."""

    @property
    def yields_to(self) -> frozenset[str]:
        """The rules that say it more exactly: where one of them speaks of a write, this one is silent."""
        return frozenset[str]().union(*(function.yields_to for function in self.functions))


def rule(
    fact: type[F], *, stage: int, severity: Severity = Severity.ERROR, yields_to: tuple[str, ...] = ()
) -> Callable[[Callable[[F], Iterator[Problem]]], RuleFunction[F]]:
    """Make a rule of a generator over one kind of fact; `stage` (1 to 5) is that of the adoption ladder.

    Where one of the rules `yields_to` speaks of the same write, this one is silent: one finding a write and cause.
    """

    def make(check: Callable[[F], Iterator[Problem]]) -> RuleFunction[F]:
        return RuleFunction(fact, stage, severity, check, frozenset(yields_to))

    return make
