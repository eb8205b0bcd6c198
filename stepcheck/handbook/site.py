"""The site: every page by its address, and how it is written to a folder."""

from pathlib import Path

from stepcheck import writing
from stepcheck.handbook import index, prose, rule_page, words
from stepcheck.handbook.book import Book
from stepcheck.handbook.frame import CONCEPTS
from stepcheck.handbook.style import HANDBOOK
from stepcheck.settings import UsageError
from stepcheck.web.style import STYLE


def pages(book: Book) -> dict[str, str]:
    """Every file of the site by its address; the same book gives the same bytes."""
    sources = {f"concepts/{name}.html": name for name in CONCEPTS} | {"ladder.html": "ladder"}
    searched = [words.of_rule(entry) for entry in book.entries.values()]
    searched += [
        words.of_source(address, (prose.SOURCES / f"{name}.md").read_text("utf-8"))
        for address, name in sources.items()
    ]
    found = {"index.html": index.text(book, searched), "style.css": (STYLE + HANDBOOK).lstrip()}
    for address, name in sources.items():
        found[address] = prose.text(name, address, "../" * address.count("/"), book)
    for entry in book.entries.values():
        found[f"rules/{entry.name}.html"] = rule_page.text(entry, book)
    return found


def write(files: dict[str, str], folder: Path) -> None:
    """Write the files, and take pages of rules away that are no more.

    Raises UsageError for a folder that holds something else, or that cannot be written.
    """
    try:
        if folder.exists() and any(folder.iterdir()) and not _ours(folder):
            raise UsageError(
                f"{folder} holds something else: name an empty folder, or that of an earlier handbook"
            )
        for address, text in files.items():
            file = folder / address
            file.parent.mkdir(parents=True, exist_ok=True)
            writing.replace(file, text.encode("utf-8"))
        for file in sorted(folder.glob("*/*.html")):
            if file.relative_to(folder).as_posix() not in files:
                file.unlink()
    except OSError as error:
        raise UsageError(f"{folder}: could not be written: {error.strerror or error}") from None


def _ours(folder: Path) -> bool:
    first = folder / "index.html"
    return first.is_file() and "stepcheck handbook" in first.read_text("utf-8", "replace")[:1000]
