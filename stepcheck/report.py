"""What a run found: the findings, what could not be read, and how much was looked at."""

from dataclasses import dataclass, field

from stepcheck.facts import Span, StepTable
from stepcheck.rule import Evidence, Fix, Related, Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with its rule's name, severity and stage."""

    rule: str
    severity: Severity
    stage: int
    span: Span
    message: str
    evidence: Evidence
    step: str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    home: Span | None = None
    """Of the name of the step it is about, where its own place is not in that step: a value shared by several."""
    fingerprint: str = ""
    """Names the finding across edits elsewhere: made of rule, path, step and message, never of line numbers."""

    @property
    def places(self) -> tuple[Span, ...]:
        """Where it can be ignored: at its place, and at the step that it is about."""
        return (self.span,) if self.home is None else (self.span, self.home)


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that an ignore comment covers, with the reason the comment gives."""

    finding: Finding
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read or parsed, in whole or in part."""

    path: str
    reason: str
    span: Span | None = field(default=None, compare=False)
    """Where reading stopped, where a place is known."""

    @property
    def place(self) -> str:
        """The path, with line and column where they are known."""
        return f"{self.path}:{self.span.line}:{self.span.column}" if self.span else self.path


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much was looked at, and how much of it only a run could tell."""

    files: int = 0
    tables: int = 0
    steps: int = 0
    functions: int = 0
    """Function bodies that were followed; 0 as long as what steps call is not read itself."""
    calls_followed: int = 0
    calls_opaque: int = 0
    settings_opaque: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run of the linter says. Findings are sorted by place, then rule."""

    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    baselined: tuple[Finding, ...] = ()
    """Findings that the baseline already holds."""
    compared: bool = False
    """Whether a baseline was looked at."""
    stale: tuple[str, ...] = ()
    """Baseline entries that no finding matches any more, as one line each."""
    unread: tuple[Unread, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    files: tuple[str, ...] = ()
    """Every file looked at, for `--show-files`."""
    sources: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Text of the files that findings point into, line ends as they stand there: output needs no second read."""
    tables: tuple[StepTable, ...] = field(default=(), compare=False, repr=False)
    """Every step table that was looked at."""
