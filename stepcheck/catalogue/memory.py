"""Words by which names tell what runs remember, and what is left to a model."""

from dataclasses import dataclass
from functools import cache, lru_cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words


@dataclass(frozen=True, slots=True)
class _Group:
    phrases: tuple[str, ...]
    whole: frozenset[str]
    unless: tuple[str, ...]


@lru_cache(8192)
def says(group: str, name: str) -> str:
    """The words by which the last segment of a name belongs to a group of `memory.toml`, or nothing."""
    return within(group, name.removesuffix("()").rpartition(".")[2])


def leads(group: str, name: str) -> bool:
    """Whether the last segment of a name begins with words of a group: `run_tool` with those for carrying out."""
    said = says(group, name)
    return bool(said) and " ".join(words(name.removesuffix("()").rpartition(".")[2])).startswith(said)


@lru_cache(8192)
def within(group: str, text: str) -> str:
    """The same for all of a name or text: `session.step_log`, `tool_result`."""
    known = _known()[group]
    spaced = f" {' '.join(words(text))} "
    if spaced.strip() in known.whole:
        return spaced.strip()
    if any(f" {word} " in spaced for word in known.unless):
        return ""
    return next((phrase for phrase in known.phrases if f" {phrase} " in spaced), "")


@cache
def _known() -> dict[str, _Group]:
    table = contents("memory")
    return {
        name: _Group(
            tuple(sorted(group["phrases"], key=len, reverse=True)),
            frozenset(group["whole"]),
            tuple(group["unless"]),
        )
        for name, group in table.items()
    }
