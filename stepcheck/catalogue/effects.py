"""Words that people write for an effect class, and the class they probably mean."""

import difflib
from functools import cache, lru_cache
from typing import Any

from stepcheck.catalogue.contents import contents
from stepcheck.facts import Effect


@lru_cache(1024)
def meant(text: str) -> tuple[Effect, ...]:
    """The classes that the word may stand for: none where it resembles nothing, two where either may be."""
    word = "_".join(text.lower().replace("-", " ").replace("_", " ").split())
    if word in _known():
        return _known()[word]
    near = difflib.get_close_matches(word, [*Effect, *_known()], n=1, cutoff=0.75)
    return _known().get(near[0]) or (Effect(near[0]),) if near else ()


@cache
def _known() -> dict[str, tuple[Effect, ...]]:
    table: dict[str, Any] = contents("effects")
    writes = tuple(effect for effect in Effect if effect.writes)
    return {
        word: writes if name == "either_write" else (Effect(name),)
        for name, section in table.items()
        for word in section["words"]
    }
