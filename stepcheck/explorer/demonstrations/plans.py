"""Plans that come out differently when they are made once more."""

from dataclasses import replace

from stepcheck.explorer.demonstrations.demonstration import Demonstration
from stepcheck.explorer.oracle import Harm
from stepcheck.explorer.scenario import Item, Job, Scenario, declare
from stepcheck.explorer.skeleton_options import Skeleton

A, B = {"item": "A-1"}, {"item": "B-2"}


def demonstrations() -> list[Demonstration]:
    """Return what this room shows."""
    pay = {"pay": declare("pay", query=True)}
    volatile = {"pay": declare("pay", query=True, volatile=("words",))}
    two = (Item("pay", A), Item("pay", B))
    loop = Scenario(pay, ((Job("t1", two),),))
    named = tuple(Item("pay", params, path=str(params["item"])) for params in (A, B))
    orders = Scenario(pay, ((Job("t1", named, (named[::-1],)),),))
    unstable = Scenario(pay, ((Job("t1", two, (two[::-1],)),),), skeleton=Skeleton())
    chosen = Item("pay", {**A, "words": "first"}, ({**A, "words": "second"},))
    model = Scenario(pay, ((Job("t1", (chosen,)),),))
    again = tuple((Job("t1", (Item("pay", {**A, "words": f"life {life}"}),)),) for life in range(1, 5))
    recomputed = Scenario(volatile, again)
    single = Scenario(pay, ((Job("t1", (Item("pay", A),)),),))
    unnamed = {"pay": declare("pay")}
    known = {"pay": declare("pay", identity=("item",))}
    reissued = Scenario(
        known, ((Job("t1", (Item("pay", A),)), Job("t2", (Item("pay", A),), if_unsettled=True)),)
    )
    twice = (Job("t1", (Item("pay", A),)), Job("t2", (Item("pay", A),)))
    same = (Job("webhook-7", (Item("pay", A),)), Job("webhook-7", (Item("pay", A),)))
    return [
        Demonstration(
            "live-counter-as-step-seq",
            "steps are numbered as they are run, after those that are done have been skipped",
            Harm.DUPLICATE,
            replace(loop, skeleton=Skeleton(live_seq=True)),
            loop,
            rules=("reused-step-seq",),
        ),
        Demonstration(
            "unstable-order",
            "the order of the steps differs from start to start",
            Harm.DUPLICATE,
            unstable,
            orders,
            faults=2,
            rules=("reused-step-seq", "unrecorded-nondeterminism"),
        ),
        Demonstration(
            "choice-not-logged",
            "the model is asked once more after a crash, and says it in other words",
            Harm.DUPLICATE,
            replace(model, skeleton=Skeleton()),
            model,
            faults=2,
            rules=("unrecorded-nondeterminism",),
        ),
        Demonstration(
            "params-recomputed",
            "the params are made anew after a crash, and the key with them",
            Harm.DUPLICATE,
            replace(recomputed, skeleton=Skeleton()),
            recomputed,
            rules=("volatile-key", "model-written-key"),
        ),
        Demonstration(
            "progress-from-conversation",
            "the conversation says what is done, and it has been cut",
            Harm.DUPLICATE,
            replace(single, skeleton=Skeleton(reads_history=True)),
            single,
            faults=2,
            rules=("state-in-conversation",),
        ),
        Demonstration(
            "action-issued-again",
            "an agent issues an unsettled action once more, as a new step",
            Harm.DUPLICATE,
            replace(reissued, table=unnamed),
            reissued,
            rules=("model-written-key", "incomplete-key"),
        ),
        Demonstration(
            "trigger-delivered-twice",
            "each delivery of one trigger gets a task id of its own",
            Harm.DUPLICATE,
            Scenario(unnamed, (twice,), smooth=False),
            Scenario(unnamed, (same,), smooth=False),
            faults=0,
            rules=("unguarded-redelivery", "cursor-in-memory"),
        ),
    ]
