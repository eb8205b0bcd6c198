"""The name of this process as an owner of tasks, and whether another owner on this machine is gone."""

import os
import socket
from pathlib import Path


def process_owner() -> str:
    """Return a name that no other process has: host, boot, process id, and when the process was started."""
    return f"{socket.gethostname()}/{_boot()}/{os.getpid()}/{_started(os.getpid()) or 0}"


def is_dead(owner: str) -> bool:
    """Whether an owner named by `process_owner` is known to be gone; False where only its lease can tell."""
    parts = owner.rsplit("/", 3)
    if len(parts) != 4 or parts[0] != socket.gethostname() or not (parts[2] + parts[3]).isdigit():
        return False
    # A host's processes do not live through a boot; containers that share a name do not share process ids.
    if parts[1] != _boot():
        return False
    # Where the kernel does not tell of processes, it does not tell of this one either.
    return _started(os.getpid()) is not None and _started(int(parts[2])) != int(parts[3])


def _boot() -> str:
    """Tells this boot, and this process namespace, from others."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot[:8]}-{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return "0"


def _started(pid: int) -> int | None:
    """Return when a process was started, in the kernel's ticks; None if it is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])
