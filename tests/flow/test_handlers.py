"""Which exceptions reach which handlers, and what is begun again."""

# ruff: noqa: E501 - short programs on one line

from stepcheck.analysis.callgraph import bottom_up, callees, summarise
from stepcheck.analysis.definitions import definitions
from stepcheck.analysis.handlers import fate, hierarchy
from stepcheck.analysis.loops import natural_loops, per_item
from stepcheck.analysis.retry import Manner, regions, repeats
from stepcheck.code.flow import Catch, Flow, Point, read_flows

LIBRARY = {
    "httpx.TransportError": ("httpx.RequestError",),
    "httpx.RequestError": ("builtins.Exception",),
    "httpx.ConnectError": ("httpx.TransportError",),
}
RETRIERS = frozenset(
    {"tenacity.retry", "tenacity.Retrying", "stamina.retry_context()", "lib.retry_call", "?Retrying"}
)


def call_at(flow: Flow, dotted: str) -> Point:
    (point,) = [point for point, call in flow.calls() if call.dotted == dotted]
    return point


def caught(source: str, kind: str) -> tuple[list[tuple[str, ...]], bool]:
    """The handlers that an exception raised by `send()` reaches, and whether it escapes."""
    file = read_flows("f.py", source.encode())
    (flow,) = [flow for flow in file.flows if flow.name == "f"]
    goes = fate(flow, call_at(flow, "send"), kind, hierarchy(LIBRARY, file))
    types = []
    for reached in goes.handlers:
        operation = flow.blocks[reached.catch.block].operations[reached.catch.position]
        assert isinstance(operation, Catch)
        types.append(operation.types)
    return types, goes.escapes


TRIED = """
import httpx
class Own(httpx.ConnectError): pass
def f():
    try:
        try:
            send()
        except ValueError:
            a()
        finally:
            b()
    except (httpx.RequestError, OSError):
        c()
"""


def test_an_exception_reaches_the_first_handler_of_its_class_or_a_base() -> None:
    assert caught(TRIED, "builtins.UnicodeDecodeError") == ([("builtins.ValueError",)], False)
    assert caught(TRIED, "httpx.ConnectError") == ([("httpx.RequestError", "builtins.OSError")], False)
    assert caught(TRIED, ":Own") == ([("httpx.RequestError", "builtins.OSError")], False)
    assert caught(TRIED, "socket.timeout") == ([("httpx.RequestError", "builtins.OSError")], False)
    assert caught(TRIED, "builtins.KeyError") == ([], True)


def test_an_exception_of_unknown_class_may_reach_every_handler() -> None:
    types, escapes = caught(TRIED, "other.Error")
    assert (len(types), escapes) == (2, True)


def test_a_return_in_finally_swallows_what_is_under_way() -> None:
    assert caught("def f():\n    try:\n        send()\n    finally:\n        return 1\n", "") == ([], False)


def test_a_loop_with_a_handler_begins_the_call_again() -> None:
    source = b"import httpx\ndef f():\n while True:\n  try:\n   return send()\n  except httpx.RequestError:\n   wait()\n"
    flow = read_flows("f.py", source).flows[1]
    known = hierarchy(LIBRARY)
    (repeat,) = repeats(flow, call_at(flow, "send"), "httpx.ConnectError", known)
    assert repeat.certain
    assert repeat.loop is not None and repeat.loop.written is not None and repeat.loop.written.kind == "while"
    assert repeats(flow, call_at(flow, "send"), "builtins.KeyError", known) == ()
    assert repeats(flow, call_at(flow, "wait"), "", known) == ()


def test_a_handler_that_leaves_the_loop_begins_nothing_again() -> None:
    source = b"def f():\n for x in y:\n  try:\n   send()\n  except Exception:\n   break\n"
    flow = read_flows("f.py", source).flows[1]
    assert repeats(flow, call_at(flow, "send"), "", hierarchy()) == ()


def test_a_turn_for_each_item_is_told_from_a_turn_for_each_attempt() -> None:
    source = b"def f(xs):\n for x in xs:\n  try:\n   y = x.id\n   send(y)\n   ping()\n  except E:\n   pass\n"
    flow = read_flows("f.py", source).flows[1]
    (loop,) = natural_loops(flow)
    known = definitions(flow)
    assert per_item(known, loop, call_at(flow, "send"))
    assert not per_item(known, loop, call_at(flow, "ping"))


REGIONS = """
import tenacity, stamina
from lib import retry_call

@tenacity.retry(stop=tenacity.stop_after_attempt(3))
def decorated():
    send()

def entered():
    for attempt in tenacity.Retrying():
        with attempt:
            send()

def iterated():
    for attempt in stamina.retry_context(on=E):
        with attempt:
            send()

def again(x):
    try:
        return send()
    except E:
        return again(x)

def recursive(x):
    return recursive(x - 1)

def handed():
    def once():
        send()
    retry_call(once)
    retry_call(lambda: send())
    tenacity.Retrying()(decorated)
"""


def test_every_manner_of_retry_region_is_found() -> None:
    file = read_flows("f.py", REGIONS.encode())
    names = {flow.index: flow.qualname for flow in file.flows}
    found = [
        (region.manner, names[region.flow], region.by) for region in regions(file, RETRIERS, callees(file))
    ]
    assert found == [
        (Manner.DECORATOR, "decorated", "tenacity.retry"),
        (Manner.CONTEXT, "entered", "tenacity.Retrying"),
        (Manner.CONTEXT, "iterated", "stamina.retry_context()"),
        (Manner.SELF_CALL, "again", ""),
        (Manner.HELPER, "handed.<locals>.once", "lib.retry_call"),
        (Manner.HELPER, "handed.<locals>.<lambda>", "lib.retry_call"),
        (Manner.HELPER, "decorated", "tenacity.Retrying"),
    ]


def test_groups_come_after_all_that_they_lead_to() -> None:
    graph = {"a": ["b"], "b": ["c", "d"], "c": ["b"], "d": [], "e": ["e", "a"]}
    assert [set(group) for group in bottom_up("abcde", lambda node: graph[node])] == [
        {"d"},
        {"b", "c"},
        {"a"},
        {"e"},
    ]


def test_summaries_rise_through_recursion() -> None:
    graph = {"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": [], "e": []}
    own = {"d": frozenset({"writes"})}

    def summary(node: str, known: object) -> frozenset[str]:
        return own.get(node, frozenset()).union(*(known(other) for other in graph[node]))  # type: ignore[operator]

    found = summarise("abcde", lambda node: graph[node], frozenset(), summary)
    assert {node for node, made in found.items() if "writes" in made} == {"a", "b", "c", "d"}
