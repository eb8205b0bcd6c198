"""SARIF 2.1.0 (OASIS): one run with its rules, results, what was suppressed and what could not be read."""

from collections.abc import Iterable
from typing import Any

from stepcheck import __version__, page
from stepcheck.facts import Span
from stepcheck.output import Options
from stepcheck.output._page import plain
from stepcheck.output._plain import dump, fingerprints
from stepcheck.output._uri import location_of
from stepcheck.report import Finding, Report, Suppressed, Unread
from stepcheck.rule import AnyRule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Json = dict[str, Any]

_IN_BASELINE: Json = {"kind": "external", "justification": "the baseline holds it"}


def render(report: Report, options: Options) -> str:
    """The log file. Findings that a comment or the baseline covers are results too, marked as suppressed."""
    judged: list[tuple[Finding, list[Json]]] = [
        *((found, []) for found in report.findings),
        *((entry.finding, [_in_source(entry)]) for entry in report.suppressed),
        *((found, [_IN_BASELINE]) for found in report.baselined),
    ]
    rules = {rule.name: _descriptor(rule) for rule in options.rules}
    for found, _ in judged:
        rules.setdefault(found.rule, {"id": found.rule})
    order = {name: index for index, name in enumerate(rules)}
    results = [
        _result(found, fingerprint, order[found.rule], suppressions)
        for (found, suppressions), (_, fingerprint) in zip(
            judged, fingerprints(found for found, _ in judged), strict=True
        )
    ]
    driver = {
        "name": "stepcheck",
        "version": __version__,
        "informationUri": page.HOMEPAGE,
        "rules": list(rules.values()),
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            "%SRCROOT%": {"description": {"text": "the directory that stepcheck was run in"}}
        },
        "invocations": [_invocation(report.unread)],
        "results": results,
    }
    return dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _descriptor(rule: AnyRule) -> Json:
    descriptor: Json = {
        "id": rule.name,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.sentence},
        "fullDescription": {"text": rule.sentence},
        "helpUri": page.url(rule.name),
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"stage": rule.stage, "tags": ["retry-safety", f"stage-{rule.stage}"]},
    }
    try:
        manual = page.find(rule.name)
    except FileNotFoundError:
        return descriptor
    decides = " ".join(manual.sections.get("How it decides", "").split())
    descriptor["fullDescription"] = {"text": f"{rule.sentence} {decides}".strip()}
    descriptor["help"] = {"text": plain(manual), "markdown": manual.text}
    if manual.harm:
        descriptor["properties"]["harm"] = manual.harm
    return descriptor


def _result(found: Finding, fingerprint: str, index: int, suppressions: list[Json]) -> Json:
    result: Json = {
        "ruleId": found.rule,
        "ruleIndex": index,
        "level": found.severity,
        "message": {"text": found.message},
        "locations": [location_of(found.span)],
        "partialFingerprints": {"stepcheck/v1": fingerprint},
        "properties": {"stage": found.stage, "evidence": found.evidence, "step": found.step or None},
    }
    if found.related:
        result["relatedLocations"] = [
            {"id": number, **location_of(related.span), "message": {"text": related.message}}
            for number, related in enumerate(found.related, start=1)
        ]
    if suppressions:
        result["suppressions"] = suppressions
    return result


def _in_source(entry: Suppressed) -> Json:
    return {"kind": "inSource", "justification": entry.reason, "location": location_of(entry.span)}


def _invocation(unread: Iterable[Unread]) -> Json:
    notifications = [
        {
            "level": "error",
            "message": {"text": f"could not be read: {file.reason}"},
            "locations": [location_of(Span(file.path, 1, 1, 1, 1))],
            "descriptor": {"id": "unread-file"},
        }
        for file in unread
    ]
    return {"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}
