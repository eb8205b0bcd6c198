"""What can be said in the ledger: the kinds of events, and one event."""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any


class Kind(StrEnum):
    """What an event says has happened."""

    PLANNED = "planned"
    CALL_INTENT = "call_intent"
    ACKED = "acked"
    DONE = "done"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    QUERIED = "queried"
    ABSENT = "absent"
    NEEDS_HUMAN = "needs_human"
    HUMAN_RESOLVED = "human_resolved"
    COMP_INTENT = "comp_intent"
    COMP_DONE = "comp_done"
    COMP_UNCERTAIN = "comp_uncertain"
    COMP_NEEDS_HUMAN = "comp_needs_human"
    LATE_EVIDENCE = "late_evidence"
    ABANDONED = "abandoned"


@dataclass(frozen=True)
class Event:
    """One row of the append-only log. Times are milliseconds of the ledger's clock."""

    event_id: int
    """0 until the ledger has numbered it."""
    task_id: str
    step_seq: int
    """Allocated once by `planned`, never reused."""
    step_path: str
    step_name: str
    attempt: int
    kind: Kind
    status: str
    """The state the step is in after this event."""
    effect_class: str
    idempotency_key: str
    input_hash: str
    input_ref: str | None
    receipt: str | None
    """JSON of what the other side answered, where it is small."""
    output_ref: str | None
    output_sha256: str | None
    started_at: int | None
    finished_at: int | None
    at_ms: int
    fence: int
    """Of the owner who wrote it."""
    step_def_hash: str
    body: str
    """A JSON object with what only this kind of event has to say."""

    @cached_property
    def said(self) -> dict[str, Any]:
        """The body, read."""
        said: dict[str, Any] = json.loads(self.body)
        return said
