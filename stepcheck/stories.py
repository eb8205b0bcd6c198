"""The stories of a rule: whatever can be run to show its harm, run."""

from stepcheck.demo import Demo
from stepcheck.explorer.demo import demo
from stepcheck.explorer.demonstrations import of_rule


def stories(rule: str) -> tuple[Demo, ...]:
    """Run what shows the harm of a rule, the nearest first; nothing where no run can show it.

    The one place that terminals, reports and the handbook ask: the same stories everywhere.
    """
    return tuple(demo(rule, shown) for shown in of_rule(rule))
