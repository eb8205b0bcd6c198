"""Where a finding leads: the harm that its rule's page names, and the commands that tell and show it."""

from collections.abc import Iterable
from dataclasses import dataclass

from stepcheck import page
from stepcheck.report import Finding


@dataclass(frozen=True, slots=True)
class Help:
    """What can be read on, of one rule."""

    rule: str
    """What the rule finds, in a sentence; nothing where it has no page."""
    harm: str
    """One of `page.HARMS`; nothing where the rule's page names none."""
    sentence: str
    """The harm as a clause."""
    explain: str
    demo: str
    """The command that runs the harm; nothing where no run can show it."""
    untold: str = ""
    """What the page says where no run can show it."""


def helps(findings: Iterable[Finding]) -> dict[str, Help]:
    """What can be read on, by the names of the rules that speak; each page is read once."""
    return {rule: _help(rule) for rule in sorted({found.rule for found in findings})}


def _help(rule: str) -> Help:
    explain = f"stepcheck explain {rule}"
    try:
        found = page.find(rule)
    except FileNotFoundError:
        return Help("", "", "", explain, "")
    harm = found.leads_to
    sentence = page.HARMS.get(harm, "")
    if found.runs:
        return Help(found.sentence, harm, sentence, explain, f"{explain} --demo")
    why = " ".join(found.sections.get("Demonstration", "").split())
    return Help(found.sentence, harm, sentence, explain, "", why)
