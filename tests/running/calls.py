"""What the tables of these tests call: a world of its own in a file, named by the environment."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from stepcheck.executor.answers import Definite


def effects() -> list[str]:
    path = Path(os.environ["RUNNING_WORLD"])
    return path.read_text().split() if path.exists() else []


def _happens(name: str) -> dict[str, str]:
    with Path(os.environ["RUNNING_WORLD"]).open("a") as file:
        file.write(f"{name}\n")
    return {"name": name}


def look(params: Any, ctx: Any) -> dict[str, Any]:
    print("looking")
    return {"seen": params.get("what"), "rows": ["x"] * params.get("rows", 0)}


def look_with_a_child(params: Any, ctx: Any) -> dict[str, str]:
    subprocess.run([sys.executable, "-c", "print('a child looks')"], check=True)
    if sys.__stdout__ is not None:
        print("past the redirection", file=sys.__stdout__)
    return {"seen": "it"}


def pay(params: Any, ctx: Any) -> dict[str, str]:
    return _happens("pay")


def pay_unheard(params: Any, ctx: Any) -> dict[str, str]:
    _happens("pay")
    raise TimeoutError("no answer within 10 seconds")


def pay_no_json(params: Any, ctx: Any) -> set[str]:
    return set(_happens("pay"))


def pay_interrupted(params: Any, ctx: Any) -> dict[str, str]:
    _happens("pay")
    raise KeyboardInterrupt


def pay_and_leave(params: Any, ctx: Any) -> dict[str, str]:
    _happens("pay")
    raise SystemExit(7)


def paid(params: Any, ctx: Any) -> dict[str, str] | None:
    return {"name": "pay"} if "pay" in effects() else None


def refund(params: Any, ctx: Any) -> dict[str, str]:
    return _happens("refund")


def mail(params: Any, ctx: Any) -> dict[str, str]:
    return _happens("mail")


def refused(params: Any, ctx: Any) -> dict[str, str]:
    raise Definite("the account is closed")


def refused_in_red(params: Any, ctx: Any) -> dict[str, str]:
    raise Definite("\x1b[31mthe account\nis closed")
