"""Files that are replaced in one go."""

import os
from pathlib import Path

from stepcheck.settings import UsageError


def replace_text(file: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never half. Raises UsageError."""
    import tempfile  # noqa: PLC0415 (slow to import)

    try:
        handle, made = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(text.encode("utf-8", "backslashreplace"))
            os.chmod(made, file.stat().st_mode & 0o7777 if file.exists() else 0o666 & ~_umask())  # noqa: PTH101
            os.replace(made, file)  # noqa: PTH105
        except BaseException:
            os.unlink(made)  # noqa: PTH108
            raise
    except OSError as error:
        raise UsageError(f"{file}: could not be written: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
