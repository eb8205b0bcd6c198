"""Whether a file makes the analysis fail, hang, or run out of its budget: every Python file below some folders.

    python benchmarks/robustness.py [--whole] [--seconds 600] [--without NAME] FOLDER...

Each file is read as `stepcheck check` reads it, or with `--whole` without leaving any function out.
"""

import argparse
import gc
import time
from pathlib import Path

from stepcheck import anchors
from stepcheck.behaviour.reading import behaviour
from stepcheck.code import source
from stepcheck.code.flow import lower_flows
from stepcheck.facts import Unreadable


def main() -> None:
    """Read until all is read or the time is over, and print what was met."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--without", action="append", default=[], metavar="NAME", help="a folder's name")
    parser.add_argument("--seconds", type=float, default=600)
    given = parser.parse_args()
    without = frozenset(given.without)
    gc.set_threshold(100_000, 20, 20)
    files = size = looked = kept = functions = unreadable = 0
    failed: list[str] = []
    spent: list[str] = []
    longest: list[tuple[float, int, str]] = []
    end = time.monotonic() + given.seconds
    for path in sorted(path for folder in given.folders for path in folder.rglob("*.py") if path.is_file()):
        if without.intersection(path.parts):
            continue
        if time.monotonic() > end:
            print("the time is over")
            break
        data = path.read_bytes()
        files += 1
        size += len(data)
        narrowed = data if given.whole else anchors.narrowed(data)
        if narrowed is None:
            continue
        looked += 1
        kept += len(narrowed)
        begin = time.process_time()
        try:
            try:
                read, tree = source.read(str(path), narrowed)
            except Unreadable:
                read, tree = source.read(str(path), data)
            made = behaviour(lower_flows(str(path), read.text.encode("utf-8", "surrogatepass"), tree))
        except Unreadable:
            unreadable += 1
            continue
        except Exception as error:  # whatever it is, it is told
            failed.append(f"{path}: {type(error).__name__}: {error}")
            continue
        longest.append((time.process_time() - begin, len(narrowed), str(path)))
        functions += len(made.functions)
        spent += [f"{path}: {one.name} {one.spent}" for one in made.functions if one.spent]
    print(f"{files} files, {size / 1e6:.1f} MB; {looked} looked into, {kept / 1e6:.1f} MB of them")
    print(
        f"{len(failed)} failed, {unreadable} no Python of this version, {len(spent)} functions beyond the budget"
    )
    for told in (*failed, *spent[:20]):
        print(" ", told)
    for seconds, length, name in sorted(longest, reverse=True)[:5]:
        print(f"  {seconds:.2f} s, {length / 1e3:.0f} kB: {name}")


if __name__ == "__main__":
    main()
