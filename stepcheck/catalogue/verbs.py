"""What the words of a callable's name say that it does: the last resort, and never more than a hint."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from stepcheck.catalogue.names import words
from stepcheck.facts import Effect


@dataclass(frozen=True, slots=True)
class Verb:
    """The word that tells."""

    word: str
    effect: Effect
    grave: bool
    """It moves money, goods or messages: people notice a second one."""
    local: bool
    """Containers and texts have a method of that very name, so on an unknown receiver it says nothing."""


def verb(name: str) -> Verb | None:
    """What a callable of that name (`bank.send_money`) probably does; None where no word tells.

    The first word of the last segment decides; a condition in it (`create_if_absent`) makes a write idempotent.
    Names are compared word by word: `getter` is not `get`.
    """
    last = name.rstrip("()").rpartition(".")[2].lstrip(":?_")
    found = words(last)
    effects, grave, local, conditional = _known()
    while (
        found
        and found[0] in ("do", "async", "try", "maybe", "a", "safe", "safely", "sync")
        and len(found) > 1
    ):
        found = found[1:]
    if not found:
        return None
    effect = effects.get(found[0])
    if effect is None:
        return None
    text = "_".join(found)
    if effect is Effect.NON_IDEM_WRITE and any(condition in text for condition in conditional):
        effect = Effect.IDEM_WRITE
    if found[:3] == ("get", "or", "create"):
        effect = Effect.IDEM_WRITE
    return Verb(found[0], effect, found[0] in grave, text in local)


@cache
def _known() -> tuple[Mapping[str, Effect], frozenset[str], frozenset[str], tuple[str, ...]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    effects = {word: effect for effect in Effect for word in table[effect.value]}
    return effects, frozenset(table["grave"]), frozenset(table["local"]), tuple(table["conditional"])
