"""The projection of a step: the row it can be looked up by, made of its events alone."""

from stepcheck.executor.ledger import StepRow
from stepcheck.executor.states import StepState


def project(state: StepState) -> StepRow:
    """Return the projection of a step: a function of its events alone."""
    # What was never sent keeps nobody else from sending.
    identity = state.business_key if state.attempt else None
    return StepRow(
        task_id=state.task_id,
        step_seq=state.step_seq,
        step_path=state.step_path,
        step_name=state.step_name,
        state=state.state.value,
        attempt=state.attempt,
        fence=state.fence,
        idempotency_key=state.idempotency_key,
        input_hash=state.input_hash,
        business_key=identity,
        first_intent_ms=state.first_intent_ms,
        last_intent_ms=state.last_intent_ms,
        output_ref=state.output_ref,
        last_event_id=state.last_event_id,
    )
