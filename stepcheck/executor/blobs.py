"""Long outputs, each under its digest: either the whole of it is there or nothing."""

import os
import tempfile
from pathlib import Path
from typing import Protocol

from stepcheck.executor.outputs import digest


class BlobError(Exception):
    """A blob that is not there, differs from its digest, or could not be stored."""


class Blobs(Protocol):
    """Where long outputs are kept."""

    def put(self, data: bytes) -> str:
        """Store the bytes durably and return their SHA-256. Raises BlobError."""

    def get(self, sha256: str) -> bytes:
        """Return the bytes of that digest. Raises BlobError where they are not there or differ."""


class MemoryBlobs:
    """Blobs that last as long as the object."""

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        """See `Blobs.put`."""
        name = digest(data)
        self.stored[name] = data
        return name

    def get(self, sha256: str) -> bytes:
        """See `Blobs.get`."""
        return checked(self.stored.get(sha256), sha256)


class FolderBlobs:
    """Blobs in a folder, `ab/abcdef...`: written beside their place, synced, then renamed into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """See `Blobs.put`; both the file and the folder's entry are on the disk at return."""
        name = digest(data)
        place = self.folder / name[:2] / name
        try:
            fresh = not place.parent.exists()
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.exists():
                self._write(place, data)
            sync_folder(place.parent)
            if fresh:
                sync_folder(self.folder)
        except OSError as error:
            raise BlobError(f"the output could not be stored in '{self.folder}': {error}") from None
        return name

    @staticmethod
    def _write(place: Path, data: bytes) -> None:
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).rename(place)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def get(self, sha256: str) -> bytes:
        """See `Blobs.get`."""
        try:
            data = (self.folder / sha256[:2] / sha256).read_bytes()
        except FileNotFoundError:
            data = None
        except OSError as error:
            raise BlobError(f"the output {sha256} could not be read: {error}") from None
        return checked(data, sha256)


def checked(data: bytes | None, sha256: str) -> bytes:
    """Return the bytes if they are what their name says. Raises BlobError."""
    if data is None:
        raise BlobError(f"the output {sha256} is not there")
    if digest(data) != sha256:
        raise BlobError(f"the output {sha256} differs from its digest")
    return data


def sync_folder(folder: Path) -> None:
    """Put the folder's entries on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
