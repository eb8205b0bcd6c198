"""What one small file costs from a cold start, next to a bare Python that imports `ast` and click.

    python benchmarks/startup.py [RUNS]

Run it with stepcheck installed from a wheel; an editable install adds its own import hook.
"""

import sys
import tempfile
from pathlib import Path

from _pairs import alternate, table

SMALL = '''"""Two steps of a shop."""

from shop import calls

STEPS = {
    "create_invoice": {
        "effect": "non_idem_write",
        "call": calls.create_invoice,
        "query": calls.find_invoice,
        "compensate": calls.cancel_invoice,
        "compensate_deadline": "PT10M",
    },
    "match_orders": {"effect": "read", "call": calls.match_orders},
}
'''


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    python = sys.executable
    stepcheck = str(Path(python).with_name("stepcheck"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "steps.py").write_text(SMALL, "utf-8")
        Path(folder, "plain.py").write_text("import json\n\nprint(json.dumps({}))\n", "utf-8")
        Path(folder, "steps.yaml").write_text("steps:\n  pay: {effect: read, call: shop.pay}\n", "utf-8")
        commands = {
            "bare": [python, "-c", "import ast, click"],
            "stepcheck --version": [stepcheck, "--version"],
            "stepcheck explain volatile-key": [stepcheck, "explain", "volatile-key"],
            "stepcheck check plain.py": [stepcheck, "check", "plain.py"],
            "stepcheck check steps.py": [stepcheck, "check", "steps.py"],
            "stepcheck check steps.yaml": [stepcheck, "check", "steps.yaml"],
        }
        print(table(alternate(commands, runs, cwd=folder), "bare"))


if __name__ == "__main__":
    main()
