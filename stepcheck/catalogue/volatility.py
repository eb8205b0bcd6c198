"""Where values come from that differ at each attempt, and from where such as stay the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.imports import usual
from stepcheck.catalogue.names import why_volatile, words
from stepcheck.catalogue.patterns import Patterns, parts
from stepcheck.facts import Change, Evidence


class Scope(StrEnum):
    """How long a value stays the same."""

    CALL = "call"
    """Another one each time it is asked for."""
    ATTEMPT = "attempt"
    PROCESS = "process"
    RUN = "run"
    """Within one run; another one when the task is started anew."""
    STEP = "step"
    """Retry and redelivery keep it."""
    BUSINESS = "business"
    """As long as what it is made of."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value comes from."""

    name: str
    """The entry that tells it."""
    change: Change | None
    """Why it is another one each time; None where it is not."""
    scope: Scope
    why: str
    """For messages: `which the clock changes`."""
    evidence: Evidence
    origin: str


def source(qualified: str) -> Source | None:
    """What is known of the value of a call or attribute of that name: `uuid.uuid4`, `self.request.retries`.

    A call is named without its brackets. A name that nothing binds (`?uuid.uuid4`) counts as the package's.
    """
    unbound = qualified.startswith("?")
    name = usual(qualified).removesuffix("()")
    exact, patterns = _known()
    found = exact.get(name)
    if found is None and "." in name:
        found = patterns.find(parts(name))
    if found is None or not unbound or found.evidence is Evidence.NAME:
        return found
    return Source(found.name, found.change, found.scope, found.why, Evidence.NAME, found.origin)


def of_name(name: str) -> Source | None:
    """What the name of a parameter or variable suggests: `attempt`, `request_id`, `now`; None for most."""
    why = why_volatile(name)
    if not why:
        return None
    changes = {
        "clock": Change.CLOCK,
        "attempts": Change.ATTEMPT,
        "drawn": Change.RANDOM,
        "renewed": Change.CREDENTIAL,
    }
    change = next((found for word, found in changes.items() if word in words(why)), Change.REQUEST)
    return Source(name, change, Scope.ATTEMPT, why, Evidence.NAME, "the words of its name")


@cache
def _known() -> tuple[Mapping[str, Source], Patterns[Source]]:
    written = contents("sources")
    exact: dict[str, Source] = {}
    patterns: list[tuple[str, Source]] = []
    for group in written["source"]:
        change = Change(group["change"]) if "change" in group else None
        for name in group["names"]:
            evidence = Evidence.NAME if name.startswith("*") else Evidence.KNOWN
            found = Source(name, change, Scope(group["scope"]), group["why"], evidence, group["origin"])
            if "*" in name:
                patterns.append((name, found))
            else:
                exact[name] = found
    return exact, Patterns.of(patterns)
