"""Calls that stand for steps, read into fields: arguments by position and by name, and the defaults behind them."""

from dataclasses import dataclass, field

from stepcheck.analysis.found import Defined, File, Held, Outside, Thing
from stepcheck.analysis.names import find
from stepcheck.analysis.project import Project
from stepcheck.code.module import Class, Function
from stepcheck.code.values import ITEM
from stepcheck.facts import (
    FIELDS,
    SILENT_FIELDS,
    Effect,
    Entry,
    Invocation,
    Lambda,
    Mapping,
    Name,
    Opaque,
    Scalar,
    Span,
    Value,
)
from stepcheck.frontends import TableOptions
from stepcheck.frontends._bodies import EVERY
from stepcheck.frontends._evidence import words
from stepcheck.frontends._fields import field_name, nearest_field
from stepcheck.frontends._parameters import Signature, defaults_of, signature

NAMES = ("name", "step_name", "step", "id", "key")
"""Arguments that name a step, the most telling first."""
STEP_WORDS = frozenset({"step", "task", "activity", "tool"})
"""Last words of what declares steps."""
_TELLING = frozenset({"critical", "debug", "error", "exception", "info", "log", "warn", "warning"}) | {
    "failed",
    "failure",
    "partial",
    "replace",
}
"""Last words of calls that tell of steps without declaring one."""


_OF_WRITES = frozenset(item.name for item in FIELDS if Effect.READ not in item.effects)
"""Fields that mean nothing for a read."""


@dataclass(frozen=True, slots=True)
class CallFields:
    """What a call says about a step."""

    name: Value | None
    """None where the call does not say."""
    fields: Mapping
    unseen: dict[str, Span]
    """Fields that may be set where the call is answered, unless `fields` has them, with the place to name."""
    guessed: bool
    """Whether an argument by position was taken for its effect class because it is the word `read`."""
    declares: bool
    """Whether it reads like a declaration of a step: by what is called, or by a callable among the arguments."""

    @property
    def whole(self) -> Mapping:
        """All that is known of the step."""
        if not self.unseen:
            return self.fields
        below = tuple(
            Entry(Scalar(name, place), Opaque("set by what is called", place))
            for name, place in sorted(self.unseen.items())
        )
        return Mapping(
            (Entry(None, Mapping(below, self.fields.span)), *self.fields.entries), self.fields.span
        )


@dataclass(frozen=True, slots=True)
class Calls:
    """Reads the calls of one file."""

    project: Project
    options: TableOptions
    _signatures: dict[tuple[str, Span], Signature | None] = field(default_factory=dict)
    """By definition: one may be called a thousand times."""

    def fields(self, call: Invocation, *, declaration: bool = False) -> CallFields:
        """The fields that a call gives. Arguments that are no fields are left out, misspelt ones are kept.

        Defaults of the project's classes and functions count as what they write; `None` and `()` write nothing
        there. Of a call that is no `declaration` by its place, only a class, or something named a step, is taken
        to hold nothing but what it is given; what a function gives back may hold any other field too.
        """
        thing = find(self.project, call.function.dotted, call.function.span)
        made = self._signature(thing)
        name, given = self._positional(call, made)
        declared = {parameter.name for parameter in made.parameters} if made is not None else set()
        for entry in map(self._told, call.keywords):
            key = entry.key.value if isinstance(entry.key, Scalar) else None
            if key is None or (isinstance(key, str) and self._is_field(key, declared)):
                given.append(entry)
        said = {
            entry.key.value: entry.value
            for entry in (*given, *call.keywords)
            if isinstance(entry.key, Scalar) and isinstance(entry.key.value, str)
        }
        for word in NAMES:
            if name is None and word in said:
                name = said[word]
        kept = [
            entry for entry in given if not (isinstance(entry.key, Scalar) and entry.key.value in NAMES[1:])
        ]
        if made is not None and (defaults := self._defaults(made, given)):
            kept.insert(0, Entry(None, Mapping(defaults, call.span)))
        effect = any(field_name(each, self.options) == "effect" for each in said)
        decided = self._decided(call, made, declaration=declaration, effect=effect)
        unseen = dict.fromkeys(decided, call.function.span)
        declares = self._declares(call, said)
        unknown = made is None or made.positional is None
        guessed = unknown and any(
            self._is_effect(entry) and entry.value in call.arguments and isinstance(entry.value, Scalar)
            for entry in given
        )
        return CallFields(name, Mapping(tuple(kept), call.span), unseen, guessed, declares)

    def as_fields(self, value: Value) -> Value:
        """A mapping of fields, for a mapping or for a call that gives some; for anything else the value."""
        found = self.project.value(value)
        if isinstance(found, Invocation) and not found.function.dotted.endswith(ITEM):
            read = self.fields(found)
            return read.whole if any(entry.key is not None for entry in read.fields.entries) else found
        return found

    def may_tell(self, calls: list[Invocation]) -> bool:
        """Whether calls of one function could give an effect class: a cheap question before reading them all."""
        for call in calls:
            given = [*call.arguments, *(entry.value for entry in call.keywords)]
            if any(isinstance(value, Scalar) and value.value in tuple(Effect) for value in given):
                return True
            if any(map(_named_after, given)) or any(self._is_effect(entry) for entry in call.keywords):
                return True
        known = [call for call in calls if _is_class(call) or last_word(call.function.dotted) in STEP_WORDS]
        return any(
            field_name(parameter.name, self.options) == "effect"
            for call in known[:1]
            if (made := self._signature(find(self.project, call.function.dotted, call.function.span)))
            for parameter in made.parameters
        )

    def _signature(self, thing: Thing) -> Signature | None:
        if not isinstance(thing, Defined):
            return None
        place = (thing.through, thing.item.span)
        if place not in self._signatures:
            self._signatures[place] = signature(self.project, thing, self.options)
        return self._signatures[place]

    def _told(self, entry: Entry) -> Entry:
        """A keyword argument as it is; what a method called on the result sets, as opaque."""
        value = entry.value
        if entry.key is not None or not isinstance(value, Invocation) or value.function.dotted[:1] != ".":
            return entry
        method = value.function.dotted[1:]
        first, _, rest = method.partition("_")
        for name in (method, rest):
            if field_name(name, self.options) in EVERY:
                return Entry(Scalar(name, value.span), Opaque("set by a method", value.span))
        spread = Opaque("set by a method", value.span) if first == "with" else Mapping((), value.span)
        return Entry(None, spread)

    def _defaults(self, made: Signature, given: list[Entry]) -> tuple[Entry, ...]:
        """The defaults that concern the step: one for writes says nothing of a read."""
        defaults = defaults_of(made, self.options)
        effects = [entry.value for entry in (*defaults, *given) if self._is_effect(entry)]
        if not effects or self._effect(effects[-1]) is not Effect.READ:
            return defaults
        return tuple(entry for entry in defaults if self._field(entry) not in _OF_WRITES)

    def _is_field(self, key: str, declared: set[str]) -> bool:
        if field_name(key, self.options) in EVERY or key in SILENT_FIELDS:
            return True
        return key not in declared and key not in NAMES and bool(nearest_field(key))

    def _field(self, entry: Entry) -> str:
        key = entry.key.value if isinstance(entry.key, Scalar) else None
        return field_name(key, self.options) if isinstance(key, str) else ""

    def _is_effect(self, entry: Entry) -> bool:
        return self._field(entry) == "effect"

    def _positional(self, call: Invocation, made: Signature | None) -> tuple[Value | None, list[Entry]]:
        """The step's name and the fields that positional arguments give."""
        if made is not None and made.positional is not None:
            return None, [
                Entry(Scalar(made.positional[index].name, argument.span), argument)
                if index < len(made.positional)
                else Entry(None, Opaque("an argument too many", argument.span))
                for index, argument in enumerate(call.arguments)
            ]
        name: Value | None = None
        entries: list[Entry] = []
        effects = [index for index, argument in enumerate(call.arguments) if self._effect(argument)]
        said = any(self._is_effect(entry) for entry in call.keywords)
        for index, argument in enumerate(call.arguments):
            if index in effects[-1:] and not said:
                entries.append(Entry(Scalar("effect", argument.span), argument))
            elif index == 0 and isinstance(argument, Scalar | Name):
                name = argument
            else:
                entries.append(Entry(None, Opaque("an argument by position", argument.span)))
        return name, entries

    def _effect(self, argument: Value) -> Effect | None:
        """The effect class that an argument is, or is named after."""
        value = self.project.value(argument)
        if isinstance(value, Scalar) and value.value in tuple(Effect):
            return Effect(str(value.value))
        return _named_after(value)

    def _decided(
        self, call: Invocation, made: Signature | None, *, declaration: bool, effect: bool
    ) -> frozenset[str]:
        if made is not None:
            return made.decided
        name = call.function.dotted.rpartition(".")[2]
        # `write_step(pay)` and `WriteStep(pay)` know more of the step than `step(pay)` does
        plain = name.lower() == "step" or (declaration and last_word(name) == "step")
        constructs = effect and (declaration or _is_class(call))
        return frozenset() if plain or constructs else EVERY

    def _declares(self, call: Invocation, said: dict[str, Value]) -> bool:
        word = last_word(call.function.dotted)
        if word == "step":
            return True
        if words(call.function.dotted.rpartition(".")[2])[:1] == ["assert"] or word in _TELLING:
            return False
        return "call" in said or any(map(self._may_be_called, call.arguments))

    def _may_be_called(self, argument: Value) -> bool:
        """Whether an argument by position is a callable, as far as that can be told."""
        if isinstance(argument, Lambda):
            return True
        if not isinstance(argument, Name) or _named_after(argument):
            return False
        match find(self.project, argument.dotted, argument.span):
            case Defined(item=Function()):
                return True
            case Held() | File() | Defined(item=Class()):
                return False
            case Outside(dotted=dotted):
                return dotted.rpartition(".")[2].islower()
            case _:
                return "." not in argument.dotted and argument.dotted.islower()


def last_word(dotted: str) -> str:
    """The last word of the last part of a dotted name: `step` for `flow.add_step`."""
    return (words(dotted.rpartition(".")[2]) or [""])[-1]


def _is_class(call: Invocation) -> bool:
    return call.function.dotted.rpartition(".")[2][:1].isupper()


def _named_after(argument: Value) -> Effect | None:
    """The effect class that a member, or a constant, is named after."""
    if not isinstance(argument, Name):
        return None
    last = argument.dotted.rpartition(".")[2]
    told = last.lower() in tuple(Effect) and ("." in argument.dotted or last.isupper())
    return Effect(last.lower()) if told else None
