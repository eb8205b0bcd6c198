"""What runs is among the paths that the flows admit, and contradicts no claim about order."""

import dataclasses
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))
from flow_programs import program
from flow_tracing import check

from stepcheck.code.flow import Block, EdgeKind, FileFlow, read_flows

SEEDS = st.integers(0, 10**6)


def valid(seed: int, size: int) -> str | None:
    source = program(seed, size)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            compile(source, "<program>", "exec")
    except SyntaxError:
        return None
    return source


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(4, 20))
def test_the_recorded_order_of_a_generated_program_is_an_admitted_path(seed: int, size: int) -> None:
    source = valid(seed, size)
    if source is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert check(source, range(4)) == [], source


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_the_recorded_order_of_a_program_of_any_syntax_is_an_admitted_path(seed: int) -> None:
    pytest.importorskip("pysource_codegen")
    import flow_codegen

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = flow_codegen.program(seed)
        if source is not None:
            assert flow_codegen.check(source, range(3))[0] == [], source


def without(flows: FileFlow, kind: EdgeKind) -> FileFlow:
    return dataclasses.replace(
        flows,
        flows=tuple(
            dataclasses.replace(
                flow,
                blocks=tuple(
                    Block(
                        block.operations,
                        tuple(edge for edge in block.edges if edge.kind is not kind),
                        block.first,
                    )
                    for block in flow.blocks
                ),
            )
            for flow in flows.flows
        ),
    )


@pytest.mark.parametrize("kind", list(EdgeKind), ids=lambda kind: kind.value)
def test_the_runs_notice_when_one_kind_of_edge_is_missing(kind: EdgeKind) -> None:
    for seed in range(80):
        source = valid(seed, 14)
        if source is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if check(source, range(6), without(read_flows("program.py", source.encode()), kind)):
                    return
    pytest.fail(f"no run needs a {kind.value} edge")


ORDER = """
def f(x, y):
    {body}
"""


@pytest.mark.parametrize(
    ("body", "order"),
    [
        ("m(1)[m(2)] = m(3)", [3, 1, 2]),
        ("m(1)[m(2)] += m(3)", [1, 2, 3]),
        ("m(1)(m(2), *m(3), k=m(4), **m(5))", [1, 2, 3, 4, 5]),
        ("m(1).a(m(2)).b(m(3))", [1, 2, 3]),
        ("x = {m(1): m(2), **m(3)}", [1, 2, 3]),
        ("x = f'{m(1):{m(2)}}{m(3)}'", [1, 2, 3]),
        ("m(1)[0], m(2)[0] = m(3), m(4)", [3, 4, 1, 2]),
        ("m(1).v: m(9) = m(2)", [2, 1]),
        ("del m(1)[m(2)], m(3).a", [1, 2, 3]),
        ("x = (y := m(1)) + m(2)", [1, 2]),
        ("x = lambda a=m(1): m(9)", [1]),
        ("x = (m(9) for _ in m(1))", [1]),
    ],
)
def test_calls_stand_in_the_order_of_evaluation(body: str, order: list[int]) -> None:
    flow = read_flows("f.py", ORDER.format(body=body).encode()).flows[1]
    marks = [call.arguments[0] for _, call in flow.calls() if call.dotted == "m"]
    assert [mark.value for mark in marks] == order  # type: ignore[union-attr]
