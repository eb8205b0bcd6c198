"""From facts to findings: what the rules say, with their severity, and a name that outlives edits."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepcheck import rules
from stepcheck.facts import Ignore, Span, Step, StepTable, UnreadFile
from stepcheck.facts.bodies import StepBody
from stepcheck.report import Finding
from stepcheck.rule import AnyFunction, Evidence, Problem, Related, Rule, Severity
from stepcheck.selection import Silence, choose, rooted
from stepcheck.settings import Settings

_WITHOUT_CODE = (Step, StepTable, Ignore, UnreadFile)
"""The facts that are there although no code is read."""


class Judges:
    """The rules of one run."""

    def __init__(self, settings: Settings, cwd: Path, on_error: Callable[[str, Exception], None]) -> None:
        """`on_error` is told of a rule that fails on a file; the other rules are asked all the same."""
        self._settings = settings
        self._cwd = cwd
        self._on_error = on_error
        self._silence = Silence(settings, cwd)
        self._rules: dict[type, list[tuple[Rule, AnyFunction]]] = defaultdict(list)
        for rule in choose(settings, rules.load()):
            for function in rule.functions:
                self._rules[function.fact].append((rule, function))

    def findings(self, facts: Iterable[Any]) -> list[Finding]:
        """What every rule says of every fact: each finding once, in order, with its fingerprint."""
        met: dict[tuple[Span, str, str, Span], tuple[Finding, Rule, Span]] = {}
        spoken: dict[Span, set[str]] = defaultdict(set)
        for fact in facts:
            for rule, function in self._rules.get(type(fact), ()):
                for problem in self._problems(function, fact):
                    finding = self._finding(rule, problem, _home(fact, problem))
                    if not any(self._silence.covers(rule.name, place.path) for place in finding.places):
                        about = problem.about or problem.span
                        spoken[about].add(rule.name)
                        met.setdefault(order(finding), (finding, rule, about))
        # What is told of a step shows the line in its body, too: the same told of that line alone is left out.
        stepped = {(rule.name, about) for finding, rule, about in met.values() if finding.step}
        told = (met[key] for key in sorted(met))
        return list(
            self._fingerprinted(
                finding
                for finding, rule, about in told
                if spoken[about].isdisjoint(rule.yields_to)
                and (finding.step or (rule.name, about) not in stepped)
            )
        )

    def known(self, path: str) -> dict[str, bool]:
        """Every rule's name, with whether it runs on that file; those about code alone run where code is read."""
        running = {
            rule.name
            for fact, some in self._rules.items()
            if self._settings.code or fact in _WITHOUT_CODE
            for rule, _ in some
        }
        return {name: name in running and not self._silence.covers(name, path) for name in rules.names()}

    def _problems(self, function: AnyFunction, fact: Any) -> list[Problem]:
        try:
            return list(function.check(fact))
        except Exception as error:  # one rule's trouble must not hide the others' findings
            self._on_error(fact.span.path, error)
            return []

    def _finding(self, rule: Rule, problem: Problem, home: Span | None) -> Finding:
        severity = self._settings.severity.get(rule.name, rule.severity)
        return Finding(
            rule=rule.name,
            severity=Severity.WARNING if problem.evidence is Evidence.NAME else severity,
            stage=rule.stage,
            span=problem.span,
            message=problem.message,
            evidence=problem.evidence,
            step=problem.step,
            related=problem.related + _declared(problem, home),
            fix=problem.fix,
            home=home,
        )

    def _fingerprinted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Those alike in all but their place are told apart by a number."""
        import hashlib  # noqa: PLC0415 (not needed where nothing is found)

        met: Counter[tuple[str, ...]] = Counter()
        for finding in findings:
            path = rooted(finding.span.path, self._settings.root, self._cwd)
            parts = (finding.rule, path, finding.step, finding.message)
            text = "\0".join((*parts, str(met[parts])))
            met[parts] += 1
            digest = hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=16)
            yield replace(finding, fingerprint=digest.hexdigest())


def order(finding: Finding) -> tuple[Span, str, str, Span]:
    """What findings are sorted by, and told one from another by."""
    return finding.span, finding.rule, finding.message, finding.home or finding.span


def _home(fact: Any, problem: Problem) -> Span | None:
    """The name of the step that a problem is about, where the problem's place is not in what the step says."""
    named = [step for step in _steps(fact) if step.name == problem.step]
    if not named or any(problem.span.within(place) for step in named for place in (step.span, step.body)):
        return None
    settings = ((step, setting) for step in named for setting in step.settings().values())
    return next((step.span for step, setting in settings if setting.span == problem.span), named[0].span)


def _steps(fact: Any) -> Iterable[Step]:
    match fact:
        case Step():
            return (fact,)
        case StepBody(step=step):
            return (step,)
        case StepTable(steps=steps):
            return steps
        case _:
            return ()


def _declared(problem: Problem, home: Span | None) -> tuple[Related, ...]:
    shown = {related.span for related in problem.related}
    return () if home is None or home in shown else (Related(home, f"{problem.step!r} is declared here"),)
