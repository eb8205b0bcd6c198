"""Keys that change where they must not, stay where they must change, or reach nobody."""

from dataclasses import replace
from typing import Any

from stepcheck.executor.step import DedupePromise
from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Item, Job, Scenario, declare, straight
from stepcheck.explorer.service import KEYED, Key
from stepcheck.explorer.skeleton_options import Skeleton

ADDRESSED = Skeleton()


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    keyed = declare("pay", "idem_write", dedupe=DedupePromise())
    idem = Scenario({"pay": keyed}, straight("pay"), {"pay": KEYED})
    return [*_sent(idem), *_looked_up()]


def _sent(idem: Scenario) -> list[Demonstration]:
    return [
        Demonstration(
            "key-not-sent",
            "the call of an idem_write does not send its key",
            Harm.DUPLICATE,
            replace(idem, services={"pay": replace(KEYED, key=Key.NONE)}),
            idem,
            rules=("dropped-key", "missing-key"),
        ),
        Demonstration(
            "key-ignored",
            "the other side ignores the key",
            Harm.DUPLICATE,
            replace(idem, services={"pay": replace(KEYED, honours_key=False)}),
            idem,
            rules=("unproven-idempotence",),
        ),
        Demonstration(
            "key-made-per-attempt",
            "each attempt makes its own key",
            Harm.DUPLICATE,
            replace(idem, services={"pay": replace(KEYED, key=Key.FRESH)}),
            idem,
            rules=("per-attempt-key", "volatile-key"),
        ),
        Demonstration(
            "attempt-number-in-key",
            "the number of the attempt is in the key",
            Harm.DUPLICATE,
            replace(idem, services={"pay": replace(KEYED, key=Key.NUMBERED)}),
            idem,
            rules=("per-attempt-key", "volatile-key"),
        ),
    ]


def _looked_up() -> list[Demonstration]:
    at = tuple((Job("t1", (Item("pay", {"item": "A-1", "at": f"12:0{life}"}),)),) for life in range(1, 5))
    known: dict[str, Any] = {"volatile": ("at",), "identity": ("item",)}
    idem_at = Scenario(
        {"pay": declare("pay", "idem_write", dedupe=DedupePromise(), **known)}, at, {"pay": KEYED}
    )
    once_at = Scenario({"pay": declare("pay", query=True, **known)}, at)
    plain = declare("pay", query=True)
    months = (
        Job("t1", (Item("pay", {"item": "May"}),)),
        Job("t2", (Item("pay", {"item": "June"}),)),
    )
    loop = (Job("t1", (Item("pay", {"item": "A-1"}), Item("pay", {"item": "B-2"}))),)
    numbered = (
        Job("1", (Item("pay", {"item": "A-1"}, path="11"),)),
        Job("11", (Item("pay", {"item": "B-2"}, path="1"),)),
    )

    def twins(jobs: tuple[Job, ...], how: Skeleton) -> tuple[Scenario, Scenario]:
        good = Scenario({"pay": plain}, (jobs,))
        return replace(good, skeleton=how), good

    return [
        Demonstration(
            "volatile-field-in-key",
            "a clock's reading is in the key of an idem_write",
            Harm.DUPLICATE,
            replace(idem_at, skeleton=ADDRESSED),
            idem_at,
            rules=("volatile-key", "salted-hash-key", "unsorted-key"),
        ),
        Demonstration(
            "volatile-field-in-lookup",
            "what was done is looked up by a key with a clock's reading in it",
            Harm.DUPLICATE,
            replace(once_at, skeleton=ADDRESSED),
            once_at,
            rules=("volatile-key",),
        ),
        Demonstration(
            "step-name-as-key",
            "a loop's steps share one key: the step's name",
            Harm.LOST,
            *twins(loop, Skeleton(key=("task", "name"))),
            faults=0,
            rules=("incomplete-key", "duplicate-step"),
        ),
        Demonstration(
            "no-task-in-key",
            "the key says nothing of the task",
            Harm.LOST,
            *twins(months, Skeleton(key=("seq", "name"))),
            faults=0,
            rules=("incomplete-key",),
        ),
        Demonstration(
            "unseparated-key",
            "task '1' with step 11, and task '11' with step 1, have one key",
            Harm.LOST,
            *twins(numbered, Skeleton(key=("task", "seq"), separator="")),
            faults=0,
            rules=("ambiguous-key",),
        ),
    ]
