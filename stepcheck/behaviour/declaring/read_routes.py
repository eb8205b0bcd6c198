"""Functions that answer requests which only read, by their decorators, their class or their name."""

from collections.abc import Iterator

from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.alterations import alterations
from stepcheck.behaviour.calls.reach import reached
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import declared, names
from stepcheck.code.flow import Call, Class, Compound, Constant, Evaluated, Flow, FlowKind, walk
from stepcheck.facts import Evidence, Span
from stepcheck.facts.declaring import ReadRoute

_BROWSERS = "browsers, proxies and crawlers"
_VERBS = frozenset({"get", "head", "get_json"})
_ONLY = frozenset({"require_GET", "require_safe"})
_RESOURCES = frozenset(
    {"resource", "read_resource", "list_resources", "list_tools", "list_prompts", "resource_template"}
)
_WITH_METHODS = frozenset({"route", "api_view", "action", "api_route", "add_url_rule"})
_METHODS = frozenset({"get", "head", "do_GET", "do_HEAD", "on_get", "on_head"})
_OF_VIEWS = frozenset({"list", "retrieve", "get_context_data", "get_queryset", "get_object"})
"""Methods that Django's and its REST framework's views run for a GET."""


def read_routes(study: Study) -> Iterator[ReadRoute]:
    """Every one that alters something, with what it alters."""
    classes = {index: made for made in study.context.file.classes for _, index in made.methods}
    for flow in study.flows:
        if flow.kind is not FlowKind.FUNCTION or declared.group("signs_in").intersection(
            names.words(flow.qualname)
        ):
            continue
        told = _decorated(flow) or _of_class(flow, classes.get(flow.index))
        if told is None:
            continue
        span, who, what, evidence = told
        writes = tuple(one for one in alterations(reached(study, flow)) if not one.fills)
        if writes:
            yield ReadRoute(span, flow.qualname, who, what, evidence, writes)


def _decorated(flow: Flow) -> tuple[Span, str, str, Evidence] | None:
    for made in flow.decorators:
        last = words.last(made.dotted)
        if last in _RESOURCES and not made.dotted.startswith("boto"):
            return made.span, "clients and models", "an MCP resource", Evidence.BODY
        if last in _ONLY or (last in _VERBS and _routes(made)):
            return made.span, _BROWSERS, "a GET", Evidence.BODY
        if last in _WITH_METHODS and _only_gets(made, last):
            return made.span, _BROWSERS, "a GET", Evidence.BODY
        if last == "view_config" and _given(made.call, "request_method") == {"GET"}:
            return made.span, _BROWSERS, "a GET", Evidence.BODY
    return None


def _routes(made: Evaluated) -> bool:
    """Whether it is `@app.get("/path")`, and no getter of something else."""
    receiver = made.dotted.rpartition(".")[0]
    first = made.call.arguments[0] if made.call is not None and made.call.arguments else None
    path = isinstance(first, Constant) and isinstance(first.value, str) and first.value[:1] in ("/", "")
    named = bool(declared.group("routers").intersection(names.words(words.last(receiver))))
    return path or (named and made.call is not None)


def _only_gets(made: Evaluated, last: str) -> bool:
    """Whether a route that names its methods names GET alone, or names none where GET is what is meant then."""
    said = _given(made.call, "methods") | (_texts(made.call) if last == "api_view" else set())
    if said:
        return {text.upper() for text in said} <= {"GET", "HEAD", "OPTIONS"}
    written = made.call is not None and any(
        word.name in ("methods", "method", "") for word in made.call.keywords
    )
    if written:
        return False
    if last == "action":
        return made.call is not None and any(word.name == "detail" for word in made.call.keywords)
    if last == "route":
        return _routes(made)
    return last == "api_view"


def _of_class(flow: Flow, made: Class | None) -> tuple[Span, str, str, Evidence] | None:
    if made is None or flow.name not in _METHODS | _OF_VIEWS:
        return None
    bases = [found[-1] for base in made.bases if (found := names.words(words.last(base)))]
    if not declared.group("views").intersection(bases) and not any(
        base.endswith(("view", "viewset")) for base in bases
    ):
        return None
    if flow.name in _OF_VIEWS and not any("view" in base for base in bases):
        return None
    return flow.span, _BROWSERS, "a GET", Evidence.BODY


def _given(call: Call | None, name: str) -> set[str]:
    word = call.keyword(name) if call is not None else None
    return set() if word is None else _inside(word.value)


def _texts(call: Call | None) -> set[str]:
    return set() if call is None else {text for value in call.arguments for text in _inside(value)}


def _inside(value: object) -> set[str]:
    if not isinstance(value, Constant | Compound):
        return set()
    return {part.value for part in walk(value) if isinstance(part, Constant) and isinstance(part.value, str)}
