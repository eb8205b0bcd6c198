"""Whether whoever runs a function ends it after a while, hanging calls included."""

from stepcheck.behaviour.calls import words
from stepcheck.catalogue import conclusions
from stepcheck.catalogue.imports import usual
from stepcheck.code.flow import Call, Compound, Constant, Evaluated, Expression, Flow


def ended(flow: Flow) -> bool:
    """Whether a decorator says so, or is that of RQ, which ends each job after 180 seconds unless told otherwise.

    https://python-rq.org/docs/jobs/ (`job_timeout`), https://python-rq.org/docs/workers/ (the work horse is killed).
    """
    return any(_says_so(made) or _of_rq(made) for made in flow.decorators)


def _says_so(made: Evaluated) -> bool:
    if made.call is None or words.last(made.dotted) == "actor":  # Dramatiq cannot interrupt a call that waits
        return False
    limits = conclusions.listed("ends_work")
    return any(word.name in limits and not _endless(word.value) for word in made.call.keywords)


def _of_rq(made: Evaluated) -> bool:
    """`@job`, `@job("emails")`: a project's own, made of RQ's, takes the name of a queue like that."""
    if words.last(made.dotted) != "job":
        return False
    named = made.call is not None and _names_queue(made.call)
    known = usual(made.qualified).partition(".")[0] in ("rq", "django_rq")
    told = made.call.keyword("timeout") if made.call is not None else None
    return (known or named) and (told is None or not _endless(told.value))


def _names_queue(call: Call) -> bool:
    first = next(iter(call.arguments), None)
    return isinstance(first, Constant) and isinstance(first.value, str)


def _endless(value: Expression) -> bool:
    """None, 0 or -1."""
    if isinstance(value, Compound) and value.kind == "unary" and value.text == "-":
        return True
    return isinstance(value, Constant) and value.value in (None, 0, -1)
