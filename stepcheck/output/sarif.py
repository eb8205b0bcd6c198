"""SARIF 2.1.0 (OASIS): one run with its rules, results, what was suppressed and what could not be read."""

from stepcheck import __version__, page
from stepcheck.facts import Span
from stepcheck.output import Format, Options
from stepcheck.output._page import plain
from stepcheck.output._plain import dump, fingerprints
from stepcheck.output._sarif_places import BASE, Json, fixes_of, location_of
from stepcheck.report import Finding, Report, Suppressed
from stepcheck.rule import Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_IN_BASELINE: Json = {"kind": "external", "justification": "the baseline holds it"}


def render(report: Report, options: Options) -> str:
    """The log file. Findings that a comment or the baseline covers are results too, marked as suppressed."""
    findings = [*report.findings, *(entry.finding for entry in report.suppressed), *report.baselined]
    suppressions = [
        *([] for _ in report.findings),
        *([_in_source(entry)] for entry in report.suppressed),
        *([_IN_BASELINE] for _ in report.baselined),
    ]
    rules = {rule.name: _descriptor(rule) for rule in options.rules}
    for found in findings:
        rules.setdefault(found.rule, {"id": found.rule})
    order = {name: index for index, name in enumerate(rules)}
    results = [
        {
            "ruleId": found.rule,
            "ruleIndex": order[found.rule],
            **_result(found),
            "partialFingerprints": {"stepcheck/v1": fingerprint},
            **({"suppressions": suppressed} if suppressed else {}),
            **({"fixes": fixes} if fixes else {}),
        }
        for (found, fingerprint), suppressed, fixes in zip(
            fingerprints(findings), suppressions, fixes_of(findings, report.sources), strict=True
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
        "originalUriBaseIds": {BASE: {"description": {"text": "the directory that stepcheck was run in"}}},
        "invocations": [_invocation(report)],
        "results": results,
    }
    return dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _descriptor(rule: Rule) -> Json:
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
    if manual.runs:
        shown = f"stepcheck explain {rule.name} --demo"
        what = f"Harm: {manual.leads_to}, {page.HARMS[manual.leads_to]}."
        descriptor["help"]["text"] += f"\n{what} To see it happen: {shown}\n"
        descriptor["help"]["markdown"] += f"\n{what} To see it happen: `{shown}`\n"
    if manual.harm:
        descriptor["properties"]["harm"] = manual.leads_to
    return descriptor


def _result(found: Finding) -> Json:
    result: Json = {
        "level": found.severity,
        "message": {"text": found.message},
        "locations": [location_of(found.span)],
        "properties": {"stage": found.stage, "evidence": found.evidence, "step": found.step or None},
    }
    if found.related:
        result["relatedLocations"] = [
            {"id": number, **location_of(related.span), "message": {"text": related.message}}
            for number, related in enumerate(found.related, start=1)
        ]
    return result


def _in_source(entry: Suppressed) -> Json:
    return {"kind": "inSource", "justification": entry.reason, "location": location_of(entry.span)}


def _invocation(report: Report) -> Json:
    """What could not be read makes the run unsuccessful; a stale baseline entry is noted."""
    notifications = [
        {
            "level": "error",
            "message": {"text": f"could not be read: {file.reason}"},
            "locations": [location_of(file.span or Span(file.path, 1, 1, 1, 1))],
            "descriptor": {"id": "unread-file"},
        }
        for file in report.unread
    ]
    stale = [
        {
            "level": "note",
            "message": {"text": f"stale baseline entry, which no finding matches any more: {entry}"},
            "descriptor": {"id": "stale-baseline-entry"},
        }
        for entry in report.stale
    ]
    return {
        "executionSuccessful": not notifications,
        "toolExecutionNotifications": notifications,
        "toolConfigurationNotifications": stale,
    }


FORMAT = Format(render, machine=True, lists_rules=True)
