"""One life of an example: a process that runs it once, from its beginning to its end."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stepcheck.catalogue import keys
from stepcheck.harms import standins
from stepcheck.harms.outside import Crash, Endless, Hangs, Idle, Outside
from stepcheck.harms.prepared import MODULE, Prepared
from stepcheck.harms.process import Life, Process
from stepcheck.harms.rewrite import AWAIT, CALL, ERROR, IMPORT, Runnable
from stepcheck.harms.standins.aio import awaited
from stepcheck.harms.standins.files import Stream
from stepcheck.harms.standins.retrying import Task
from stepcheck.harms.standins.workflows import Suspended


@dataclass(frozen=True, slots=True)
class End:
    """How it ended."""

    kind: str
    """`returned`, `answered an error`, `raised`, `crashed`, `suspended`, `hangs`, `endless`."""
    error: str = ""
    definite: bool = False
    """The exception says that nothing was done."""
    tries: int = 0
    """How often its broker tries it; 0 where it goes on until it is acknowledged."""

    @property
    def returned(self) -> bool:
        """Whether all went well as far as its caller sees."""
        return self.kind == "returned"

    @property
    def crashed(self) -> bool:
        """Whether the process is gone."""
        return self.kind == "crashed"

    @property
    def again(self) -> bool:
        """Whether there is anything to begin again."""
        return self.kind not in ("hangs", "endless")


def live(prepared: Prepared, outside: Outside, life: Life) -> End:
    """Run it once; what another process began goes on when this one is over."""
    outside.lives += 1
    before, outside.running = outside.running, outside.lives
    try:
        return _live(prepared, outside, life)
    finally:
        outside.running = before or outside.running


def _live(prepared: Prepared, outside: Outside, life: Life) -> End:
    if life.again:
        outside.note(life.again, "begins again")
    process = Process(prepared, outside, life)
    process.standins = standins.of(process)
    try:
        function, first, steps = _function(prepared, process)
        tries = function.tries if isinstance(function, Task) else 0
    except Crash:
        return _crashed(outside)
    answer: Any = None
    try:
        answer = _run(prepared, process, function, first)
        for step in steps:
            answer = _next(process, step)
    except Crash:
        return _crashed(outside)
    except Suspended:
        outside.store.crash()
        return End("suspended")
    except Idle:
        return End("returned", tries=tries)
    except Hangs:
        return End("hangs")
    except Endless:
        return End("endless")
    except Exception as error:
        if not process.errors.known(error):
            raise
        outside.store.crash()
        name = type(error).__name__
        outside.note(f"It ends with {name}", f"ends with {name}")
        told = process.errors.definite(name)
        return End("raised", name, told, tries)
    process.pending.clear()
    if isinstance(answer, dict) and answer.get("status") in range(500, 600):
        outside.say("Its caller is told that it failed")
        return End("answered an error", tries=tries)
    return End("returned", tries=tries)


def _run(prepared: Prepared, process: Process, function: Any, first: Any) -> Any:
    """Do what it is there for, as often as it is wanted; give the last answer."""
    life, answer = process.life, None
    if life.undone:
        _finish(_called(first, process, life), process.outside)
        process.undoing = True
    for _ in range(life.calls if prepared.entry != MODULE else 0):
        answer = _finish(_called(function, process, life), process.outside)
    process.moment("before it is over")
    return answer


def _next(process: Process, step: Any) -> Any:
    process.outside.say(f"Then '{step.__name__}' is called, which is a step of its own")
    process.world.begun = len(process.world.effects)
    return _finish(_called(step, process, process.life), process.outside)


def _crashed(outside: Outside) -> End:
    outside.store.crash()
    return End("crashed")


def _function(prepared: Prepared, process: Process) -> tuple[Any, Any, list[Any]]:
    """Execute the file, and find what is run, the first method of its class, and the steps after it."""
    space = executed(prepared.code, process, process.thing)
    if prepared.entry == MODULE:
        return None, None, []
    owner, _, name = prepared.entry.rpartition(".")
    if not owner:
        return space[name], None, [space[step] for step in prepared.then]
    made = space[owner]
    if "__getattr__" not in vars(made):
        made.__getattr__ = lambda _, name: process.thing(f"self.{name}")
    given = (
        [process.local_thing(word) for word in _words(made.__init__)[1:]]
        if inspect.isfunction(vars(made).get("__init__"))
        else []
    )
    instance = made(*given)
    methods = [
        one for one, value in vars(made).items() if inspect.isfunction(value) and not one.startswith("_")
    ]
    return getattr(instance, name), getattr(instance, methods[0]), []


def executed(code: Runnable, process: Process, imported: Callable[[str], Any]) -> dict[str, Any]:
    """Execute a file in a process, and give its names; `imported` gives what it imports, by its dotted name."""
    space: dict[str, Any] = {"__name__": "app", CALL: process.called, IMPORT: imported, AWAIT: awaited}
    space[ERROR] = lambda name: _error(space, process, name)
    for name in code.undefined:
        space[name] = process.thing(name)
    exec(compile(code.tree, "example.py", "exec"), space)
    return space


def _error(space: dict[str, Any], process: Process, name: str) -> Any:
    own = space.get(name)
    return own if isinstance(own, type) and issubclass(own, BaseException) else process.errors.of(name)


def _words(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


def _called(function: Any, process: Process, life: Life) -> Any:
    target = function.function if isinstance(function, Task) else function
    found = list(inspect.signature(target).parameters.items())
    args: list[Any] = []
    if isinstance(function, Task) and function.bound:
        args.append(function)
        found = found[1:]
    elif found and found[0][0] == "self" and inspect.isfunction(target) and not hasattr(target, "__self__"):
        args.append(process.local_thing("self"))
        found = found[1:]
    texts = list(life.texts) * len(found)
    for number, (name, parameter) in enumerate(found):
        if parameter.kind is parameter.VAR_POSITIONAL or parameter.kind is parameter.VAR_KEYWORD:
            continue
        args.append(_argument(process, life, name, parameter, texts[number] if texts else ""))
    return target(*args)


def _argument(process: Process, life: Life, name: str, parameter: inspect.Parameter, text: str) -> Any:
    if life.model and parameter.annotation == "bool":
        process.outside.say(f"This time the model fills in {name}=True")
        return True
    if parameter.annotation == "bool" and parameter.default is not parameter.empty:
        return parameter.default
    if keys.names_key(name) and process.prepared.role == "tool":
        return process.outside.drawing.text()
    if parameter.annotation in _STREAMS:
        return Stream(process, name)
    return process.local_thing(name, text)


_STREAMS = ("BinaryIO", "TextIO", "IO")


def _finish(result: Any, outside: Outside) -> Any:
    """Wait for what is awaited, and read what is read piece by piece."""
    if inspect.iscoroutine(result):
        try:
            result.send(None)
        except StopIteration as stopped:
            return stopped.value
        raise RuntimeError("an example waits for something that nothing here ever gives")
    if inspect.isgenerator(result):
        for piece in result:
            outside.say(f"{str(piece)[0].upper()}{str(piece)[1:]} is handed out")
            outside.handed.append(str(piece))
    return result
