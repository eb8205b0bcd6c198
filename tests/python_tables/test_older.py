"""Syntax of Pythons that come after the running one, said in the words of 3.11, nothing moved."""

import ast
import sys
import time
import warnings
from pathlib import Path

import pytest

from stepcheck.code.older import older
from stepcheck.code.source import read

SAID = [
    ("type X = int\n", "type;X = int\n"),
    ("if a:\n    type X[T] = list[T]\n", "if a:\n    type;X    = list[T]\n"),
    ("x = 1; type X[T] = list[T]\n", "x = 1; type;X    = list[T]\n"),
    ("def f[T: (int, str) = 'a]b'](x: T): ...\n", "def f                       (x: T): ...\n"),
    ("def f[\n    T: int,\n](x: T): ...\n", "def f\\\n          \\\n (x: T): ...\n"),
    ("class A[*Ts](B): ...\n", "class A     (B): ...\n"),
    ("x = f'{'a'}'\n", "x = f'{\"a\"}'\n"),
    ('x = f"{", ".join(y)}"\n', "x = f\"{', '.join(y)}\"\n"),
    ('x = f"{d["k"]!r:>{w["n"]}}"\n', "x = f\"{d['k']!r:>{w['n']}}\"\n"),
    ('x = f"{f"{d["k"]}"}"\n', "x = f\"{f'{d[___]}'}\"\n"),
    ('x = f"{"\\n".join(y)}"\n', "x = f\"{'  '.join(y)}\"\n"),
    ('x = f"{d["it\'s"]}"\n', "x = f\"{d['it`s']}\"\n"),
    ('x = f"""{\n  d["k"]  # why\n}"""\n', 'x = f"""{\n  d["k"]       \n}"""\n'),
    ('x = rf"\\d{d["k"]}"\n', "x = rf\"\\d{d['k']}\"\n"),
    ('x = f"{{}}{d["k"]}"\n', "x = f\"{{}}{d['k']}\"\n"),
    ("x = t'{y}'\n", "x = f'{y}'\n"),
    ("x = f'-{\n    y(\n    )\n}{z!r:>{w}}'\n", "x =  (  \n    y(\n    )\n, z       ,)\n"),
    ("try: ...\nexcept KeyError, a.ValueError: ...\n", "try: ...\nexcept(KeyError,a.ValueError): ...\n"),
    ("lazy import x\n", "lazy;import x\n"),
]
LEFT = [
    "type(x)\ntype = 3\ntype[3] == 4\ntype: int\n",
    "x = 'type X = int'  # def f[T](x)\n",
    "x = f'{a!=b} {c!r} {d:>3} {{}}'\n",
    "try: ...\nexcept KeyError, error: ...\n",
    "lazy = 1\n",
    "class A(B[T]): ...\n",
]


@pytest.mark.parametrize(("text", "said"), SAID)
def test_newer_syntax_is_said_in_older_words_of_the_same_length(text: str, said: str) -> None:
    assert older(text) == said
    assert [len(line) for line in said.split("\n")] == [len(line) for line in text.split("\n")]
    ast.parse(said)


@pytest.mark.parametrize("text", LEFT)
def test_what_is_no_newer_syntax_is_left_as_it_is(text: str) -> None:
    assert older(text) == text


@pytest.mark.parametrize(
    "text",
    ["x = f'é{\n    y}'\n", "try: ...\nexcept A,B: ...\n", "def f[é](x): ...\n", "def f[T(x): ...\n"],
)
def test_what_cannot_be_said_at_the_same_length_is_not_said(text: str) -> None:
    assert older(text) is None


def test_a_call_behind_newer_syntax_stands_where_it_is_written() -> None:
    text = 'type X = int\n\ndef f[T](x: T) -> T:\n    return g(f"{d["k"]}", h(x))\n'
    source, tree = read("a.py", text.encode())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    places = [(place.line, place.column, place.end_column) for place in map(source.span, calls)]
    assert places == [(4, 12, 32), (4, 27, 31)]


def test_what_this_python_reads_means_the_same_when_it_is_said_again() -> None:
    folder = Path(ast.__file__).parent
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in sorted(folder.glob("*.py"))[:40]:
            text = path.read_text("utf-8")
            said = older(text)
            assert said is not None
            assert ast.dump(ast.parse(said)) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    "part", ["f'{", "f\"{f'{", "type X[", "def f[", "except A, B", "x = '", 't"""{', "{{f'"]
)
def test_hostile_text_is_gone_through_quickly(part: str) -> None:
    began = time.process_time()
    older(part * 50_000)
    assert time.process_time() - began < 2


@pytest.mark.skipif(sys.version_info < (3, 12), reason="only a newer Python reads this itself")
@pytest.mark.parametrize("text", [text for text, _ in SAID[:17] if not text.startswith("x = t")])
def test_a_newer_python_reads_the_same_calls_by_itself(text: str) -> None:
    said = older(text)
    assert said is not None
    own, ours = (
        [(node.lineno, node.col_offset) for node in ast.walk(ast.parse(one)) if isinstance(node, ast.Call)]
        for one in (text, said)
    )
    assert own == ours
