"""From facts to findings: what the rules say, with their severity, and a name that outlives edits."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepcheck import rules
from stepcheck.facts import Span
from stepcheck.report import Finding
from stepcheck.rule import AnyRule, Evidence, Problem, Severity
from stepcheck.selection import Silence, choose, rooted
from stepcheck.settings import Settings


class Judges:
    """The rules of one run."""

    def __init__(self, settings: Settings, cwd: Path, on_error: Callable[[str, Exception], None]) -> None:
        """`on_error` is told of a rule that fails on a file; the other rules are asked all the same."""
        self._settings = settings
        self._cwd = cwd
        self._on_error = on_error
        self._silence = Silence(settings, cwd)
        self._rules: dict[type, list[AnyRule]] = defaultdict(list)
        for rule in choose(settings, rules.load()):
            self._rules[rule.fact].append(rule)

    def findings(self, facts: Iterable[Any]) -> list[Finding]:
        """What every rule says of every fact: each finding once, in order, with its fingerprint."""
        met: dict[tuple[Span, str, str], Finding] = {}
        for fact in facts:
            for rule in self._rules.get(type(fact), ()):
                for problem in self._problems(rule, fact):
                    if not self._silence.covers(rule.name, problem.span.path):
                        finding = self._finding(rule, problem)
                        met.setdefault(order(finding), finding)
        return list(self._fingerprinted(met[key] for key in sorted(met)))

    def known(self, path: str) -> dict[str, bool]:
        """Every rule's name, with whether it runs on that file."""
        running = {rule.name for some in self._rules.values() for rule in some}
        return {name: name in running and not self._silence.covers(name, path) for name in rules.names()}

    def _problems(self, rule: AnyRule, fact: Any) -> list[Problem]:
        try:
            return list(rule.check(fact))
        except Exception as error:  # one rule's trouble must not hide the others' findings
            self._on_error(fact.span.path, error)
            return []

    def _finding(self, rule: AnyRule, problem: Problem) -> Finding:
        severity = self._settings.severity.get(rule.name, rule.severity)
        return Finding(
            rule=rule.name,
            severity=Severity.WARNING if problem.evidence is Evidence.NAME else severity,
            stage=rule.stage,
            span=problem.span,
            message=problem.message,
            evidence=problem.evidence,
            step=problem.step,
            related=problem.related,
            fix=problem.fix,
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


def order(finding: Finding) -> tuple[Span, str, str]:
    """What findings are sorted by, and one from another."""
    return finding.span, finding.rule, finding.message
