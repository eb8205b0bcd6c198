"""File systems that forget: a ledger on one of them would lose its intents."""

from pathlib import Path

from stepcheck.executor.ledger import VolatileStorage

IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})
ON_A_NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs"}
)


def refuse_volatile(path: Path, mounts: str | None = None) -> None:
    """Refuse a place whose file system is in memory or on a network. Raises VolatileStorage.

    `mounts` is the text of /proc/self/mounts; on a system without it nothing is refused.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/self/mounts").read_text()
        except OSError:
            return
    kind = _file_system(path.resolve(), mounts)
    if kind in IN_MEMORY:
        raise VolatileStorage(f"'{path}' is on {kind}, which is in memory: a power loss forgets every intent")
    if kind in ON_A_NETWORK:
        raise VolatileStorage(f"'{path}' is on {kind}: SQLite's locks and syncs do not hold over a network")


def _file_system(path: Path, mounts: str) -> str:
    best, kind = -1, ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " "))
        # Of two mounts on one folder the later one hides the earlier.
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), fields[2]
    return kind
