"""A request that is taken for a read deletes, sends or creates something, and everybody repeats reads at will."""

from collections.abc import Iterator

from stepcheck.facts import Evidence
from stepcheck.facts.declaring import ReadRoute
from stepcheck.rule import Problem, Related, Severity, rule


@rule(ReadRoute, stage=1, severity=Severity.WARNING)
def write_behind_get(route: ReadRoute) -> Iterator[Problem]:
    """Report the first write of a function that answers a GET, or reads a resource."""
    write = route.writes[0]
    evidence = Evidence.NAME if Evidence.NAME in (route.evidence, write.evidence) else write.evidence
    yield Problem(
        write.span if not write.via else route.span,
        f"{route.function!r} answers {route.what}, which {route.who} repeat and prefetch, and does "
        f"{write.name!r} each time ({write.why})",
        evidence=evidence,
        related=(
            Related(route.span, f"it answers {route.what}"),
            *(Related(span, "by this call") for span in write.via),
            *((Related(write.span, f"here: {write.why}"),) if write.via else ()),
        ),
        about=write.span,
    )
