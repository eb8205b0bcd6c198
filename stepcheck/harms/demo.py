"""A pair of examples as a demonstration: both stories, what happened in the world, and what is recorded."""

from stepcheck.demo import Demo, Happened, Says, Side
from stepcheck.demo.rounds import shortened
from stepcheck.harms.pairs import Shown
from stepcheck.harms.situations import Situation
from stepcheck.harms.trial import DELETED, Played
from stepcheck.page import Example, parted

MEANS = {
    "duplicate": "one thing was wanted, and it happened more than once",
    "ghost": "it happened, and nothing that is recorded or taken back says so",
    "lost": "it counts as done, and it is not",
    "false-failure": "it counts as failed, and it happened",
    "stuck": "nobody works on it, and nobody is told",
    "wrong-compensation": "the compensation does harm of its own",
    "unbounded": "it goes on for ever",
    "bloat": "a row holds what every reader then has to read",
    "refused": "what should be answered is refused",
}
"""What each harm is, in a clause."""
_SPARED = {
    "ghost": "what happened is on record, or was taken back",
    "lost": "nothing counts as done that is not",
    "false-failure": "nothing counts as failed that happened",
    "stuck": "nothing waits for ever",
    "wrong-compensation": "no compensation does any of its own",
    "unbounded": "it comes to an end",
    "bloat": "no row holds more than its readers need",
    "refused": "what is asked is answered",
}
"""What is well in the end, by the harm that the other one does."""
_BEGINS = {
    Situation.ONCE: "{entry} is called",
    Situation.AGAIN: "{entry} is called by somebody who begins it again until there is an answer",
    Situation.RECOVERED: "{entry} is called; after an error or a crash it is begun again unless it is recorded",
    Situation.DELIVERED: "{entry} is delivered, and will be again until it is acknowledged",
    Situation.TRIED: "{entry} is run by its broker, which tries again when it fails",
    Situation.TOGETHER: "{entry} is called in two processes at the same time",
    Situation.TWO: "{entry} is called for two different things, one after the other",
    Situation.TWICE: "{entry} is called twice, as it is wanted twice",
    Situation.MODEL: "A model calls {entry}, and calls it again when it sees no answer",
    Situation.RESUMED: "An engine runs {entry}",
    Situation.UNDONE: "What {entry} is there to take back is done first, and then taken back",
    Situation.UNCERTAIN: "{entry} is called for something that is recorded as uncertain",
    Situation.TABLE: "An executor follows {entry} as its table declares it",
    Situation.STEP: "The reference executor runs the table, of which {entry} is told here",
    Situation.LOADED: "An executor is given the table in {entry}",
    Situation.WORKERS: "The web server starts two workers, and each loads the module",
}
"""How a story begins, by its situation."""
_READ = "{entry} answers a GET, which browsers and crawlers repeat at will"
_FAULTS = {
    "two at once": "two at the same time",
    "server error after": "a server error after it happened",
    "hangs": "the other side never answers",
    "down": "the other side stays down",
}
"""What goes wrong, where its name alone does not say it."""
_AT_WILL = "asked again"
"""Whoever repeats a read does nothing wrong."""


def demonstration(shown: Shown, title: str) -> Demo:
    """Tell what a pair shows. Raises ValueError where its bad example does no harm, or has no twin."""
    pair = shown.pair
    if shown.bad is None or shown.good is None or pair.good is None:
        raise ValueError(f"example {pair.number} of {pair.rule} shows nothing")
    missed = [one for one in _faults(shown.bad) if one not in _faults(shown.good)]
    return Demo(
        pair.rule,
        title,
        pair.harm,
        MEANS[pair.harm],
        _faults(shown.bad),
        _side(shown, pair.bad, shown.bad, _harm(shown.bad, pair.harm)),
        _side(shown, pair.good, shown.good, _none(shown.good, pair.harm, missed)),
    )


def _faults(played: Played) -> tuple[str, ...]:
    return tuple(_FAULTS.get(one, one) for one in played.faults if one != _AT_WILL)


def _side(shown: Shown, example: Example, played: Played, end: str) -> Side:
    pattern = _BEGINS[shown.situation]
    if shown.role == "read":
        pattern = _READ if played is shown.bad else _BEGINS[Situation.ONCE]
    begin = pattern.format(entry=f"'{shown.entry}'")
    told = shortened([beat.sentence for beat in played.beats])
    left = [played.left] if played.left and played is shown.good else []
    return Side(
        (begin[0].upper() + begin[1:], *told, *left, end),
        tuple(Happened(None, name, key) for name, key in played.effects),
        tuple(Says(name, words) for name, words in played.records),
        tuple(message for beat in played.beats for message in beat.messages),
        played is shown.bad,
        _code(example),
    )


def _harm(played: Played, harm: str) -> str:
    told = next(wrong.text for wrong in played.wrong if wrong.harm == harm)
    return f"{MEANS[harm][0].upper()}{MEANS[harm][1:]}: {told}"


def _none(played: Played, harm: str, missed: list[str]) -> str:
    if missed:
        return f"There is no moment here for what went wrong there ({', '.join(missed)}), and no harm is done"
    count = sum(not name.endswith(DELETED) for name, _ in played.effects)
    if not count and played.records and harm == "duplicate":
        return "No harm is done: what is recorded is there once"
    happened = "nothing happened" if not count else "it happened once" if count == 1 else "each happened once"
    return f"No harm is done: {_SPARED.get(harm, happened)}"


def _code(example: Example) -> str:
    files = example.files
    texts = ["\n".join(parted(line)[0] for line in text.strip("\n").split("\n")) for text in files.values()]
    if len(files) == 1:
        return texts[0]
    return "\n\n".join(f"# {name}\n{text}" for name, text in zip(files, texts, strict=True))
