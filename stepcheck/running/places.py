"""Where the ledger of a run is: made when a run begins, and only looked for by those who read it."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import unquote

from stepcheck.executor.blobs import sync_folder
from stepcheck.executor.drivers import World
from stepcheck.executor.ledger import LedgerError, VolatileStorage
from stepcheck.executor.opening import open_world
from stepcheck.running.refusal import CannotRun
from stepcheck.running.words import one_line

DEFAULT = ".stepcheck/ledger.db"
"""In the folder in which the command is given."""


@contextmanager
def ledger_for_a_run(place: str, *, allow_volatile: bool) -> Iterator[World]:
    """Open the ledger, made if it is not there; the default's folder is made too. Raises CannotRun."""
    if place == DEFAULT:
        _make_default()
    elif not _is_url(place):
        path = Path(place)
        if not path.parent.is_dir():
            raise CannotRun(f"the ledger '{place}' cannot be made: there is no folder '{path.parent}'")
        if path.is_file() and path.stat().st_size:
            _refuse_what_is_no_ledger(path)
    with _opened(place, allow_volatile) as world:
        yield world


@contextmanager
def ledger_that_is_there(place: str, *, allow_volatile: bool = True) -> Iterator[World]:
    """Open a ledger that a run has made; one that is missing is not made. Raises CannotRun."""
    if not _is_url(place):
        path = Path(place)
        if not path.is_file():
            raise CannotRun(
                f"there is no ledger '{place}': give the one of the run, with --ledger, "
                f"or go to the folder in which it was begun"
            )
        _refuse_what_is_no_ledger(path)
    with _opened(place, allow_volatile) as world:
        yield world


def _is_url(place: str) -> bool:
    return "://" in place


@contextmanager
def _opened(place: str, allow_volatile: bool) -> Iterator[World]:
    try:
        world = open_world(place, allow_volatile=allow_volatile)
    except VolatileStorage as error:
        raise CannotRun(
            f"{error}; give a ledger on a disk with --ledger, or --allow-volatile to run all the same"
        ) from None
    except LedgerError as error:
        raise CannotRun(_with_cure(error, place)) from None
    try:
        yield world
    except LedgerError as error:
        raise CannotRun(
            f"{_with_cure(error, place)}; what was being called is settled first when the same command is run again"
        ) from None
    finally:
        world.ledger.close()


def without_password(place: str) -> str:
    """The place as it may be shown: a URL's passwords are not, wherever they stand in it."""
    return _PARAMETER.sub(r"\1***", _user_info(place).sub(r"\1:***@", place, count=1))


_PARAMETER = re.compile(r"([?&](?:ssl)?password=)[^&#]*", re.IGNORECASE)


def _user_info(place: str) -> re.Pattern[str]:
    """Name and password before a host: up to the last '@', because who writes a password may not escape it."""
    ahead = place.partition("?")[0]
    return re.compile(r"(?<=://)([^/@:?]*):(.*)@" if "@" not in ahead else r"(?<=://)([^/@:?]*):([^?]*)@")


def _without_secrets(told: str, place: str) -> str:
    """What a driver says of a place, without the place's passwords and the parts into which it cut them."""
    told = told.replace(place, without_password(place))
    found = _user_info(place).search(place) if _is_url(place) else None
    secrets = [found[2]] if found else []
    secrets += [each[0].partition("=")[2] for each in _PARAMETER.finditer(place)]
    parts = {part for secret in secrets for part in (secret, unquote(secret), *re.split(r"[@:/?#&]", secret))}
    for part in sorted(parts - {""}, key=lambda part: (-len(part), part)):
        told = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", "***", told)
    return told


def _with_cure(error: LedgerError, place: str) -> str:
    told = _without_secrets(one_line(str(error)), place) if _is_url(place) else one_line(str(error))
    if "locked" in told:
        return f"{told}: another process writes to it; end that one, or wait for it"
    return told


def _make_default() -> None:
    """Make the folder, on the disk before anything relies on it, and keep it out of version control."""
    folder = Path(DEFAULT).parent
    try:
        if not folder.is_dir():
            folder.mkdir()
            sync_folder(folder.absolute().parent)
        ignored = folder / ".gitignore"
        if not ignored.exists():
            ignored.write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise CannotRun(
            f"the ledger's folder '{folder}' cannot be made: {error.strerror or error}; "
            "give another place with --ledger"
        ) from None


def _refuse_what_is_no_ledger(path: Path) -> None:
    """Refuse a file that is something else: a ledger's tables are never laid into another's database."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as file:
            found = file.execute("SELECT 1 FROM sqlite_master WHERE name = 'event'").fetchone()
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            return
        raise CannotRun(f"'{path}' is no ledger: {error}") from None
    if found is None:
        raise CannotRun(f"'{path}' is no ledger: it is a database of something else")
