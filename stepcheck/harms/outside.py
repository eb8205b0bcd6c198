"""What outlives the processes of a run, and the ways in which a process ends that no example can catch."""

from dataclasses import dataclass, field
from typing import Any

from stepcheck.demo import LEDGER, OTHER, Message
from stepcheck.harms.drawn import Drawing
from stepcheck.harms.effects import World
from stepcheck.harms.schedule import Schedule
from stepcheck.harms.store import Store


class Crash(BaseException):
    """The process is gone."""


class Idle(BaseException):
    """Nothing is left to do: it waits for more."""


class Hangs(BaseException):
    """A call never comes back."""


class Endless(BaseException):
    """It goes on for ever."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One thing that happens, in a sentence, and as arrows between those who take part."""

    sentence: str
    messages: tuple[Message, ...] = ()


@dataclass(slots=True)
class Outside:
    """What outlives a process: the world, the rows, and what was told so far."""

    world: World
    store: Store
    drawing: Drawing
    schedule: Schedule
    endures: bool = False
    """Whether the other side may go down and stay so."""
    beats: list[Beat] = field(default_factory=list)
    down: set[str] = field(default_factory=set)
    """Services that do not answer any more."""
    struck: list[tuple[str, int]] = field(default_factory=list)
    """What went wrong, in order, and how many effects there were before it."""
    kept: dict[str, Any] = field(default_factory=dict)
    """What an engine keeps of a function that it begins again: the answers of its steps."""
    handed: list[str] = field(default_factory=list)
    """What was handed out piece by piece."""
    lives: int = 0
    """Processes begun so far."""
    running: int = 0
    """The number of the process that is running."""
    actor: str = ""
    """Who does it, where that is not the process itself."""
    together: bool = False
    """Whether there are several at the same time, so that each is told by its number."""

    @property
    def who(self) -> str:
        """The process that is running, as stories name it."""
        return "process" if self.running < 2 and not self.together else f"process {self.running}"

    def say(self, sentence: str, *messages: Message) -> None:
        """Tell what happens; where there are several, "It" is the process that is running."""
        if self.actor and sentence.startswith("It "):
            sentence = f"{self.actor}{sentence[2:]}"
        if self.together and sentence.startswith("It "):
            sentence = f"P{self.who[1:]}{sentence[2:]}"
        self.beats.append(Beat(sentence, messages))

    def strike(self, fault: str) -> None:
        """Note that something goes wrong."""
        self.struck.append((fault, len(self.world.effects)))

    def note(self, sentence: str, text: str) -> None:
        """Tell what happens to the process itself."""
        self.say(sentence, Message(self.who, self.who, text))

    def writes(self, sentence: str, text: str) -> None:
        """Tell what it does to the records."""
        self.say(sentence, Message(self.who, LEDGER, text))

    def sends(
        self, sentence: str, text: str, answer: str, *, arrives: bool = True, answered: bool = True
    ) -> None:
        """Tell what it asks of the other side, and what comes back."""
        asked = Message(self.who, OTHER, text, lost=not arrives)
        self.say(sentence, asked, *([Message(OTHER, self.who, answer, lost=not answered)] if answer else []))

    def arrive(self) -> None:
        """All is over: what is still under way arrives."""
        for request in self.world.arrive():
            told = f"What was under way arrives: {request.called} happens"
            self.say(told, Message(OTHER, OTHER, f"{request.shown} arrives"))
