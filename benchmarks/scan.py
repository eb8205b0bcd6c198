"""What files without a step table cost where code is left alone: 10,000 of which 20 hold one, next to reading them.

    python benchmarks/scan.py [FILES] [RUNS]

The files are the standard library's own modules over and over, so their sizes and words are those of real code.
"""

import os
import statistics
import sys
import sysconfig
import tempfile
from itertools import cycle, islice
from pathlib import Path

from _pairs import alternate
from startup import SMALL

READ = """
import os
for folder, _, names in os.walk("."):
    for name in names:
        handle = os.open(f"{folder}/{name}", os.O_RDONLY)
        while os.read(handle, 1 << 20):
            pass
        os.close(handle)
"""
PER_FOLDER = 50


def plant(folder: Path, files: int, tables: int) -> int:
    """Write the tree; returns its bytes."""
    library = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    sources = [path.read_bytes() for path in library]
    size = 0
    for number, source in enumerate(islice(cycle(sources), files)):
        holder = folder / f"package{number // PER_FOLDER:03}"
        holder.mkdir(exist_ok=True)
        data = SMALL.encode() if number % (files // tables) == 0 else source
        (holder / f"module{number}.py").write_bytes(data)
        size += len(data)
    return size


def main() -> None:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    python = sys.executable
    stepcheck = str(Path(python).with_name("stepcheck"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "tree")
        folder.mkdir()
        size = plant(folder, files, 20)
        Path(name, "one.py").write_text(SMALL, "utf-8")
        seconds = alternate(
            {
                "start": [python, "-c", "import os"],
                "read": [python, "-c", READ],
                "one": [stepcheck, "check", "--no-code", str(Path(name, "one.py"))],
                "check": [stepcheck, "check", "--isolated", "--no-code", "."],
            },
            runs,
            cwd=os.fspath(folder),
        )
    middle = {key: statistics.median(one.clock for one in values) for key, values in seconds.items()}
    reading = (middle["read"] - middle["start"]) / files * 1e6
    checking = (middle["check"] - middle["one"]) / files * 1e6
    print(f"{files} files, {size / 1e6:.0f} MB, 20 with a table")
    print("| | microseconds a file | ms a MB |\n|---|---|---|")
    for what, cost in (("walk and read", reading), ("stepcheck check --no-code", checking)):
        print(f"| {what} | {cost:.0f} | {cost * files / 1e3 / (size / 1e6):.2f} |")
    print(f"\ncheck / read: {checking / reading:.1f}")


if __name__ == "__main__":
    main()
