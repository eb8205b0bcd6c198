"""A schedule as arrows between those who take part: the executors, the ledger, the other side."""

from stepcheck.demo import LEDGER, OTHER, Message
from stepcheck.explorer.explore import Schedule
from stepcheck.explorer.faults import Fault
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.state import Beat
from stepcheck.explorer.story import sentence_of

_STOPS = frozenset({Fault.DIES, Fault.POWER, Fault.SWITCH, Fault.TORN})
_LOST = frozenset({Fault.REQUEST_LOST, Fault.LATE})
_REPLIES = {
    Fault.NONE: "done",
    Fault.ERROR_BEFORE: "server error, nothing done",
    Fault.ERROR_AFTER: "server error, done",
    Fault.REFUSED: "refused",
    Fault.HALF: "half of it done",
}
_BROKEN = {
    Fault.ANSWER_LOST: "done, the answer is lost",
    Fault.RESET: "done, the connection breaks",
    Fault.CANCELLED_AFTER: "done, the caller was cancelled",
}


def messages(scenario: Scenario, schedule: Schedule) -> tuple[Message, ...]:
    """Return the arrows of a schedule in their order."""
    found: list[Message] = []
    for beat in schedule.beats:
        if sentence_of(scenario, beat):
            found += arrows(scenario, beat)
    return tuple(found)


def arrows(scenario: Scenario, beat: Beat) -> list[Message]:
    """Return the arrows of one moment."""
    who = "executor" if scenario.workers == 1 else f"worker {beat.worker + 1}"
    fault = beat.way.fault
    about = f"{beat.step} {beat.about}".strip()
    if fault in _STOPS:
        return [Message(who, who, "is paused" if fault is Fault.SWITCH else "dies")]
    if beat.kind in ("call", "undo"):
        return _call(scenario, beat, who, about)
    if beat.kind == "query":
        answer = {"found": "it happened", "absent": "nothing there"}.get(beat.detail, beat.detail)
        silent = fault is Fault.SILENT
        return [
            Message(who, OTHER, f"did {about} happen?"),
            Message(OTHER, who, answer or "no answer", lost=silent),
        ]
    if beat.kind == "land":
        return [Message(OTHER, OTHER, f"{about} arrives late: it happens")]
    if beat.kind in ("sleep", "start", "choose", "raises"):
        texts = {
            "sleep": "waits",
            "start": "is started again",
            "choose": beat.detail,
            "raises": "raises, and writes nothing down",
        }
        return [Message(who, who, texts.get(beat.kind, beat.kind))]
    if beat.kind == "client retry":
        return [Message(who, OTHER, f"{about}, by the client itself"), Message(OTHER, who, "done once more")]
    if beat.kind == "query writes":
        return [Message(OTHER, OTHER, "asking does it again")]
    noted = {"reuse": "done already"}.get(beat.kind, beat.kind.replace("_", " "))
    return [Message(who, LEDGER, f"{beat.step}: {noted}".removeprefix(": "))]


def _call(scenario: Scenario, beat: Beat, who: str, about: str) -> list[Message]:
    fault = beat.way.fault
    if fault in _LOST:
        late = fault is Fault.LATE
        return [Message(who, OTHER, f"{about} (under way)" if late else about, lost=True)]
    if fault in (Fault.CANCELLED_BEFORE, Fault.HANGS):
        text = "is cancelled before it sends" if fault is Fault.CANCELLED_BEFORE else "waits for ever"
        return [Message(who, who, text)]
    sent = Message(who, OTHER, about)
    if fault in _BROKEN:
        return [sent, Message(OTHER, who, _BROKEN[fault], lost=True)]
    service = scenario.other_sides[beat.step]
    reply = "refused" if service.refuses else "down" if service.down else _REPLIES.get(fault, "answer")
    if fault is Fault.NONE and beat.detail == "known":
        reply = "the answer as before, nothing done"
    return [sent, Message(OTHER, who, reply)]
