"""A rule's page: found, and split into prose and examples.

A page is Markdown with a fixed set of headings. Its fenced blocks whose info string says `bad` or `good` are
the rule's tests: ```` ```python bad ````. A block may name its file, ```` ```python good file=calls.py ````;
blocks of one kind that follow each other and name different files are one example of several files.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from stepcheck import __version__

HOMEPAGE = "https://github.com/stepcheck/stepcheck"
HEADINGS = ("What happens", "Example", "How it decides", "Limits", "Demonstration")
HARMS = {
    "duplicate": "one thing was wanted, and it happens more than once",
    "ghost": "it happens, and no record says so",
    "lost": "it is recorded as done, and it has not happened",
    "false-failure": "it is recorded as failed, and it has happened",
    "stuck": "nobody works on it any more, and nobody is told",
    "wrong-compensation": "what should have stayed is undone, or it is undone twice, or too late",
    "unbounded": "it is tried again for ever",
    "bloat": "the log grows with every output that it holds",
    "refused": "an executor refuses to begin with it",
    "none": "nothing happens that a run could show",
}
"""Every harm that a page can name, with what it is, as a clause."""
UNEXPLORED = frozenset({"bloat", "refused", "none"})
"""Harms that the explorer does not know: only an example of code can show one, by being run."""

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"#\s*finding(?:\[(?P<severity>\w*)\])?:\s*(?P<text>.*?)\s*$")
_SUFFIX = {"python": ".py", "yaml": ".yaml", "toml": ".toml", "json": ".json"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding that an example expects: on this line, with this in its message, `# finding[warning]: ...`."""

    file: str
    line: int
    text: str
    severity: str = ""
    """Empty where any will do."""


@dataclass(frozen=True, slots=True)
class Example:
    """One example: files by name, whether it is bad, and the findings it must give."""

    bad: bool
    files: dict[str, str]
    marks: tuple[Mark, ...]
    line: int
    """Of the page, where the example starts."""
    run: str = ""
    """The situation in which it is run, `run=again`; `none` where no run can show its harm."""
    harm: str = ""
    """The harm it does, `harm=unbounded`, where that is another one than the page's."""

    @property
    def code(self) -> bool:
        """Whether it is Python without a step table."""
        return all(name.endswith(".py") and "effect" not in text for name, text in self.files.items())


@dataclass(frozen=True, slots=True)
class Page:
    """One rule's page."""

    name: str
    sentence: str
    sections: dict[str, str]
    """Text by heading, in the page's order."""
    examples: tuple[Example, ...]
    harm: str
    """The harm the bad example does: one of `HARMS`, declared under Demonstration as `Harm: duplicate`."""
    text: str

    @property
    def leads_to(self) -> str:
        """The harm that is shown: the page's, or where that is none, that of its first example that does any."""
        if self.harm != "none":
            return self.harm
        return next((one.harm for one in self.examples if one.harm), "none")

    @property
    def runs(self) -> bool:
        """Whether its harm can be run and shown: by one of its examples, or by the explorer."""
        run = (one for one in self.examples if one.bad and one.run != "none")
        return self.harm not in ("", "none") or any(one.harm for one in run)


def folder() -> Path:
    """Where the pages are: inside an installed package, or in the checkout's `rules/`."""
    packaged = Path(__file__).parent / "pages"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "rules"


def url(name: str) -> str:
    """Where this version's page of that rule can be read on the web."""
    return f"{HOMEPAGE}/blob/v{__version__}/rules/{name}.md"


def find(name: str) -> Page:
    """The page of that rule. Raises FileNotFoundError where there is none."""
    return read((folder() / f"{name}.md").read_text("utf-8"))


def read(text: str) -> Page:
    """Split a page's text. What is missing is empty; the tests say what must be there."""
    head, *rest = re.split(r"^## +(.+?) *$", text, flags=re.MULTILINE)
    sections = {title: body.strip() for title, body in zip(rest[::2], rest[1::2], strict=True)}
    title, _, sentence = head.strip().partition("\n")
    harm = re.search(r"^Harm: ([a-z-]+)", sections.get("Demonstration", ""), re.MULTILINE)
    return Page(
        name=title.removeprefix("# ").strip(),
        sentence=" ".join(sentence.split()),
        sections=sections,
        examples=tuple(_examples(text)),
        harm=harm.group(1) if harm else "",
        text=text,
    )


def parted(line: str) -> tuple[str, str]:
    """A line of an example, and the comment behind it that says what is found there; that is empty for most."""
    found = _MARK.search(line)
    return (line[: found.start()].rstrip(), found[0]) if found else (line, "")


def _examples(text: str) -> list[Example]:
    found: list[Example] = []
    end = -1
    for fence in _FENCE.finditer(text):
        language, *words = fence["info"].split() or [""]
        kinds = {"bad", "good"} & set(words)
        if not kinds or language not in _SUFFIX:
            continue
        bad = kinds == {"bad"}
        said = dict(word.split("=", 1) for word in words if "=" in word)
        named = said.get("file", "")
        file = named or f"example{_SUFFIX[language]}"
        marks = tuple(
            Mark(file, number, mark["text"], mark["severity"] or "")
            for number, line in enumerate(fence["text"].splitlines(), start=1)
            if (mark := _MARK.search(line))
        )
        last = found[-1] if found else None
        joined = last is not None and named and not text[end : fence.start()].strip() and last.bad == bad
        if last is not None and joined and file not in last.files:
            found[-1] = Example(bad, {**last.files, file: fence["text"]}, last.marks + marks, last.line)
        else:
            line = text.count("\n", 0, fence.start()) + 1
            run, harm = said.get("run", ""), said.get("harm", "")
            found.append(Example(bad, {file: fence["text"]}, marks, line, run, harm))
        end = fence.end()
    return found
