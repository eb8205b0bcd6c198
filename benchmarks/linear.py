"""Whether the cost of a file depends on how many there are: trees of one mix and of growing size.

    python benchmarks/linear.py [--rounds 1] [FILES...]

Three files of four are the standard library's own, over and over; in the fourth nothing can be skipped. First runs,
without a cache.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from _made import mixed
from _pairs import alternate


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=int, default=[1_000, 5_000, 20_000])
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    stepcheck = [str(Path(sys.executable).with_name("stepcheck")), "check", "--isolated", "--no-cache"]
    with tempfile.TemporaryDirectory() as name:
        size = {files: mixed(Path(name, str(files)), files) for files in given.files}
        commands = {str(files): [*stepcheck, str(Path(name, str(files)))] for files in given.files}
        spent = alternate(commands, given.rounds, name, warm=False)
    print("| files | MB | clock, s | processor, s | peak, MB | ms of processor a file | of the first |")
    print("|---|---|---|---|---|---|---|")
    first = 0.0
    for files in given.files:
        clock, processor, peak = (
            statistics.median(values) for values in zip(*spent[str(files)], strict=True)
        )
        each = processor / files * 1e3
        first = first or each
        took = f"{clock:.1f} | {processor:.1f} | {peak:.0f} | {each:.2f} | {each / first:.2f}"
        print(f"| {files:,} | {size[files] / 1e6:.1f} | {took} |")


if __name__ == "__main__":
    main()
