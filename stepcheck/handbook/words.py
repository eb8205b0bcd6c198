"""What can be searched: of each page its address, its title, and its words."""

import re
from dataclasses import dataclass

from stepcheck.handbook.book import Entry
from stepcheck.page import HARMS

_MOST = 1500
"""Characters of prose that are kept of a page: its beginning says what it is about."""


@dataclass(frozen=True, slots=True)
class Words:
    """One page."""

    address: str
    title: str
    about: str
    """A sentence that is shown with the title."""
    words: str

    def held(self) -> dict[str, str]:
        """As the index holds it: short names, since there are many."""
        return {"a": self.address, "t": self.title, "s": self.about, "w": self.words}


def of_rule(entry: Entry) -> Words:
    """The words of a rule's page: its story, how it decides, and the messages of its examples."""
    found = entry.page
    messages = " ".join(one.message for checked in entry.examples for one in checked.findings)
    prose = " ".join(found.sections.get(title, "") for title in ("What happens", "How it decides"))
    words = f"{found.leads_to} {HARMS[found.leads_to]} {plain(prose)} {plain(messages)}"
    return Words(f"rules/{entry.name}.html", entry.name, found.sentence, words)


def of_source(address: str, source: str) -> Words:
    """The words of a page of prose."""
    head, _, rest = source.partition("\n")
    first = rest.strip().partition("\n\n")[0]
    return Words(address, head.removeprefix("# "), " ".join(first.split()), plain(rest))


def plain(text: str) -> str:
    """Prose without code blocks and marks, in one line, its beginning."""
    text = re.sub(r"^```.*?^```$", " ", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\]\([^)]*\)|[`*#|\[]", " ", text)
    return " ".join(text.split())[:_MOST]
