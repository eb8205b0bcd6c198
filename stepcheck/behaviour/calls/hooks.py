"""Addresses and names of functions that another company calls: `/hooks/stripe`, `stripe_webhook`."""

from stepcheck.catalogue import roles
from stepcheck.catalogue.names import words
from stepcheck.catalogue.verbs import verb

_TAKES = frozenset({"handle", "receive", "process", "on", "post", "accept", "incoming", "verify"})
"""Verbs of what is done with something that comes in; others manage webhooks: `create_webhook`."""


def named(name: str) -> bool:
    """Whether a function of that name answers webhooks."""
    found = words(name)
    return _listens(found, "words") and (found[0] in _TAKES or verb(name) is None)


def manages(name: str) -> bool:
    """Whether a function of that name makes, lists or changes webhooks: `create_webhook`."""
    found = words(name)
    return _listens(found, "words") and found[0] not in _TAKES and verb(name) is not None


def addressed(address: str) -> bool:
    """Whether an address is that of a webhook: it ends in the word, or in the word and a company's name."""
    segments = [segment for segment in address.split("/") if segment]
    if roles.words("webhook", "people").intersection(words(address)):
        return False
    for position, segment in enumerate(segments):
        after = segments[position + 1 :]
        last = words(segment)[-1:]
        if not (_listens(last, "words") or (_listens(last, "addressed") and not after)):
            continue
        if not after or (len(after) == 1 and after[0][:1] not in "{<:" and verb(after[0]) is None):
            return "/" in address or len(segments) == 1
    return False


def _listens(found: tuple[str, ...], group: str) -> bool:
    people = roles.words("webhook", "people")
    return bool(roles.words("webhook", group).intersection(found)) and not people.intersection(found)
