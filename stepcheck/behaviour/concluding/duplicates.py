"""New rows that are written again after the very error that says that they are there."""

from collections.abc import Iterator

from stepcheck.analysis.handlers import fate
from stepcheck.analysis.loops import origins
from stepcheck.analysis.paths import begun
from stepcheck.analysis.retry import Manner
from stepcheck.behaviour.again.refusals import looks_at
from stepcheck.behaviour.again.regions import caught, loop_repeats
from stepcheck.behaviour.calls import words
from stepcheck.behaviour.calls.acts import Act, Deed
from stepcheck.behaviour.concluding import raised
from stepcheck.behaviour.context import at
from stepcheck.behaviour.study import Study
from stepcheck.catalogue import arguments, conclusions, names, sql
from stepcheck.catalogue.calls import known
from stepcheck.code.flow import Branch, Call, Catch, Compound, Flow, Point, dotted, walk
from stepcheck.facts import Effect, Evidence, Span
from stepcheck.facts.concluding import RetriedDuplicate

_MAKES = frozenset(
    {"create", "acreate", "bulk_create", "insert", "insert_one", "insert_many", "add", "add_all"}
)


def duplicates(study: Study, flow: Flow) -> Iterator[RetriedDuplicate]:
    """Every such row of a function; one fact a row."""
    results = {call.number: call for _, call in study.context.calls(flow)}
    inserts = tuple(act for act in study.acts(flow) if _inserts(act, results))
    if not inserts:
        return
    told: set[Span] = set()
    for act in inserts:
        for found in (*_caught(study, flow, act), *_decorated(study, flow, act)):
            if found.write not in told and found.span not in told:
                told |= {found.write, found.span}
                yield found


def spoken(flow: Flow, catches: tuple[tuple[Point, Catch], ...]) -> bool:
    """Whether a handler or a decorator of the function takes such an error."""
    if any(_takes(name) for _, catch in catches for name in catch.types):
        return True
    return any(_takes(name) for made in flow.decorators for call in made.calls for name in _names(call))


def _takes(name: str) -> bool:
    """Whether a handler of that class takes the error, and few others."""
    last = words.last(name.lstrip("?:"))
    package = name.lstrip("?:").partition(".")[0]
    return (
        last in conclusions.listed("duplicate_errors")
        or last in conclusions.listed("database_errors")
        or (last == "Error" and package in conclusions.listed("database_drivers"))
    )


def _named(name: str) -> bool:
    return words.last(name.lstrip("?:")) in conclusions.listed("duplicate_errors")


def _inserts(act: Act, results: dict[int, Call]) -> bool:
    """Whether a call makes a new row, and fails where there is one."""
    if act.call is None or act.deed in (Deed.LOCK, Deed.HARMLESS, Deed.LOOKUP, Deed.ASKS):
        return False
    given = arguments.read(act.call, results)
    fact = known(act.call.qualified or act.name, given)
    last = words.last(act.name)
    if last in ("execute", "executemany", "exec_driver_sql"):
        first = given.get("", 0)
        text = first.text if first is not None else None
        statement = sql.classify(text) if text else None
        if statement is not None:
            return (
                statement.verb == "INSERT"
                and not statement.claims
                and statement.effect is Effect.NON_IDEM_WRITE
            )
        return (
            first is not None
            and "insert()" in first.words
            and not any("conflict" in word for word in first.words)
        )
    if fact is not None and fact.local and fact.effect is Effect.NON_IDEM_WRITE:
        return last in _MAKES
    if last in ("add", "add_all"):
        return bool({"session", "db"} & set(names.words(act.name.rpartition(".")[0])))
    return last in ("insert_one", "insert_many") or (last == "create" and ".objects." in f".{act.name}.")


def _caught(study: Study, flow: Flow, act: Act) -> Iterator[RetriedDuplicate]:
    """A handler that takes the error and begins the row again: by a loop, or by a task's `retry`."""
    context = study.context
    places = [act.point, *(commit for commit in _commits(study, flow, act))]
    for place in places:
        for one in fate(flow, place, "", context.exceptions).handlers:
            catch = at(flow, one.catch)
            if not isinstance(catch, Catch):
                continue
            named = [name for name in catch.types if _takes(name)]
            if not named:
                if any(raised.broad(name) for name in catch.types or ("",)):
                    break
                continue
            retrier = _retries(study, flow, one.catch, catch)
            again = loop_repeats(context, flow, act.point)
            if retrier is not None:
                who = f"{retrier.dotted or 'retry'!r}"
            elif again is not None and act.point in _reached(study, flow, one.catch, catch):
                if not _same(study, flow, again[1], act) or _looks(study, flow, one.catch, act.point):
                    break
                who = "the loop"
            else:
                break
            yield RetriedDuplicate(
                catch.span, act.name, act.span, flow.qualname, Evidence.BODY, who, raised.shown(named)
            )
            return


def _commits(study: Study, flow: Flow, act: Act) -> list[Point]:
    after = begun(flow, (act.point,))
    return [one.point for one in study.acts(flow) if one.deed is Deed.COMMIT and one.point in after]


def _retries(study: Study, flow: Flow, catch: Point, made: Catch) -> Call | None:
    """The call of a task's own `retry` in the handler, where nothing looks at the error before."""
    reached = _reached(study, flow, catch, made)
    for point, call in study.context.calls(flow):
        if point in reached and words.last(call.dotted) == "retry":
            return call
    return None


def _reached(study: Study, flow: Flow, catch: Point, made: Catch) -> frozenset[Point]:
    """What may be begun after the handler, up to a test that looks at the error."""

    def follow(block: int, _edge: object) -> bool:
        operations = flow.blocks[block].operations
        last = operations[-1] if operations else None
        return not (isinstance(last, Branch) and looks_at(study.context, flow, last.test, made.name))

    return begun(flow, caught(flow, catch), (), follow)


def _same(study: Study, flow: Flow, blocks: frozenset[int], act: Act) -> bool:
    """Whether the row of the next turn is the same: nothing of it is made anew in the loop."""
    for place in origins(study.context.definitions(flow), act.point):
        operation = at(flow, place)
        if place.block not in blocks or place == act.point or not isinstance(operation, Call):
            continue
        last = words.last(operation.dotted)
        if not last[:1].isupper():
            return False
    return True


def _looks(study: Study, flow: Flow, catch: Point, point: Point) -> bool:
    """Whether every way from the handler to the next try looks for the row, or changes what it is."""
    looks = study.places(flow, Deed.LOOKUP, Deed.ASKS, Deed.CLAIM, surely=False) - {point}
    return bool(looks) and point not in begun(flow, caught(flow, catch), looks)


def _decorated(study: Study, flow: Flow, act: Act) -> Iterator[RetriedDuplicate]:
    """A decorator that is told to begin the function again after that error."""
    made_here = any(
        isinstance(operation, Catch) and any(_takes(name) for name in operation.types)
        for _, operation in flow.points()
    )
    looks = study.places(flow, Deed.LOOKUP, Deed.ASKS, Deed.CLAIM, surely=False) - {act.point}
    if made_here or (looks and act.point not in begun(flow, (Point(0, 0),), looks)):
        return
    same = _same(study, flow, frozenset(range(len(flow.blocks))), act)
    for region in study.repeated:
        if region.region.manner is not Manner.DECORATOR or region.region.flow != flow.index:
            continue
        made = next((one for one in flow.decorators if one.span == region.region.span), None)
        calls = made.calls if made is not None else ()
        for name in (name for call in calls for name in _names(call)):
            if _named(name) or (same and _takes(name)):
                yield RetriedDuplicate(
                    region.region.span,
                    act.name,
                    act.span,
                    flow.qualname,
                    Evidence.BODY,
                    region.again.who,
                    name,
                )
                return
    for made in flow.decorators:
        for call in made.calls:
            word = call.keyword("autoretry_for")
            for part in walk(word.value) if word is not None else ():
                if _named(dotted(part)) or (same and _takes(dotted(part))):
                    assert word is not None
                    who = f"the broker of {made.dotted!r}"
                    yield RetriedDuplicate(
                        word.span, act.name, act.span, flow.qualname, Evidence.BODY, who, dotted(part)
                    )
                    return


def _names(call: Call) -> Iterator[str]:
    """The classes that a retrier is given; not those that it is told to leave alone."""
    if "not_exception" in call.dotted or "unless" in call.dotted:
        return
    for value in (*call.arguments, *(word.value for word in call.keywords if "not" not in word.name)):
        for part in walk(value):
            if not isinstance(part, Compound) and dotted(part):
                yield dotted(part)
