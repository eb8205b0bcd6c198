"""Markdown as HTML: by markdown-it, with blocks of the handbook's own in place of some fences."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from html import escape
from typing import Any

from stepcheck.settings import UsageError

Blocks = Callable[[Sequence[tuple[str, str]]], str | None]
"""Takes fences that follow each other without a word between, each with its info string and its text.

It gives what stands in their place, or None where they are plain code.
"""


def html(text: str, blocks: Blocks, rules: Collection[str], up: str) -> str:
    """The text as HTML. A rule's name in backticks leads to its page; `up` leads from here to the site's root.

    Headings are anchors by their words up to a colon: `Stage 3: keys` is `stage-3`.
    """
    return "".join(_parts(text, blocks, rules, up))


def _parts(text: str, blocks: Blocks, rules: Collection[str], up: str) -> Iterator[str]:
    markdown = reader()

    def code(self: Any, tokens: Any, at: int, options: Any, env: Any) -> str:  # noqa: ARG001
        name = tokens[at].content
        shown = f"<code>{escape(name, quote=False)}</code>"
        return f'<a href="{up}rules/{name}.html">{shown}</a>' if name in rules else shown

    markdown.add_render_rule("code_inline", code)
    run: list[Any] = []
    fences: list[Any] = []
    for token in [*_prepared(markdown.parse(text)), None]:
        if token is not None and token.type == "fence" and token.level == 0:
            yield markdown.renderer.render(run, markdown.options, {})
            run = []
            fences.append(token)
            continue
        if fences:
            asked = blocks([(one.info.strip(), one.content) for one in fences])
            yield asked or "".join(plain(one.content) for one in fences)
            fences = []
        if token is not None:
            run.append(token)
    yield markdown.renderer.render(run, markdown.options, {})


def plain(text: str) -> str:
    """Code as it is written."""
    return f'<pre class="code plain"><code>{escape(text, quote=False)}</code></pre>'


def _prepared(tokens: Sequence[Any]) -> Sequence[Any]:
    """The same, headings as anchors, and heads of tables saying what they are the heads of."""
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag != "h1":
            name = tokens[at + 1].content.partition(":")[0].lower()
            token.attrSet("id", "-".join(re.findall("[a-z0-9]+", name)))
        elif token.type == "th_open":
            token.attrSet("scope", "col")
    return tokens


def reader() -> Any:
    """The reader. HTML in the text is text. Raises UsageError without the extra that it needs."""
    try:
        from markdown_it import MarkdownIt  # noqa: PLC0415 (an extra: only who builds the handbook needs it)
    except ModuleNotFoundError:
        raise UsageError("the handbook needs markdown-it-py: pip install 'stepcheck[docs]'") from None
    return MarkdownIt("commonmark", {"html": False}).enable("table")
