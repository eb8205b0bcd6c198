"""`stepcheck handbook`: the rules' pages and the ideas behind them as a site."""

from pathlib import Path

import click

from stepcheck.cli import _terminal
from stepcheck.settings import UsageError


@click.command("handbook", short_help="Write the rules and their ideas to a folder, as a site.")
@click.argument("folder", metavar="OUT", type=click.Path(path_type=Path, file_okay=False))
@click.pass_context
def command(context: click.Context, folder: Path) -> None:
    """Write the handbook to the folder OUT: a site of plain files, to open in a browser or to serve.

    Every example is checked and every story is run while it is written. It needs the extra `docs`.
    """
    from stepcheck.handbook import book, markdown, site  # noqa: PLC0415 (loads every rule and the executor)

    try:
        markdown.reader()  # said at once, and not after all the stories are run
        files = site.pages(book.gather())
        site.write(files, folder)
    except UsageError as error:
        _terminal.refuse(error)
        context.exit(2)
    _terminal.say(f"wrote {len(files)} files; open {folder / 'index.html'}")
