"""Where the output goes: a terminal with or without colour, a pipe that may close, a file."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from stepcheck import writing
from stepcheck.settings import UsageError

_WIDTH = 100


def colored(choice: str, file: Path | None) -> bool:
    """Whether to colour: as asked; else never a file, then as NO_COLOR, FORCE_COLOR, the terminal say."""
    if choice != "auto":
        return choice == "always"
    if file is not None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to fill: COLUMNS, else the terminal's, else a hundred."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _WIDTH
    except (OSError, ValueError):
        return _WIDTH


def write(text: str, file: Path | None = None, *, machine: bool = False) -> None:
    """Put the output out; what is for a machine is always UTF-8, as files are.

    A reader that closed the pipe is no error. Raises UsageError for a file.
    """
    if file is not None:
        try:
            writing.replace(file, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise UsageError(f"{file}: could not be written: {error.strerror or error}") from None
        return
    encoding = "utf-8" if machine else sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # What the interpreter flushes at its end must not fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def prints_beside_the_output() -> Iterator[None]:
    """While it holds, what is printed goes to the standard error: by Python, a child process, a C library."""
    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output that a print could spoil
        with contextlib.redirect_stdout(sys.stderr):
            yield
        return
    try:
        with contextlib.suppress(OSError):
            os.dup2(2, 1)
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        if sys.__stdout__ is not None:
            with contextlib.suppress(OSError, ValueError):
                sys.__stdout__.flush()
        os.dup2(kept, 1)
        os.close(kept)


def say(message: str) -> None:
    """One line for the user, beside the output."""
    try:
        sys.stderr.write(message.encode("utf-8", "backslashreplace").decode() + "\n")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def refuse(error: UsageError) -> None:
    """Say why what was asked for is not done, a line for each mistake."""
    for line in str(error).splitlines():
        say(f"error: {line}")


def tell(path: str, error: Exception, *, traceback: bool) -> None:
    """Say that an error of our own kept a file from being checked, or all of them where no path is given."""
    told = f"{type(error).__name__}: {error}".rstrip(": ")
    if traceback:
        import traceback as trace  # noqa: PLC0415

        say("".join(trace.format_exception(error)).rstrip())
    say(f"error: internal error{f' while checking {path}' if path else ''}: {told}; please report it")
