"""Which exceptions reach which handlers."""

import builtins
from collections.abc import Mapping
from dataclasses import dataclass

from stepcheck.analysis.paths import failed
from stepcheck.code.flow import ESCAPE, Catch, EdgeKind, FileFlow, Flow, Leave, Point

_ALIASES = {
    "builtins.IOError": "builtins.OSError",
    "builtins.EnvironmentError": "builtins.OSError",
    "socket.error": "builtins.OSError",
    "socket.timeout": "builtins.TimeoutError",
    "asyncio.CancelledError": "asyncio.exceptions.CancelledError",
    "asyncio.TimeoutError": "builtins.TimeoutError",
    "asyncio.exceptions.TimeoutError": "builtins.TimeoutError",
    "concurrent.futures.TimeoutError": "builtins.TimeoutError",
    "json.JSONDecodeError": "json.decoder.JSONDecodeError",
}
"""Names of one class (Python 3.11 and later)."""
_STANDARD = {
    "asyncio.exceptions.CancelledError": ("builtins.BaseException",),
    "json.decoder.JSONDecodeError": ("builtins.ValueError",),
    "subprocess.SubprocessError": ("builtins.Exception",),
    "subprocess.TimeoutExpired": ("subprocess.SubprocessError",),
    "subprocess.CalledProcessError": ("subprocess.SubprocessError",),
    "urllib.error.URLError": ("builtins.OSError",),
    "urllib.error.HTTPError": ("urllib.error.URLError",),
    "http.client.HTTPException": ("builtins.Exception",),
    "http.client.RemoteDisconnected": ("builtins.ConnectionResetError", "http.client.BadStatusLine"),
    "http.client.BadStatusLine": ("http.client.HTTPException",),
    "http.client.IncompleteRead": ("http.client.HTTPException",),
    "smtplib.SMTPException": ("builtins.OSError",),
    "smtplib.SMTPServerDisconnected": ("smtplib.SMTPException",),
    "sqlite3.Error": ("builtins.Exception",),
    "sqlite3.DatabaseError": ("sqlite3.Error",),
    "sqlite3.OperationalError": ("sqlite3.DatabaseError",),
    "sqlite3.IntegrityError": ("sqlite3.DatabaseError",),
    "ssl.SSLError": ("builtins.OSError",),
    "socket.gaierror": ("builtins.OSError",),
}
"""Classes of the standard library, with their bases as its documentation gives them."""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Exception classes with their bases, named like `Call.qualified`."""

    bases: Mapping[str, tuple[str, ...]]

    def is_a(self, kind: str, ancestor: str) -> bool | None:
        """Whether every exception of class `kind` is one of class `ancestor`; None where that is not known.

        A class that is not known to have other bases is taken to be an `Exception`.
        """
        kind, ancestor = _ALIASES.get(kind, kind), _ALIASES.get(ancestor, ancestor)
        seen: set[str] = set()
        waiting = [kind]
        certain = True
        while waiting:
            at = waiting.pop()
            at = _ALIASES.get(at, at)
            if at == ancestor:
                return True
            if at in seen:
                continue
            seen.add(at)
            known = self.bases.get(at)
            if known is None:
                certain = False
                known = ("builtins.Exception",)
            waiting.extend(known)
        return False if certain else None


def hierarchy(
    library: Mapping[str, tuple[str, ...]] | None = None, file: FileFlow | None = None
) -> Hierarchy:
    """The builtin and standard exceptions, those of a table `library`, and the classes of the file."""
    bases = {
        f"builtins.{name}": tuple(
            f"builtins.{base.__name__}" for base in found.__bases__ if base is not object
        )
        for name, found in sorted(vars(builtins).items())
        if isinstance(found, type) and issubclass(found, BaseException)
    }
    bases |= _STANDARD
    bases |= library or {}
    if file is not None:
        bases |= {
            f":{found.qualname}": found.bases for found in file.classes if found.bases and all(found.bases)
        }
    return Hierarchy(bases)


def takes(catch: Catch, kind: str, known: Hierarchy) -> bool | None:
    """Whether a handler takes an exception of class `kind`; None where that is not known (`kind` "")."""
    if not catch.types or "builtins.BaseException" in catch.types:
        return True
    answers = [known.is_a(kind, handled) if handled and kind else None for handled in catch.types]
    if True in answers:
        return True
    return None if None in answers else False


@dataclass(frozen=True, slots=True)
class Reached:
    """A handler that an exception may come to."""

    catch: Point
    certain: bool
    """It takes the exception whenever it gets there; otherwise that is not known."""


@dataclass(frozen=True, slots=True)
class Fate:
    """Where an exception raised at one point can go."""

    handlers: tuple[Reached, ...]
    """From the innermost outwards."""
    swallowed: tuple[Point, ...]
    """The leaving of context managers on the way: each could end it."""
    escapes: bool
    """Whether it may leave the function."""


def fate(flow: Flow, point: Point, kind: str, known: Hierarchy) -> Fate:
    """Where an exception of class `kind` (`""` for any) raised by the operation can go."""
    handlers: list[Reached] = []
    swallowed: list[Point] = []
    seen: set[int] = set()
    waiting = [start.block for start in failed(flow, point)]
    while waiting:
        block = waiting.pop(0)
        if block in seen:
            continue
        seen.add(block)
        operations, edges = flow.blocks[block].operations, flow.blocks[block].edges
        last = operations[-1] if operations else None
        passed = {EdgeKind.NEXT, EdgeKind.TRUE, EdgeKind.FALSE, EdgeKind.PASSED, EdgeKind.RERAISE}
        here = Point(block, len(operations) - 1)
        if isinstance(last, Catch):
            answer = takes(last, kind, known)
            if answer is not False:
                handlers.append(Reached(here, answer is True))
            if answer is True:
                continue
        elif isinstance(last, Leave) and last.failing:
            swallowed.append(here)
        waiting.extend(edge.target for edge in edges if edge.kind in passed)
    return Fate(tuple(handlers), tuple(swallowed), ESCAPE in seen)
