"""The executor's guards, each taken away: what is replaced in which module, and where the harm must show."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One guard taken away."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    """Module of the executor, the text that stands there once, what stands there instead."""
    scenario: str
    """A claim, or `demonstration:` and the name of one whose good twin is explored."""
    harm: str
    faults: int = 1


ONCE = "non_idem_write without a query"
SEND = "reply: Reply = yield Call(step, context(step, job.params, seen.state, send_before), job.params)"

MUTANTS = (
    Mutant(
        "the intent is recorded after the call",
        (
            (
                "sending.py",
                "    started = yield Elapsed()\n    try:",
                "    started = yield Elapsed()\n"
                "    early = yield Call(step, context(step, job.params, seen.state, started + 30), job.params)\n"
                "    try:",
            ),
            ("sending.py", SEND, "reply: Reply = early"),
        ),
        ONCE,
        "duplicate",
    ),
    Mutant(
        "the intent is not synced",
        (("sending.py", "durable=step.effect.writes)", "durable=False)"),),
        ONCE,
        "duplicate",
    ),
    Mutant(
        "absence is believed without a query",
        (
            (
                "decisions.py",
                'if state.verdict != "absent":\n        return _query_again(step, state, clock_ms)\n    if',
                'if state.verdict != "absent":\n        return Believe("nobody asked")\n    if',
            ),
        ),
        "on_absent retry, bounds kept",
        "duplicate",
    ),
    Mutant(
        "an empty query is believed at once",
        (("decisions.py", "if state.asked_ms is not None and state.asked_ms >= settled:", "if True:"),),
        "on_absent retry, bounds kept",
        "duplicate",
    ),
    Mutant(
        "a refusal is definite on any attempt",
        (
            (
                "sending.py",
                "if isinstance(reply, Refused) and attempt == 1:",
                "if isinstance(reply, Refused):",
            ),
            ("states.py", "case Kind.FAILED if event.attempt != 1:", "case Kind.FAILED if False:"),
        ),
        "idem_write, deduplicated for an hour",
        "false-failure",
        2,
    ),
    Mutant(
        "an unknown outcome is a failure",
        (("sending.py", "if isinstance(reply, Refused) and attempt == 1:", "if attempt == 1:"),),
        ONCE,
        "false-failure",
    ),
    Mutant(
        "no time to be sent by",
        (
            (
                "sending.py",
                "send_before = started + step.send_within_ms / 1000",
                "send_before = started + 10**9",
            ),
        ),
        "on_absent retry, bounds kept, two workers",
        "duplicate",
        2,
    ),
    Mutant(
        "no fence, and no second look before the intent",
        (
            ("record.py", "if task.fence != claim.fence:", "if False:"),
            (
                "sending.py",
                "if decide(step, now.state, task.clock_ms, claim.fence) != Send(attempt):",
                "if False:",
            ),
        ),
        "the same, two workers without a query",
        "broken",
        2,
    ),
    Mutant(
        "the other side remembers a key for ever",
        (("decisions.py", "if within is not None and clock_ms >=", "if False and clock_ms >="),),
        "idem_write that outlives its window",
        "duplicate",
    ),
    Mutant(
        "each attempt has its own key",
        (
            (
                "moves.py",
                "idempotency_key=state.idempotency_key,",
                "idempotency_key=f'{state.idempotency_key} {state.attempt}',",
            ),
        ),
        "idem_write, deduplicated for an hour",
        "duplicate",
    ),
    Mutant(
        "a keyed write is tried without end",
        (("decisions.py", "if state.attempt >= max(step.max_attempts, state.authorised):", "if False:"),),
        "demonstration:keyed-write-retried-by-the-table",
        "unbounded",
        0,
    ),
    Mutant(
        "a read is tried without end",
        (("machine.py", "if tries >= step.max_attempts:", "if False:"),),
        "demonstration:retry-without-bound",
        "unbounded",
        0,
    ),
    Mutant(
        "a person is told by nothing but the state",
        (
            (
                "record.py",
                "tx.open_item(Item(0, task.task_id, after.step_seq, reason, task.clock_ms, event.event_id))",
                "pass",
            ),
        ),
        ONCE,
        "stuck",
    ),
    Mutant(
        "the output is stored before the answer is recorded",
        (
            (
                "sending.py",
                "    if isinstance(reply, Answer):\n",
                "    if isinstance(reply, Answer):\n        yield PutBlob(repr(reply.value).encode())\n",
            ),
            (
                "sending.py",
                "import Call, Elapsed, Machine, Txn",
                "import Call, Elapsed, Machine, PutBlob, Txn",
            ),
        ),
        "a long output",
        "stuck",
    ),
    Mutant(
        "nobody holds a business identity",
        (("projection.py", "identity = state.business_key if state.attempt else None", "identity = None"),),
        "an unsettled action, issued again in a second task",
        "duplicate",
    ),
    Mutant(
        "the model is asked at every start, and what it says now is sent",
        (
            ("task.py", "    if seen is None:\n        name, params", "    if True:\n        name, params"),
            (
                "task.py",
                "return seen.state.step_name, (yield from recorded_params(seen.state))",
                "return name, params",
            ),
            ("address.py", "if wanted is not None and (why := _differs", "if False and (why := _differs"),
            (
                "machine.py",
                "return (yield from settle(table, claim, found))",
                "return (yield from settle(table, claim, found, params))",
            ),
            (
                "machine.py",
                "def settle(table: Table, claim: Claim, seen: View)",
                "def settle(table: Table, claim: Claim, seen: View, now=None)",
            ),
            (
                "machine.py",
                "params = yield from recorded_params(seen.state)",
                "params = now or (yield from recorded_params(seen.state))",
            ),
        ),
        "the model chooses, and is asked again",
        "drift",
        2,
    ),
    Mutant(
        "what others left is not settled first",
        (("task.py", "    yield from recover_machine(table, claim)\n", ""),),
        "a saga whose last step is refused",
        "stuck",
    ),
    Mutant(
        "the next step starts although this one has failed",
        (("task.py", "            if outcomes[-1].state is not Result.DONE:\n                break\n", ""),),
        "three steps",
        "out-of-order",
    ),
    Mutant(
        "a compensation is sent after its deadline",
        (
            ("compensation.py", "            if left <= 0:\n", "            if False:\n"),
            (
                "compensation.py",
                "return after, min(left, undo.send_within_ms)",
                "return after, undo.send_within_ms",
            ),
        ),
        "the same, with an outage past the deadline",
        "wrong-compensation",
    ),
    Mutant(
        "compensations run forwards",
        (("compensation.py", "for row in reversed(rows):", "for row in rows:"),),
        "a saga whose last step is refused",
        "out-of-order",
        0,
    ),
)
