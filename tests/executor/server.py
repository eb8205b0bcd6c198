"""A PostgreSQL server of the tests' own: in a folder of its own, on a socket of its own, gone afterwards."""

import importlib.util
import itertools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

NUMBERS = itertools.count(1)


def binaries() -> Path | None:
    """Where the newest server's programs are."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not found and (initdb := shutil.which("initdb")):
        found = [Path(initdb).parent]
    return max(found, key=lambda path: (len(str(path)), str(path)), default=None)


def missing() -> str | None:
    """Why there can be no server here."""
    if binaries() is None:
        return "PostgreSQL is not installed: the Debian package 'postgresql' has its server"
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg 3 is not installed: the extra 'postgres' has it"
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        return "PostgreSQL refuses to run as root, and there is no runuser here"
    return None


class Server:
    """One cluster, started and stopped at will."""

    def __init__(self) -> None:
        found = binaries()
        assert found is not None
        self.binaries = found
        self.folder = Path(tempfile.mkdtemp(prefix="stepcheck-pg-"))
        self.data = self.folder / "data"
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", str(self.data), "-U", "stepcheck", "-A", "trust", "--no-sync", "-E", "UTF8")

    def _run(self, program: str, *arguments: str, check: bool = True) -> str:
        as_owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*as_owner, str(self.binaries / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if check and done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses= -c max_connections=40 -c shared_buffers=16MB"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-w", "-t", "60", "-l", log, "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", mode, "stop", check=False)

    def url(self, ledger: str = "public") -> str:
        """A ledger's place: a schema of its own in one database."""
        return f"postgresql://stepcheck@/postgres?host={self.folder}&options=-csearch_path%3D{ledger}"

    def create(self) -> str:
        import psycopg

        name = f"ledger{next(NUMBERS)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return name

    def drop(self, name: str) -> None:
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {name} CASCADE".encode())

    def remove(self) -> None:
        self.stop("fast")
        shutil.rmtree(self.folder, ignore_errors=True)
