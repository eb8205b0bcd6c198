"""What a review of a run looks at besides its findings: how far each step has climbed, and the harm shown."""

from dataclasses import replace

from stepcheck.ladder import climb
from stepcheck.output import Options
from stepcheck.report import Report
from stepcheck.stories import nearest


def reviewed(options: Options, whole: Report, report: Report) -> Options:
    """The options with both. `whole` has what is found, `report` what of it is to be told.

    What a baseline or `--severity` hides holds a step back all the same, and a rule that says nothing has no story.
    """
    speak = sorted({found.rule for found in report.findings})
    return replace(
        options,
        rungs=climb(report.tables, whole.findings),
        stories={rule: shown for rule in speak if (shown := nearest(rule))},
    )
