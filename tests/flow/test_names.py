"""What a callee is, as far as its file alone tells."""

# ruff: noqa: E501 - a snippet and its answer on one line

import pytest

from stepcheck.code.flow import read_flows


def called(source: str, dotted: str) -> str:
    """The qualified name of the call that is written as `dotted`."""
    found = {
        call.qualified
        for flow in read_flows("f.py", source.encode()).flows
        for _, call in flow.calls()
        if call.dotted == dotted
    }
    (name,) = found
    return name


@pytest.mark.parametrize(
    ("source", "dotted", "qualified"),
    [
        ("import httpx\nhttpx.post(u)", "httpx.post", "httpx.post"),
        ("import httpx as h\nh.post(u)", "h.post", "httpx.post"),
        ("import os.path\nos.path.join(a)", "os.path.join", "os.path.join"),
        ("from a.b import c as d\nd()", "d", "a.b.c"),
        ("from . import c\nc()", "c", ".c"),
        ("from ..a import c\nc()", "c", "..a.c"),
        ("from x import post\ndef f():\n    send = post\n    send()", "send", "x.post"),
        ("import httpx\nc = httpx.Client(timeout=1)\ndef f():\n    c.post(u)", "c.post", "httpx.Client.post"),
        ("import httpx\ndef f():\n    with httpx.Client() as c:\n        c.post(u)", "c.post", "httpx.Client.post"),
        ("import httpx\ndef f(c: httpx.Client):\n    c.post(u)", "c.post", "httpx.Client.post"),
        ("import httpx\ndef f(c: 'httpx.Client | None' = None):\n    c.post(u)", "c.post", "httpx.Client.post"),
        ("import httpx\ndef f(c: httpx.Client | None = None):\n    c.post(u)", "c.post", "httpx.Client.post"),
        ("from typing import Optional\nimport httpx\ndef f(c: Optional[httpx.Client]):\n    c.post(u)", "c.post", "httpx.Client.post"),
        ("import boto3\nlam = boto3.client('lambda')\nlam.invoke()", "lam.invoke", "boto3.client().invoke"),
        ("import httpx\nclass A:\n    def __init__(self):\n        self.c = httpx.Client()\n    def f(self):\n        self.c.post(u)", "self.c.post", "httpx.Client.post"),
        ("class A:\n    def f(self):\n        self.g()\n    def g(self):\n        pass", "self.g", ":A.g"),
        ("class A:\n    def g(self):\n        pass\ndef f():\n    a = A()\n    a.g()", "a.g", ":A.g"),
        ("from celery import Task\nclass A(Task):\n    def run(self):\n        self.retry()", "self.retry", "celery.Task.retry"),
        ("class B:\n    def g(self): pass\nclass A(B):\n    def f(self):\n        self.g()", "self.g", ":B.g"),
        ("from functools import partial\nfrom x import post\nsend = partial(post, 1)\nsend()", "send", "x.post"),
        ("from app import Bill\nBill.objects.filter(a=1)", "Bill.objects.filter", "app.Bill.objects.filter"),
        ("def f():\n    def g():\n        pass\n    g()", "g", ":f.<locals>.g"),
        ("try:\n    import ujson as json\nexcept ImportError:\n    import json\njson.dumps(x)", "json.dumps", ""),
        ("open(x)", "open", "builtins.open"),
        ("es = Elastic(H)\nes.bulk(x)", "es.bulk", "?Elastic.bulk"),
        ("def f(c):\n    c.post(u)", "c.post", ""),
        ("import a\ndef f(c):\n    [c.x() for c in a.b]", "c.x", ""),
        ("import a\nx = x.y\nx.z()", "x.z", ""),
        ("def f():\n    global c\n    import a as c\ndef g():\n    c.x()", "c.x", "a.x"),
        ("import a\nclass K:\n    def f(self):\n        async def g():\n            async with a.S() as s:\n                await s.post()", "s.post", "a.S.post"),
    ],
)  # fmt: skip
def test_a_callee_is_named_by_what_the_file_tells(source: str, dotted: str, qualified: str) -> None:
    assert called(source, dotted) == qualified


def test_the_answer_of_a_chain_is_named_through_its_calls() -> None:
    source = b"from app import Bill\nBill.objects.filter(a=1).update(b=2)\n"
    names = [call.qualified for _, call in read_flows("f.py", source).flows[0].calls()]
    assert names == ["app.Bill.objects.filter", "app.Bill.objects.filter().update"]


def test_a_decorator_is_named_with_its_call_and_the_calls_inside() -> None:
    source = (
        b"from tenacity import retry, stop_after_attempt\n@retry(stop=stop_after_attempt(3))\ndef f(): pass\n"
    )
    (made,) = read_flows("f.py", source).flows[1].decorators
    assert made.qualified == "tenacity.retry"
    assert [call.qualified for call in made.calls] == ["tenacity.stop_after_attempt", "tenacity.retry"]
    assert made.call is made.calls[1]


def test_a_class_tells_its_bases_methods_and_attributes() -> None:
    source = b"import x\nclass A(x.B, y()):\n    def __init__(self, q):\n        self.c = x.C()\n        self.q = q\n    def f(self): pass\n"
    (found,) = read_flows("f.py", source).classes
    assert found.bases == ("x.B", "?y()")
    assert [name for name, _ in found.methods] == ["__init__", "f"]
    assert found.attributes == (("c", "x.C"),)


def test_columns_count_characters() -> None:
    source = "x = 'é€😀'; f()\n".encode()
    (call,) = [call for _, call in read_flows("f.py", source).flows[0].calls()]
    assert (call.span.column, call.span.end_column) == (12, 15)
