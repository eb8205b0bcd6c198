"""What one small file costs from a cold start, next to a bare Python that imports `ast` and click.

    python benchmarks/startup.py [RUNS]

Nothing in `plain.py` concerns us, `steps.py` and `steps.yaml` hold a table, and of `retried.py` the code is read. Run
it with stepcheck installed from a wheel; an editable install adds its own import hook.
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

RETRIED = '''"""A payment that is tried again."""

import time
import uuid

import requests


def pay(order, amount):
    for attempt in range(3):
        try:
            answer = requests.post(
                "https://bank.example/payments",
                json={"order": order, "amount": amount},
                headers={"Idempotency-Key": str(uuid.uuid4())},
                timeout=10,
            )
            answer.raise_for_status()
            return answer.json()
        except requests.RequestException:
            time.sleep(2**attempt)
    raise RuntimeError("not paid")
'''


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    python = sys.executable
    stepcheck = str(Path(python).with_name("stepcheck"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "steps.py").write_text(SMALL, "utf-8")
        Path(folder, "plain.py").write_text("import json\n\nprint(json.dumps({}))\n", "utf-8")
        Path(folder, "retried.py").write_text(RETRIED, "utf-8")
        Path(folder, "steps.yaml").write_text("steps:\n  pay: {effect: read, call: shop.pay}\n", "utf-8")
        commands = {
            "bare": [python, "-c", "import ast, click"],
            "stepcheck --version": [stepcheck, "--version"],
            "stepcheck explain volatile-key": [stepcheck, "explain", "volatile-key"],
            "stepcheck check plain.py": [stepcheck, "check", "plain.py"],
            "stepcheck check steps.py": [stepcheck, "check", "steps.py"],
            "stepcheck check retried.py": [stepcheck, "check", "retried.py"],
            "stepcheck check --no-code retried.py": [stepcheck, "check", "--no-code", "retried.py"],
            "stepcheck check steps.yaml": [stepcheck, "check", "steps.yaml"],
        }
        print(table(alternate(commands, runs, cwd=folder), "bare"))


if __name__ == "__main__":
    main()
