"""What a call of an example does, by what the linter believes that it is for."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stepcheck.catalogue import names, undo, volatility
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.seen import SeenCall
from stepcheck.facts.span import Span
from stepcheck.harms import asking, objects, rows, sending
from stepcheck.harms.effects import request
from stepcheck.harms.outside import Crash
from stepcheck.harms.queries import Method
from stepcheck.harms.thing import Thing, name_of, shortened, text_of

if TYPE_CHECKING:
    from stepcheck.harms.process import Process

_OF_ROWS = frozenset({"asks", "claim", "lock", "lookup", "record", "delete", "commit", "rollback"})
_POSITIONS = ("offset", "cursor", "since", "after")
"""Names of arguments that say from where on something is read."""
_STEPS = frozenset({"action", "call", "execute", "invoke", "perform"})
"""Names by which steps that were handed in are called."""
_STORES = frozenset({"responses", "cache", "redis", "store", "journal"})
"""How stores of keys and values are called."""
_KEEPS = frozenset({"set", "put", "save"})
_NOWHERE = Span("", 0, 0, 0, 0)


def do(
    process: "Process", site: SeenCall | None, callee: Thing, args: tuple[Any, ...], words: dict[str, Any]
) -> Any:
    """Do what a call is for; what nothing is known of gives one more thing. A process that is gone does nothing."""
    if process.dead:
        raise Crash
    name = name_of(callee)
    deed = _deed(process, site, name)
    if deed in ("write", "sets"):
        called = {name, site.name} if site else {name}
        name = site.name if site and name.startswith("answer of ") else name
        undoes = process.undoing or bool(called & process.world.undoing) or undo.generic(_last(name))
        return sending.send(
            process, request(name, args, words, repeatable=deed == "sets", undoes=undoes), words
        )
    if "stream" in _last(name):
        return asking.pieces(process, name)
    if deed == "asks" and not _asks_rows(name):
        position = next((words[word] for word in _POSITIONS if word in words), None)
        return (
            asking.ask(process, name, args) if position is None else asking.read_on(process, name, position)
        )
    if rows.narrows(callee):
        return rows.narrowed(process, callee, words)
    if site is not None and deed in _OF_ROWS:
        process.moment(f"before '{site.name}'")
        told = words or ({} if args else objects.fields(process, objects.owner(process, callee)))
        result = rows.perform(process, site, callee, args, words)
        process.outside.writes(_told(process, site, args, told, result), f"{site.name}: {site.deed}")
        return result
    if isinstance(callee, Method):
        read = SeenCall(name, _NOWHERE, "lookup", False, "", (), Evidence.NAME, "", "")
        return rows.perform(process, read, callee, args, words)
    return _opaque(process, callee, args, words)


def _deed(process: "Process", site: SeenCall | None, name: str) -> str:
    deed = site.deed if site else "opaque"
    if deed == "opaque" and _draws(_last(name)):
        return deed
    owner, last = name.rpartition(".")[0], _last(name)
    local = (
        name in process.local if not owner else last in _STEPS and owner.partition("[")[0] in process.local
    )
    writes = process.prepared.writes
    if deed == "opaque" and (local or name in writes or undo.generic(name) or (site and site.name in writes)):
        return "write"  # a step that was handed in, or what a finding takes for a write
    if deed == "sets" and "queue" in owner:
        return "write"
    if deed in ("opaque", "harmless") and owner in _STORES and last in _KEEPS:
        return "record"
    return deed


def _asks_rows(name: str) -> bool:
    """Whether what is asked there is a store of our own, and not the other side."""
    owner, _, last = name.rpartition(".")
    return last == "get" and owner in _STORES


def _opaque(process: "Process", callee: Thing, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
    last = _last(name_of(callee))
    if len(args) == 1 and not words and callable(args[0]) and not isinstance(args[0], Thing):
        return args[0]  # a decorator that says who runs the function
    if last[:1].isupper() and words and not args:
        inside = ", ".join(f"{name}={text_of(value)}" for name, value in words.items())
        made = process.local_thing(f"{last}#{len(process.local)}", f"{last}({inside})")
        process.memory |= {(name_of(made), name): value for name, value in words.items()}
        return made
    if not args and not words and _draws(last):
        return process.outside.drawing.text()
    inside = ", ".join(text_of(one) for one in (*args, *words.values()))
    return Thing(process, f"{name_of(callee)}({inside})", f"{callee}({inside})" if inside else str(callee))


def _draws(name: str) -> bool:
    """Whether a call of that name gives something new each time: by the catalogue, or as `new_id` says."""
    found = volatility.of_name(name)
    said = names.words(name)
    return (found is not None and found.change is not None) or (
        said[:1] in (("new",), ("make",), ("generate",)) and said[-1:] in (("id",), ("key",), ("token",))
    )


def _told(
    process: "Process", site: SeenCall, args: tuple[Any, ...], words: Mapping[str, Any], result: Any
) -> str:
    named = (f"{name}={shortened(text_of(one))}" for name, one in words.items())
    about = ", ".join([*(shortened(text_of(one)) for one in args), *named])
    call = f"'{site.name}' ({about})" if about else f"'{site.name}'"
    if site.deed == "claim" and result is None:
        return f"It records, by {call}"
    match site.deed:
        case "lookup" | "asks":
            return f"It looks up {call}: {shortened(text_of(result)) if result else 'nothing is there'}"
        case "claim" | "lock":
            first = result[1] if isinstance(result, tuple) else result
            return f"It claims {call}: {_claimed(process, first)}"
        case "delete":
            return f"It deletes, by {call}"
        case "commit":
            return "It commits"
        case "rollback":
            return "It rolls back"
        case _:
            return f"It records, by {call}"


def _claimed(process: "Process", first: object) -> str:
    if first:
        return "it is the first"
    return "another one was first" if process.outside.together else "it is taken already"


def _last(name: str) -> str:
    return name.rpartition(".")[2]
