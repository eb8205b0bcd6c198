"""What the words of a callable's name say that it does: the last resort, and never more than a hint."""

import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from stepcheck.catalogue.contents import contents
from stepcheck.catalogue.names import words
from stepcheck.facts import Effect

_BUILTIN = frozenset(dir(builtins))
_BEFORE = frozenset({"do", "async", "try", "maybe", "a", "safe", "safely"})
"""Words before the verb that say nothing of the effect."""
_MAKING = frozenset({"create", "add", "register", "start", "run", "insert", "open", "send", "make"})
LONGEST = 5
"""Words of a name that says what it does; longer ones say something else."""
_ROUTES = frozenset({"app", "router", "blueprint", "bp", "api_router", "routes"})
"""What `.post` and kin declare a handler on: they send nothing."""


@dataclass(frozen=True, slots=True)
class Verb:
    """The word that tells."""

    word: str
    effect: Effect
    grave: bool
    """It moves money, goods or messages: people notice a second one."""
    message: bool
    """Sockets, forms, signals and generators have a method of that name, too."""
    local: bool
    """Containers and texts have a method of that very name, so on an unknown receiver it says nothing."""


@lru_cache(8192)
def verb(name: str) -> Verb | None:
    """What a callable of that name (`bank.send_money`) probably does; None where no word tells.

    The first word of the last segment decides; a condition in it (`create_if_absent`) makes a write idempotent.
    Names are compared word by word: `getter` is not `get`.
    """
    last = name.rstrip("()").rpartition(".")[2].lstrip(":?_")
    known = _known()
    found = words(last)
    while len(found) > 1 and found[0] in _BEFORE:
        found = found[1:]
    effect = known.effects.get(found[0]) if found else None
    bare = "." not in name.removeprefix("builtins.")
    if effect is None or (bare and last in _BUILTIN):
        return None
    if len(found) > 1 and found[0] in known.nouns and found[1] not in known.objects:
        return None
    receiver = name.rpartition(".")[0].rpartition(".")[2].lstrip(":?")
    if receiver in _ROUTES and len(found) == 1:
        return None
    text = "_".join(found)
    if effect.writes or text.startswith("get_or_"):
        conditional = any(f"_{condition}_" in f"_{text}_" for condition in known.conditional)
        effect = Effect.IDEM_WRITE if conditional else effect
    return Verb(found[0], effect, found[0] in known.grave, found[0] in known.messages, text in known.local)


def made_here(name: str) -> bool:
    """Whether what a callable of that name makes stays in the process, or is replaced: `create_task`."""
    found = words(name)
    making = bool(found) and found[0] in _MAKING
    return making and bool(_known().here.intersection(found[1:]))


@lru_cache(8192)
def repeats(name: str) -> str:
    """The first word of a name by which a call does once more what it did before, or nothing.

    Stricter than `verb`: nothing where it makes something that stays in the process, for classes, and for names of
    many words.
    """
    found = words(name)
    if not found or found[0] not in _known().repeats or name[:1].isupper() or name.startswith("__"):
        return ""
    noun = len(found) > 1 and found[0] in _known().nouns and found[1] not in _known().objects
    return "" if noun or _known().here.intersection(found[1:]) or len(found) > LONGEST else found[0]


def asks_or_claims(name: str) -> bool:
    """Whether a callable of that name asks whether something is there or happened, or claims it."""
    known, found = _known(), words(name)
    if not found or "log" in found:
        return False
    if found[0] in known.answers:
        return len(found) > 1 and not {"logger", "event", "loop", "env", "attr", "item"} & set(found)
    return found[0] in known.asks or bool((known.claiming | {"exists", "existing"}).intersection(found))


def here() -> frozenset[str]:
    """Words behind a verb by which what it makes stays in the process, or is replaced by a repeat."""
    return _known().here


def computes(name: str) -> bool:
    """Whether a callable of that name reckons, and asks nobody: `render_digest`, `build_document`."""
    return words(name)[:1] != () and words(name)[0] in _known().computes


@lru_cache(8192)
def bookkeeping(name: str) -> str:
    """What a callable of that name does to what we keep ourselves.

    `records` (`mark_sent`, `save`), `claims` (`claim_event`), `locks`, `past` for a question about what happened
    before (`already_sent`, `is_processed`), or nothing.
    """
    known, found = _known(), words(name)
    if not found:
        return ""
    text = "_".join(found)
    for kind, listed in (("locks", known.locks), ("claims", known.claims), ("records", known.records)):
        if found[0] in listed or any(
            text.startswith(f"{one}_") or text == one for one in listed if "_" in one
        ):
            measures = kind == "records" and found[0] == "record" and known.no_records.intersection(found[1:])
            return "" if measures else kind
    asks = found[0] in ("is", "was", "has", "already", "seen", "exists") or text in (
        "seen",
        "exists",
        "done",
        "known",
    )
    return "past" if asks and known.past.intersection(found) else ""


@dataclass(frozen=True, slots=True)
class _Words:
    """The lists of `verbs.toml`."""

    effects: Mapping[str, Effect]
    grave: frozenset[str]
    messages: frozenset[str]
    local: frozenset[str]
    conditional: tuple[str, ...]
    nouns: frozenset[str]
    objects: frozenset[str]
    computes: frozenset[str]
    records: frozenset[str]
    no_records: frozenset[str]
    claims: frozenset[str]
    locks: frozenset[str]
    past: frozenset[str]
    here: frozenset[str]
    repeats: frozenset[str]
    asks: frozenset[str]
    answers: frozenset[str]
    claiming: frozenset[str]


@cache
def _known() -> _Words:
    table: dict[str, list[str]] = contents("verbs")
    return _Words(
        effects={word: effect for effect in Effect for word in table[effect.value]},
        grave=frozenset(table["grave"]),
        messages=frozenset(table["messages"]),
        local=frozenset(table["local"]),
        conditional=tuple(table["conditional"]),
        nouns=frozenset(table["nouns"]),
        objects=frozenset(table["objects"]),
        computes=frozenset(table["computes"]),
        records=frozenset(table["records"]),
        no_records=frozenset(table["no_records"]),
        claims=frozenset(table["claims"]),
        locks=frozenset(table["locks"]),
        past=frozenset(table["past"]),
        here=frozenset(table["here"]),
        repeats=frozenset(table["repeats"]),
        asks=frozenset(table["asks"]),
        answers=frozenset(table["answers"]),
        claiming=frozenset(table["claiming"]),
    )
