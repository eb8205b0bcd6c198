"""What names say of a value: that it is an idempotency key."""

import tomllib
from functools import cache
from pathlib import Path

from stepcheck.catalogue.http import KEY_HEADERS
from stepcheck.catalogue.names import words


def names_key(name: str) -> bool:
    """Whether a parameter, field or header of that name carries an idempotency key, whatever it is given to.

    `idempotency_key`, `ClientToken`, `Idempotency-Key`, `charge_idempotency_key`; `request_id` does not.
    """
    whole, ending, _ = _known()
    if name.lower() in KEY_HEADERS:
        return True
    snake = "_".join(words(name))
    return snake in whole or any(snake.endswith("_" + end) for end in ending)


def may_be_key(name: str) -> bool:
    """Whether the name is one that some calls take their key by, and others something else."""
    return names_key(name) or "_".join(words(name)) in _known()[2]


@cache
def _known() -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["names"]
    return frozenset(table["whole"]), tuple(table["ending"]), frozenset(table["weak"])
