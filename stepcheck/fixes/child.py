"""The process that runs libcst: jobs come in on standard input as JSON, new statements go out on output.

libcst can take its process down on source made to do so, in memory, in time or by a crash. Here it takes down
only this one, whose memory is bounded; the parent bounds the time.
"""

import json
import sys
from typing import Any

from stepcheck.fixes.edit import CannotFix

MEMORY = 2 * 1024**3
"""Bytes of address space."""


def main() -> None:
    """Answer each job `{text, changes}` with one `{text, line, column}` or `{error}` per change."""
    _limit_memory()
    from stepcheck.fixes.statement import CHANGES, Tree  # noqa: PLC0415 - after the limit is set

    sys.setrecursionlimit(50_000)
    answers: list[list[dict[str, Any]]] = []
    for job in json.load(sys.stdin):
        try:
            tree = Tree(job["text"])
        except CannotFix as error:
            answers.append([{"error": str(error)} for _ in job["changes"]])
            continue
        answer: list[dict[str, Any]] = []
        for change in job["changes"]:
            try:
                place = (change["line"], change["column"])
                text, line, column = CHANGES[change["kind"]](tree, place, *change["arguments"])
                answer.append({"text": text, "line": line, "column": column})
            except CannotFix as error:
                answer.append({"error": str(error)})
        answers.append(answer)
    json.dump(answers, sys.stdout)


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:  # no such limit on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
