"""Outputs as the ledger keeps them: JSON, small ones in their event, long ones in the blob store."""

import dataclasses
import json
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from hashlib import sha256
from uuid import UUID

from stepcheck.executor.answers import words

RECEIPT_LIMIT = 4096
"""Characters of JSON that stay in the event; what is longer goes to the blob store."""

INLINE = "inline:sha256:"
BLOB = "sha256:"


class NotStorable(Exception):
    """An output that JSON cannot hold."""


def encode(output: object) -> str:
    """Return the output as JSON; dates, decimals and ids as text. Raises NotStorable."""
    try:
        return json.dumps(output, default=_plain, allow_nan=False, separators=(",", ":"))
    except Exception as error:
        # An object may raise anything while it is read; the step was acknowledged all the same.
        raise NotStorable(f"the output cannot be stored as JSON: {words(error)}") from None


def inline(output: str | None) -> str | None:
    """Return the output if it is small enough for the event, None where it must be stored."""
    return output if output is not None and len(output) <= RECEIPT_LIMIT else None


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    raise TypeError(f"an object of the class '{type(value).__name__}' is no JSON")


def digest(data: bytes) -> str:
    """Return the name of these bytes."""
    return sha256(data).hexdigest()
