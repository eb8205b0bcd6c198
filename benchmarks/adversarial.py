"""Whether files made to break a linter break this one: each ends soon, with a report.

    python benchmarks/adversarial.py [--most 1.0]

Whole processes, one file each. A report is what was found, or why the file is not read. The last line counts the
files that took more seconds of processor than `--most`.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from _hostile import FILES, hostile_file
from _pairs import once


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=float, default=1.0)
    given = parser.parse_args()
    stepcheck = str(Path(sys.executable).with_name("stepcheck"))
    late = []
    print("| file | kB | processor, s | peak, MB | report |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file, report = Path(folder, "hostile.py"), Path(folder, "report.json")
        for name in FILES:
            data = hostile_file(name)
            file.write_bytes(data)
            check = [
                stepcheck,
                "check",
                "--isolated",
                "--output-format",
                "json",
                "--output-file",
                str(report),
            ]
            spent = once([*check, str(file)], ok=(0, 1, 2))
            told = _report(json.loads(report.read_bytes()))
            size = f"{len(data) / 1e3:.0f}"
            print(f"| {name} | {size} | {spent.processor:.2f} | {spent.peak:.0f} | {told} |", flush=True)
            if spent.processor > given.most:
                late.append(name)
    print(f"\n{len(late)} of {len(FILES)} took more than {given.most:g} s: {', '.join(late)}")


def _report(checked: dict[str, Any]) -> str:
    """What was reported, in a few words. Ends us where nothing was."""
    unread = [one["reason"].replace("|", "\\|") for one in checked["unread"]]
    found = len(checked["findings"]) - len(unread)
    if not found and not unread:
        raise SystemExit("the write beside what is hostile is not found, and nothing says why")
    return "; ".join(
        [*([f"{found} findings"] if found else []), *(f"not read: {reason}" for reason in unread)]
    )


if __name__ == "__main__":
    main()
