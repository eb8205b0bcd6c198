"""Claims about order on hand-made functions."""

from stepcheck.analysis.paths import (
    ESCAPED,
    RETURNED,
    always_after,
    always_before,
    always_between,
    begun,
    every,
    leading,
    no_exception,
    sometimes_before,
)
from stepcheck.code.flow import Flow, Point, read_flows


def function(body: str) -> tuple[Flow, dict[str, frozenset[Point]]]:
    """The flow of a function with this body, and the points of each call by its callee."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    flow = read_flows("f.py", f"def f(x):\n{lines}".encode()).flows[1]
    found: dict[str, frozenset[Point]] = {}
    for point, call in flow.calls():
        found[call.dotted] = found.get(call.dotted, frozenset()) | {point}
    return flow, found


def one(points: frozenset[Point]) -> Point:
    (point,) = points
    return point


def test_a_record_on_one_branch_only_is_not_always_before() -> None:
    flow, at = function("if x:\n    record()\nsend()")
    assert not always_before(flow, at["record"], one(at["send"]))
    assert sometimes_before(flow, one(at["record"]), one(at["send"]))


def test_records_on_both_branches_are_always_before_together() -> None:
    flow, at = function("if x:\n    record()\nelse:\n    note()\nsend()")
    assert always_before(flow, at["record"] | at["note"], one(at["send"]))


def test_a_record_whose_failure_is_swallowed_is_not_always_before() -> None:
    flow, at = function("try:\n    record()\nexcept Exception:\n    pass\nsend()")
    assert not always_before(flow, at["record"], one(at["send"]))
    assert always_before(flow, at["record"], one(at["send"]), no_exception)


def test_a_failing_record_that_raises_on_is_always_before() -> None:
    flow, at = function("try:\n    record()\nexcept Exception:\n    log()\n    raise\nsend()")
    assert always_before(flow, at["record"], one(at["send"]))


def test_a_context_manager_may_swallow_the_failing_record() -> None:
    flow, at = function("with manager():\n    record()\nsend()")
    assert not always_before(flow, at["record"], one(at["send"]))


def test_a_finally_runs_after_each_way_out() -> None:
    flow, at = function(
        "try:\n    send()\n    if x:\n        return 1\n    more()\nfinally:\n    close()\nlast()"
    )
    send = one(at["send"])
    assert len(at["close"]) == 3
    assert always_after(flow, send, at["close"], (RETURNED, ESCAPED))
    assert not always_after(flow, send, at["last"])


def test_a_normal_finally_does_not_mix_with_the_failing_one() -> None:
    flow, at = function("try:\n    send()\nfinally:\n    close()\nlast()")
    assert always_before(flow, at["send"], one(at["last"]))


def test_a_query_between_failure_and_the_next_try_is_seen() -> None:
    flow, at = function(
        "while True:\n    try:\n        return send()\n    except Timeout:\n        if query():\n            return"
    )
    send = one(at["send"])
    assert always_between(flow, send, at["query"], send)
    assert sometimes_before(flow, send, send)


def test_a_break_passes_over_the_else_of_a_loop() -> None:
    flow, at = function("for y in x:\n    if y:\n        break\nelse:\n    missing()\nlast()")
    assert not always_before(flow, at["missing"], one(at["last"]))
    assert sometimes_before(flow, one(at["missing"]), one(at["last"]))


def test_an_endless_loop_is_left_only_by_break() -> None:
    flow, at = function("while True:\n    if a():\n        break\nlast()")
    assert always_before(flow, at["a"], one(at["last"]))


def test_the_last_operand_of_an_and_may_be_left_out() -> None:
    flow, at = function("x = a() and b()\nlast()")
    assert always_before(flow, at["a"], one(at["last"]))
    assert not always_before(flow, at["b"], one(at["last"]))


def test_an_else_of_a_try_runs_after_the_whole_body() -> None:
    flow, at = function("try:\n    a()\nexcept E:\n    b()\nelse:\n    c()\nd()")
    assert always_before(flow, at["a"], one(at["c"]))
    assert not sometimes_before(flow, one(at["b"]), one(at["c"]))


def test_what_the_else_of_a_try_raises_is_not_handled_there() -> None:
    flow, at = function("try:\n    a()\nexcept:\n    b()\nelse:\n    c()\nd()")
    assert not sometimes_before(flow, one(at["c"]), one(at["b"]))


def test_what_a_handler_for_a_group_raises_waits_for_the_next_handler() -> None:
    flow, at = function("try:\n    a()\nexcept* E:\n    b()\nexcept* F:\n    c()\nd()")
    assert sometimes_before(flow, one(at["b"]), one(at["c"]))


def test_a_later_handler_of_a_group_may_find_nothing_left_whatever_it_takes() -> None:
    flow, at = function("try:\n    a()\nexcept* E:\n    b()\nexcept* BaseException:\n    c()")
    assert not always_after(flow, one(at["b"]), at["c"], [ESCAPED])
    assert not always_after(flow, one(at["b"]), at["c"])


def test_the_blocks_that_lead_to_one_are_those_from_which_it_is_begun() -> None:
    flow, at = function(
        "while x:\n    try:\n        send()\n        break\n    except E:\n        wait()\nelse:\n    drop()\nlast()"
    )
    for name in ("send", "wait", "drop", "last"):
        for follow in (every, no_exception):
            point = one(at[name])
            blocks = range(len(flow.blocks))
            asked = {block for block in blocks if point in begun(flow, (Point(block, 0),), (), follow)}
            assert leading(flow, point.block, follow) == asked
    assert one(at["wait"]).block not in leading(flow, one(at["send"]).block, lambda *_: False)
