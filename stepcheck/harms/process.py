"""One process that runs an example: its memory, and the moments at which something can go wrong in it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from stepcheck.catalogue import names, undo
from stepcheck.catalogue.conclusions import Ended, of_state
from stepcheck.facts.seen import SeenCall
from stepcheck.harms import rows
from stepcheck.harms.answer import Answer
from stepcheck.harms.drawn import Drawing
from stepcheck.harms.effects import Request, World, request
from stepcheck.harms.errors import Errors
from stepcheck.harms.rows import Method, Query, RowThing
from stepcheck.harms.schedule import Schedule
from stepcheck.harms.store import Row, Store
from stepcheck.harms.thing import Thing, name_of, text_of

MOST_SENDS = 40
"""More calls of one run go on for ever."""
SMOOTH = "nothing"


class Crash(BaseException):
    """The process is gone."""


class Idle(BaseException):
    """Nothing is left to do: it waits for more."""


class Hangs(BaseException):
    """A call never comes back."""


class Endless(BaseException):
    """It goes on for ever."""


@dataclass(slots=True)
class Outside:
    """What outlives a process: the world, the rows, and what was told so far."""

    world: World
    store: Store
    drawing: Drawing
    schedule: Schedule
    log: list[str] = field(default_factory=list)
    endures: bool = False
    """Whether the other side may go down and stay so."""
    down: set[str] = field(default_factory=set)
    """Services that do not answer any more."""
    struck: list[str] = field(default_factory=list)
    """What went wrong, in order."""
    kept: dict[str, Any] = field(default_factory=dict)
    """What an engine keeps of a function that it begins again: the answers of its steps."""
    handed: list[str] = field(default_factory=list)
    """What was handed out piece by piece."""
    lives: int = 0
    """Processes begun so far."""


class Process:
    """One life of the program."""

    def __init__(
        self,
        outside: Outside,
        errors: Errors,
        sites: Callable[[int], SeenCall | None],
        named: Callable[[str], SeenCall | None],
        *,
        writes: frozenset[str] = frozenset(),
        other: Callable[[], None] | None = None,
        uncertain: bool = False,
    ) -> None:
        self.outside = outside
        self.world, self.store = outside.world, outside.store
        self.errors = errors
        self.standins: Mapping[str, Any] = {}
        self.undoing = False
        """Whether all that is done now is there to take something back."""
        self.mortal = True
        """Whether it can be killed."""
        self.is_tool = self.tested = False
        self.pending: list[Thing] = []
        """Objects that the next commit makes rows of."""
        self.memory: dict[tuple[str, str], Any] = {}
        self.local: set[str] = set()
        """Names of the objects of this process: what is put into them is gone with it."""
        self.tries: dict[str, int] = {}
        """How often a client sends a request by itself, by the client's name, where more than once."""
        self.aborts: list[str] = []
        """Classes of exceptions in which a database aborts a commit."""
        self.number = 0
        self._calm = False
        self._sites = sites
        self._named = named
        self.uncertain = uncertain
        self._writes = writes
        """Names of calls that the linter's findings take for writes, where nothing else tells what they do."""
        self._other = other

    # What things ask.

    def thing(self, name: str) -> Any:
        """What a name stands for that is nowhere defined."""
        if name in self.standins:
            return self.standins[name]
        return Thing(self, name)

    def local_thing(self, name: str, text: str = "") -> Thing:
        """An argument: what is put into it is in this process only."""
        self.local.add(name)
        return Thing(self, name, text)

    def end(self) -> None:
        """The process has done what it was asked for."""
        self.pending.clear()

    def field(self, thing: Thing, name: str) -> Any:
        """A field of a thing: what was put there, what its row says, or one more thing."""
        if isinstance(thing, Query):
            return Method(self, f"{name_of(thing)}.{name}", thing)
        if name in _OF_CALL and self.is_tool:
            return self.outside.drawing.text()
        at = name_of(thing), name
        if at in self.memory:
            return self.memory[at]
        row = self._row(thing)
        if row is not None and name in row:
            return row[name]
        whole = f"{name_of(thing)}.{name}" if not name.startswith("[") else f"{name_of(thing)}{name}"
        if whole in self.standins:
            return self.standins[whole]
        text = f"{thing}.{name}" if str(thing) != name_of(thing) and not name.startswith("[") else ""
        return Thing(self, whole, text)

    def put(self, thing: Thing, name: str, value: Any) -> None:
        """Put something into a thing: into a row's object, or straight into what outlives the process."""
        if name_of(thing).partition(".")[0] in self.local or names.tells_state(name) or self._row(thing):
            self.memory[name_of(thing), name] = value
        else:
            self.moment(f"before {thing}[{name}] is stored")
            self.store.rows(name_of(thing))[name] = {"value0": value}
            self.say(f"It stores {text_of(value)} in {thing} under {name}")

    def holds(self, thing: Thing, key: Any) -> bool:
        """Whether something is in a thing."""
        return text_of(key) in self.store.rows(name_of(thing))

    def items(self, thing: Thing) -> list[Any]:
        """What a thing holds: a query its rows, everything else two things."""
        if isinstance(thing, Query):
            return list(rows.matching(self, thing))
        return [Thing(self, f"{name_of(thing)}[{number}]") for number in (0, 1)]

    def equals(self, thing: Thing, other: object) -> bool:
        """Whether a thing is equal to something: by its text; what is found as uncertain is said to be so."""
        if self.uncertain and isinstance(other, str) and of_state(other) is Ended.UNCERTAIN:
            return True
        return text_of(thing) == text_of(other)

    def call(self, thing: Thing, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
        """Call a thing that was handed on: what it is for is told by its name."""
        return self.operate(self._named(name_of(thing)), thing, args, words)

    # What the code does.

    def called(self, number: int, callee: Any, /, *args: Any, **words: Any) -> Any:
        """Every call of the example comes here; `number` tells which one it is."""
        if isinstance(callee, Thing):
            return self.operate(self._sites(number), callee, args, words)
        if callee is dict and args and isinstance(args[0], Thing):
            return {"body": text_of(args[0]), **words}
        if callee is str and args and isinstance(args[0], Thing):
            return text_of(args[0])
        return callee(*args, **words)

    def operate(
        self, site: SeenCall | None, callee: Thing, args: tuple[Any, ...], words: dict[str, Any]
    ) -> Any:
        """Do what a call is for."""
        name = name_of(callee)
        deed = self._deed(site, name)
        if deed in ("write", "sets"):
            names = {name, site.name} if site else {name}
            undoes = self.undoing or bool(names & self.world.undoing) or undo.generic(name.rpartition(".")[2])
            wanted = request(name, args, words, repeatable=deed == "sets", undoes=undoes)
            return self.send(wanted, words)
        if "stream" in name.rpartition(".")[2]:
            return self.pieces(name)
        if deed == "asks" and not self._of_rows(name):
            position = next(
                (words[word] for word in ("offset", "cursor", "since", "after") if word in words), None
            )
            return self.ask(name, args) if position is None else self.read_on(name, position)
        if site is not None and deed in (
            "asks", "claim", "lock", "lookup", "record", "delete", "commit", "rollback"
        ):  # fmt: skip
            if not isinstance(callee, Method) and rows.narrows(callee):
                return rows.narrowed(self, callee, words)
            self.moment(f"before {name}")
            result = rows.perform(self, site, callee, args, words)
            self.say(_told(site, args, words, result))
            return result
        if rows.narrows(callee):
            return rows.narrowed(self, callee, words)
        if isinstance(callee, Method):
            site = SeenCall(name, None, "lookup", False, "", (), None, "", "")  # type: ignore[arg-type]
            return rows.perform(self, site, callee, args, words)
        return self._opaque(callee, args, words)

    def send_to(self, name: str, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
        """Send what is not written as a call: an engine's or a scheduler's doing."""
        return self.send(request(name, args, words, repeatable=False), words)

    def send(self, wanted: Request, words: Mapping[str, Any]) -> Any:
        """Ask the outside to do something, as often as the client does by itself."""
        tries = self.tries.get(wanted.name.partition(".")[0], 1)
        for _ in range(tries - 1):
            try:
                return self._send(wanted, words)
            except Exception:
                self.say("The client sends it again by itself")
        return self._send(wanted, words)

    @contextmanager
    def calm(self) -> Iterator[None]:
        """Nothing goes wrong in here."""
        self._calm, before = True, self._calm
        yield
        self._calm = before

    def _pick(self, ways: list[str]) -> str:
        return ways[0] if self._calm else self.outside.schedule.pick(ways)

    def _send(self, wanted: Request, words: Mapping[str, Any]) -> Any:
        self.moment(f"before {wanted.name}")
        self.world.sends += 1
        self.world.asked.append(wanted)
        if self.world.sends > MOST_SENDS:
            raise Endless
        library = wanted.name.partition(".")[0]
        way = SMOOTH
        if library in self.outside.down:
            way = f"request lost:{self.errors.lost(library)[0]}"
        else:
            way = self._pick(self._ways(wanted, words, library))
        kind, _, error = way.partition(":")
        if kind != SMOOTH and library not in self.outside.down:
            self.outside.struck.append(kind)
        match kind:
            case "request lost" | "nothing sent":
                self.world.half = wanted.meant if self.world.effects else ""
                self.say(f"It calls {wanted.name}({wanted.about}): the request is lost")
            case "answer lost" | "answer late":
                self.world.land(wanted)
                self.say(f"It calls {wanted.name}({wanted.about}): it happens, and the answer is lost")
            case "late arrival":
                self.world.under_way.append(wanted)
                self.say(f"It calls {wanted.name}({wanted.about}): no answer, the request is still under way")
            case "refused":
                self.say(f"It calls {wanted.name}({wanted.about}): the other side says no")
            case "down":
                self.outside.down.add(library)
                error = self.errors.lost(library)[0]
                self.say(f"It calls {wanted.name}({wanted.about}): the other side is down, and stays so")
            case "hangs":
                self.say(f"It calls {wanted.name}({wanted.about}): the other side never answers")
                raise Hangs
            case "server error after":
                self.world.land(wanted)
                self.say(f"It calls {wanted.name}({wanted.about}): it happens, and the answer is a 502")
                return Answer(self, wanted.name, 502)
            case "empty answer":
                self.world.land(wanted)
                self.say(f"It calls {wanted.name}({wanted.about}): it happens, and the answer is empty")
                return None
            case _:
                if self.uncertain and wanted.meant not in {one.meant for one in self.world.effects}:
                    self.say("What is recorded as unknown had happened")
                    self.world.land(wanted)
                known = self.world.land(wanted)
                if not known:
                    self.say(
                        f"It calls {wanted.name}({wanted.about}): refused, the key came with another body"
                    )
                    raise self.errors.of("KeyReused")(wanted.name)
                self.world.acknowledged.append(wanted)
                self.say(f"It calls {wanted.name}({wanted.about}): it happens")
                return Answer(self, wanted.name, 200)
        raise self.errors.of(error)(f"{wanted.name}: {kind}")

    def ask(self, name: str, args: tuple[Any, ...]) -> Any:
        """Ask the outside whether something is there."""
        self.moment(f"before {name}")
        there = self.world.knows()
        self.say(f"It asks {name}: {'it is there' if there else 'nothing is there'}")
        last = name.rpartition(".")[2]
        if last in ("get", "request", "head"):
            return Answer(self, name, 200 if there else 404, there)
        if last.startswith(_FINDS):
            return Answer(self, name, 200, True) if there else None
        return Answer(self, name, 200, True)

    def read_on(self, name: str, position: object) -> list[dict[str, int]]:
        """The events behind a position; where there are none, the program waits, and the run is over."""
        self.moment(f"before {name}")
        found = [{"id": number} for number in range(2) if not isinstance(position, int) or number >= position]
        if not found:
            raise Idle
        self.say(f"It asks {name} for what comes from {position} on: {len(found)} events")
        return found

    def pieces(self, name: str) -> Iterator[Thing]:
        """What comes piece by piece; the line can break in between."""
        self.say(f"It reads {name}")
        yield Thing(self, "the first piece")
        if self._pick([SMOOTH, "the line breaks"]) != SMOOTH:
            self.outside.struck.append("the line breaks")
            self.say("The line breaks")
            raise ConnectionError(name)
        yield Thing(self, "the second piece")

    def moment(self, where: str) -> None:
        """Something can happen between two operations: the process dies, or another one does the same."""
        ways = [SMOOTH, *(["crash"] if self.mortal else []), *(["other"] if self._other is not None else [])]
        way = self._pick(ways)
        if way == "crash":
            self.outside.struck.append("crash")
            self.say("The process is killed")
            raise Crash
        if way == "other":
            other, self._other = self._other, None
            self.outside.struck.append("two at once")
            assert other is not None  # noqa: S101 (it was among the ways)
            self.say(f"{where[0].upper()}{where[1:]} another process begins the same")
            other()

    def say(self, sentence: str) -> None:
        """Tell what happens."""
        if sentence:
            self.outside.log.append(sentence)

    # Rows and objects.

    def owner(self, callee: Thing) -> Thing:
        """What a method is called on: `row` of `row.delete`."""
        name = name_of(callee).rpartition(".")[0]
        table, _, key = name.partition(":")
        if key and key in self.store.rows(table):
            return RowThing(self, table, key)
        return Thing(self, name)

    def keep(self, thing: Thing, words: Row) -> None:
        """Make what is in memory of an object its row."""
        fields = {name: value for (of, name), value in self.memory.items() if of == name_of(thing)}
        if isinstance(thing, RowThing):
            self.store.rows(thing._table).setdefault(thing._key, {}).update(fields | words)
        else:
            self.store.rows(name_of(thing)).setdefault("row", {}).update(fields | words)

    def commit(self) -> None:
        """Make rows of what was added, refusing what is there, and keep what was changed."""
        lost = [name for name in self.errors.lost("sqlalchemy") if "sqlalchemy" in name]
        if self.pending and lost and self._pick([SMOOTH, "the answer to the commit is lost"]) != SMOOTH:
            self._store_pending()
            self.outside.struck.append("answer lost")
            self.say("The database commits, and the answer is lost")
            raise self.errors.of("sqlalchemy.exc.OperationalError")("lost")
        if self.aborts:
            way = self._pick([SMOOTH, *self.aborts])
            if way != SMOOTH:
                self.outside.struck.append("the database aborts")
                self.say("The database aborts the transaction")
                raise self.errors.of(way)(way)
        self._store_pending()
        for of in {of for of, name in self.memory if names.tells_state(name)}:
            self.keep(Thing(self, of), {})
        self.store.commit()

    def _store_pending(self) -> None:
        for made in self.pending:
            fields = {name: value for (of, name), value in self.memory.items() if of == name_of(made)}
            table = name_of(made).partition("#")[0]
            key = text_of(fields["id"]) if "id" in fields else ""
            if key and key in self.store.rows(table):
                self.pending.clear()
                self.say("The database refuses the row: it is there already")
                raise self.errors.of("sqlalchemy.exc.IntegrityError")(key)
            self.store.new(table, fields, key)
            if not key:
                continue
            self.world.effects.append(
                request(f"INSERT INTO {table}", tuple(fields.values()), {}, repeatable=False)
            )
        self.pending.clear()

    def seed(self, table: str, wanted: Row) -> str:
        """See that a table has a row that fits, from before the run; give its key."""
        if table not in self.store.seeded:
            key = text_of(wanted.get("pk", wanted.get("id", ""))) or f"{table.lower()}-0"
            self.store.seeded[table] = key
            states = {name: value for name, value in wanted.items() if "__" not in name}
            for tables in (self.store.tables, *self.store.open):
                tables.setdefault(table, {}).setdefault(key, dict(states))
        return self.store.seeded[table]

    def _row(self, thing: Thing) -> Row | None:
        if isinstance(thing, RowThing):
            return self.store.rows(thing._table).get(thing._key)
        table, _, key = name_of(thing).partition(":")
        return self.store.tables.get(table, {}).get(key or "row")

    def _deed(self, site: SeenCall | None, name: str) -> str:
        deed = site.deed if site else "opaque"
        written = site.name if site else name
        owner, _, last = name.rpartition(".")
        handed = name in self.local if not owner else last in _STEPS and owner.partition("[")[0] in self.local
        if deed == "opaque" and handed:
            return "write"  # something that was handed in to be done
        if deed == "opaque" and (written in self._writes or name in self._writes or undo.generic(name)):
            return "write"
        if deed == "sets" and "queue" in name.rpartition(".")[0]:
            return "write"
        if deed in ("opaque", "harmless") and owner in _STORES and last in ("set", "put", "save"):
            return "record"
        return deed

    def _of_rows(self, name: str) -> bool:
        """Whether what is asked there are rows of our own: something of that name was written to, or is."""
        return name.rpartition(".")[2] == "get" and name.count(".") == 1 and name.split(".")[0] in _STORES

    def _opaque(self, callee: Thing, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
        last = name_of(callee).rpartition(".")[2]
        if len(args) == 1 and not words and _is_code(args[0]):
            return args[0]  # a decorator that says who runs the function
        if last[:1].isupper() and words and not args:
            self.number += 1
            made = Thing(self, f"{last}#{self.number}")
            self.local.add(name_of(made))
            for name, value in words.items():
                self.memory[name_of(made), name] = value
            return made
        inside = ", ".join(text_of(one) for one in (*args, *words.values()))
        return Thing(self, f"{name_of(callee)}({inside})", f"{callee}({inside})" if inside else str(callee))

    def _ways(self, wanted: Request, words: Mapping[str, Any], library: str) -> list[str]:
        lost = self.errors.lost(library)
        ways = [SMOOTH, *(f"answer lost:{error}" for error in lost), f"request lost:{lost[0]}"]
        if wanted.name.rpartition(".")[2] not in _AT_ONCE:
            ways.append(f"late arrival:{lost[0]}")
        ways += [f"nothing sent:{error}" for error in self.errors.unsent()]
        ways += [f"refused:{error}" for error in self.errors.refusals()[:2]]
        if self.outside.endures:
            ways.append("down")
        if self.tested:
            ways.append("empty answer")
        if "timeout" not in words and library in _UNBOUNDED:
            ways.append("hangs")
        if wanted.name.rpartition(".")[2] in ("post", "put", "patch", "delete", "request"):
            ways.append("server error after")
        return ways


_OF_CALL = frozenset({"tool_call_id", "call_id", "tool_use_id"})
"""What is another one each time a model calls a tool."""
_STEPS = frozenset({"action", "call", "execute", "invoke", "perform"})
"""Names by which steps that were handed in are called."""
_STORES = frozenset({"responses", "cache", "redis", "store", "journal"})
_FINDS = ("find", "query", "exists", "search", "has_", "is_", "lookup")
"""How the names of calls begin that ask whether something is there."""
_AT_ONCE = frozenset({"to_sql", "execute", "insert", "copy"})
"""What a database does while it is waited for, or never."""
_UNBOUNDED = frozenset({"requests", "server", "urllib"})


def _is_code(value: Any) -> bool:
    return callable(value) and not isinstance(value, Thing)


def _told(site: SeenCall, args: tuple[Any, ...], words: Mapping[str, Any], result: Any) -> str:
    about = ", ".join(
        [*(text_of(one) for one in args), *(f"{name}={text_of(one)}" for name, one in words.items())]
    )
    match site.deed:
        case "lookup" | "asks":
            return (
                f"It looks up {site.name}({about}): {'nothing is there' if not result else text_of(result)}"
            )
        case "claim" | "lock":
            return f"It claims {site.name}({about}): {'it is the first' if _first(result) else 'another was first'}"
        case "delete":
            return f"It deletes: {site.name}({about})"
        case "commit":
            return "It commits"
        case "rollback":
            return "It rolls back"
        case _:
            return f"It records: {site.name}({about})"


def _first(result: Any) -> bool:
    return bool(result[1]) if isinstance(result, tuple) else bool(result)


def undoing(name: str) -> bool:
    """Whether a call takes something back."""
    return undo.undoes(name.rpartition(".")[2])
