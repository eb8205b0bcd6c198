"""Files that are replaced in one go."""

import os
from pathlib import Path


def replace(file: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one, never half. Raises OSError.

    The mode stays; a link's file is written where it is. What is no file, as /dev/stdout, is written into.
    """
    import tempfile  # noqa: PLC0415 (slow to import)

    if file.exists() and not file.is_file():
        file.write_bytes(data)
        return
    place = file.resolve()
    handle, made = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(made, place.stat().st_mode & 0o7777 if place.exists() else 0o666 & ~_umask())  # noqa: PTH101
        os.replace(made, place)  # noqa: PTH105
    except BaseException:
        os.unlink(made)  # noqa: PTH108
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
