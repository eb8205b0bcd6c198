"""Run the command line in a child: with pipes, or under a real terminal."""

import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
Terminal = Callable[..., tuple[int, str]]
KEPT = ("PATH", "HOME", "LANG", "COVERAGE_PROCESS_START")


def environment(**more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "PYTHONPATH": str(CHECKOUT), "PYTHONUTF8": "1", "TERM": "xterm-256color", **more}


@pytest.fixture
def piped() -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run `stepcheck ARGUMENTS` with its output in pipes."""

    def run(*arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "stepcheck", *arguments]
        return subprocess.run(
            command,
            env=environment(**more),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """Run `stepcheck ARGUMENTS` under a terminal of that size: the exit code and what it received."""

    def run(*arguments: str, columns: int = 80, lines: int = 1000, **more: str) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        child = subprocess.Popen(
            [sys.executable, "-m", "stepcheck", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**more),
            cwd=tmp_path,
        )
        os.close(theirs)
        received = bytearray()
        while select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux says EIO when the other end is closed
                break
            if not part:
                break
            received += part
        os.close(ours)
        return child.wait(60), received.decode("utf-8").replace("\r\n", "\n")

    return run
