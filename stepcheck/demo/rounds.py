"""A story without what comes again and again: a few rounds are told, and how many more there are."""

from collections.abc import Sequence

_TOLD = 3
"""So often a round is told that comes again and again."""


def shortened(sentences: Sequence[str]) -> tuple[str, ...]:
    """The sentences, with a round of one or two of them that comes again and again told a few times only."""
    for size in (1, 2):
        for at in range(len(sentences) - size * _TOLD):
            block, end = sentences[at : at + size], at + size
            while sentences[end : end + size] == block:
                end += size
            more = (end - at) // size - _TOLD
            if more > 1:
                told, rest = at + size * _TOLD, sentences[end:]
                begun = rest if rest == block[: len(rest)] else []
                return (*sentences[:told], f"The same comes {more} times more", *rest[len(begun) :])
    return tuple(sentences)
