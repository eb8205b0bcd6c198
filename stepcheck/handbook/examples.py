"""Examples as HTML: the bad one and its good twin, with what the engine finds marked at its place."""

from collections.abc import Iterator, Sequence
from html import escape

from stepcheck.handbook.book import Checked
from stepcheck.output._frames import Place, split_lines
from stepcheck.output._report_code import related, whole
from stepcheck.output._style import look_of
from stepcheck.page import parted

_BESIDE = 56
"""Characters up to which lines are short enough for two examples side by side."""


def twins(examples: Sequence[Checked]) -> str:
    """Examples that follow each other on a page."""
    wide = any(
        len(line) > _BESIDE for one in examples for text in one.example.files.values() for line in shown(text)
    )
    bad = any(one.example.bad for one in examples)
    figures = "".join(_figure(one, "Without it" if bad else "Nothing is found here") for one in examples)
    return f'<div class="twins{" stacked" if wide or len(examples) == 1 else ""}">{figures}</div>'


def shown(text: str) -> list[str]:
    """The lines of an example without the comments that say what is found there."""
    return [parted(line)[0] for line in split_lines(text.removesuffix("\n"))]


def _figure(checked: Checked, good: str) -> str:
    kind, title = ("bad", "The mistake") if checked.example.bad else ("good", good)
    return f'<figure class="twin {kind}"><figcaption>{title}</figcaption>{"".join(_files(checked))}</figure>'


def _files(checked: Checked) -> Iterator[str]:
    for name, text in checked.example.files.items():
        if len(checked.example.files) > 1:
            yield f'<p class="at">{escape(name)}</p>'
        places = []
        for found in checked.findings:
            if found.span.path == name:
                places.append(
                    Place(found.span, f"{found.severity}: {found.message}", look_of(found.severity))
                )
            places += [place for place in related(found) if place.span.path == name]
        yield whole(places, shown(text))
