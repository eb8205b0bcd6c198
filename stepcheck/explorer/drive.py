"""One run: workers take turns at the operations of their machines, until all is quiet."""

from collections.abc import Callable
from typing import Any

from stepcheck.executor.blobs import BlobError, checked
from stepcheck.executor.memory import MemoryLedger
from stepcheck.executor.ops import Call, Choose, Elapsed, GetBlob, Machine, Op, PutBlob, Query, Sleep, Txn
from stepcheck.executor.outputs import digest
from stepcheck.explorer import notes, sending
from stepcheck.explorer.choices import Chooser
from stepcheck.explorer.faults import Fault, Way
from stepcheck.explorer.interruption import Interrupted
from stepcheck.explorer.lives import Among, process_name, reference_life
from stepcheck.explorer.menu import End, menu
from stepcheck.explorer.scenario import Journal, Scenario
from stepcheck.explorer.skeleton import skeleton_life
from stepcheck.explorer.skeleton_undo import undo
from stepcheck.explorer.state import Beat, Fed, State
from stepcheck.explorer.world import deliver_all, pass_time

SEND_LIMIT = 15
"""Sends for one address after which a run is taken to go on for ever."""

OPERATION_LIMIT = 3_000


class Run:
    """A state with the machines of its living workers, rebuilt by giving them their answers again."""

    def __init__(self, scenario: Scenario, state: State, choices: Chooser[State], budget: int) -> None:
        self.scenario = scenario
        self.state = state
        self._choices = choices
        self._restarts = budget + 1 if scenario.restarts is None else scenario.restarts
        self._machines: list[Machine[None] | None] = []
        self._pending: list[Op | End | None] = []
        for index, worker in enumerate(state.workers):
            self._machines.append(None)
            self._pending.append(None)
            if not worker.over:
                self._rebuild(index)

    def go(self) -> State:
        """Carry the run to its end, when all is quiet and everything under way has landed."""
        state = self.state
        while not state.runaway and (index := self._next()) is not None:
            self._advance(index)
            state.operations += 1
            state.runaway = state.runaway or state.operations > OPERATION_LIMIT
        deliver_all(state, self.scenario.other_sides)
        for machine in self._machines:
            if machine is not None:
                machine.close()
        return state

    def _next(self) -> int | None:
        state = self.state
        if state.workers[state.current].over:
            alive = [index for index, worker in enumerate(state.workers) if not worker.over]
            if not alive:
                return None
            state.current = alive[0]
        return state.current

    def _advance(self, index: int) -> None:
        """Let one worker do its next operation, in one of the ways it can go."""
        op = self._pending[index]
        assert op is not None
        way = Way(Fault.NONE)
        if not self._choices.settled:
            others = any(not worker.over for at, worker in enumerate(self.state.workers) if at != index)
            asked = self.state.snapshot()
            deadly = isinstance(op, Call | Txn | End) and self.state.deadly(index)
            ways = menu(self.scenario, self.state, op, deadly=deadly, other=others)
            way = self._choices.pick(_moment(op), ways, lambda: asked)
        if way.fault is not Fault.NONE:
            self.state.faults += ((_moment(op), way),)
            self.state.struck += (self.state.operations,)
        self._go(index, op, way)

    def _go(self, index: int, op: Op | End, way: Way) -> None:
        match way.fault:
            case Fault.SWITCH:
                self._beat(index, op, way)
                self.state.current = next(
                    at for at, worker in enumerate(self.state.workers) if at != index and not worker.over
                )
            case Fault.DIES:
                self._beat(index, op, way)
                self._end_life(index)
            case Fault.POWER:
                self._beat(index, op, way)
                self.state.image, _ = self.state.unsynced[-way.amount]
                self.state.unsynced = self.state.unsynced[: -way.amount]
                for at, worker in enumerate(self.state.workers):
                    if not worker.over:
                        self._end_life(at)
            case _ if isinstance(op, End):
                self.state.set_worker(index, over=True)
                self._machines[index] = self._pending[index] = None
            case _:
                self._do(index, op, way)

    def _do(self, index: int, op: Op, way: Way) -> None:
        state = self.state
        before = state.image
        try:
            fed = Fed(self._answer(index, op, way))
        except Interrupted as interrupted:
            fed = Fed(error=interrupted)
        except sending.DiesError:
            self._beat(index, op, way)
            self._end_life(index)
            return
        except sending.HangsError:
            state.set_worker(index, over=True, result="hangs")
            return
        except Exception as error:
            fed = Fed(error=error)
        if not isinstance(op, Call | Query) and (fed.error is not None or not self._unchanged(op, before)):
            self._beat(index, op, way, fed)
        state.set_worker(index, fed=(*state.workers[index].fed, fed))
        self._feed(index, fed)

    def _unchanged(self, op: Op, before: Any) -> bool:
        """Whether a transaction has only looked."""
        after = self.state.image
        if not isinstance(op, Txn):
            return False
        if isinstance(after, notes.Notes):
            return bool(before == after)
        return bool(before.last_event == after.last_event)

    def _answer(self, index: int, op: Op, way: Way) -> Any:
        state = self.state
        match op:
            case Txn():
                return self._transact(op)
            case Call():
                reply = sending.send(self._sender(index), op, way)
                state.runaway = state.runaway or sending.too_many(state, op, SEND_LIMIT)
                return reply
            case Query():
                return sending.ask(self._sender(index), op, way)
            case PutBlob(data):
                return self._put(data, way)
            case GetBlob(sha256):
                return checked(state.blobs.get(sha256), sha256)
            case Sleep(_, until_ms):
                pass_time(state, until_ms, self.scenario.other_sides)
                return None
            case Elapsed():
                return state.clock_ms / 1000
            case Choose(decide):
                options = getattr(decide, "options", None)
                return options[way.amount] if options else decide()

    def _sender(self, index: int) -> sending.Sender:
        return sending.Sender(self.scenario, self.state, index)

    def _transact(self, op: Txn[Any]) -> Any:
        state = self.state
        before = state.image
        if isinstance(before, notes.Notes):
            state.image, result = notes.transact(before, op.work)  # type: ignore[arg-type]
        else:
            ledger = MemoryLedger(lambda: state.clock_ms, before)
            result = ledger.transact(op.work, durable=op.durable)
            state.image = ledger.image
        self._sync(op, before)
        return result

    def _sync(self, op: Txn[Any], before: Any) -> None:
        state = self.state
        match self.scenario.journal:
            case Journal.FULL:
                return
            case Journal.WAL if op.durable:
                state.unsynced = ()
            case Journal.DELETE:
                state.unsynced = ((before, state.progress),)
            case _ if state.image != before:
                state.unsynced += ((before, state.progress),)

    def _put(self, data: bytes, way: Way) -> str:
        state, name = self.state, digest(data)
        if way.fault is Fault.STORE_DOWN:
            raise BlobError("the output could not be stored: the store is down")
        if way.fault is Fault.TORN:
            if self.scenario.torn_blobs:
                state.blobs = {**state.blobs, name: data[: len(data) // 2]}
            raise sending.DiesError
        # A store that writes in place takes whatever stands under a name for the whole of it.
        if name not in state.blobs:
            state.blobs = {**state.blobs, name: data}
        return name

    def _feed(self, index: int, fed: Fed | None) -> None:
        machine = self._machines[index]
        assert machine is not None
        try:
            if fed is None:
                self._pending[index] = next(machine)
            elif fed.error is None:
                self._pending[index] = machine.send(fed.value)
            else:
                self._pending[index] = machine.throw(fed.error.with_traceback(None))
        except StopIteration:
            self._pending[index] = End()
        except Interrupted:
            self._end_life(index)
        except Exception as error:
            # Whoever runs the machine sees its task end, and nobody starts it again.
            self.state.set_worker(index, over=True, result=error)
            self._machines[index] = self._pending[index] = None

    def _end_life(self, index: int) -> None:
        state = self.state
        worker = state.workers[index]
        machine = self._machines[index]
        if machine is not None:
            machine.close()
        self._machines[index] = self._pending[index] = None
        state.dead |= {process_name(index, worker.life)}
        if worker.life > self._restarts:
            state.set_worker(index, over=True, fed=())
            return
        state.set_worker(index, life=worker.life + 1, fed=())
        pass_time(state, state.clock_ms + 1 + self.scenario.downtime_ms, self.scenario.other_sides)
        state.beats += (Beat(index, state.clock_ms, "start"),)
        self._rebuild(index)

    def _rebuild(self, index: int) -> None:
        worker = self.state.workers[index]
        if self.scenario.skeleton is not None:
            self._machines[index] = skeleton_life(self.scenario, worker.life, undo)
        else:
            self._machines[index] = reference_life(self.scenario, index, worker.life, self._is_dead(index))
        self._feed(index, None)
        for fed in worker.fed:
            self._feed(index, fed)

    def _is_dead(self, index: int) -> Callable[[str], bool]:
        """Only of its own former lives a worker can tell: the others are on other machines."""
        return lambda name: name in self.state.dead and name.startswith(process_name(index, 0)[:-1])

    def _beat(self, index: int, op: Op | End, way: Way, fed: Fed | None = None) -> None:
        step = op.step.name if isinstance(op, Call | Query) else _last_named(self.state.image)
        detail = str(fed.error) if fed is not None and fed.error is not None else ""
        if isinstance(op, Choose) and isinstance(op.decide, Among):
            detail = op.decide.told[self._otherwise(op.decide, way)]
        self.state.beats += (Beat(index, self.state.clock_ms, _moment(op), step, "", way, detail),)

    def _otherwise(self, decide: Among, way: Way) -> bool:
        """Whether something else comes out than the time before."""
        before = [beat.way.amount for beat in self.state.beats if beat.kind == "choose"]
        return bool(before and before[-1] != way.amount) if decide.anew else way.amount > 0


def _last_named(image: Any) -> str:
    """Return the step that a ledger has last said something of."""
    if isinstance(image, notes.Notes):
        return image.last
    last = max((events[-1] for events in image.events.values()), key=lambda one: one.event_id, default=None)
    return "" if last is None else str(last.step_name)


def _moment(op: Op | End) -> str:
    if isinstance(op, Call | Query) and op.compensates:
        return "undo"
    return op.label if isinstance(op, Txn) else type(op).__name__.lower()
