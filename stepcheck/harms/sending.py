"""Asking the other side to do something, and all that can become of the request and its answer."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stepcheck.harms.answer import Answer
from stepcheck.harms.effects import Request, request
from stepcheck.harms.outside import Endless, Hangs

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

MOST_SENDS = 40
"""More requests of one run go on for ever."""
SMOOTH = "nothing"
"""The way in which nothing goes wrong."""
_AT_ONCE = frozenset({"to_sql", "execute", "insert", "copy"})
"""What a database does while it is waited for, or never."""
_HTTP = frozenset({"post", "put", "patch", "delete", "request"})
_UNBOUNDED = frozenset({"requests", "server", "urllib"})
"""Clients that wait for ever unless they are told not to."""

_NEVER_THERE = {
    "request lost": "the request is lost",
    "nothing sent": "the request is lost",
    "hangs": "no answer comes until its timeout",
}
"""How it is told that a request comes to nothing, where its sender is told in time."""


def send_to(process: "Process", name: str, args: tuple[Any, ...], words: Mapping[str, Any]) -> Any:
    """Send what is not written as a call: an engine's or a scheduler's doing."""
    return send(process, request(name, args, words), words)


def send(process: "Process", wanted: Request, words: Mapping[str, Any]) -> Any:
    """Ask the other side to do something, as often as the client does by itself."""
    for _ in range(process.tries.get(wanted.name.partition(".")[0], 1) - 1):
        try:
            return _send(process, wanted, words)
        except Exception:
            process.outside.note("The client sends it again by itself", "sends again")
    return _send(process, wanted, words)


def _send(process: "Process", wanted: Request, words: Mapping[str, Any]) -> Any:
    outside, world, errors = process.outside, process.world, process.errors
    process.moment(f"before '{wanted.name}'")
    world.sends += 1
    world.asked.append(wanted)
    if world.sends > MOST_SENDS:
        process.dead = True
        raise Endless
    library = wanted.name.partition(".")[0]
    call = f"It calls {wanted.called}"
    if library in outside.down:
        outside.sends(f"{call}: no answer", wanted.shown, "", arrives=False)
        raise errors.of(errors.lost(library)[0])(wanted.name)
    way = process.pick(_ways(process, wanted, words, library))
    kind, _, error = way.partition(":")
    if kind != SMOOTH:
        outside.strike(kind)
    match kind:
        case _ if error and kind in _NEVER_THERE:
            world.half = wanted.meant if world.effects[world.begun :] else ""
            outside.sends(f"{call}: {_NEVER_THERE[kind]}", wanted.shown, "", arrives=False)
        case "answer lost":
            world.land(wanted)
            outside.sends(f"{call}: it happens, and the answer is lost", wanted.shown, "done", answered=False)
        case "late arrival":
            world.under_way.append(wanted)
            told = f"{call}: no answer comes, and the request is still under way"
            outside.sends(told, f"{wanted.shown} (under way)", "", arrives=False)
        case "refused":
            outside.sends(f"{call}: the other side says no", wanted.shown, "refused")
        case "down":
            outside.down.add(library)
            error = errors.lost(library)[0]
            outside.sends(f"{call}: the other side is down, and stays so", wanted.shown, "", arrives=False)
        case "hangs":
            outside.sends(f"{call}: the other side never answers", wanted.shown, "")
            process.dead = True
            raise Hangs
        case "server error after":
            world.land(wanted)
            outside.sends(f"{call}: it happens, and the answer is a 502", wanted.shown, "502")
            return Answer(process, wanted.name, 502)
        case "empty answer":
            world.land(wanted)
            outside.sends(f"{call}: it happens, and the answer is empty", wanted.shown, "an empty answer")
            return None
        case _:
            return _lands(process, wanted, call)
    raise errors.of(error)(f"{wanted.name}: {kind}")


def _lands(process: "Process", wanted: Request, call: str) -> Answer:
    outside, world = process.outside, process.world
    if process.life.uncertain and wanted.meant not in {one.meant for one in world.effects}:
        outside.say(f"What is recorded as uncertain had {'not ' if wanted.undoes else ''}happened")
        if not wanted.undoes:
            world.land(wanted)
    before = len(world.effects)
    if not world.land(wanted):
        told = f"{call}: it is refused, as its key came with another body before"
        outside.sends(told, wanted.shown, "refused")
        raise process.errors.of("KeyReused")(wanted.name)
    world.acknowledged.append(wanted)
    if len(world.effects) == before:
        told = (
            f"{call}: the other side knows the key, and does nothing more"
            if wanted.key
            else f"{call}: nothing changes"
        )
        outside.sends(told, wanted.shown, "known already")
    else:
        outside.sends(f"{call}: it happens", wanted.shown, "done")
    return Answer(process, wanted.name, 200)


def _ways(process: "Process", wanted: Request, words: Mapping[str, Any], library: str) -> list[str]:
    errors, last = process.errors, wanted.name.rpartition(".")[2]
    lost = errors.lost(library)
    ways = [SMOOTH, *(f"answer lost:{error}" for error in lost), f"request lost:{lost[0]}"]
    if last not in _AT_ONCE:
        ways.append(f"late arrival:{lost[0]}")
    ways += [f"nothing sent:{error}" for error in errors.unsent()]
    ways += [f"refused:{error}" for error in errors.refusals()[:2]]
    if process.outside.endures:
        ways.append("down")
    if process.prepared.code.tested:
        ways.append("empty answer")
    if library in _UNBOUNDED and ("timeout" in words or library in process.bounded):
        ways.insert(1, f"hangs:{lost[0]}")
    elif library in _UNBOUNDED:
        ways.append("hangs")
    if last in _HTTP:
        ways.append("server error after")
    return ways
