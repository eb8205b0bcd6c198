"""A demonstration for a design document: Markdown, with the schedule as a Mermaid sequence diagram."""

from collections.abc import Iterator

from stepcheck.demo import Demo, Side, participants


def text(demos: tuple[Demo, ...]) -> str:
    """Return the document; the same demonstrations give the same text."""
    return "\n".join(_document(demos)).rstrip() + "\n"


def _document(demos: tuple[Demo, ...]) -> Iterator[str]:
    yield f"# {demos[0].rule}: what it does"
    yield ""
    for shown in demos:
        yield f"## {shown.title[0].upper()}{shown.title[1:]}"
        yield ""
        yield f"Harm: **{shown.harm}**. {shown.means[0].upper()}{shown.means[1:]}."
        yield f"What goes wrong on the way: {', '.join(shown.faults) or 'nothing at all'}."
        yield ""
        yield "### With the mistake"
        yield ""
        yield from _side(shown.bad)
        yield "### Without it, and the same going wrong"
        yield ""
        yield from _side(shown.good)


def _side(side: Side) -> Iterator[str]:
    if side.code:
        yield f"```{'yaml' if side.code.startswith('steps:') else 'python'}"
        yield side.code
        yield "```"
        yield ""
    yield from (f"{number}. {sentence}." for number, sentence in enumerate(side.sentences, start=1))
    yield ""
    yield from _diagram(side)
    yield ""
    yield "| seconds | what happened in the world | key |"
    yield "|---|---|---|"
    for one in side.effects:
        moment = "" if one.seconds is None else f"{one.seconds:.1f}"
        yield f"| {moment} | {one.what} | {f'`{one.key}`' if one.key else 'none'} |"
    yield ""
    yield "| of | what is recorded |"
    yield "|---|---|"
    yield from (f"| {row.step} | {row.words} |" for row in side.rows)
    yield ""


def _diagram(side: Side) -> Iterator[str]:
    yield "```mermaid"
    yield "sequenceDiagram"
    for name in participants(side.messages):
        yield f"    participant {_id(name)} as {name}"
    for one in side.messages:
        if one.source == one.target:
            yield f"    Note over {_id(one.source)}: {_plain(one.text)}"
        else:
            yield f"    {_id(one.source)}{'-x' if one.lost else '->>'}{_id(one.target)}: {_plain(one.text)}"
    yield "```"


def _id(name: str) -> str:
    return name.replace(" ", "_")


def _plain(text: str) -> str:
    """Without the characters that end a line of Mermaid."""
    return text.replace(";", ",").replace("#", "no. ").replace(":", " -")
