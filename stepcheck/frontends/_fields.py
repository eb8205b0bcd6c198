"""Which reader reads which field of a step, and what holds where a field is not written."""

from dataclasses import dataclass

from stepcheck.facts import FIELDS
from stepcheck.frontends import TableOptions
from stepcheck.frontends._compound import absence, dedupe, retry
from stepcheck.frontends._scalars import (
    Reader,
    attempts,
    callable_,
    deadline,
    effect,
    flag,
    names,
    nearest,
    none_or,
    timeout,
    word,
)

EXECUTOR = "the executor's default: "


@dataclass(frozen=True, slots=True)
class FieldReading:
    """How one field is read."""

    read: Reader
    default: str | None = None
    """The value that holds where nothing is written."""
    whose: str = ""
    """Whose default that is, and what it means."""


READINGS: dict[str, FieldReading] = {
    "effect": FieldReading(none_or(effect), whose="no effect class is declared"),
    "call": FieldReading(none_or(callable_), whose="no callable is declared"),
    "query": FieldReading(none_or(callable_), whose="no query is declared"),
    "compensate": FieldReading(none_or(callable_), whose="no compensation is declared"),
    "compensate_deadline": FieldReading(none_or(deadline), whose="no deadline is declared"),
    "retryable": FieldReading(
        none_or(flag), whose=f"{EXECUTOR}reads and idem writes yes, non-idem writes no"
    ),
    "max_attempts": FieldReading(
        attempts, whose=f"{EXECUTOR}3 for reads and idem writes, 1 for non-idem writes"
    ),
    "retry": FieldReading(none_or(retry), whose=f"{EXECUTOR}reads and idem writes yes, non-idem writes no"),
    "timeout": FieldReading(timeout, whose="no bound on the call is declared"),
    "identity": FieldReading(none_or(names), whose=f"{EXECUTOR}every param goes into the key"),
    "volatile": FieldReading(none_or(names), whose="no volatile params are declared"),
    "dedupe": FieldReading(none_or(dedupe), whose="nothing is promised about a repeated key"),
    "on_uncertain": FieldReading(
        none_or(word("query", "human")), whose=f"{EXECUTOR}the query where there is one, else a person"
    ),
    "on_absent": FieldReading(none_or(word("human", "retry")), "human", f"{EXECUTOR}a person decides"),
    "absence": FieldReading(none_or(absence), whose="no bounds are declared"),
    "output": FieldReading(
        none_or(word("ref", "inline")), "ref", f"{EXECUTOR}a reference to the stored output"
    ),
}
"""By field name, in the order of `FIELDS`."""

SPELLINGS: dict[str, str] = {
    spelling: field.name for field in FIELDS for spelling in (field.name, *field.aliases)
}
"""Every spelling of a field, with the field's name."""


def field_name(spelling: str, options: TableOptions) -> str:
    """The field that a spelling, the configuration's included, stands for; other names as they are."""
    spelling = options.aliases.get(spelling, spelling)
    return SPELLINGS.get(spelling, spelling)


def nearest_field(name: str) -> str:
    """The field that was probably meant by an unknown name, or nothing.

    Another case (`maxAttempts`, `compensate-deadline`) and a field's last word (`deadline`) count as near.
    """
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    snake = snake.replace("-", "_").replace(" ", "_").replace("__", "_").strip("_")
    for candidate in (name.lower(), snake):
        if candidate in SPELLINGS:
            return candidate
    last_words = [field.name for field in FIELDS if field.name.endswith(f"_{snake}")]
    return last_words[0] if len(last_words) == 1 else nearest(snake, tuple(SPELLINGS))


OTHER_NAMES = {
    "retries": "max_attempts",
    "max_retries": "max_attempts",
    "max_tries": "max_attempts",
    "undo": "compensate",
    "rollback": "compensate",
    "side_effect": "effect",
    "idempotency_key": "identity",
}
"""What other tools call our fields. No evidence that a mapping is a step; in a step, probably meant so."""


def meant_field(name: str) -> str:
    """The field that was probably meant by an unknown name inside a step, or nothing."""
    return nearest_field(name) or OTHER_NAMES.get(name, "")
