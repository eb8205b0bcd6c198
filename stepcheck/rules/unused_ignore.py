"""An ignore comment that hides nothing, or no longer says why it hides something."""

from collections.abc import Iterator

from stepcheck.facts import Ignore
from stepcheck.rule import Fix, Problem, RemoveComment, rule


@rule(Ignore, stage=1)
def unused_ignore(ignore: Ignore) -> Iterator[Problem]:
    """Report each way in which an ignore comment is not, or no longer, what keeps a known finding quiet."""
    if ignore.malformed:
        yield Problem(ignore.span, f"this ignore comment hides nothing: {ignore.malformed}")
        return
    for name, nearest in ignore.unknown:
        cure = f"; did you mean {nearest!r}" if nearest else ""
        yield Problem(ignore.span, f"ignoring {name!r} hides nothing: no rule is called so{cure}")
    needless = {*ignore.unused, *(name for name, nearest in ignore.unknown if not nearest)}
    removal = Fix("remove the ignore comment", RemoveComment(ignore.span), safe=True)
    if not ignore.reason:
        yield Problem(ignore.span, "this ignore comment hides nothing: it gives no reason after '--'")
    elif ignore.expired:
        yield Problem(
            ignore.span,
            f"this ignore comment no longer hides anything: its until={ignore.until} is past",
            fix=removal,
        )
    elif ignore.unused:
        names = " and ".join(repr(name) for name in ignore.unused)
        where = "in this file" if ignore.whole_file else "here"
        yield Problem(
            ignore.span,
            f"ignoring {names} hides nothing: there is no such finding {where}",
            fix=removal if needless == set(ignore.names) else None,
        )
