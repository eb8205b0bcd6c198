"""`stepcheck` in a process of its own, killed (SIGKILL) before the n-th operation of its run.

`python -m tests.running.killed N ARGUMENTS...`
"""

import os
import signal
import sys

from stepcheck.cli import main
from stepcheck.executor.ops import Op
from stepcheck.running import progress


def before(number: int) -> progress.Watch:
    done = 0

    def watch(_op: Op) -> None:
        nonlocal done
        if done == number:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1

    return watch


if __name__ == "__main__":
    progress.unseen = before(int(sys.argv[1]))  # type: ignore[assignment]
    main(sys.argv[2:])
