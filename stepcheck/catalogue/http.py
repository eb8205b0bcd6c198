"""What HTTP requests do when they are repeated, told from verb and address."""

import re
from functools import cache
from typing import Final

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words
from stepcheck.facts import Effect

VERBS: Final = {
    "GET": Effect.READ,
    "HEAD": Effect.READ,
    "OPTIONS": Effect.READ,
    "TRACE": Effect.READ,
    "PUT": Effect.IDEM_WRITE,
    "DELETE": Effect.IDEM_WRITE,
    "POST": Effect.NON_IDEM_WRITE,
    "PATCH": Effect.NON_IDEM_WRITE,
    "CONNECT": Effect.NON_IDEM_WRITE,
}
"""The class of each method. RFC 9110, section 9.2.2."""
REPEATED_BY_URLLIB3: Final = frozenset({"HEAD", "GET", "PUT", "DELETE", "OPTIONS", "TRACE"})
"""`Retry.DEFAULT_ALLOWED_METHODS` of urllib3 2.8."""
KEY_HEADERS: Final = frozenset(
    {
        "idempotency-key",
        "x-idempotency-key",
        "idempotent-key",
        "paypal-request-id",
        "nats-msg-id",
        "repeatability-request-id",
    }
)
"""Request headers that carry an idempotency key, in lower case.

draft-ietf-httpapi-idempotency-key-header; PayPal and NATS by their clients; OASIS Repeatable Requests 1.0.
"""


def effect_of_verb(verb: str) -> Effect | None:
    """The class of a request by its method, in any case; None for an unknown one."""
    return VERBS.get(verb.upper())


def asks(address: str) -> str:
    """The word of an address that shows that a POST to it only asks, or nothing.

    The last segment of the path decides: `/v2/orders/search`, `/_search`, `.../documents:runQuery`.
    """
    path = re.split(r"[?#]", address, maxsplit=1)[0]
    path = re.sub(r"^[a-z][a-z0-9+.-]*://[^/]*", "", path, flags=re.IGNORECASE)
    segments = [segment for segment in path.split("/") if segment]
    if not segments:
        return ""
    last = segments[-1].lower().strip("_")
    known = _words()
    if last in known["asks"]:
        return last
    found = words(segments[-1])
    if known["acts"].intersection(found):
        return ""
    return next((word for word in (*found[:1], *found[-1:]) if word in known["asks_with_others"]), "")


def asks_anywhere(text: str) -> bool:
    """Whether a word of an address, or of the name of what posts to it, says that nothing is done there."""
    return bool(_words()["asks_anywhere"].intersection(words(text)))


def is_library(package: str) -> bool:
    """Whether a top-level package is that of an HTTP client."""
    return package in _words()["libraries"]


@cache
def _words() -> dict[str, frozenset[str]]:
    table = contents("http")
    return {
        name: frozenset(table["post"][name])
        for name in ("asks", "asks_with_others", "acts", "asks_anywhere", "libraries")
    }
