"""What whole trees cost, next to an uncached ruff with two families of rules, and to other linters with one rule.

    python benchmarks/trees.py [--rounds 3] [--dense 1000] [--flake8 F] [--pylint P] [--fixit F] [FOLDER...]

Whole processes in alternation. The other linters run once, where their commands are given: each takes minutes.
`--dense` makes a tree of so many files of which none can be skipped. A first run has no cache, the one after it has.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _made import dense
from _pairs import Spent, alternate, once, ratio

RUFF = "ruff, uncached"


def others(given: argparse.Namespace, folder: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of other linters, each with one light rule."""
    if given.flake8:
        yield "flake8, one rule", [given.flake8, "--isolated", "--select=E722", folder]
    if given.pylint:
        rule = ["--disable=all", "--enable=bare-except", "--recursive=y"]
        yield "pylint, one rule", [given.pylint, *rule, "--persistent=n", folder]
    if given.fixit:
        yield "fixit, one rule", [given.fixit, "--rules", "fixit.rules:NoStaticIfCondition", "lint", folder]


def measure(given: argparse.Namespace, folder: Path, name: str) -> None:
    """Print the table of one tree."""
    paths = [path for path in folder.rglob("*.py") if path.is_file()]
    size = sum(path.stat().st_size for path in paths)
    tree = str(folder.resolve())
    stepcheck = [str(Path(sys.executable).with_name("stepcheck")), "check", "--isolated"]
    with tempfile.TemporaryDirectory() as elsewhere:
        kept = Path(elsewhere, "cache")
        cached = [*stepcheck, "--cache-dir", str(kept), tree]
        commands = {
            RUFF: [given.ruff, "check", "--no-cache", "--isolated", "--select", "AIR,B", tree],
            "stepcheck, first run": cached,
            "stepcheck, second run": cached,
            "stepcheck --no-code": [*stepcheck, "--no-code", tree],
        }
        forget = {"stepcheck, first run": lambda: shutil.rmtree(kept, ignore_errors=True)}
        spent: dict[str, list[Spent]] = alternate(commands, given.rounds, elsewhere, forget, warm=False)
        base = spent[RUFF]
        for other, command in others(given, tree):
            spent[other] = [once(command, elsewhere)]
    print(f"\n{name}: {len(paths):,} files, {size / 1e6:.1f} MB\n")
    print(
        "| | clock, s | processor, s | peak, MB | times ruff, clock | processor |\n|---|---|---|---|---|---|"
    )
    for what, runs in spent.items():
        clock, processor, peak = (statistics.median(values) for values in zip(*runs, strict=True))
        times = ratio(runs, base[: len(runs)])
        work = processor / statistics.median(one.processor for one in base)
        print(
            f"| {what} | {clock:.2f} | {processor:.2f} | {peak:.0f} | {times:.1f} | {work:.1f} |", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dense", type=int, default=0, metavar="FILES")
    parser.add_argument("--ruff", default="ruff")
    parser.add_argument("--flake8", metavar="COMMAND")
    parser.add_argument("--pylint", metavar="COMMAND")
    parser.add_argument("--fixit", metavar="COMMAND")
    given = parser.parse_args()
    for folder in given.folders:
        measure(given, folder, folder.name)
    if given.dense:
        with tempfile.TemporaryDirectory() as folder:
            dense(Path(folder), given.dense)
            measure(given, Path(folder), "dense")


if __name__ == "__main__":
    main()
