"""What a call does to the outside: as the catalogue knows it, by its HTTP verb, or by the words of its name."""

from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.behaviour.calls import verb_given, words
from stepcheck.behaviour.calls.own import own_fact
from stepcheck.behaviour.context import Context
from stepcheck.catalogue import http, names, receivers
from stepcheck.catalogue.verbs import verb
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Branch,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Return,
    Variable,
    dotted,
    walk,
)
from stepcheck.facts import Effect, Evidence


@dataclass(frozen=True, slots=True)
class Does:
    """What repeating a call does, and how that is known."""

    effect: Effect
    evidence: Evidence
    why: str
    """In words: `it is a POST`."""


_UNSAFE = frozenset({"POST", "PATCH"})
_UNDONE = frozenset(
    {"sql", "orm", "file", "process", "llm", "search", "vector", "data", "mongo", "redis", "infra"}
)
"""Kinds of calls that a transaction takes back, that stay here, or whose repeats matter to nobody but the bill."""
_LISTS = frozenset({"application/x-ndjson", "application/jsonlines", "application/jsonl", "text/csv"})
"""Types of bodies that are lists, one thing a line."""
_IF_THERE = frozenset({"exist_ok", "exists_ok", "if_not_exists", "ignore_existing"})
_SAID = "the configuration says so"
_INSTANCES = frozenset({"self", "cls", "super"})


def does(context: Context, flow: Flow, call: Call) -> Does | None:
    """What a call does to the outside; None where it does nothing there, or nothing that is known."""
    said = own_fact(context, call, call.dotted)
    if said is not None:
        writes = said.effect is Effect.NON_IDEM_WRITE and not said.local and not said.claims
        return Does(said.effect, said.evidence, _SAID) if writes else None
    if context.called(flow, call):
        return None
    fact = context.fact(call, call.qualified) if call.qualified else None
    takes = names.words(words.last(call.dotted))[:1] == ("receive",)
    if takes or (fact is not None and fact.kind == "llm" and fact.effect is Effect.READ):
        return None
    imported = fact is not None and "*" not in fact.name
    if fact is not None and (imported or fact.evidence is Evidence.KNOWN) and fact.kind != "http":
        if fact.effect is not Effect.NON_IDEM_WRITE or not fact.settled or fact.kind in _UNDONE:
            return None
        return Does(fact.effect, fact.evidence, f"{fact.name!r} does it once more")
    return _http(context, flow, call) or _named(call)


def done_at(call: Call) -> str:
    """The literal last segment of the address that a call posts to, where nothing in it says that it asks."""
    position = 1 if getattr(call.callee, "name", "") in ("request", "send_request") else 0
    address = _argument(call, position, "url", "path")
    spoken = list(_spoken(address))
    last = address.parts[-1] if isinstance(address, Compound) and address.parts else address
    text = last.value if isinstance(last, Constant) and isinstance(last.value, str) else ""
    segment = text.rpartition("/")[2] if "/" in text else ""
    if not segment or any(http.asks_anywhere(one) or http.asks(one) for one in spoken):
        return ""
    return segment


def bears_itself(call: Call) -> bool:
    """Whether a call is told to do nothing where the thing is there already: `exist_ok=True`."""
    return any(
        word.name in _IF_THERE and isinstance(word.value, Constant) and word.value.value is True
        for word in call.keywords
    )


def only_asks(call: Call) -> bool:
    """Whether a request goes to an address that tells that nothing is done there."""
    position = 1 if getattr(call.callee, "name", "") in ("request", "send_request") else 0
    return any(http.asks_anywhere(text) for text in _spoken(_argument(call, position, "url", "path")))


def _http(context: Context, flow: Flow, call: Call) -> Does | None:
    """`session.post(url)`, `client.request("POST", url)`."""
    if not isinstance(call.callee, Attribute):
        return None
    name, receiver = call.callee.name, call.callee.base
    known = http.is_library(call.qualified.removeprefix("?").partition(".")[0])
    if name in ("post", "patch") and (known or _speaks_http(receiver, call)):
        verb, address = name.upper(), _argument(call, 0, "url", "path")
    elif name in ("request", "send_request") and (known or words.client(dotted(receiver))):
        given = _argument(call, 0, "method", "verb")
        address = _argument(call, 1, "url", "path")
        if isinstance(given, Constant):
            verb = str(given.value).upper()
        elif isinstance(given, Variable) and not _looked_at(flow, given.name):
            return _by_callers(context, flow, given.name)
        else:
            return None
    else:
        return None
    if verb not in _UNSAFE or _only_asks(flow, address) or _sends_none(call):
        return None
    return Does(Effect.NON_IDEM_WRITE, Evidence.KNOWN if known else Evidence.BODY, f"it is a {verb}")


def _by_callers(context: Context, flow: Flow, name: str) -> Does | None:
    """What a request by a method that the function is given does.

    Nothing where its callers in the file write none that is unsafe; nor where it has none and its name says that it
    retries: who calls such a thing asks for that, and knows what is sent.
    """
    taken = verb_given.owner(context, flow, name)
    methods = None if taken is None else verb_given.given(context, taken, name)
    if methods is None:
        chosen = taken is not None and words.retries(taken.name)
        return None if chosen else Does(Effect.NON_IDEM_WRITE, Evidence.NAME, f"{name!r} may be POST")
    unsafe = sorted(_UNSAFE & methods)
    return Does(Effect.NON_IDEM_WRITE, Evidence.NAME, f"it may be given {unsafe[0]}") if unsafe else None


def _sends_none(call: Call) -> bool:
    """Whether a body that is a list of things has none in it: `json=[]`, an empty text of lines of JSON."""
    for word in call.keywords:
        if word.name == "json" and word.value == Compound("list", "", ()):
            return True
    empty = any(
        word.name in ("content", "data") and getattr(word.value, "value", None) in ("", b"")
        for word in call.keywords
    )
    return empty and any(
        isinstance(part, Constant) and part.value in _LISTS
        for word in call.keywords
        if word.name == "headers"
        for part in walk(word.value)
    )


def _speaks_http(receiver: Expression, call: Call) -> bool:
    """Whether an object with a method `post` is an HTTP client."""
    written = dotted(receiver)
    if written and (words.client(written) or words.last(written) in ("s", "conn", "c", "sess")):
        return True
    return any(word.name in ("json", "headers") for word in call.keywords)


def _argument(call: Call, position: int, *names: str) -> Expression | None:
    if len(call.arguments) > position:
        return call.arguments[position]
    return next((word.value for word in call.keywords if word.name in names), None)


def _looked_at(flow: Flow, variable: str) -> bool:
    """Whether the function's ways depend on the variable: then a method may have been told from others."""
    for _, operation in flow.points():
        for expression in _tests(operation):
            if any(isinstance(part, Variable) and part.name == variable for part in walk(expression)):
                return True
    return False


def _tests(operation: object) -> tuple[Expression, ...]:
    match operation:
        case Branch(test=test):
            return (test,)
        case Assign(value=value) | Return(value=value):
            return tuple(
                part
                for part in walk(value)
                if isinstance(part, Compound) and part.kind in ("test", "compare")
            )
        case Call(dotted=name, arguments=arguments) if "retry" in name:
            return arguments
        case _:
            return ()


def _only_asks(flow: Flow, address: Expression | None) -> bool:
    """Whether an address, or the function that posts to it, tells that nothing is done there."""
    return any(http.asks_anywhere(text) for text in (flow.qualname, *_spoken(address)))


def _spoken(address: Expression | None) -> Iterator[str]:
    """The texts and names in an address."""
    for part in walk(address) if address is not None else ():
        match part:
            case Constant(value=str(text)):
                yield text
            case Variable(name=name) | Attribute(name=name):
                yield name
            case _:
                pass


def _named(call: Call) -> Does | None:
    """`exchange.create_order(...)`, `send_invoice(...)`: by the words of the name."""
    if not call.dotted and not isinstance(call.callee, Attribute):
        return None
    if bears_itself(call):
        return None
    name = call.dotted or call.callee.name  # type: ignore[union-attr]
    word = words.writes(name) or _grave(name, call)
    if not word:
        return None
    qualified = call.qualified
    if qualified.startswith((":", "builtins.")):
        return None
    receiver = call.dotted.rpartition(".")[0]
    if receiver in _INSTANCES or receiver.startswith("super"):
        return None
    alone = len(names.words(words.last(name))) == 1
    if alone and not receivers.acts_outside(receiver) and not _grave(name, call):
        return None
    if receivers.wire(receiver) or call.keyword("sender") is not None:
        return None
    if not receiver and isinstance(call.callee, (Item, Constant)):
        return None
    return Does(Effect.NON_IDEM_WRITE, Evidence.NAME, f"{word!r} in its name")


def _grave(name: str, call: Call) -> str:
    """The verb that moves money or goods, where something is given to it that is not of this process."""
    told = verb(name)
    receiver = name.rpartition(".")[0]
    if (
        told is None
        or not told.grave
        or told.message
        or receivers.plumbing(receiver)
        or not receiver
        or receiver in _INSTANCES
    ):
        return ""
    return told.word if call.arguments or call.keywords else ""
