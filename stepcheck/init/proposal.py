"""A first step table, proposed from a project's code. Nothing of the project is imported or run."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from stepcheck import engine
from stepcheck.catalogue.names import states_outcome
from stepcheck.discovery import discover
from stepcheck.facts import Effect
from stepcheck.init.calls import READS, WRITES, Guess, asks_about, guesses
from stepcheck.settings import Settings

MOST = 50
"""Steps proposed at once: a person is to read each."""
_HINTS = tuple(word.encode() for word in sorted(READS | WRITES))


@dataclass(frozen=True, slots=True)
class Proposal:
    """Functions that no step table names yet, and how many more there are than are shown."""

    steps: tuple[Guess, ...]
    queries: dict[str, str]
    """By a write's dotted path, the function that may ask whether it happened."""
    more: int = 0


def propose(settings: Settings, cwd: Path) -> Proposal:
    """Look through the Python files below the working directory. Tests are passed over."""
    taken = _taken(settings, cwd)
    found: list[Guess] = []
    for file in discover(["."], settings, cwd).files:
        path = PurePosixPath(file.path)
        if file.suffix != ".py" or _is_test(path):
            continue
        try:
            data = Path(file.location).read_bytes()
        except OSError:
            continue
        if len(data) <= settings.max_file_size and any(hint in data for hint in _HINTS):
            found += [each for each in guesses(data, _module(path)) if (file.path, each.line) not in taken]
    writes = [each for each in found if each.effect.writes]
    queries = {
        write.dotted: query.dotted
        for write in writes
        for query in reversed(found)
        if query.effect is Effect.READ and asks_about(query.name, write.name) and _together(query, write)
    }
    asked = set(queries.values())
    steps = [each for each in found if each.dotted not in asked]
    return Proposal(tuple(steps[:MOST]), queries, max(0, len(steps) - MOST))


def as_yaml(proposal: Proposal) -> str:
    """The draft as a YAML step table, each guess marked."""
    lines = ["# A draft. Lines marked `guess` rest on names and calls: read the code and decide.", "steps:"]
    for name, step in _named(proposal.steps):
        lines += [f"  {name}:", f"    effect: {step.effect}  # guess: {step.why}", f"    call: {step.dotted}"]
        lines += [f"    {field}: {value}  # {why}" for field, value, why in _more(step, proposal)]
    return "\n".join([*lines, ""])


def as_python(proposal: Proposal) -> str:
    """The draft as a Python step table, each guess marked."""
    modules = sorted({step.dotted.rpartition(".")[0] for step in proposal.steps})
    lines = ["# A draft. Lines marked `guess` rest on names and calls: read the code and decide."]
    lines += [f"import {module}" for module in modules if module]
    lines += ["", "STEPS = {"]
    for name, step in _named(proposal.steps):
        lines += [
            f'    "{name}": {{',
            f'        "effect": "{step.effect}",  # guess: {step.why}',
            f'        "call": {step.dotted},',
        ]
        for field, value, why in _more(step, proposal):
            shown = value if field == "query" else f'"{value}"'
            lines.append(f'        "{field}": {shown},  # {why}')
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def _more(step: Guess, proposal: Proposal) -> Iterator[tuple[str, str, str]]:
    """Further fields of a write: the field, its value, and why."""
    if step.effect is Effect.NON_IDEM_WRITE:
        query = proposal.queries.get(step.dotted)
        if query:
            yield "query", query, "guess: by its name; it must ask by key or identity"
        else:
            yield "on_uncertain", "human", "nothing that looks like its query was found"
    elif step.effect is Effect.IDEM_WRITE and not states_outcome(step.name):
        yield "dedupe", "TODO", "who promises to honour its key, and for how long"


def _named(steps: Sequence[Guess]) -> Iterator[tuple[str, Guess]]:
    """Each step with a name of its own: the function's, with its module's where two are alike."""
    names = [step.name for step in steps]
    for step in steps:
        alone = names.count(step.name) == 1
        yield (step.name if alone else step.dotted.replace(".", "_")), step


def _taken(settings: Settings, cwd: Path) -> set[tuple[str, int]]:
    """Where the functions are defined that step tables already name."""
    references: Iterable[object] = (
        setting.value
        for table in engine.tables(settings, ["."], cwd=cwd)
        for step in table.steps
        for setting in (step.call, step.query, step.compensate)
    )
    spans = (getattr(reference, "definition", None) for reference in references)
    return {(span.path, span.line) for span in spans if span is not None}


def _together(one: Guess, other: Guess) -> bool:
    return one.dotted.rpartition(".")[0] == other.dotted.rpartition(".")[0]


def _module(path: PurePosixPath) -> str:
    parts = list(path.with_suffix("").parts)
    if parts[0] == "src":
        parts = parts[1:]
    if parts and parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def _is_test(path: PurePosixPath) -> bool:
    folders = {"test", "tests", "testing"}
    return (
        bool(folders.intersection(path.parts[:-1]))
        or path.stem.startswith("test_")
        or path.stem == "conftest"
    )
