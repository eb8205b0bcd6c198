"""Whatever is read ends soon, with flows or with the reason why there are none."""

# ruff: noqa: E501 - a program and its name on one line

import sys
import sysconfig
import time
import warnings
from pathlib import Path

import pytest

from stepcheck.analysis.definitions import definitions
from stepcheck.analysis.dominance import dominators, post_dominators
from stepcheck.code.flow import Limits, read_flows
from stepcheck.facts import Unreadable

MANY = range(3000)
HARD = {
    "brackets": "x=" + "[" * 1500 + "]" * 1500,
    "a chain of calls": "x=a" + ".b()" * 2000,
    "a shorter chain of calls": "x=a" + ".b()" * 500,
    "a chain of attributes": "x=a" + ".b" * 500,
    "ifs in a row": "def f():\n" + "".join(f"    if a{i}(): b{i}()\n" for i in range(5000)),
    "ifs in each other": "def f():\n" + "".join(" " * (i + 1) + f"if a{i}:\n" for i in range(500)) + " " * 501 + "x()\n",
    "ninety ifs in each other": "def f():\n" + "".join(" " * (i + 1) + f"if a{i}:\n" for i in range(90)) + " " * 91 + "x()\n",
    "elifs": "if a: x()\n" + "".join(f"elif a{i}(): x{i}()\n" for i in range(900)),
    "a literal": "x=[" + "1," * 200_000 + "]",
    "a sum": "x=" + "+".join(["a()"] * 900),
    "finally in finally": "def f():\n" + "".join(f"{' ' * (i + 1)}try: m()\n{' ' * (i + 1)}finally:\n" for i in range(40)) + " " * 41 + "m()\n",
    "handlers": "def f():\n" + "".join(f"    try: a{i}()\n    except E: b{i}()\n" for i in MANY),
    "cases": "def f(x):\n match x:\n" + "".join(f"  case {i}: a{i}()\n" for i in MANY),
    "returns through a finally": "def f():\n try:\n" + "".join(f"  if a{i}: return b{i}\n" for i in MANY) + " finally:\n  c()\n",
    "context managers": "with " + ", ".join(f"a{i}() as b{i}" for i in range(1000)) + ": pass\n",
    "comprehensions in each other": "x=" + "[a for a in " * 90 + "b" + "]" * 90,
    "a comprehension of many loops": "x=[a " + "for a in b() if c() " * 400 + "]",
    "names of names": "".join(f"a{i + 1}=a{i}\n" for i in MANY) + "a3000.x()\n",
    "bases of bases": "".join(f"class A{i}(A{i + 1}, A{i + 2}):\n  pass\n" for i in range(60)) + "A0.x()\n",
}  # fmt: skip


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("name", HARD)
def test_a_hostile_file_ends_within_a_second_of_work(name: str) -> None:
    start = time.process_time()
    try:
        file = read_flows("f.py", HARD[name].encode())
    except Unreadable as error:
        assert error.unread.reason
        return
    for flow in file.flows:
        if not flow.spent:
            definitions(flow), dominators(flow), post_dominators(flow)
    assert time.process_time() - start < 2  # a second, and another for a busy machine


def test_a_function_beyond_the_budget_says_so_and_the_others_are_lowered() -> None:
    source = "def big():\n" + "    a()\n" * 300 + "def small():\n    b()\n"
    _, big, small = read_flows("f.py", source.encode(), Limits(function=400, file=10_000)).flows
    assert (big.spent, len(list(big.calls()))) == ("is too large", 0)
    assert (small.spent, len(list(small.calls()))) == ("", 1)


def test_a_file_beyond_the_budget_says_so_in_each_function_left() -> None:
    source = "def big():\n" + "    a()\n" * 300 + "def small():\n    b()\n"
    _, big, small = read_flows("f.py", source.encode(), Limits(file=400)).flows
    assert big.spent == small.spent == "stands in a file that is too large"


def test_deep_nesting_says_so() -> None:
    (flow,) = read_flows("f.py", HARD["a chain of attributes"].encode()).flows
    assert flow.spent == "nests deeper than 150 levels"


@pytest.mark.parametrize("text", ["def f(:", "x = '\0'", "\xff\xfe"])
def test_what_is_no_python_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        read_flows("f.py", text.encode("latin-1"))


def test_a_part_of_the_standard_library_is_lowered_whole() -> None:
    library = Path(sysconfig.get_path("stdlib"))
    paths = sorted(library.glob("[a-f]*.py")) + sorted((library / "asyncio").glob("*.py"))
    assert len(paths) > 50
    for path in paths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            spent = [flow.qualname for flow in read_flows(path.name, path.read_bytes()).flows if flow.spent]
        assert spent == [], path


def test_the_order_of_flows_does_not_depend_on_hashes() -> None:
    source = Path(__file__).read_bytes()
    assert repr(read_flows("f.py", source)) == repr(read_flows("f.py", source))
    assert sys.flags.hash_randomization in (0, 1)
