"""From what a step table declares to what the executor runs."""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from stepcheck.executor.step import AbsenceProof, Action, Backoff, DedupePromise, ExecStep
from stepcheck.facts.effect import Effect
from stepcheck.facts.step import Unlimited

if TYPE_CHECKING:
    from stepcheck.stepdef import StepDef

Resolve = Callable[[str], Callable[..., Any]]
"""Turns a dotted path into what it names."""

ATTEMPTS = 3
"""Sends of a write whose absence is proven each time, where `on_absent: retry` comes without a number."""

ATTEMPT_LIMIT = 100
"""What an unlimited number of attempts comes to: then a person is asked."""

DEFAULT_TIMEOUT_MS = 60_000
DAY_MS = 86_400_000
"""What a call without any bound comes to."""


class BadTable(ValueError):
    """A table that cannot be run; the message says which step and why."""


def exec_table(table: Mapping[str, "StepDef"], resolve: Resolve | None = None) -> dict[str, ExecStep]:
    """Return the steps of a table, ready to run, in its order. Raises BadTable.

    A `compensate` that names another step of the table is that step; a callable is a non_idem_write step
    without a query, so that nobody knows what became of it when its answer is lost.
    """
    plain = {name: exec_step(name, step, resolve) for name, step in table.items()}
    undo = {name: _compensation(name, step, plain, resolve) for name, step in table.items()}
    return {name: _with_compensation(plain[name], undo[name], table[name]) for name in table}


def exec_step(name: str, step: "StepDef", resolve: Resolve | None = None) -> ExecStep:
    """Return one step without its compensation, with every default decided. Raises BadTable."""
    backoff, attempts = Backoff(), step.attempts
    if step.retry is not None and not isinstance(step.retry, bool | int):
        backoff = Backoff(_ms(step.retry.base), _ms(step.retry.cap), step.retry.jitter == "full")
    unwritten = step.max_attempts is None and step.retryable is None and step.retry is None
    if step.on_absent == "retry" and unwritten:
        attempts = ATTEMPTS
    return ExecStep(
        name=name,
        effect=step.effect,
        call=_action(name, "call", step.call, resolve),
        query=None if step.query is None else _action(name, "query", step.query, resolve),
        max_attempts=ATTEMPT_LIMIT if isinstance(attempts, Unlimited) else min(attempts, ATTEMPT_LIMIT),
        backoff=backoff,
        timeout_ms=_timeout(step.timeout),
        identity=step.identity or (),
        volatile=step.volatile or (),
        dedupe=_dedupe(step),
        ask_person=step.on_uncertain == "human",
        retry_absent=step.on_absent == "retry",
        absence=_absence(step),
        declared=f"call {_name(step.call)}, query {_name(step.query)}, compensate {_name(step.compensate)}",
    )


def _with_compensation(plain: ExecStep, undo: ExecStep | None, step: "StepDef") -> ExecStep:
    if undo is None:
        return plain
    within = None if step.compensate_deadline is None else _ms(step.compensate_deadline)
    return replace(plain, compensation=undo, compensate_within_ms=within)


def _compensation(
    name: str, step: "StepDef", plain: Mapping[str, ExecStep], resolve: Resolve | None
) -> ExecStep | None:
    if step.compensate is None:
        return None
    if isinstance(step.compensate, str) and step.compensate in plain:
        return plain[step.compensate]
    return ExecStep(
        name=_name(step.compensate),
        # stepcheck: ignore[unqueryable-write] -- an uncertain compensation is given to a person
        effect=Effect.NON_IDEM_WRITE,
        call=_action(name, "compensate", step.compensate, resolve),
        max_attempts=1,
        timeout_ms=_timeout(step.timeout),
        declared=f"compensation of {name}: {_name(step.compensate)}",
    )


def _action(name: str, field: str, called: Callable[..., Any] | str, resolve: Resolve | None) -> Action:
    if isinstance(called, str):
        if resolve is None:
            raise BadTable(
                f"step '{name}': its {field} is the text '{called}', which nothing here can resolve"
            )
        called = resolve(called)
    if not callable(called):
        raise BadTable(f"step '{name}': its {field} is no callable: {called!r}")
    return takes_context(called)


def takes_context(called: Callable[..., Any]) -> Action:
    """Return the callable as one of (params, ctx); one of a single argument is given the params alone."""
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return called
    try:
        signature.bind(None, None)
    except TypeError:
        pass
    else:
        return called
    try:
        signature.bind(None)
    except TypeError:
        raise BadTable(f"'{_name(called)}' takes neither (params, ctx) nor (params)") from None

    @functools.wraps(called)
    def with_params(params: Mapping[str, object], _ctx: object) -> object:
        return called(params)

    return with_params


def _name(called: Callable[..., Any] | str | None) -> str:
    if called is None or isinstance(called, str):
        return called or "none"
    module = getattr(called, "__module__", None)
    qualified = getattr(called, "__qualname__", None) or type(called).__name__
    return f"{module}.{qualified}" if module else qualified


def _dedupe(step: "StepDef") -> DedupePromise | None:
    if not step.keyed:
        return None
    if step.dedupe is True or isinstance(step.dedupe, str) or step.dedupe is None or step.dedupe is False:
        return DedupePromise()
    margin = _ms(step.dedupe.margin) if "margin" in step.dedupe.model_fields_set else None
    window = None if step.dedupe.window is None else _ms(step.dedupe.window)
    return DedupePromise(window, bool(step.dedupe.stored_errors), margin)


def _absence(step: "StepDef") -> AbsenceProof | None:
    proof = step.absence
    if proof is None or proof.query_lag is None or proof.late_bound is None:
        return None
    return AbsenceProof(_ms(proof.query_lag), _ms(proof.late_bound))


def _timeout(timeout: timedelta | Unlimited | None) -> int:
    if timeout is None:
        return DEFAULT_TIMEOUT_MS
    return DAY_MS if isinstance(timeout, Unlimited) else _ms(timeout)


def _ms(length: timedelta) -> int:
    # Rounded up, so that a bound is never made shorter than what was declared.
    return -(-length // timedelta(milliseconds=1))
