"""JUnit XML, for CI systems that show test results: a failing test case for each finding."""

import re
from xml.etree import ElementTree

from stepcheck.output import Format, Options
from stepcheck.output._summary import summary, untold
from stepcheck.report import Finding, Report

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold, not even escaped (XML 1.0, production 2)."""


def render(report: Report, options: Options) -> str:  # noqa: ARG001 - every format has this form
    """One suite: a failure a finding, an error an unread file, or one passing case where there is nothing."""
    unread = untold(report)
    counts = {
        "tests": str(len(report.findings) + len(unread) or 1),
        "failures": str(len(report.findings)),
        "errors": str(len(unread)),
    }
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "stepcheck", **counts})
    for found in report.findings:
        _case(suite, found)
    for file in unread:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            {"name": "unread-file", "classname": _clean(file.path), "file": _clean(file.path)},
        )
        message = _clean(f"could not be read: {file.reason}")
        ElementTree.SubElement(case, "error", {"type": "unread-file", "message": message}).text = message
    if not report.findings and not unread:
        ElementTree.SubElement(suite, "testcase", {"name": "no findings", "classname": "stepcheck"})
    ElementTree.SubElement(suite, "system-out").text = summary(report)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, found: Finding) -> None:
    at = {"file": _clean(found.span.path), "line": str(found.span.line)}
    case = ElementTree.SubElement(suite, "testcase", {"name": found.rule, "classname": at["file"], **at})
    failure = ElementTree.SubElement(
        case, "failure", {"type": found.severity, "message": _clean(found.message)}
    )
    lines = [f"{found.span.path}:{found.span.line}:{found.span.column}: {found.message}"]
    lines += [
        f"{related.span.path}:{related.span.line}:{related.span.column}: {related.message}"
        for related in found.related
    ]
    failure.text = _clean("\n".join(lines))


def _clean(text: str) -> str:
    return _NO_XML.sub("", text)


FORMAT = Format(render, machine=True)
