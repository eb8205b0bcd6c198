"""Source text → module facts, and what cannot be read."""

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepcheck.code.lower import lower
from stepcheck.code.module import How
from stepcheck.code.newer import newer_syntax
from stepcheck.facts import Mapping, Name, Scalar, Span, Unreadable, UnreadFile

RUNNING = f"Python {sys.version_info.major}.{sys.version_info.minor}"
NEWER = f"it may use syntax newer than {RUNNING}, which runs stepcheck: try a newer Python"
NOT_CALLED = f"it is not valid {RUNNING}: Missing parentheses in call to 'print'. Did you mean print(...)?"


def unread(data: bytes) -> UnreadFile:
    with pytest.raises(Unreadable) as caught:
        lower("a.py", data)
    return caught.value.unread


@pytest.mark.parametrize(
    ("data", "line", "column", "reason"),
    [
        (b"x = (1\n", 1, 5, f"it is not valid {RUNNING}: '(' was never closed"),
        ("é = 'ü' $\n".encode(), 1, 9, f"it is not valid {RUNNING}: invalid syntax"),
        (b"x = 1\ny = \0\n", 2, 5, "it holds a NUL character"),
        (b"x = 1\r\ny = '\xff'\r\n", 2, 6, "it is not utf-8 text: invalid start byte"),
        (b"\xff\n", 1, 1, "it is not utf-8 text, and declares no other encoding"),
        (b"# coding: nonsense\n", 1, 1, "unknown encoding: nonsense"),
        (b"# coding: undefined\n", 1, 1, "its encoding is 'undefined'"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, 1, "encoding problem: utf-8"),
        (
            b"x = " + b"(" * 300 + b")" * 300,
            1,
            205,
            f"it is not valid {RUNNING}: too many nested parentheses",
        ),
        (b"x = 1\n  y = 2\n", 2, 2, f"it is not valid {RUNNING}: unexpected indent"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(data, line, column, reason):
    assert unread(data) == UnreadFile(Span("a.py", line, column, line, column), reason)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the running Python knows this syntax")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = f'é{\n    y}'\n", NEWER),
        ("try: ...\nexcept KeyError,ValueError: ...\n", NEWER),
        ("type = = 3\n", f"it is not valid {RUNNING}: invalid syntax"),
        ("def f[T(x: T): ...\n", f"it is not valid {RUNNING}: expected '('"),
        ("x = f'{y'\n", f"it is not valid {RUNNING}: f-string: expecting '}}'"),
        ("x = 'don't'\n", f"it is not valid {RUNNING}: unterminated string literal (detected at line 1)"),
        (
            "try: ...\nexcept KeyError, error: ...\n",
            f"it is not valid {RUNNING}: multiple exception types must be parenthesized",
        ),
        ("print 'lazy import'\n", NOT_CALLED),
    ],
)
def test_syntax_of_a_newer_python_that_cannot_be_said_in_older_words_is_told_apart(text, reason):
    assert unread(text.encode()).reason == reason


def test_a_long_refused_line_is_judged_quickly():
    began = time.process_time()
    for part in ("f'{", "f'{a'", "type x[]", "def f[", "except a, A"):
        newer_syntax(part * 200_000, 1, (3, 11))
    assert time.process_time() - began < 5


def test_what_this_python_knows_is_not_taken_for_newer_syntax():
    assert newer_syntax("x = 1\ntype X = int", 2, (3, 11))
    assert not newer_syntax("x = 1\ntype X = int", 2, (3, 12))
    assert not newer_syntax("x = 1\ntype X = int", 1, (3, 11))
    assert newer_syntax("class A[T = int]: ...", 1, (3, 12))
    assert not newer_syntax("class A[T = int]: ...", 1, (3, 13))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the running Python knows this syntax")
@pytest.mark.parametrize(
    "deep",
    [
        "if a: pass\n" + "elif 1: pass\n" * 15_000,
        "-" * 200_000 + "1",
        "not " * 60_000 + "1",
        "lambda: " * 25_000 + "1",
        "1**" * 80_000 + "1",
        "1 and " * 40_000 + "1",
    ],
    ids=lambda deep: deep[:8].strip(),
)
def test_what_follows_newer_syntax_takes_nobody_down(deep):
    """In a process of its own: what is tested for is the end of it."""
    code = "import sys; from stepcheck.code.lower import lower; lower('a.py', sys.stdin.buffer.read())"
    text = f"type X = int\n{deep}\n"
    done = subprocess.run(
        [sys.executable, "-c", code], input=text.encode(), capture_output=True, timeout=20, check=False
    )
    assert done.returncode in (0, 1)
    assert done.returncode == 0 or done.stderr.decode().splitlines()[-1].endswith(f"Unreadable: {NEWER}")


@pytest.mark.parametrize(
    "text",
    [
        "x" + ".a" * 3000,
        "x" + "()" * 1200,
        "1" + " + 1" * 3000,
        "not " * 2000 + "x",
        "x = " + "-" * 5000 + "1",
    ],
)
def test_deep_nesting_is_read_or_refused(text):
    try:
        lower("a.py", text.encode())
    except Unreadable as error:
        assert error.unread.reason == "it is nested too deeply"


@pytest.mark.parametrize("dot", [".", " . ", "\\\n."])
def test_an_endless_dotted_import_is_refused_at_once(dot):
    began = time.process_time()
    assert unread(f"import x, a{f'{dot}b' * 100_000}\n".encode()).reason == "it is nested too deeply"
    assert time.process_time() - began < 5


def test_a_long_file_full_of_dots_is_read():
    text = "a.b(c.d)\n" * 5_000 + f"x = '{'0. ' * 5_000}'\n"
    assert len(lower("a.py", text.encode()).scopes) == 1


def test_long_chains_of_branches_are_read():
    text = "if a: pass\n" + "".join(f"elif b == {index}: x = {index}\n" for index in range(900))
    module = lower("a.py", text.encode())
    assert sum(binding.name == "x" for binding in module.bindings) == 900


def test_no_warning_of_the_checked_code_reaches_us(capfd):
    lower("a.py", b"x = '\\d'\ny = 1 is 1\nassert (1, 2)\n# \n")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "data",
    [
        "# coding: latin-1\nS = 'ü'\n".encode("latin-1"),
        "# -*- coding: cp1252 -*-\nS = 'ü'\n".encode("cp1252"),
        "\ufeffx = 1\nS = 'ü'\n".encode(),
    ],
)
def test_a_declared_encoding_is_used(data):
    [*_, binding] = lower("a.py", data).bindings
    assert binding.value == Scalar("ü", Span("a.py", 2, 5, 2, 8))


def test_bindings_are_in_the_order_of_the_file_with_their_kind():
    text = """\
X = 1
Y: int = X
Z: int
D = {}
D["k"] = 2
D |= E
D.update(a=1)
D.setdefault("s", 3)
del D["k"]
L.append(4)
for i in j: X = 5
def f(p): global X; X = 6
"""
    found = [
        (binding.name, binding.how, binding.conditional, binding.scope)
        for binding in lower("a.py", text.encode()).bindings
    ]
    assert found == [
        ("X", How.ASSIGNED, False, 0),
        ("Y", How.ASSIGNED, False, 0),
        ("Z", How.DECLARED, False, 0),
        ("D", How.ASSIGNED, False, 0),
        ("D", How.ENTRY, False, 0),
        ("D", How.MERGED, False, 0),
        ("D", How.MERGED, False, 0),
        ("D", How.ENTRY, True, 0),
        ("D", How.DELETED, False, 0),
        ("L", How.MERGED, False, 0),
        ("i", How.HELD, True, 0),
        ("X", How.ASSIGNED, True, 0),
        ("p", How.HELD, False, 1),
        ("X", How.ASSIGNED, True, 0),
    ]


def test_names_that_nothing_binds_are_loose():
    module = lower(
        "a.py", b"import os\ndef f(a, *b, c=1, **d): return a, os, len, loose\nx = [y for y in f]\n"
    )
    assert module.loose == (("loose", Span("a.py", 2, 44, 2, 49)),)
    assert module.bound >= {"os", "f", "a", "b", "c", "d", "x", "y"}


def test_definitions_know_their_names_places():
    text = "@a.b\nasync  def é(x, /, y, *, z): ...\nclass  C(B, metaclass=M):\n    def m(self): ...\n"
    module = lower("a.py", text.encode())
    function, method = module.functions
    assert (function.name, function.span, function.parameters) == (
        "é",
        Span("a.py", 2, 12, 2, 13),
        ("x", "y"),
    )
    assert function.decorators == (Name("a.b", Span("a.py", 1, 2, 1, 5)),)
    assert module.classes[0].span == Span("a.py", 3, 8, 3, 9)
    assert (method.span, method.scope) == (Span("a.py", 4, 9, 4, 10), module.classes[0].body)


def test_exports_are_read_where_they_are_a_list_of_strings():
    assert lower("a.py", b"__all__ = ['x']\n__all__ += ('y',)\n").exports == ("x", "y")
    assert lower("a.py", b"__all__ = ['x'] + other\n").exports is None
    assert lower("a.py", b"x = 1\n").exports is None


def test_a_scope_is_found_by_place():
    text = "x = 1\nclass C:\n    def m(self):\n        y = 2\n    z = 3\nw = 4\n"
    module = lower("a.py", text.encode())
    names = [module.scopes[module.scope_at(Span("a.py", line, 9, line, 9))].name for line in range(1, 7)]
    assert names == ["", "", "C", "C.m", "C", ""]


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_read_or_refused(data):
    try:
        module = lower("a.py", data)
    except Unreadable as error:
        unread = error.unread
        assert unread.reason and "\n" not in unread.reason
        assert unread.span.line >= 1 and unread.span.column >= 1
    else:
        assert module.path == "a.py"


KEYWORDS = "lambda def class if else for in return yield await async import from with as try except"
MARKS = "x S = { } [ ] ( ) : , . @ * ** | + - 'a' \"effect\" \"idem_write\" f'{x}' # é :="
WORDS = st.sampled_from([*KEYWORDS.split(), *MARKS.split(), "\n", "\n\t", "\\\n", "\f"])


@given(st.lists(WORDS, max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_words_are_read_or_refused(words):
    try:
        module = lower("a.py", " ".join(words).encode())
    except Unreadable as error:
        assert error.unread.span.line >= 1
    else:
        for binding in module.bindings:
            assert binding.span.path == "a.py" and binding.span[1:3] <= binding.span[3:]


def test_no_literal_is_lost_whatever_holds_it():
    text = "\n".join(
        f"{before}{{'k{index}': 1}}{after}"
        for index, (before, after) in enumerate(
            [
                ("x = a if b else ", ""),
                ("x = a and ", ""),
                ("x = [i for i in ", "]"),
                ("x = {i: ", " for i in j}"),
                ("x = not ", ""),
                ("x = a < ", ""),
                ("x = a[", "]"),
                ("x = a + [", "]"),
                ("f(*", ")"),
                ("f(**", ")"),
                ("f()(", ")"),
                ("f()(1, ", ")"),
                ("raise ", ""),
                ("def f(a=", "): ..."),
                ("class C(metaclass=", "): ..."),
                ("x = lambda a=1: ", ""),
                ("del ", "[0]"),
                ("x[", "] = 1"),
                ("a.b().c = ", ""),
                ("x @= ", ""),
                ("async def f(): await ", ""),
                ("print(y := ", ")"),
                ('x = f"{ ', '!r:>{w}}"'),
                ("(a, b) = ", ""),
            ]
        )
    )
    module = lower("a.py", text.encode())

    def keys(value):
        if isinstance(value, Mapping):
            for entry in value.entries:
                if isinstance(entry.key, Scalar):
                    yield entry.key.value
                yield from keys(entry.value)
        for child in (*getattr(value, "items", ()), *getattr(value, "arguments", ())):
            yield from keys(child)
        for entry in getattr(value, "keywords", ()):
            yield from keys(entry.value)

    found = [key for binding in module.bindings for key in [*keys(binding.value), *keys(binding.key)]]
    found += [key for use in module.applications for key in keys(use.argument)]
    assert sorted(found) == sorted(f"k{index}" for index in range(24))
