"""A step table that the reference executor runs, with the bodies beside it, through every schedule of faults."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from stepcheck.executor.declared import exec_table
from stepcheck.executor.outcome import TaskOutcome
from stepcheck.executor.step import ExecStep
from stepcheck.executor.task import run_machine
from stepcheck.executor.tasks import LEASE_MS, Owner
from stepcheck.explorer.demo import SOUND
from stepcheck.explorer.rows import Row
from stepcheck.explorer.scenario import declare
from stepcheck.harms import standins
from stepcheck.harms.drawn import Drawing
from stepcheck.harms.effects import World
from stepcheck.harms.outside import Crash, Endless, Outside
from stepcheck.harms.process import Life, Process
from stepcheck.harms.program import Program, steps
from stepcheck.harms.schedule import Schedule, every
from stepcheck.harms.stepping import Kept, drive, refuses
from stepcheck.harms.store import Store
from stepcheck.harms.thing import shortened
from stepcheck.harms.trial import Played
from stepcheck.harms.verdict import AFTER, Left, left, wrong

TASK = "t1"
MOST_LIVES = 4


def trial(program: Program, faults: int, *, endures: bool) -> Iterator[Played]:
    """Run a table under every schedule of at most so many faults, those with the fewest first."""
    smooth = _run(program, Schedule((), 0), endures=False)[1]
    return every(lambda schedule: _play(program, schedule, smooth, endures=endures), faults)


def _play(program: Program, schedule: Schedule, smooth: Left, *, endures: bool) -> Played:
    outside, found = _run(program, schedule, endures=endures)
    return Played(
        tuple(fault for fault, _ in outside.struck),
        tuple(before for _, before in outside.struck),
        tuple(outside.beats),
        tuple(wrong(found, smooth)),
        tuple((f"{one.shown}({shortened(one.about)})", one.key) for one in outside.world.effects),
        tuple((row.step, _told(row, found)) for row in found.rows),
    )


def _told(row: Row, found: Left) -> str:
    if row.blob is None:
        return SOUND[row.standing]
    held = f"all {found.long[row.step]} characters" if row.step in found.long else "a reference to the output"
    return f"{SOUND[row.standing]}, with {held} in the row"


def _run(program: Program, schedule: Schedule, *, endures: bool) -> tuple[Outside, Left]:
    outside = Outside(World(), Store(), Drawing(), schedule, endures=endures)
    kept = Kept()
    ended = ""
    while outside.lives < MOST_LIVES and not ended:
        outside.lives += 1
        outside.running = outside.lives
        again = "It is started again" if outside.lives > 1 else ""
        process = Process(program.prepared, outside, Life(again=again))
        process.standins = standins.of(process)
        if again:
            outside.note(again, "is started again")
        try:
            declared = steps(program, process)
            kept.inline = frozenset(name for name, step in declared.items() if step.output == "inline")
            ended = _life(exec_table(declared), process, kept).status
        except Crash:
            continue
        except Endless:
            ended = "endless"
    outside.arrive()
    return outside, left(kept, outside.world, ended, program.replaced)


def _life(table: Mapping[str, ExecStep], process: Process, kept: Kept) -> TaskOutcome:
    """Run the task from where it stands; what has a compensation is followed by a step that is refused."""
    undo = {step.compensation.name for step in table.values() if step.compensation}
    plan = [
        (name, {word: word for word in step.identity}) for name, step in table.items() if name not in undo
    ]
    if undo:
        table = {**table, AFTER: replace(declare(AFTER), call=refuses)}
        plan.append((AFTER, {}))
    owner = Owner(f"process {process.outside.running}", LEASE_MS, lambda _: True)
    ended: TaskOutcome = drive(run_machine(table, plan, TASK, owner), process, kept)
    return ended
