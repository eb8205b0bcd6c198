"""The reference executor's own machines, driven in a process of the harness: what goes wrong, goes wrong there."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from stepcheck.executor.answers import (
    Answer,
    Definite,
    NoAnswer,
    Reply,
    Sighting,
    Unknown,
    refusal,
    sighting,
    told,
)
from stepcheck.executor.blobs import MemoryBlobs
from stepcheck.executor.drivers import answered
from stepcheck.executor.memory import MemoryLedger
from stepcheck.executor.ops import Call, Elapsed, GetBlob, Machine, Op, PutBlob, Query, Sleep, Txn
from stepcheck.explorer.story import PLAIN
from stepcheck.facts.effect import Effect
from stepcheck.harms import sending
from stepcheck.harms.answer import LONG
from stepcheck.harms.effects import Request, request
from stepcheck.harms.outside import Hangs
from stepcheck.harms.process import Process
from stepcheck.harms.thing import Thing, name_of, text_of

_TOLD = frozenset(PLAIN) - {"sleep"}
_AFTER = {"acked": "before it records the answer", "comp_done": "before it records that it is made up for"}
"""Moments between an answer and its record."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What one call of a step asked of the other side."""

    path: str
    undoes: bool
    """Whether it was there to make up for the step."""
    requests: tuple[Request, ...]

    def of(self, op: Call | Query) -> bool:
        """Whether it was asked for the same step as this, for the same purpose."""
        return (self.path, self.undoes) == (op.ctx.step_path, op.compensates)


@dataclass(slots=True)
class Kept:
    """What outlives the processes of a run, beside the world."""

    ms: int = 1_000_000
    """The clock of all."""
    ledger: MemoryLedger = field(init=False)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    sent: list[Sent] = field(default_factory=list)
    called: set[str] = field(default_factory=set)
    """Names of what was called, where nothing but its name is known."""
    inline: frozenset[str] = frozenset()
    """Steps whose outputs the table puts into their rows."""

    def __post_init__(self) -> None:
        self.ledger = MemoryLedger(lambda: self.ms)


def refuses(_params: object, _ctx: object) -> object:
    """What a step calls that is there to be refused. Raises Definite."""
    raise Definite("HTTP 422: refused")


def drive(machine: Machine[Any], process: Process, kept: Kept) -> Any:
    """Run a machine to its end in a process. Raises Crash and Endless."""

    def do(op: Op) -> object:
        kept.ms += 1
        return _do(op, process, kept)

    return answered(machine, do)


def _do(op: Op, process: Process, kept: Kept) -> object:
    match op:
        case Txn():
            return _transact(op, process, kept)
        case Call():
            return _call(op, process, kept)
        case Query():
            return _query(op, process, kept)
        case Sleep():
            kept.ms += int(op.seconds * 1000)
            return True
        case Elapsed():
            return kept.ms / 1000
        case PutBlob():
            return _store(op, process, kept)
        case GetBlob():
            return kept.blobs.get(op.sha256)
        case _:
            raise AssertionError(op)


def _transact(op: Txn[Any], process: Process, kept: Kept) -> object:
    if op.label in _AFTER:
        process.moment(_AFTER[op.label])
    result = kept.ledger.transact(op.work, durable=op.durable)
    if op.label == "compensating" and any(one.undoes for one in kept.sent):
        return result  # it looks whether anything is left
    if op.label in _TOLD:
        step = last_named(kept)
        sentence = PLAIN[op.label].format(who="It", step=repr(step), call=repr(step))
        process.outside.writes(sentence, f"{step}: {op.label.replace('_', ' ')}")
    return result


def _store(op: PutBlob, process: Process, kept: Kept) -> str:
    """Store a long output; one that the table puts into the row is told as an executor does it that follows it."""
    step = last_named(kept)
    told = "It stores the output beside the ledger, and writes a reference into the row"
    if step in kept.inline:
        told = f"It writes the whole output into the row, as the table says: {len(op.data)} characters"
    process.outside.writes(told, f"{step}: output")
    return kept.blobs.put(op.data)


def last_named(kept: Kept) -> str:
    """The step of which something was said last."""
    events = [each[-1] for each in kept.ledger.image.events.values()]
    return max(events, key=lambda one: one.event_id).step_name if events else ""


def _call(op: Call, process: Process, kept: Kept) -> Reply:
    before = len(process.world.asked)
    process.undoing = op.compensates
    try:
        return Answer(_plain(_acted(op, process, kept, op.step.call)))
    except Definite as error:
        process.outside.say(f"It calls '{op.step.name}': the other side says no")
        return refusal(error)
    except Hangs:
        return Unknown("TimeoutError: no answer in time")
    except Exception as error:
        if not process.errors.known(error):
            raise
        return refusal(error, op.step.definite)
    finally:
        process.undoing = False
        kept.sent.append(Sent(op.ctx.step_path, op.compensates, tuple(process.world.asked[before:])))


def _query(op: Query, process: Process, kept: Kept) -> Sighting:
    assert op.step.query is not None
    before = len(process.world.asked)
    try:
        return sighting(_plain(_acted(op, process, kept, op.step.query)) or None)
    except Exception as error:
        if not process.errors.known(error):
            raise
        return NoAnswer(told(error))
    finally:
        kept.sent.append(Sent(op.ctx.step_path, op.compensates, tuple(process.world.asked[before:])))


def _acted(op: Call | Query, process: Process, kept: Kept, action: Callable[..., Any]) -> Any:
    """Run the body of an action; of one without a body, do what the table says that it is for."""
    if not isinstance(action, Thing):
        name = next(iter(inspect.signature(action).parameters))
        if action is not refuses:
            runs = "asks with" if isinstance(op, Query) else "runs"
            process.outside.say(f"It {runs} {getattr(action, '__name__', op.step.name)!r}")
        return action(process.local_thing(name), op.ctx)
    name = name_of(action)
    kept.called.add(name)
    if isinstance(op, Query):
        return _found(op, process, kept, name)
    if op.step.effect is Effect.READ:
        process.moment(f"before '{name}'")
        process.outside.sends(f"It reads with '{name}'", name, "a long answer")
        return LONG
    words = {"idempotency_key": op.ctx.idempotency_key} if op.step.effect is Effect.IDEM_WRITE else {}
    wanted = request(name, (process.local_thing("params"),), words, undoes=op.compensates)
    return sending.send(process, wanted, words)


def _found(op: Query, process: Process, kept: Kept, name: str) -> str | None:
    """What a query tells that is only named: whether what its step has sent is there."""
    process.moment(f"before '{name}'")
    own = [one for each in kept.sent if each.of(op) for one in each.requests]
    there = any(one is effect for one in own for effect in process.world.effects)
    answer = "it is there" if there else "nothing is there"
    process.outside.sends(f"It asks '{name}': {answer}", name, answer)
    return "it is there" if there else None


def _plain(value: object) -> object:
    """A value that a ledger can hold."""
    if isinstance(value, Thing):
        return text_of(value) if value else None
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, dict) else value
