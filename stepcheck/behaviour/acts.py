"""What each call of a function is for, as far as retries go: writes, questions, claims, and records of our own."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from stepcheck.behaviour import looks, named, states
from stepcheck.behaviour.act import Act, Deed
from stepcheck.behaviour.chains import Chain, chain, decorating
from stepcheck.behaviour.context import Context
from stepcheck.behaviour.effects import does
from stepcheck.behaviour.given import Given
from stepcheck.behaviour.named import Told
from stepcheck.behaviour.rows import Rows, is_class
from stepcheck.catalogue import names, receivers, sql
from stepcheck.catalogue.arguments import Arguments
from stepcheck.catalogue.call_fact import CallFact
from stepcheck.catalogue.calls import known
from stepcheck.catalogue.claims import Claim, claim
from stepcheck.catalogue.harmless import harmless, pauses, plain
from stepcheck.code.flow import (
    Assign,
    Attribute,
    Call,
    Compound,
    Constant,
    Flow,
    Item,
    Point,
    Variable,
    dotted,
)
from stepcheck.facts import Effect, Evidence

__all__ = ["Act", "Deed", "acts", "written"]

_OWN = frozenset({"sql", "orm", "mongo", "redis"})
_TABLES = (
    "boto3.resource('dynamodb')",
    "boto3.client('dynamodb')",
    "google.cloud.firestore.",
    "azure.cosmos.",
)
_LIGHT = frozenset({"process", "llm", "search", "vector", "data", "infra"})
"""Kinds of calls that stay here, or whose repeats matter to nobody but the bill."""
_BUILDS = frozenset(
    {"on_conflict_do_nothing", "on_conflict_do_update", "prefix_with", "on_duplicate_key_update"}
)
_PUSHES = frozenset({"lpush", "rpush", "xadd", "publish", "rpoplpush", "lmove"})
_DEEDS = {Effect.READ: Deed.ASKS, Effect.IDEM_WRITE: Deed.SETS, Effect.NON_IDEM_WRITE: Deed.WRITE}


def acts(context: Context, flow: Flow) -> tuple[Act, ...]:
    """Every act of a function, in the order of its blocks; calls of functions of the file are not among them."""
    return tuple(_Acting(context, flow, Given(context, flow), Rows(context, flow)).all())


def written(context: Context, flow: Flow, call: Call) -> str:
    """A call's name as written, with `()` for the answer of another: `Order.objects.filter().update`."""
    return chain(context, flow, call).written


@dataclass(frozen=True, slots=True)
class _Asked:
    """One call with what is read from it before anything is known of it."""

    point: Point
    call: Call
    chain: Chain
    name: str
    given: Arguments

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def receiver(self) -> str:
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class _Acting:
    """The acts of one function."""

    context: Context
    flow: Flow
    given: Given
    rows: Rows

    def all(self) -> Iterator[Act]:
        made = decorating(self.flow)
        for point, operation in self.flow.points():
            if isinstance(operation, Call):
                if self.context.called(self.flow, operation):
                    continue
                if operation.number in made:
                    yield self._act(
                        self._asked(point, operation), Told(Deed.HARMLESS, Evidence.BODY, "it decorates")
                    )
                    continue
                yield from self._of_call(point, operation)
            elif isinstance(operation, Assign):
                yield from self._of_store(point, operation)

    def _asked(self, point: Point, call: Call) -> _Asked:
        links = chain(self.context, self.flow, call)
        return _Asked(point, call, links, links.written, self.given.of(point, call))

    def _act(self, asked: _Asked, told: Told) -> Act:
        own = told.deed in (Deed.RECORD, Deed.LOOKUP, Deed.CLAIM, Deed.DELETE, Deed.LOCK)
        subject = self.rows.written_to(asked.point, asked.call, asked.given) if own else asked.receiver
        if own and subject:
            self.rows.known[asked.call.number] = subject
        said = states.of_call(asked.call, asked.given, asked.name) if own else ()
        return Act(
            told.deed, asked.name, asked.point, asked.call.span, asked.call, told.evidence, told.why, told.weak,
            subject, said, told.additive,
        )  # fmt: skip

    def _of_call(self, point: Point, call: Call) -> Iterator[Act]:
        asked = self._asked(point, call)
        act = self._known(asked) or self._named(asked)
        guards = act.deed is Deed.COMMIT or (act.deed is Deed.RECORD and asked.last in named.MAKES)
        if guards and looks.refused_once_done(self.context, self.flow, point):
            why = "a duplicate is refused, and that is handled"
            told = replace(act, deed=Deed.CLAIM, why=why)
            yield told
            if act.deed is not Deed.COMMIT:
                return
        yield act

    def _known(self, asked: _Asked) -> Act | None:
        """What the catalogue, or the call itself, tells."""
        call, name = asked.call, asked.name
        made = claim(name, asked.given) or (claim(call.qualified, asked.given) if call.qualified else None)
        if made is not None:
            told = self._of_claim(asked, made)
            if told is not None:
                return told
        fact = known(call.qualified or name, asked.given)
        if fact is None and call.qualified:
            fact = known(name, asked.given) if "()" in name or "." not in call.qualified else None
        if fact is not None and fact.evidence is Evidence.KNOWN:
            return self._of_fact(asked, fact)
        enqueues = fact is not None and fact.kind == "enqueue" and not named.counts(asked.given)
        if pauses(call.qualified, name) and not enqueues:
            return self._act(asked, Told(Deed.PAUSE, Evidence.BODY, "it waits"))
        if harmless(call.qualified, name):
            return self._act(asked, Told(Deed.HARMLESS, Evidence.KNOWN, "a repeat of it hurts nobody"))
        ours = receivers.store(asked.receiver) and named.of_class(call)
        asks = fact is not None and (fact.kind != "http" or (fact.effect is Effect.READ and not ours))
        if fact is not None and asks and asked.last not in ("commit", "flush"):
            return self._of_fact(asked, fact)
        return None

    def _of_claim(self, asked: _Asked, made: Claim) -> Act | None:
        if asked.last in _BUILDS:
            return self._act(asked, Told(Deed.HARMLESS, Evidence.BODY, "it builds a statement"))
        if made.lock:
            return self._act(asked, Told(Deed.LOCK, Evidence.KNOWN, made.tells))
        if made.compares and not states.compares(asked.chain):
            return None
        looked = made.raises or looks.looked_at(self.flow, asked.call, made.position)
        if not looked and made.position is None:
            looked = looks.rows_looked_at(self.flow, asked.call)
        if looked:
            return self._act(asked, Told(Deed.CLAIM, Evidence.KNOWN, made.tells))
        return self._act(
            asked,
            Told(Deed.RECORD, Evidence.KNOWN, "a second one does nothing, and nobody looks who was first"),
        )

    def _of_fact(self, asked: _Asked, fact: CallFact) -> Act:
        why = fact.why or f"it goes by {fact.name!r}"
        ours = fact.kind in _OWN or fact.name.startswith(_TABLES)
        if ours and asked.last in _PUSHES:
            return self._act(asked, Told(Deed.WRITE, fact.evidence, why, additive=fact.additive))
        if ours:
            return self._of_row(asked, fact, why)
        if fact.kind == "file":
            deed = Deed.LOOKUP if fact.effect is Effect.READ else Deed.RECORD
            return self._act(asked, Told(deed, fact.evidence, why, weak=True, additive=fact.additive))
        what = does(self.context, self.flow, asked.call)
        if what is not None:
            return self._act(asked, Told(Deed.WRITE, what.evidence, what.why, additive=fact.additive))
        by_shape = fact.evidence is Evidence.NAME and not asked.call.qualified.startswith("?")
        weak = not fact.settled or fact.kind in _LIGHT or (by_shape and fact.kind != "enqueue")
        return self._act(
            asked, Told(_DEEDS[fact.effect], fact.evidence, why, weak=weak, additive=fact.additive)
        )

    def _of_row(self, asked: _Asked, fact: CallFact, why: str) -> Act:
        if fact.kind == "sql" and not fact.settled and asked.last in ("execute", "exec"):
            return self._of_statement(asked, fact)
        statement = self._statement(asked)
        if statement is not None and statement.control:
            return self._control(asked, statement.verb)
        if statement is not None and statement.compares and looks.rows_looked_at(self.flow, asked.call):
            return self._act(
                asked, Told(Deed.CLAIM, Evidence.BODY, "the number of rows is 0 for all but the first")
            )
        removes = asked.last.lstrip("a").startswith("delete") or (
            statement is not None and statement.verb == "DELETE"
        )
        changes = Deed.DELETE if removes else Deed.RECORD
        deed = Deed.LOOKUP if fact.effect is Effect.READ else changes
        return self._act(asked, Told(deed, fact.evidence, why, additive=fact.additive))

    def _control(self, asked: _Asked, verb: str) -> Act:
        deed = {"COMMIT": Deed.COMMIT, "END": Deed.COMMIT, "ROLLBACK": Deed.ROLLBACK}.get(verb, Deed.HARMLESS)
        return self._act(asked, Told(deed, Evidence.BODY, f"the SQL is {verb}"))

    def _of_statement(self, asked: _Asked, fact: CallFact) -> Act:
        """A statement built by other calls, or kept elsewhere."""
        built = states.built(self.context, self.flow, asked.call)
        if built is None:
            return self._act(asked, Told(Deed.RECORD, Evidence.NAME, "it executes a statement", weak=True))
        verb, compares = built
        if verb == "select":
            return self._act(asked, Told(Deed.LOOKUP, fact.evidence, "the SQL is built by 'select'"))
        if verb == "update" and compares and looks.rows_looked_at(self.flow, asked.call):
            return self._act(
                asked, Told(Deed.CLAIM, Evidence.BODY, "the number of rows is 0 for all but the first")
            )
        deed = Deed.DELETE if verb == "delete" else Deed.RECORD
        return self._act(asked, Told(deed, fact.evidence, f"the SQL is built by {verb!r}"))

    def _statement(self, asked: _Asked) -> sql.Statement | None:
        argument = next(iter(asked.given.all()), None)
        return sql.classify(argument.text) if argument is not None and argument.text else None

    def _named(self, asked: _Asked) -> Act:
        """What the words of the name tell."""
        last = asked.last
        if last in ("commit", "rollback", "acommit", "arollback"):
            if named.consumes(asked.receiver):
                return self._act(asked, Told(Deed.ACK, Evidence.NAME, "it keeps the place of a consumer"))
            return self._act(
                asked, Told(Deed(last.removeprefix("a")), Evidence.BODY, f"{last!r} in its name")
            )
        if named.acknowledges(asked.name):
            return self._act(asked, Told(Deed.ACK, Evidence.NAME, "it acknowledges a message"))
        literal = isinstance(asked.chain.head, Constant | Compound) and "." not in asked.call.dotted
        if literal or plain(asked.call.qualified, asked.name, classes=is_class):
            return self._act(
                asked, Told(Deed.HARMLESS, Evidence.BODY, "it computes or makes something in memory")
            )
        what = does(self.context, self.flow, asked.call)
        if what is not None and not (
            receivers.store(asked.receiver) and not receivers.client(asked.receiver)
        ):
            return self._act(asked, Told(Deed.WRITE, what.evidence, what.why))
        told = named.told(asked.name, asked.call, asked.given, local=self._in_memory(asked))
        if told.deed is Deed.CLAIM and not looks.looked_at(self.flow, asked.call):
            told = replace(told, deed=Deed.RECORD)
        return self._act(asked, told)

    def _in_memory(self, asked: _Asked) -> bool:
        """Whether it is called on a container that this function made."""
        head = asked.chain.head
        if not isinstance(head, Variable) or len(asked.chain.links) > 1:
            return False
        found = self.context.definitions(self.flow).of(head.name, asked.point)
        held = [one.value(self.flow) for one in found]
        return bool(held) and all(
            value is not None and states.container(self.context, self.flow, value) for value in held
        )

    def _of_store(self, point: Point, operation: Assign) -> Iterator[Act]:
        """`row.status = "done"`, `row["state"] = "done"`, `journal[key] = answer`."""
        match operation.target:
            case Attribute(base=base, name=name) | Item(base=base, index=Constant(value=str(name))):
                row = self.rows.of(base, point) if isinstance(base, Variable) else ""
                if not row and not names.tells_state(name):
                    return
                text = f"{dotted(base)}.{name}".lstrip(".")
                said = states.of_store(name, operation.value)
                subject = row or dotted(base)
                why = f"it sets {name!r}" if names.tells_state(name) else f"it changes a row of {row!r}"
                yield Act(Deed.RECORD, text, point, operation.span, None, Evidence.BODY, why, False, subject, said,
                          operation.augmented)  # fmt: skip
            case Item(base=base) if receivers.store(dotted(base)):
                text = dotted(base)
                yield Act(Deed.RECORD, text, point, operation.span, None, Evidence.NAME, f"it keeps it in {text!r}",
                          weak=True, subject=text)  # fmt: skip
            case _:
                return
