"""A schedule as a numbered story, for readers who have never seen this tool."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from stepcheck.demo.rounds import shortened
from stepcheck.explorer.explore import Schedule
from stepcheck.explorer.faults import Fault
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Scenario
from stepcheck.explorer.service import Key, Reading
from stepcheck.explorer.state import Beat

SILENT = frozenset({"look", "lease", "recover", "status", "give_back", "elapsed", "getblob", "take", "cut"})
"""Moments that a story is better without, unless something goes wrong at one."""

PLAIN = {
    "planned": "{who} puts {step} on the ledger, with its params and its key",
    "call_intent": "{who} records the intent to call {step}",
    "acked": "{who} records that the other side has answered",
    "done": "{who} records {step} as done",
    "failed": "{who} records {step} as failed",
    "uncertain": "{who} records that nobody knows what became of {step}",
    "queried": "{who} records what the query said",
    "absent": "{who} records that {step} has not happened",
    "needs_human": "{who} leaves {step} to a person: it is in the inbox",
    "raises": "{who} raises an exception that says a person is needed, and writes it down nowhere",
    "compensating": "{who} begins to make up for what was done",
    "comp_intent": "{who} records the intent to make up for {step}",
    "comp_left": "{who} may not make up for {step} any more, and leaves it to a person",
    "comp_done": "{who} records {step} as made up for",
    "comp_uncertain": "{who} records that nobody knows what became of the compensation",
    "reuse": "{who} looks for {step}, finds it recorded as done, and does not call it",
    "delete": "{who} deletes the intent of {step}",
    "putblob": "{who} stores the output",
    "start": "{who} is started again",
    "land": "the late request arrives: {call} happens",
    "client retry": "the client library sends the request again by itself: it happens once more",
    "query writes": "asking does it again: {call} happens",
    "call": "{who} calls {call}: it happens",
    "task": "{who} is asked for another task, '{detail}'",
    "task again": "{who} is asked for the task '{detail}' once more: it is done",
    "repeated": "{who} calls {call} with a key that the other side knows: it answers as before, and does nothing",
    "sleep": "{who} waits",
}

AFTER = {
    "take": "takes the task",
    "planned": "puts the step on the ledger",
    "call_intent": "records the intent",
    "acked": "records the answer",
    "done": "records the step as done",
    "failed": "records the failure",
    "uncertain": "records that the outcome is unknown",
    "queried": "records what the query said",
    "needs_human": "puts the step into the inbox",
    "call": "sends the call",
    "comp_intent": "records the intent to compensate",
    "comp_done": "records the compensation",
    "putblob": "has stored the output",
    "end": "tells anybody",
}

FAULTS = {
    Fault.REQUEST_LOST: "{who} calls {call}; the request is lost, and no answer comes",
    Fault.ANSWER_LOST: "{who} calls {call}: it happens; the answer is lost",
    Fault.LATE: "{who} calls {call}; no answer comes, and the request is still under way",
    Fault.ERROR_BEFORE: "{who} calls {call}; a server error comes back, and nothing has happened",
    Fault.ERROR_AFTER: "{who} calls {call}: it happens; the other side answers with a server error",
    Fault.RESET: "{who} calls {call}: it happens; the connection breaks before the answer",
    Fault.REFUSED: "{who} calls {call}; the other side refuses",
    Fault.HANGS: "{who} calls {call}; the call never ends",
    Fault.CANCELLED_BEFORE: "{who} is cancelled just before it sends the call of {call}",
    Fault.CANCELLED_AFTER: "{who} calls {call}: it happens; {who} is cancelled before the answer comes",
    Fault.HALF: "{who} calls {call}: the first effect happens, the second request is lost",
    Fault.SILENT: "{who} asks whether {call} happened; no answer comes",
    Fault.PENDING: "{who} asks whether {call} happened; the answer is: pending",
    Fault.TORN: "{who} dies in the middle of storing the output",
    Fault.STORE_DOWN: "{who} cannot store the output: the store is down",
}

KEYS = {
    Key.NONE: " without a key",
    Key.FRESH: " with a new key",
    Key.NUMBERED: " with the number of the attempt in its key",
}
"""What is said of the key of a call, where it is not simply the executor's."""

UNKNOWN = frozenset({Fault.REQUEST_LOST, Fault.ANSWER_LOST, Fault.LATE, Fault.ERROR_AFTER, Fault.RESET})
"""Faults after which nobody knows whether it happened."""

_MINUTE_MS = 60_000

READINGS = {
    Reading.SWALLOWED: "; the call returns as if all was well",
    Reading.FAILURE: "; the call says that nothing happened",
}
"""What a call makes of an outcome that nobody knows, where it does not say so."""

ENDS = {
    Harm.DUPLICATE: "One thing was wanted, and it happened more than once",
    Harm.GHOST: "It happened, and no ledger says so",
    Harm.LOST: "The ledger says done, and it is not",
    Harm.FALSE_FAILURE: "The ledger says that it did not happen, and it did",
    Harm.STUCK: "Nobody works on it, and nobody is told",
    Harm.WRONG_COMPENSATION: "The compensation does harm of its own",
    Harm.DANGLING: "The step is done, and what it gave is gone",
    Harm.UNBOUNDED: "It goes on for ever",
    Harm.OUT_OF_ORDER: "The order of the steps is broken",
    Harm.DRIFT: "One address holds two different requests",
    Harm.BROKEN: "The executor ends with an error of its own",
    Harm.NEEDLESS: "Nothing was wrong, and still it did not end well",
}


def story(scenario: Scenario, schedule: Schedule, harm: Harm) -> str:
    """Return the schedule as numbered sentences, the harm last."""
    every = list(sentences(scenario, schedule, harm))
    width = len(str(len(every)))
    return "".join(f"{number:>{width}}. {sentence}\n" for number, sentence in enumerate(every, start=1))


def sentences(scenario: Scenario, schedule: Schedule, harm: Harm) -> Iterator[str]:
    """Return the sentences of the story, each with its first letter raised and no full stop, the harm last."""
    yield from told(scenario, schedule)
    what = next(wrong.text for wrong in schedule.wrong if wrong.harm is harm)
    yield f"{ENDS[harm]}: {what}"


def told(scenario: Scenario, schedule: Schedule) -> Iterator[str]:
    """Return what happened, sentence by sentence, without what came of it."""
    every = [_told(scenario, beat) for beat in _with_tasks(scenario, _with_refusals(schedule.beats))]
    yield from shortened([sentence[0].upper() + sentence[1:] for sentence in every if sentence])


def _told(scenario: Scenario, beat: Beat) -> str:
    later = scenario.downtime_ms >= _MINUTE_MS and beat.kind == "start"
    return sentence_of(scenario, beat) + (f", {_later(scenario.downtime_ms)} later" if later else "")


def _with_refusals(beats: Sequence[Beat]) -> list[Beat]:
    """The moments, where the ledger's answer to an intent to compensate is that a person has to decide."""
    return [
        replace(beat, kind="comp_left")
        if beat.kind == "comp_intent"
        and beat.way.fault is Fault.NONE
        and all(later.kind != "undo" and later.way.fault is Fault.NONE for later in beats[number:])
        else beat
        for number, beat in enumerate(beats, start=1)
    ]


def _with_tasks(scenario: Scenario, beats: Sequence[Beat]) -> Iterator[Beat]:
    """The moments, with the one at which each further task of a process is asked for."""
    first, *further = scenario.asked(1)
    if scenario.skeleton is not None or any(job.if_unsettled for job in further):
        yield from beats
        return
    planned, due = 0, [*accumulate(len(job.plan) for job in (first, *further))]
    known = {first.task_id}
    for beat in beats:
        if beat.kind == "planned" and beat.way.fault is Fault.NONE:
            if further and planned >= due[0]:
                known.add(further[0].task_id)
                yield replace(beat, kind="task", detail=further.pop(0).task_id)
                del due[0]
            planned += 1
        yield beat
    for job in further if beats else ():
        if job.task_id in known:
            yield Beat(0, beats[-1].clock_ms, "task again", detail=job.task_id)


def sentence_of(scenario: Scenario, beat: Beat) -> str:
    """Return what one moment is told as; nothing for one that a story is better without."""
    who = "the executor" if scenario.workers == 1 else f"worker {beat.worker + 1}"
    step = repr(beat.step) if beat.step else "the step"
    call = f"{step} for {beat.about}" if beat.about else step
    service = scenario.other_sides.get(beat.step) if beat.kind == "call" else None
    call += KEYS.get(service.key, "") if service else ""
    words = {"who": who, "step": step, "call": call, "detail": beat.detail}
    match beat.way.fault:
        case Fault.DIES | Fault.POWER:
            return _dies(beat, who)
        case Fault.SWITCH:
            return f"{who} is paused for longer than its lease, and another worker goes on"
        case Fault.NONE if beat.kind == "query":
            return f"{who} asks whether {call} happened; the answer is: {_verdict(beat.detail)}"
        case Fault.STALE:
            return f"{who} asks whether {call} happened; the answer is an old one: {_verdict(beat.detail)}"
        case Fault.NONE if beat.kind == "call":
            return _called(scenario, beat, words)
        case Fault.NONE | Fault.OTHER_CHOICE if beat.kind == "choose":
            return f"{who} {beat.detail}"
        case Fault.NONE if beat.kind in SILENT:
            return ""
        case Fault.NONE:
            told = PLAIN.get(beat.kind, "").format(**words)
            refused = beat.detail if beat.kind == "call_intent" else ""
            return f"{told}, and the ledger refuses it: {refused}" if refused else told
        case fault:
            made_of_it = READINGS.get(service.reading, "") if service and fault in UNKNOWN else ""
            return FAULTS[fault].format(**words) + made_of_it


def _called(scenario: Scenario, beat: Beat, words: dict[str, str]) -> str:
    service = scenario.other_sides[beat.step]
    if service.refuses:
        return "{who} calls {call}; the other side refuses".format(**words)
    if service.down:
        return "{who} calls {call}; the other side is down and answers with an error".format(**words)
    if not service.writes:
        return "{who} reads with {step}".format(**words)
    if beat.detail == "known":
        return PLAIN["repeated"].format(**words)
    return PLAIN["call"].format(**words)


def _later(ms: int) -> str:
    minutes = ms // _MINUTE_MS
    return f"{minutes // 60} hours" if minutes > 120 else f"{minutes} minutes"


def _dies(beat: Beat, who: str) -> str:
    before = AFTER.get(beat.kind, "goes on")
    if beat.way.fault is Fault.POWER:
        commits = "the last commit" if beat.way.amount == 1 else f"the last {beat.way.amount} commits"
        return f"the power fails before {who} {before}: {commits} had not reached the disk and are gone"
    return f"{who} dies before it {before}"


def _verdict(word: str) -> str:
    return {"found": "yes", "absent": "nothing there", "pending": "pending", "noanswer": "none"}.get(
        word, word
    )
