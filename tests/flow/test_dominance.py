"""Dominators against networkx, and on a flow that is plain to see."""

import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from flow_programs import program

from stepcheck.analysis.dominance import dominates, dominators, post_dominators
from stepcheck.code.flow import ENTRY, ESCAPE, EXIT, read_flows
from stepcheck.facts import Unreadable


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_dominators_are_those_of_networkx(seed: int) -> None:
    networkx = pytest.importorskip("networkx")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            flows = read_flows("f.py", program(seed).encode()).flows
    except Unreadable:
        return
    for flow in flows:
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(len(flow.blocks)))
        graph.add_edges_from(
            (at, edge.target) for at, block in enumerate(flow.blocks) for edge in block.edges
        )
        theirs = networkx.immediate_dominators(graph, ENTRY)
        theirs.pop(ENTRY, None)
        assert {at: above for at, above in enumerate(dominators(flow)) if above is not None} == theirs
        out = len(flow.blocks)
        backwards = graph.reverse()
        backwards.add_edges_from([(out, EXIT), (out, ESCAPE)])
        theirs = networkx.immediate_dominators(backwards, out)
        theirs.pop(out, None)
        assert {at: below for at, below in enumerate(post_dominators(flow)) if below is not None} == theirs


def test_a_branch_dominates_what_follows_and_neither_arm_does() -> None:
    flow = read_flows(
        "f.py", b"def f(x):\n    a()\n    if x:\n        b()\n    else:\n        c()\n    d()\n"
    ).flows[1]
    at = {call.dotted: point.block for point, call in flow.calls()}
    above, below = dominators(flow), post_dominators(flow, (EXIT,))
    assert dominates(above, at["a"], at["d"])
    assert not dominates(above, at["b"], at["d"])
    assert dominates(below, at["d"], at["a"])
    assert not dominates(below, at["c"], at["a"])
