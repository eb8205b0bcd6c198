"""What the operations of AWS do when they are repeated, from the models that botocore carries."""

from functools import cache
from pathlib import Path
from typing import Final

from stepcheck.catalogue.call_fact import CallFact, Key, Place
from stepcheck.facts import Effect, Evidence

_SOURCE: Final = "https://github.com/boto/botocore/tree/develop/botocore/data"
_CHECKED: Final = "botocore 1.44.8"
_READ_VERBS: Final = (
    "get_",
    "list_",
    "describe_",
    "head_",
    "search_",
    "lookup_",
    "query",
    "scan",
    "select_",
)
_SETS: Final = (
    "put_",
    "delete_",
    "update_",
    "tag_",
    "untag_",
    "set_",
    "enable_",
    "disable_",
    "remove_",
    "detach_",
)


def operation(service: str, method: str) -> CallFact | None:
    """What is known of `boto3.client(service).method(...)`; None for what is no operation by its name.

    The trait of the model decides; where the model says that a repeat is safe because of a token, it is so only
    once a token that stays the same is passed. Without a trait the verb decides.
    """
    found = _models(service).get(method)
    name = f"boto3.client('{service}').{method}"
    if found is None:
        effect = _by_verb(method)
        return None if effect is None else _fact(name, effect, None, Evidence.NAME)
    traits, token = found
    effect = Effect.READ if "r" in traits else Effect.IDEM_WRITE if "i" in traits else Effect.NON_IDEM_WRITE
    if token and effect is not Effect.READ:
        key = Key(token, Place.KEYWORD, Effect.IDEM_WRITE, autofill="a" in traits, required="q" in traits)
        keyless = Effect.NON_IDEM_WRITE
        if method.startswith(("delete_", "update_", "put_")) and "i" in traits:
            keyless = Effect.IDEM_WRITE
        return _fact(name, keyless, key, Evidence.KNOWN)
    return _fact(name, effect, None, Evidence.KNOWN)


def services(method: str) -> tuple[str, ...]:
    """The services whose models have an operation of that name, in order."""
    return tuple(service for service, line in sorted(_lines().items()) if f" {method}:" in f" {line}")


def _by_verb(method: str) -> Effect | None:
    method = method.removeprefix("admin_").removeprefix("batch_")
    if method.startswith(_READ_VERBS):
        return Effect.READ
    if method in ("close", "can_paginate", "get_paginator", "get_waiter", "generate_presigned_url"):
        return None
    if method.startswith(_SETS):
        return Effect.IDEM_WRITE
    return Effect.NON_IDEM_WRITE if "_" in method or method in ("invoke", "publish") else None


def _fact(name: str, effect: Effect, key: Key | None, evidence: Evidence) -> CallFact:
    return CallFact(
        name=name,
        kind="aws",
        effect=effect,
        settled=True,
        why="",
        evidence=evidence,
        source=_SOURCE,
        checked=_CHECKED,
        key=key,
        client="botocore",
    )


@cache
def _models(service: str) -> dict[str, tuple[str, str]]:
    """The methods of a service, with traits and token.

    A line of the table is a service and its operations: `create_order:ia:clientToken`. Traits: `r` reads,
    `i` idempotent by the model, `a` the token is filled in by botocore, `q` the token is required.
    """
    methods: dict[str, tuple[str, str]] = {}
    for text in _lines().get(service, "").split():
        method, traits, token = text.split(":")
        methods[method] = (traits, token)
    return methods


@cache
def _lines() -> dict[str, str]:
    """The line of each service."""
    text = Path(__file__).with_suffix(".tsv").read_text("utf-8")
    lines = [line.partition("\t") for line in text.splitlines() if not line.startswith("#")]
    return {service: operations for service, _, operations in lines}
