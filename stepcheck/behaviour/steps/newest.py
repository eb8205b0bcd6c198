"""Questions that ask for whatever came last."""

import re
from collections.abc import Collection, Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.chains import Link, chain
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import names
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Expression,
    Flow,
    Item,
    Point,
    Result,
    Variable,
    reads,
    walk,
)
from stepcheck.facts import Span
from stepcheck.facts.bodies import Newest

_LAST = re.compile(
    r"(?:get_|find_|fetch_|load_|read_|a)?(?:latest|last|newest|most_recent)(?:_by|_one)?|\w*_(?:latest|most_recent)"
)
_NAMED = re.compile(
    r"(?:get|find|fetch|load|read|query|lookup)_(?:latest|last|newest|most_recent)_\w+|(?:latest|newest|most_recent)_\w+"
)
_ORDERS = frozenset({"order_by", "sort", "sorted", "orderby", "order", "sort_by"})
_TAKES_ONE = frozenset(
    {"first", "afirst", "limit", "one", "scalar", "fetchone", "next", "first_or_404", "find_one"}
)
_LISTS = frozenset(
    {"list", "all", "search", "find", "fetch", "filter", "query", "get", "history", "fetchall", "scan"}
)
_SIZES = frozenset({"limit", "page_size", "per_page", "count", "top", "size", "max_results"})
_SQL = re.compile(r"(?is)\border\s+by\b.*\bdesc\b.*\blimit\s+1\b")
_SORTS = frozenset(
    {"order", "order_by", "orderby", "ordering", "sort", "sort_by", "sortby", "direction", "sort_order", "sort_dir",
     "order_dir", "$orderby"}
)  # fmt: skip
"""Names of parameters that tell in which order a service answers."""
_DOWN = re.compile(r"(?i)^-|\b(?:desc|descending|newest|latest)\b|[_:.](?:desc|descending)$")
_SORTED_DOWN = re.compile(
    r"(?i)[?&](?:order|order_?by|ordering|sort|sort_?by|direction|sort_order|\$orderby)"
    r"=(?:-|newest|latest|[^&]*\bdesc|[^&]*[_:.+]desc)"
)
_PARAMETER = re.compile(r"[?&](\w+)=")
_WHERE = re.compile(r"(?is)\bwhere\b(.*?)(?:\border\s+by\b|$)")
_TELLS = frozenset(
    {"id", "ref", "reference", "number", "key", "uuid", "token", "hash", "code", "slug", "period", "nonce"}
)
"""Last words of names by which one thing is asked for."""
_OWNERS = frozenset(
    {"customer", "user", "account", "tenant", "owner", "client", "member", "team", "org", "organization", "shop",
     "channel", "project", "company", "merchant", "profile", "chat", "guild", "workspace", "vendor", "supplier"}
)  # fmt: skip
"""Whose things they are: each may have several."""


def newest(study: Study, flow: Flow, identity: Collection[str] = ()) -> Newest | None:
    """Where a function picks the last of several things, and asks for none by a key, an id or an `identity`."""
    for name, span, links in _picks(study, flow):
        asked = {text for link in links for text in _asked(flow, link.call)}
        if not any(_tells(text, identity) for text in asked):
            return Newest(name, span)
    return None


def _picks(study: Study, flow: Flow) -> Iterator[tuple[str, Span, tuple[Link, ...]]]:
    """Every place where the last one is taken, with the calls that the thing comes through."""
    for _, call in study.context.calls(flow):
        links = chain(study.context, flow, call)
        last = links.links[-1].name
        method = isinstance(call.callee, Attribute)
        named = (method and _LAST.fullmatch(last)) or _NAMED.fullmatch(last)
        sorted_so = last in _TAKES_ONE and any(_falls(link) for link in links.links)
        if named or sorted_so or any(_SQL.search(text) for text in _texts(call)):
            yield links.written, call.span, links.links
    for point, operation in flow.points():
        for value in reads(operation):
            for part in walk(value):
                place = _place(part)
                if isinstance(part, Item) and place in (0, -1):
                    made = _behind(study, flow, part.base, point)
                    if made is not None and _newest_first(made, place == -1):
                        links = chain(study.context, flow, made)
                        yield links.written, made.span, links.links


def _place(value: Expression) -> int | None:
    """The number of the item that is picked: 0, or -1."""
    match value:
        case Item(index=Constant(value=int(number))):
            return number
        case Item(index=Compound(kind="unary", text="-", parts=(Constant(value=int(number)),))):
            return -number
        case _:
            return None


def _behind(study: Study, flow: Flow, value: Expression, point: Point) -> Call | None:
    """The call whose answer a value is, or a part of."""
    for _ in range(6):
        match value:
            case Attribute(base=base) | Item(base=base):
                value = base
            case Variable(name=name):
                found = study.context.definitions(flow).of(name, point)
                held = found[0].value(flow) if len(found) == 1 else None
                if held is None or found[0].point is None:
                    return None
                value, point = held, found[0].point
            case Result(number=number):
                made = study.context.operation(flow, number)
                if made is None:
                    return None
                if isinstance(made[1], Call):
                    last = words.last(made[1].dotted) or getattr(made[1].callee, "name", "")
                    if (
                        last in ("json", "result", "execute", "to_list", "list")
                        and isinstance(made[1].callee, Attribute)
                        and isinstance(made[1].callee.base, Result)
                    ):
                        value = made[1].callee.base
                        continue
                    return made[1]
                inner = getattr(made[1], "value", None)
                if inner is None:
                    return None
                value = inner
            case _:
                return None
    return None


def _newest_first(call: Call, backwards: bool) -> bool:
    """Whether the first (or `backwards` the last) of the answer's items is the newest one."""
    found = names.words(words.last(call.dotted or getattr(call.callee, "name", "")))
    if backwards:
        return bool(_LISTS.intersection(found))
    if any(_SORTED_DOWN.search(text) for text in _texts(call)) or _said_down(call):
        return True
    sizes = [word.value for word in call.keywords if word.name in _SIZES]
    one = any(isinstance(size, Constant) and size.value == 1 for size in sizes)
    return one or _falls(Link("sort", call))


def _said_down(call: Call) -> bool:
    """`params={"order": "created desc"}`: whether what goes with a request asks for the newest first."""
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            match part:
                case Compound(kind="entry", parts=(Constant(value=str(name)), Constant(value=str(text)))):
                    if name.lower() in _SORTS and _DOWN.search(text):
                        return True
                case _:
                    pass
    return False


def _falls(link: Link) -> bool:
    """Whether a call puts the newest first."""
    call = link.call
    if link.name not in _ORDERS and not any(
        word.name in ("sort", "order_by", "ordering", "order") for word in call.keywords
    ):
        return False
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            if isinstance(part, Constant) and (
                (
                    isinstance(part.value, str)
                    and (part.value.startswith("-") or part.value.lower() in ("desc", "newest", "descending"))
                )
                or (part.value is True and any(word.name == "reverse" for word in call.keywords))
                or part.value == -1
            ):
                return True
            if isinstance(part, Compound) and part.kind == "unary" and part.text == "-":
                return True
            if isinstance(part, Attribute) and part.name in ("DESCENDING", "desc"):
                return True
            if isinstance(part, Result):
                return True
    return False


def _texts(call: Call) -> Iterator[str]:
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            if isinstance(part, Constant) and isinstance(part.value, str):
                yield part.value


def _asked(flow: Flow, call: Call) -> Iterator[str]:
    """The names of columns and parameters by which a call asks, and those of what it is given."""
    for word in call.keywords:
        yield word.name
    for text in _texts(call):
        where = _WHERE.search(text)
        yield from _PARAMETER.findall(text)
        yield from re.findall(r"\w+", where[1]) if where else ([text] if text.isidentifier() else [])
    for value in (*call.arguments, *(word.value for word in call.keywords)):
        for part in walk(value):
            match part:
                case Variable(name=name):
                    yield name
                    yield from _held(flow, name)
                case Attribute(name=name):
                    yield name
                case _:
                    pass


def _held(flow: Flow, name: str) -> Iterator[str]:
    """What a variable is made of, one step back: `ref = params["order_ref"]`."""
    for _, operation in flow.points():
        if (
            isinstance(operation, Assign)
            and isinstance(operation.target, Variable)
            and operation.target.name == name
        ):
            for part in walk(operation.value):
                if isinstance(part, Constant) and isinstance(part.value, str):
                    yield part.value
                elif isinstance(part, Attribute):
                    yield part.name


def _tells(name: str, identity: Collection[str]) -> bool:
    """Whether one thing is asked for by something of that name."""
    if name in identity or words.mentions_key(name):
        return True
    found = names.words(name)
    return bool(found) and found[-1] in _TELLS and not _OWNERS.intersection(found)
