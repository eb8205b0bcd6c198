"""Random programs rich in control flow, whose calls `m(1)`, `m(2)`, ... tell a run's order."""

from random import Random

NAMES = ("a", "b", "c")
ERRORS = (
    "ValueError",
    "KeyError",
    "LookupError",
    "Exception",
    "(ValueError, KeyError)",
    "BaseException",
    "One",
)


class Writer:
    """Writes one module that defines `f`; every marked call has a number of its own."""

    def __init__(self, random: Random, size: int) -> None:
        self.random = random
        self.left = size
        self.marks = 0
        self.lines: list[str] = []

    def mark(self) -> str:
        self.marks += 1
        awaited = self.coroutine and self.random.random() < 0.4
        return f"(await w({self.marks}))" if awaited else f"m({self.marks})"

    def module(self) -> str:
        self.coroutine = False
        self.function(
            "f", 0, self.random.choice(("plain", "plain", "coroutine", "generator", "asynchronous"))
        )
        return "\n".join(self.lines) + "\n"

    def function(self, name: str, indent: int, kind: str) -> None:
        outside = (
            getattr(self, "coroutine", False),
            getattr(self, "generator", False),
            getattr(self, "loops", 0),
        )
        default = self.mark() if indent and self.random.random() < 0.5 else "1"
        if indent and self.random.random() < 0.4:
            self.add(indent, f"@d({self.mark()})")
        self.coroutine = kind in ("coroutine", "asynchronous")
        self.generator = kind in ("generator", "asynchronous")
        self.grouped, self.loops = False, 0
        self.add(indent, f"{'async ' if self.coroutine else ''}def {name}(a=1, b={default}, *c):")
        if self.generator:
            self.add(indent + 1, "yield 0")
        self.block(indent + 1)
        self.coroutine, self.generator, self.loops = outside

    def add(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, indent: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.left -= 1
            self.statement(indent)

    def statement(self, indent: int) -> None:
        simple = ["call", "assign", "augment", "leave", "assert", "delete", "store", "annotate"]
        nested = [
            "if",
            "while",
            "for",
            "try",
            "try",
            "finally",
            "with",
            "match",
            "group",
            "function",
            "class",
        ]
        deep = self.left <= 0 or indent > 7
        getattr(
            self,
            "_" + self.random.choice(simple if deep or self.random.random() < 0.35 else simple + nested * 2),
        )(indent)

    def expression(self, depth: int = 0) -> str:
        one, two = (lambda: self.expression(depth + 1)), self.mark
        if depth == 0 and self.random.random() < 0.5:
            return two()
        if depth > self.random.choice((0, 0, 1, 2)):
            return self.random.choice((two(), "a", "1"))
        forms = [
            two,
            two,
            lambda: f"g({one()}, *[{one()}], k={one()})",
            lambda: f"({one()} {self.random.choice(('and', 'or'))} {one()})",
            lambda: f"({one()} and {one()} or {one()})",
            lambda: f"({one()} if {one()} else {one()})",
            lambda: f"({two()} < {two()} <= {two()})",
            lambda: f"(not {one()})",
            lambda: f"({one()} + {one()})" if self.random.random() < 0.3 else f"(1 + {two()})",
            lambda: f"(b := {one()})",
            lambda: f"[{one()}, {one()}][{two()} > 100]",
            lambda: f"{{{one()}: {one()}, **{{{two()}: 1}}}}",
            lambda: f"f'{{{two()}}}:{{{two()}:>{{{two()}}}}}'",
            lambda: f"o.x({one()}).y",
            lambda: "raiser(1)",
        ]
        if not self.coroutine:
            forms += [
                lambda: f"[{one()} for q in {self.items()} if {one()}]",
                lambda: f"{{{two()}: {one()} for q in {self.items()} for r in {self.items()}}}",
                lambda: f"len({{q for q in [{two()}, {two()}] if {two()}}})",
                lambda: f"sum(1 for q in {self.items()} if {two()})",
                lambda: f"(lambda a={two()}: {two()})()",
            ]
        if self.generator and not self.coroutine:
            forms += [lambda: f"(yield {one()})", lambda: f"(yield from [{two()}])"]
        elif self.generator:
            forms += [lambda: f"(yield {one()})"]
        return self.random.choice(forms)()

    def items(self) -> str:
        return f"range({self.mark()} % 3)"

    def _call(self, indent: int) -> None:
        self.add(indent, self.expression())

    def _assign(self, indent: int) -> None:
        forms = (
            "a = {0}",
            "a = b = {0}",
            "a, b = {0}, {1}",
            "a, *b = [{0}, {1}]",
            "a, b = b, a",
            "a = o.z = {0}",
        )
        self.add(indent, self.random.choice(forms).format(self.expression(), self.expression()))

    def _augment(self, indent: int) -> None:
        target = self.random.choice(("o.n", "h[{1}]", "x"))
        if target == "x":
            self.add(indent, f"x = {self.expression()}")
        self.add(indent, f"{target} += {{0}}".format(self.expression(), self.mark()))

    def _annotate(self, indent: int) -> None:
        self.add(indent, f"v: g({self.mark()}) = {self.expression()}")

    def _store(self, indent: int) -> None:
        self.add(indent, f"o.z, h[{self.expression()}] = {self.expression()}, {self.mark()}")

    def _delete(self, indent: int) -> None:
        self.add(indent, self.random.choice((f"del h[{self.mark()}]", f"h[0] = {self.mark()}", "del o.z")))

    def _assert(self, indent: int) -> None:
        self.add(indent, f"assert {self.expression()}, {self.expression()}")

    def _leave(self, indent: int) -> None:
        if indent == 1 and self.random.random() < 0.8:
            self._call(indent)
            return
        forms = [f"raise ValueError({self.mark()})", f"raise One from e({self.mark()})"]
        if not self.grouped:
            forms.append("return" if self.coroutine or self.generator else f"return {self.expression()}")
            if self.loops:
                forms += ["break", "continue"] * 3
        self.add(indent, self.random.choice(forms))

    def _if(self, indent: int) -> None:
        self.add(indent, f"if {self.expression()}:")
        self.block(indent + 1)
        if self.random.random() < 0.4:
            self.add(indent, f"elif {self.expression()}:")
            self.block(indent + 1)
        if self.random.random() < 0.5:
            self.add(indent, "else:")
            self.block(indent + 1)

    def looped(self, indent: int) -> None:
        grouped, self.grouped = self.grouped, False
        self.loops += 1
        self.block(indent + 1)
        self.loops -= 1
        self.grouped = grouped
        if self.random.random() < 0.4:
            self.add(indent, "else:")
            self.block(indent + 1)

    def _while(self, indent: int) -> None:
        if self.grouped:
            self._call(indent)
            return
        self.add(indent, f"while {self.random.choice((self.expression(), 'True', 'not ' + self.mark()))}:")
        self.looped(indent)

    def _for(self, indent: int) -> None:
        if self.grouped:
            self._call(indent)
            return
        if self.coroutine and self.random.random() < 0.5:
            self.add(indent, f"async for a in arange({self.mark()}):")
        else:
            self.add(indent, f"for {self.random.choice(('a', 'o.z', 'h[m(0)]'))} in {self.items()}:")
        self.looped(indent)

    def handlers(self, indent: int, star: str = "") -> None:
        for _ in range(self.random.randint(1, 2)):
            error = self.random.choice(ERRORS)
            name = self.random.choice(("", " as e", " as a"))
            self.add(indent, f"except{star} {error}{name}:")
            self.block(indent + 1)
        if not star and self.random.random() < 0.2:
            self.add(indent, self.random.choice(("except:", f"except g({self.mark()}, k=ValueError):")))
            self.block(indent + 1)
        if self.random.random() < 0.4:
            self.add(indent, "else:")
            self.block(indent + 1)

    def _try(self, indent: int) -> None:
        self.add(indent, "try:")
        self.block(indent + 1)
        self.handlers(indent)
        if self.random.random() < 0.3:
            self.add(indent, "finally:")
            self.block(indent + 1)

    def _finally(self, indent: int) -> None:
        self.add(indent, "try:")
        self.block(indent + 1)
        self.add(indent, "finally:")
        self.block(indent + 1)

    def _group(self, indent: int) -> None:
        self.add(indent, "try:")
        self.block(indent + 1)
        grouped, self.grouped = self.grouped, True
        self.handlers(indent, "*")
        self.grouped = grouped

    def _with(self, indent: int) -> None:
        asynchronous = self.coroutine and self.random.random() < 0.5
        make = "A" if asynchronous else "W"
        items = [
            f"{make}({self.mark()}){self.random.choice(('', ' as a', ' as o.z'))}"
            for _ in range(self.random.randint(1, 2))
        ]
        self.add(indent, f"{'async ' if asynchronous else ''}with {', '.join(items)}:")
        self.block(indent + 1)

    def _match(self, indent: int) -> None:
        self.add(indent, f"match {self.expression()}:")
        for pattern in self.random.sample(
            ("1", "[a, b]", "{'k': a, **b}", "int(real=a)", "o.n | 3", "[1, *_] as b"), 2
        ):
            guard = f" if {self.expression()}" if self.random.random() < 0.4 else ""
            self.add(indent + 1, f"case {pattern}{guard}:")
            self.block(indent + 2)
        if self.random.random() < 0.5:
            self.add(indent + 1, self.random.choice(("case _:", "case a:", f"case a if {self.mark()}:")))
            self.block(indent + 2)

    def _function(self, indent: int) -> None:
        name = f"g{self.marks}"
        grouped = self.grouped
        self.function(name, indent, self.random.choice(("plain", "generator")))
        self.grouped = grouped
        self.add(indent, f"list({name}() or ())")

    def _class(self, indent: int) -> None:
        coroutine, generator, loops, grouped = self.coroutine, self.generator, self.loops, self.grouped
        bases = f"(d({self.mark()})(object))"
        if self.random.random() < 0.4:
            self.add(indent, f"@d({self.mark()})")
        self.coroutine = self.generator = False
        self.grouped, self.loops = True, 0
        self.add(indent, f"class C{bases}:")
        self.block(indent + 1)
        self.coroutine, self.generator, self.loops, self.grouped = coroutine, generator, loops, grouped


def program(seed: int, size: int = 14) -> str:
    """A module with a function `f`, the same for the same seed."""
    return Writer(Random(seed), size).module()
