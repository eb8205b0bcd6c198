"""How often a retrier or a client tries with the arguments that it is given."""

from collections.abc import Iterable
from dataclasses import dataclass

from stepcheck.catalogue.arguments import Argument, Arguments
from stepcheck.catalogue.imports import usual
from stepcheck.catalogue.retries import ENDLESS, Client, Retrier
from stepcheck.facts import Limit


@dataclass(frozen=True, slots=True)
class Bound:
    """Where it ends."""

    limit: Limit
    attempts: int | None = None
    """How many there are at most, the first included, where that is known."""


_OPAQUE = Bound(Limit.OPAQUE)
_NONE = Bound(Limit.NONE)


def bound(found: Retrier | Client, arguments: Arguments) -> Bound:
    """Where a retrier ends that is called with the arguments; `Arguments()` for a decorator without brackets."""
    if isinstance(found, Client):
        given = [value] if found.option and (value := arguments.get(found.option)) is not None else []
        ends = [_number(found, value) or _OPAQUE for value in given]
    else:
        given = [value for name in found.bounds if (value := arguments.get(name)) is not None]
        ends = [end for value in given for end in _ends(found, value)]
        ends += [
            _NONE if _takes_away(found, value) else Bound(Limit.BOUNDED)
            for name in found.seconds_by
            if (value := arguments.get(name)) is not None
        ]
    if ends:
        return _least(ends)
    if arguments.open:
        return _OPAQUE
    if found.attempts != ENDLESS:
        return Bound(Limit.BOUNDED, found.attempts)
    return _NONE if found.seconds is None else Bound(Limit.BOUNDED)


def _ends(found: Retrier, value: Argument) -> Iterable[Bound]:
    """The ends that one argument sets; whichever comes first holds."""
    if _takes_away(found, value):
        return [_NONE]
    number = _number(found, value)
    if number is not None:
        return [number]
    ends: list[Bound] = []
    for made in value.calls:
        name, first = usual(made.name), next(iter(made.arguments.all()), None)
        if name in found.stops_attempts:
            counted = _number(found, first) if first is not None else None
            ends.append(counted or Bound(Limit.BOUNDED))
        elif name in found.stops_seconds:
            ends.append(Bound(Limit.BOUNDED))
        else:
            ends.append(_OPAQUE)
    return ends or [_OPAQUE]


def _number(found: Retrier | Client, value: Argument) -> Bound | None:
    if not value.literal or not isinstance(value.value, int):
        return None
    number = int(value.value)
    return Bound(Limit.BOUNDED, number + 1 if found.counts_extra else number)


def _takes_away(found: Retrier, value: Argument) -> bool:
    if value.literal:
        return str(value.value) in found.unbounded
    return not value.calls and any(usual(f"?{word}") in found.unbounded for word in value.words)


def _least(ends: list[Bound]) -> Bound:
    """The end of what ends where the first of several does."""
    numbers = [end.attempts for end in ends if end.attempts is not None]
    if numbers:
        return Bound(Limit.BOUNDED, min(numbers))
    order = [Limit.BOUNDED, Limit.OPAQUE, Limit.NONE]
    return min(ends, key=lambda end: order.index(end.limit))
