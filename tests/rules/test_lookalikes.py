"""Tables beside those of the pages: what must stay silent, and which of several rules speaks."""

from pathlib import Path
from textwrap import indent

import pytest

from stepcheck import config, engine
from stepcheck.report import Finding
from stepcheck.rule import Severity


def check(folder: Path, steps: str) -> tuple[Finding, ...]:
    (folder / "flow.yaml").write_text(f"steps:\n{indent(steps, '  ')}", "utf-8")
    return engine.run(config.Settings(root=folder), ["."], cwd=folder).findings


def rules_of(folder: Path, *lines: str, effect: str = "non_idem_write") -> list[str]:
    """The rules that speak about one step with these lines."""
    body = "".join(f"  {line}\n" for line in lines)
    return [
        finding.rule for finding in check(folder, f"charge:\n  effect: {effect}\n  call: shop.charge\n{body}")
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("query: shop.find",),
        ("query: shop.find", "max_attempts: 3"),
        ("dedupe: true", "max_attempts: 3"),
        ("dedupe: charges",),
        ("on_uncertain: human",),
        ("on_uncertain: human", "retryable: true"),
        ("query: shop.find", "on_absent: human"),
        ("query: shop.find", "dedupe: true", "on_absent: retry"),
        ("query: shop.find", "timeout: PT5S"),
        ("query: shop.find", "compensate: null", "compensate_deadline: null"),
        ("query: shop.find", "retryable: false", "max_attempts: 1"),
        ("query: shop.find", "identity: [order, task_id]"),
        ("query: shop.find", "output: inline"),
    ],
    ids=" ".join,
)
def test_a_guarded_write_is_left_alone(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert rules_of(tmp_path, *lines) == []


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        ((), "unqueryable-write"),
        (("query: null",), "unqueryable-write"),
        (("dedupe: false",), "unqueryable-write"),
        (("on_uncertain: query",), "unqueryable-write"),
        (("max_attempts: 1",), "unqueryable-write"),
        (("retryable: true",), "retry-without-query"),
        (("retry: {max_attempts: 2}",), "retry-without-query"),
        (("dedupe: false", "max_attempts: 2"), "retry-without-query"),
        (("quary: shop.find",), "invalid-field"),
        (("quary: shop.find", "max_attempts: 4"), "invalid-field"),
        (("dedup: true",), "invalid-field"),
        (("on_uncertain: person",), "invalid-field"),
        (("query: 3",), "invalid-field"),
        (("query: shop.find", "compensate: shop.undo", "compensate_deadlin: PT5M"), "invalid-field"),
        (("query: shop.find", "compensate: shop.undo", "compensate_deadline: 5m"), "invalid-deadline"),
        (("query: shop.find", "compensate_deadline: 5m"), "invalid-deadline"),
        (("query: shop.find", "compensate: charge", "compensate_deadline: PT5M"), "blind-compensation"),
        (("query: shop.find", "on_absent: retry", "absence: {query_lag: PT1S}"), "unproven-absence"),
        (("on_uncertain: human", "on_absent: retry"), "invalid-field"),
        (("query: shop.charge",), "effectful-query"),
        (("query: charge",), "effectful-query"),
        (("query: shop.find", "retryable: true", "max_attempts: 1"), "invalid-field"),
        (("query: shop.find", "retryable: false", "max_attempts: 2"), "invalid-field"),
        (("query: shop.find", "retry: {max_attempts: unlimited}"), "unbounded-retry"),
        (("query: shop.find", "retryable: false", "identity: []"), "incomplete-key"),
    ],
    ids=str,
)
def test_one_cause_has_one_finding_by_the_rule_that_knows_most_of_it(
    lines: tuple[str, ...], rule: str, tmp_path: Path
) -> None:
    assert rules_of(tmp_path, *lines) == [rule]


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("query: shop.charge",),
        ("max_attempts: 9",),
        ("timeout: null",),
        ("identity: []",),
        ("dedupe: false",),
        ("compensate: null", "query: null"),
        ("identity: [order, created_at, order_date, public_token, request_type, order.tries]",),
    ],
    ids=" ".join,
)
def test_a_read_may_do_what_it_likes(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert rules_of(tmp_path, *lines, effect="read") == []


@pytest.mark.parametrize("field", ["compensate: shop.undo", "dedupe: true", "on_uncertain: human"])
def test_what_only_a_write_can_have_is_senseless_on_a_read(field: str, tmp_path: Path) -> None:
    assert rules_of(tmp_path, field, effect="read") == ["invalid-field"]


@pytest.mark.parametrize(
    ("name", "volatile"),
    [
        ("timestamp", True),
        ("requestId", True),
        ("attempt_number", True),
        ("accessToken", True),
        ("traceparent", True),
        ("uuid4", True),
        ("updated_at", False),
        ("paid_at", False),
        ("correlation_id", False),
        ("purchase_request_id", False),
        ("attempted_amount", False),
        ("saltwater_tank", False),
        ("nowhere", False),
        ("row.timestamp", False),
    ],
)
def test_a_name_is_volatile_as_a_whole_or_not_at_all(name: str, volatile: bool, tmp_path: Path) -> None:
    found = rules_of(tmp_path, "dedupe: true", f"identity: [order, {name}]", effect="idem_write")
    assert found == (["volatile-key"] if volatile else [])


def test_a_volatile_name_is_a_warning_unless_the_table_itself_calls_it_so(tmp_path: Path) -> None:
    steps = """charge:
  effect: idem_write
  call: shop.charge
  dedupe: true
  identity: [order, nonce, device]
  volatile: [device]
"""
    found = check(tmp_path, steps)
    assert [(each.rule, each.severity, each.span.column) for each in found] == [
        ("volatile-key", Severity.WARNING, 23),
        ("volatile-key", Severity.ERROR, 30),
    ]
    assert [related.span.line for related in found[1].related] == [7]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("create_order", ["unproven-idempotence"]),
        ("mark_output", ["unproven-idempotence"]),
        ("reset_offset", ["unproven-idempotence"]),
        ("upsert_order", []),
        ("put_order", []),
        ("bulkReplace", []),
        ("set_price", []),
        ("ensure_bucket", []),
    ],
)
def test_an_idem_write_needs_a_promise_unless_its_call_sets_an_outcome(
    call: str, found: list[str], tmp_path: Path
) -> None:
    steps = f"record:\n  effect: idem_write\n  call: shop.{call}\n"
    assert [each.rule for each in check(tmp_path, steps)] == found


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("search", ["inline-output"]),
        ("fetchOrders", ["inline-output"]),
        ("download_file", ["inline-output"]),
        ("load_pages", ["inline-output"]),
        ("fetch_order", []),
        ("fetch_status", []),
        ("list_size", []),
        ("search_count", []),
        ("read_address", []),
        ("research", []),
        ("find_invoice_id", []),
    ],
)
def test_an_inline_output_is_long_by_the_words_of_its_call(
    call: str, found: list[str], tmp_path: Path
) -> None:
    steps = f"look:\n  effect: read\n  call: shop.{call}\n  output: inline\n"
    assert [each.rule for each in check(tmp_path, steps)] == found


def test_a_timeout_is_missed_only_where_the_table_has_others(tmp_path: Path) -> None:
    write = "  effect: non_idem_write\n  call: shop.{0}\n  query: shop.find_{0}\n"
    without = f"a:\n{write.format('a')}b:\n{write.format('b')}"
    assert check(tmp_path, without) == ()
    assert check(tmp_path, f"{without}c:\n  effect: read\n  call: shop.c\n") == ()
    (first, second) = check(tmp_path, f"{without}c:\n  effect: read\n  call: shop.c\n  timeout: 5\n")
    assert [(each.rule, each.step, each.span.line) for each in (first, second)] == [
        ("missing-timeout", "a", 2),
        ("missing-timeout", "b", 6),
    ]
    assert [related.message for related in first.related] == ["'c' has one"]


def test_a_compensation_that_is_a_guarded_step_of_the_table_may_be_named_by_its_call(tmp_path: Path) -> None:
    steps = """book:
  effect: non_idem_write
  call: inn.book
  query: inn.find
  compensate: inn.cancel
  compensate_deadline: PT1H
cancel:
  effect: non_idem_write
  call: inn.cancel
  query: inn.find_cancellation
"""
    assert check(tmp_path, steps) == ()


def test_a_field_is_renamed_only_to_one_that_is_free(tmp_path: Path) -> None:
    steps = """charge:
  effect: non_idem_write
  call: shop.charge
  query: shop.find
  qeury: shop.find
  maxattempts: 2
  max_attemps: 2
  timout: 5
"""
    found = {
        each.message.split("'")[1]: each.fix
        for each in check(tmp_path, steps)
        if each.rule == "invalid-field"
    }
    assert [name for name, fix in found.items() if fix] == ["timout"]
    assert (
        found["timout"] and found["timout"].title == "rename 'timout' to 'timeout'" and found["timout"].safe
    )
    assert sorted(found) == ["max_attemps", "maxattempts", "qeury", "timout"]


def test_a_deadline_is_offered_only_where_none_is_written(tmp_path: Path) -> None:
    steps = "charge:\n  effect: idem_write\n  call: a.put_x\n  compensate: a.undo\n"
    (without,) = check(tmp_path, steps)
    (null,) = check(tmp_path, f"{steps}  compensate_deadline: null\n")
    assert without.fix is not None and not without.fix.safe
    assert null.fix is None


@pytest.mark.parametrize(
    "lines",
    [
        ("query: ${QUERY}",),
        ("query: ${QUERY}", "retryable: true"),
        ("dedupe: ${DEDUPE}", "max_attempts: 2"),
        ("on_uncertain: ${WHO}",),
        ("on_uncertain: ${WHO}", "max_attempts: 2"),
        ("query: shop.find", "on_absent: ${WHAT}"),
        ("query: shop.find", "on_absent: retry", "absence: ${BOUNDS}"),
        ("query: shop.find", "on_absent: retry", "dedupe: ${DEDUPE}"),
        ("query: shop.find", "max_attempts: ${TRIES}"),
        ("query: shop.find", "timeout: ${SECONDS}"),
        ("query: shop.find", "compensate: shop.undo", "compensate_deadline: ${DEADLINE}"),
        ("query: shop.find", "compensate: ${UNDO}", "compensate_deadline: PT1M"),
        ("query: shop.find", "identity: ${PARTS}"),
    ],
    ids=" ".join,
)
def test_what_only_a_run_could_tell_gives_no_finding(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert rules_of(tmp_path, *lines) == []


@pytest.mark.parametrize(
    "fields",
    [
        '"effect": "non_idem_write", "call": charge',
        '"effect": "non_idem_write", "call": charge, "max_attempts": 3',
        '"effect": "idem_write", "call": charge',
        '"call": charge, "query": find',
        '"effect": "non_idem_write", "call": charge, "query": find, "compensate": undo',
        '"effect": "non_idem_write", "call": charge, "query": charge',
        '"effect": "wirte", "call": charge',
        '"effect": "idem_write", "call": charge, "max_attempts": None',
        '"effect": "read", "call": search, "output": "inline"',
    ],
)
def test_a_step_into_which_something_unreadable_is_spread_is_left_alone(fields: str, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(f'STEPS = {{"charge": {{{fields}, **defaults()}}}}\n', "utf-8")
    report = engine.run(config.Settings(root=tmp_path), ["."], cwd=tmp_path)
    assert report.coverage.steps == 1
    assert report.findings == ()


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ('"effect": "wirte", "call": charge', ["unknown-effect"]),
        ('"effect": "read", "call": charge, "qurey": find', ["invalid-field"]),
        ('"effect": "idem_write", "call": charge, "query": charge', ["effectful-query"]),
        ('"effect": "idem_write", "call": charge, "identity": []', ["incomplete-key"]),
        ('"effect": "idem_write", "call": charge, "timeout": None', ["missing-timeout"]),
        ('"effect": "idem_write", "call": charge, "max_attempts": None', []),
        ('"effect": "non_idem_write", "call": charge', []),
        ('"effect": "read", "call": search, "output": "inline"', ["inline-output"]),
        ('"call": search, "output": "inline", "query": None', []),
    ],
)
def test_what_is_written_behind_an_unreadable_spread_stands(
    fields: str, rule: list[str], tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(f'STEPS = {{"charge": {{**defaults(), {fields}}}}}\n', "utf-8")
    report = engine.run(config.Settings(root=tmp_path), ["."], cwd=tmp_path)
    assert report.coverage.steps == 1
    assert [finding.rule for finding in report.findings] == rule


def test_a_field_of_ones_own_is_ones_own_business(tmp_path: Path) -> None:
    steps = "".join(f"{name}:\n  effect: read\n  call: a.b\n  pager: x\n" for name in ("a", "b", "c"))
    assert check(tmp_path, steps) == ()


def test_a_misspelt_step_to_compensate_with_is_missing_and_a_word_for_a_registry_is_not(
    tmp_path: Path,
) -> None:
    write = "  effect: non_idem_write\n  query: a.q\n  compensate_deadline: PT5M\n"
    undo = "undo:\n  effect: idem_write\n  dedupe: true\n  call: undoes\n"
    (found,) = check(tmp_path, f"make:\n{write}  call: makes\n  compensate: udno\n{undo}")
    assert (found.rule, found.span.line) == ("unresolved-callable", 7)
    assert found.message == (
        "'make' cannot be undone: its compensate 'udno' does not exist: no step of that name; did you mean 'undo'"
    )


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("outptu: ref", Severity.ERROR),
        ("onUncertain: query", Severity.ERROR),
        ("retriable: true", Severity.ERROR),
        ("retry_on: 2", Severity.WARNING),
        ("timeout_s: 5", Severity.WARNING),
        ("deadline: PT5M", Severity.WARNING),
    ],
)
def test_a_field_clearly_misspelt_is_an_error_and_one_merely_alike_a_warning(
    line: str, severity: Severity, tmp_path: Path
) -> None:
    written = "a:\n  effect: idem_write\n  dedupe: true\n  query: a.q\n  call: a.b\n"
    compensation = "  compensate: a.c\n" if "deadline" in line else ""
    found = check(tmp_path, f"{written}{compensation}  {line}\n")[-1]
    assert (found.rule, found.severity) == ("invalid-field", severity)
    assert "; did you mean '" in found.message
    assert found.fix is not None and found.fix.safe == (severity is Severity.ERROR)


@pytest.mark.parametrize(
    ("effect", "line", "speaks"),
    [
        ("read", "undo: a.undo", False),
        ("read", "compensat: a.undo", True),
        ("non_idem_write", "deadline: PT5M", False),
        ("non_idem_write", "compensate-deadline: PT5M", True),
        ("non_idem_write", "retry_on: [timeout]", True),
        ("non_idem_write", "idempotency_key: order.id", True),
    ],
)
def test_no_field_is_renamed_to_one_that_would_be_a_mistake_there(
    effect: str, line: str, speaks: bool, tmp_path: Path
) -> None:
    found = check(tmp_path, f"a:\n  effect: {effect}\n  call: a.b\n  query: a.q\n  {line}\n")
    assert [(each.rule, each.fix) for each in found] == [("invalid-field", None)] * speaks


def test_a_null_deadline_is_no_deadline(tmp_path: Path) -> None:
    found = check(tmp_path, "a:\n  effect: non_idem_write\n  call: a.b\n  query: a.q\n  deadline: null\n")
    assert found == ()


@pytest.mark.parametrize(
    ("lines", "told", "related"),
    [
        ("  retryable: true\n", "(the executor's default: 3 attempts)", []),
        ("  retryable: true\n  max_attempts: 4\n", "(the table: 4 attempts)", [(6, "4 attempts")]),
        ("  max_attempts: 4\n", "(the table: 4 attempts)", []),
        ("  retry: {max_attempts: 4}\n", "(the table: 4 attempts)", []),
        ("  retry: true\n", "(the executor's default: 3 attempts)", []),
        ("  retry: {base: 1}\n", "(the executor's default: 3 attempts)", []),
    ],
)
def test_a_limit_is_said_to_be_that_of_whoever_set_it(
    lines: str, told: str, related: list[tuple[int, str]], tmp_path: Path
) -> None:
    [found] = check(tmp_path, f"a:\n  effect: non_idem_write\n  call: a.b\n{lines}")
    assert (found.rule, told in found.message) == ("retry-without-query", True)
    assert [(each.span.line, each.message) for each in found.related] == [
        (3, "a repeat is a second effect"),
        *((line, message) for line, message in related),
    ]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("  max_attempts: null\n", "(the table: no limit, which is what a written None means)"),
        ("  max_attempts: unlimited\n", "(the table: no limit)"),
        ("  retryable: true\n  max_attempts: unlimited\n", "(the table: no limit)"),
    ],
)
def test_a_written_none_is_told_to_be_no_limit(lines: str, told: str, tmp_path: Path) -> None:
    [found] = check(tmp_path, f"a:\n  effect: read\n  call: a.b\n{lines}")
    assert (found.rule, told in found.message) == ("unbounded-retry", True)
    assert [each.span.line for each in found.related] == ([6] if "retryable" in lines else [])


def test_a_partial_is_not_the_function_in_it(tmp_path: Path) -> None:
    text = """from functools import partial

CLOSE = partial(door, "close")
STEPS = {
    "open": {
        "effect": "non_idem_write",
        "call": partial(door, "open"),
        "query": partial(door, "state"),
        "compensate": CLOSE,
        "compensate_deadline": "PT1M",
    },
    "close": {"effect": "non_idem_write", "call": CLOSE, "query": CLOSE},
}
"""
    (tmp_path / "flow.py").write_text(text, "utf-8")
    found = engine.run(config.Settings(root=tmp_path), ["."], cwd=tmp_path).findings
    assert [(each.rule, each.span.line) for each in found] == [("effectful-query", 12)]


def test_an_effect_class_that_resembles_nothing_is_answered_with_all_three(tmp_path: Path) -> None:
    other = "b:\n  effect: read\n  call: a.d\nc:\n  effect: read\n  call: a.e\n"
    (found,) = check(tmp_path, f"a:\n  effect: burn\n  call: a.b\n  query: a.c\n{other}")
    assert found.message == (
        "nobody can tell whether 'a' may be tried again: no executor knows the effect class 'burn'; "
        "it can be 'read' or 'idem_write' or 'non_idem_write'"
    )


def test_an_empty_query_need_not_be_proof_where_a_repeat_is_harmless(tmp_path: Path) -> None:
    steps = "a:\n  effect: idem_write\n  call: a.put_b\n  query: a.find_b\n  on_absent: retry\n"
    assert check(tmp_path, steps) == ()


def test_the_name_of_the_step_tells_that_it_sets_an_outcome_too(tmp_path: Path) -> None:
    assert check(tmp_path, "upsert_order:\n  effect: idem_write\n  call: shop.write\n") == ()


@pytest.mark.parametrize(
    ("names", "removable"),
    [
        ("missing-timeout", [True]),
        ("missing-timeout, unread-file, nothing-like-it", [True, False]),
        ("missing-timeout, mising-timeout", [False, False]),
        ("missing-timeout, unqueryable-write", [False]),
    ],
)
def test_an_ignore_comment_is_removed_only_if_nothing_in_it_is_needed(
    names: str, removable: list[bool], tmp_path: Path
) -> None:
    steps = f"a:  # stepcheck: ignore[{names}] -- so be it\n  effect: non_idem_write\n  call: a.b\n"
    found = [each for each in check(tmp_path, steps) if each.rule == "unused-ignore"]
    assert [each.fix is not None and each.fix.safe for each in found] == removable


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("ignore[unqueryable-write]", "this ignore comment hides nothing: it gives no reason after '--'"),
        (
            "ignore -- why",
            "this ignore comment hides nothing: it names no rule: write ignore[rule-name] -- reason",
        ),
        (
            "file-ignore[missing-timeout] -- why",
            "ignoring 'missing-timeout' hides nothing: there is no such finding in this file",
        ),
    ],
)
def test_an_ignore_comment_that_hides_nothing_says_why(comment: str, message: str, tmp_path: Path) -> None:
    steps = f"# stepcheck: {comment}\na:\n  effect: read\n  call: a.b\n"
    assert [each.message for each in check(tmp_path, steps)] == [message]
