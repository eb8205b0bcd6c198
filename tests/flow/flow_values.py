"""Random programs whose assignments and reads are numbered, run to see which assignment each read saw."""

from random import Random
from typing import Any

from stepcheck.analysis.definitions import definitions
from stepcheck.code.flow import Call, Constant, Evaluate, Flow, Result, Variable, walk


class Writer:
    """Writes `f(a, b, c)`; `t(k)` is a value made by assignment k, `u(k, a)` tells what read k saw."""

    def __init__(self, random: Random, size: int, *, branches_only: bool) -> None:
        self.random = random
        self.left = size
        self.number = 0
        self.branches_only = branches_only
        self.lines = ["def f(a, b, c):"]

    def next(self) -> int:
        self.number += 1
        return self.number

    def add(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def read(self) -> str:
        return f"u({self.next()}, {self.random.choice('abc')})"

    def block(self, indent: int, loop: bool) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.left -= 1
            self.statement(indent, loop)

    def statement(self, indent: int, loop: bool) -> None:  # noqa: PLR0912 - one arm a form
        name = self.random.choice("abc")
        forms = ["assign", "assign", "read"] + ([] if self.branches_only else ["swap", "walrus"])
        if indent < 6 and self.left > 0:
            forms += ["if", "if"] + (
                [] if self.branches_only else ["with", "while", "for", "try", "finally", "match"]
            )
        form = self.random.choice(forms)
        if form == "assign":
            self.add(indent, f"{name} = t({self.next()})")
        elif form == "read":
            self.add(indent, self.read())
        elif form == "swap":
            self.add(indent, "a, b = b, a")
        elif form == "walrus":
            self.add(indent, f"n(({name} := t({self.next()})), {self.read()})")
        elif form == "if":
            self.add(indent, f"if {self.read()}:")
            self.block(indent + 1, loop)
            if loop and self.random.random() < 0.4:
                self.add(indent + 1, self.random.choice(("break", "continue", "return")))
            if self.random.random() < 0.5:
                self.add(indent, "else:")
                self.block(indent + 1, loop)
        elif form == "with":
            self.add(indent, f"with w({self.read()}) as x:")
            self.block(indent + 1, loop)
        elif form in ("while", "for"):
            header = f"while {self.read()}:" if form == "while" else f"for {name} in n(t({self.next()})):"
            self.add(indent, header)
            self.block(indent + 1, True)
            if self.random.random() < 0.4:
                self.add(indent, "else:")
                self.block(indent + 1, loop)
        elif form == "match":
            self.add(indent, f"match t({self.next()}):")
            self.add(indent + 1, f"case {name} if {self.read()}:")
            self.block(indent + 2, loop)
            self.add(indent + 1, "case _:")
            self.block(indent + 2, loop)
        else:
            self.add(indent, "try:")
            self.block(indent + 1, loop)
            if form == "try":
                self.add(
                    indent, self.random.choice(("except KeyError:", "except ValueError as x:", "except:"))
                )
                self.block(indent + 1, loop)
            if form == "finally" or self.random.random() < 0.3:
                self.add(indent, "finally:")
                self.block(indent + 1, loop)


def program(seed: int, *, branches_only: bool = False) -> str:
    """A module with a function `f`, the same for the same seed."""
    writer = Writer(Random(seed), 6 + seed % 12, branches_only=branches_only)
    writer.block(1, False)
    writer.add(1, f"n({writer.read()}, {writer.read()})")
    return "\n".join(writer.lines) + "\n"


def seen(source: str, seed: int) -> set[tuple[int, int | str]]:
    """One run: for each read the number of the assignment (or the parameter's name) whose value it saw."""
    random = Random(seed)
    chance = (0.0, 0.05, 0.2)[seed % 3]
    found: set[tuple[int, int | str]] = set()
    left = [60]

    class End(BaseException):
        pass

    def fail() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise End
        if random.random() < chance:
            raise random.choice((KeyError, ValueError))

    def t(number: int) -> int:
        fail()
        return number

    def u(number: int, value: int | str) -> bool:
        if left[0] > 0:
            found.add((number, value))
        fail()
        return random.random() < 0.5

    class Manager:
        def __enter__(self) -> str:
            return "x"

        def __exit__(self, *_: Any) -> bool:
            return random.random() < 0.3

    space: dict[str, Any] = {
        "t": t,
        "u": u,
        "w": lambda _: Manager(),
        "n": lambda *made: made * random.choice((0, 1, 2)),
    }
    exec(compile(source, "<program>", "exec"), space)
    try:
        space["f"]("a", "b", "c")
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
    return found


def admitted(flow: Flow) -> set[tuple[int, int | str]]:
    """For each read the assignments and parameters whose value the flow says it may see."""
    known = definitions(flow)
    numbers = {call.number: call for _, call in flow.calls()}

    def origins(name: str, point: Any, through: frozenset[Any]) -> set[int | str]:
        found: set[int | str] = set()
        for definition in known.of(name, point):
            if definition in through:
                continue
            if definition.point is None:
                found.add(definition.name)
            elif (value := definition.value(flow)) is not None:
                found |= held(value, definition.point, through | {definition})
        return found

    def held(value: Any, point: Any, through: frozenset[Any]) -> set[int | str]:
        found: set[int | str] = set()
        for part in walk(value):
            if isinstance(part, Variable):
                found |= origins(part.name, point, through)
            elif isinstance(part, Result) and part.number in numbers:
                call = numbers[part.number]
                if call.dotted == "t" and isinstance(call.arguments[0], Constant):
                    found.add(call.arguments[0].value)
                else:
                    for argument in call.arguments:
                        found |= held(argument, point, through)
            elif isinstance(part, Result):
                for place, operation in flow.points():
                    if isinstance(operation, Evaluate) and operation.number == part.number:
                        found |= held(operation.value, place, through)
        return found

    pairs: set[tuple[int, int | str]] = set()
    for point, call in flow.calls():
        match call:
            case Call(dotted="u", arguments=[Constant(value=int(number)), value]):
                pairs |= {(number, origin) for origin in held(value, point, frozenset())}
    return pairs
