"""Every claim through every schedule of so many faults, on every core, with the counts printed; run by the gate.

    python tests/explorer/every_schedule.py [FAULTS]

Exit 1 where a claim does not hold, or where a broken bound does no harm.
"""

import gc
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from stepcheck.explorer.explore import explore
from stepcheck.explorer.guaranteed import claims


def run(number: int, faults: int) -> tuple[str, int, float, dict[str, int], bool]:
    """Explore one claim: its name, schedules, processor seconds, harms, and whether it holds."""
    claim = claims()[number]
    # Looking for cycles among states, of which there are none, takes a sixth of the time.
    gc.set_threshold(200_000, 20, 20)
    start = time.process_time()
    result = explore(claim.scenario, faults)
    harms = {str(harm): count for harm, count in result.harms.items()}
    return claim.name, result.schedules, time.process_time() - start, harms, set(result.harms) == claim.harms


def main() -> int:
    """Print a line for each claim and a sum."""
    faults = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    start, total, used, fine = time.perf_counter(), 0, 0.0, True
    with ProcessPoolExecutor() as pool:
        waiting = [pool.submit(run, number, faults) for number in range(len(claims()))]
        for name, schedules, seconds, harms, holds in (one.result() for one in waiting):
            total, used, fine = total + schedules, used + seconds, fine and holds
            told = ", ".join(f"{harm}: {count}" for harm, count in harms.items()) or "none"
            print(f"{'ok' if holds else 'NO':3} {schedules:7} schedules, {told:36} {name}", flush=True)
    print(
        f"{total} schedules of at most {faults} faults in {time.perf_counter() - start:.0f} s, "
        f"{total / used:.0f} a second and core"
    )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
