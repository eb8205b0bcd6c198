"""Which values are idempotency keys, by their names, and whether a call has its key."""

from functools import cache, lru_cache
from typing import Any

from stepcheck.catalogue.arguments import Argument, Arguments
from stepcheck.catalogue.call_fact import Key, Place
from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.http import KEY_HEADERS
from stepcheck.catalogue.names import words

_DIRECT = frozenset({Place.KEYWORD, Place.OPTIONS, Place.BODY})


def names_key(name: str) -> bool:
    """Whether a parameter, field or header of that name carries an idempotency key, whatever it is given to.

    `idempotency_key`, `ClientToken`, `Idempotency-Key`, `charge_idempotency_key`; `request_id` does not.
    """
    whole, ending = _known()
    if name.lower() in KEY_HEADERS:
        return True
    snake = "_".join(words(name))
    return snake in whole or any(snake.endswith("_" + end) for end in ending)


def header_of(host: str) -> str:
    """The header by which a service at that host takes its key; nothing for a host that is not known to."""
    for group in _table()["host"]:
        if any(host == name or host.endswith("." + name) for name in group["names"]):
            return str(group["header"])
    return ""


def given(key: Key, arguments: Arguments) -> bool | None:
    """Whether a call has its key among the arguments; None where only a run could tell.

    A name that is one of a key anywhere in what is sent counts, and so does the key's own name in its place.
    What a client or a context around the call brings (`Place.CLIENT`, `Place.CONTEXT`) is not seen here.
    """
    own = arguments.get(key.name) if key.name else None
    if own is not None and key.place in _DIRECT:
        return not (own.literal and own.value in (None, "", False))
    if any(names_key(name) and not _is_none(value) for name, value in arguments.keywords.items()):
        return True
    inside = [word for argument in arguments.all() for word in argument.words]
    if any(names_key(word) for word in inside):
        return True
    if key.place in (Place.BODY, Place.DOCUMENT, Place.OPTIONS, Place.MESSAGE) and key.name in inside:
        return True
    if arguments.open or key.place in (Place.CLIENT, Place.CONTEXT, Place.BUILDER, Place.MODEL, Place.PATH):
        return None
    return None if _carried(key, arguments) else False


def _carried(key: Key, arguments: Arguments) -> bool:
    """Whether a value that was made elsewhere may hold it: `headers=headers`, `json=body`."""
    if key.place is Place.KEYWORD:
        return False
    if key.place is Place.HEADER:
        headers = arguments.get("headers")
        return headers is not None and not headers.whole
    return any(not argument.whole for argument in arguments.all())


def _is_none(argument: Argument) -> bool:
    return argument.literal and argument.value is None


@lru_cache(4096)
def spaced(name: str) -> str:
    """The words of a name with a space between them."""
    return " ".join(words(name))


@cache
def spoken(group: str) -> frozenset[str]:
    """Names as words with a space between: `keys` carry one, `accepted` take nothing else, `jobs` are derived ids."""
    if group == "keys":
        return frozenset(name.replace("_", " ") for name in _table()["names"]["whole"])
    return frozenset(_table()["spoken"][group])


@cache
def _known() -> tuple[frozenset[str], tuple[str, ...]]:
    table = _table()["names"]
    return frozenset(table["whole"]), tuple(table["ending"])


@cache
def _table() -> dict[str, Any]:
    return contents("keys")
