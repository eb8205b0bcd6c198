"""What is known of a call by its name and arguments: the question that rules and summaries ask."""

import re
from dataclasses import replace
from functools import lru_cache

from stepcheck.catalogue import aws, http, sql
from stepcheck.catalogue.aliases import canonical
from stepcheck.catalogue.arguments import NOTHING, Argument, Arguments
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.call_table import EMPTY, SHAPES, Condition, Entry, Table, table
from stepcheck.catalogue.imports import usual
from stepcheck.facts import Effect, Evidence

_AWS = re.compile(
    r"(?:(?:aio)?boto3(?:\.session)?(?:\.Session)?|aiobotocore\.session\.get_session\(\))"
    r"\.(?:create_)?(?P<how>client|resource)\((?:['\"](?P<service>[\w-]+)['\"])?\)"
    r"(?P<inner>(?:\.\w+(?:\(\))?)*?)\.(?P<method>\w+)"
)
_SQL_NAMES = ("query", "statement", "sql", "operation", "sql_script", "clause")
_BUILDERS = (("insert", Effect.NON_IDEM_WRITE), ("delete", Effect.IDEM_WRITE), ("select", Effect.READ))
"""What SQLAlchemy builds statements with; what an `update` does depends on its values."""
_ORDER = (Effect.READ, Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE)


def known(
    qualified: str, arguments: Arguments = NOTHING, *, service: str = "", own: Table = EMPTY
) -> CallFact | None:
    """What is known of a call that goes by the name (as `Call.qualified` has it), or None.

    `own` are the user's entries, which come first; in them a function of the project goes by its dotted path.
    `service` is the AWS service of a boto3 client, where the name does not hold it. A name that nothing in the
    file binds (`?requests.post`) is taken for the package it is called like, and a call told only by its last
    names (`.objects.create`) for what is usually called so: then the evidence is the name, unless the shape is
    peculiar to one library. Other functions of the project itself are not known: their bodies tell.
    """
    unbound = qualified.startswith("?")
    entry = own.find(qualified.removeprefix("?")) if own.written else None
    if entry is not None:
        return told(entry, arguments)
    name, entry = _named(qualified)
    if "boto3." in name or "aiobotocore." in name:
        return _of_aws(name, arguments, service)
    if entry is None:
        return method(name.removeprefix(":"), arguments)
    fact = told(entry, arguments)
    return replace(fact, evidence=Evidence.NAME) if unbound else fact


def method(dotted: str, arguments: Arguments = NOTHING) -> CallFact | None:
    """What is known of a call as written (`self.http.post`), by its last names alone; None for a bare name."""
    entry = _shaped(dotted) if "." in dotted else None
    return None if entry is None else told(entry, arguments)


@lru_cache(8192)
def _named(qualified: str) -> tuple[str, Entry | None]:
    """The name that the tables use, and what they say of it, whatever the arguments are."""
    name = canonical(usual(qualified))
    return name, None if name.startswith((":", ".")) else table(_package(name)).find(name)


@lru_cache(8192)
def _shaped(dotted: str) -> Entry | None:
    """What the last names of a call tell of it, whatever the arguments are."""
    return table(SHAPES).find(f"_.{dotted}")


def exists(name: str) -> bool:
    """Whether the catalogue knows a call of that name: counterparts must."""
    return known(name) is not None


def _package(name: str) -> str:
    return re.split(r"[.(\[]", name, maxsplit=1)[0]


def _of_aws(name: str, arguments: Arguments, service: str) -> CallFact | None:
    found = _AWS.fullmatch(name)
    if found is None:
        return None
    service, method_name = found["service"] or service, found["method"]
    known_calls = table("boto3")
    if found["how"] == "resource":
        inner = ".".join(part.rstrip("()") for part in found["inner"].split(".") if part)
        entry = known_calls.find(
            f"boto3.resource('{service or 'dynamodb'}').{inner or 'Table'}.{method_name}"
        )
        return None if entry is None else told(entry, arguments)
    if service:
        entry = known_calls.find(f"boto3.client('{service}').{method_name}")
        return told(entry, arguments) if entry is not None else aws.operation(service, method_name)
    entries = [found for found in known_calls.written if found.fact.name.endswith(f"').{method_name}")]
    facts = [told(found, arguments) for found in entries if ".client(" in found.fact.name]
    named = {fact.name for fact in facts}
    modelled = [aws.operation(possible, method_name) for possible in aws.services(method_name)]
    facts += [fact for fact in modelled if fact is not None and fact.name not in named]
    if not facts:
        return aws.operation("", method_name)
    worst = max(facts, key=lambda fact: _ORDER.index(fact.effect))
    if len({fact.effect for fact in facts}) == 1:
        return worst
    return replace(worst, evidence=Evidence.NAME, settled=False)


def told(entry: Entry, arguments: Arguments) -> CallFact:
    """The fact of an entry, with the class that the arguments make it."""
    fact = entry.fact
    if entry.by == "sql":
        return _by_statement(fact, arguments)
    if entry.by == "method":
        return _by_verb(fact, arguments)
    for condition in entry.when:
        holds = _holds(condition, arguments)
        if holds is None:
            return replace(fact, settled=False)
        if holds:
            additive = condition.additive
            why = f"its {condition.argument!r}" if condition.argument != "*" else "its arguments"
            return replace(fact, effect=condition.effect, settled=True, why=why, additive=additive)
    fact = replace(fact, settled=True)
    if fact.kind == "http" and fact.effect is Effect.NON_IDEM_WRITE:
        return _asking(fact, arguments, 0)
    return fact


def _by_statement(fact: CallFact, arguments: Arguments) -> CallFact:
    argument = next((found for name in _SQL_NAMES if (found := arguments.get(name))), arguments.get("", 0))
    statement = sql.classify(argument.text) if argument is not None and argument.text else None
    if statement is None:
        return _by_builder(fact, argument)
    why = f"the SQL is {'an' if statement.verb[0] in 'AEIU' else 'a'} {statement.verb}"
    return replace(
        fact,
        effect=statement.effect,
        settled=True,
        why=why,
        additive=statement.additive,
        claims=statement.claims,
    )


def _by_builder(fact: CallFact, argument: Argument | None) -> CallFact:
    """A statement built by calls: `insert(Order).values(...)`."""
    built = argument.words if argument is not None else frozenset()
    if "on_conflict_do_nothing()" in built or "prefix_with()" in built:
        return replace(fact, effect=Effect.IDEM_WRITE, settled=True, why="the SQL is an INSERT", claims=True)
    if {"on_conflict_do_update()", "on_duplicate_key_update()"} & built:
        return replace(fact, effect=Effect.IDEM_WRITE, settled=True, why="the SQL is an INSERT")
    for verb, effect in _BUILDERS:
        if f"{verb}()" in built:
            return replace(fact, effect=effect, settled=True, why=f"the SQL is built by {verb!r}")
    return replace(fact, settled=False)


def _by_verb(fact: CallFact, arguments: Arguments) -> CallFact:
    argument = arguments.get("method", 0)
    verb = ((argument.text if argument is not None else None) or "").upper()
    effect = http.effect_of_verb(verb)
    if effect is None:
        return replace(fact, settled=False)
    fact = replace(fact, effect=effect, settled=True, why=f"the method is {verb}")
    return _asking(fact, arguments, 1) if verb == "POST" else fact


def _asking(fact: CallFact, arguments: Arguments, position: int) -> CallFact:
    """A POST to an address that only asks is a read."""
    address = arguments.get("url", position)
    word = http.asks(address.text) if address is not None and address.text else ""
    if not word or not fact.name.lower().endswith(("post", "request", "stream", "urlopen")):
        return fact
    return replace(fact, effect=Effect.READ, why=f"{word!r} in its address", evidence=Evidence.NAME, key=None)


def _holds(condition: Condition, arguments: Arguments) -> bool | None:
    """Whether a condition holds; None where the arguments do not tell."""
    if condition.argument == "*":
        candidates = tuple(arguments.all())
    else:
        found = arguments.get(condition.argument, condition.position)
        candidates = () if found is None else (found,)
    if not candidates:
        return None if arguments.open else False
    if condition.given:
        return not any(found.literal and found.value is None for found in candidates)
    if condition.contains:
        if any(condition.contains & found.words for found in candidates):
            return True
        seen = condition.argument == "*" or all(found.whole for found in candidates)
        return False if seen else None
    texts = [found.text for found in candidates]
    if None in texts:
        literals = all(found.literal for found in candidates)
        return False if literals else None
    return any(re.search(condition.matches, text) for text in texts if text is not None)
