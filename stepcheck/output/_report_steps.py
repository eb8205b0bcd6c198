"""The step table as a picture: one row a step, what it declares as drawn marks, and the stage that it has reached."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape as quoted
from typing import Any

from stepcheck.facts import Duration, Effect, Setting, Step
from stepcheck.facts.field import FieldName
from stepcheck.ladder import TOP, StepRung, TableRung
from stepcheck.output._cells import escape
from stepcheck.output._report_findings import Group, counted, declared
from stepcheck.report import Finding, Report

DRAWN = {
    "read": '<circle class="o" cx="8" cy="8" r="6"/>',
    "idem_write": '<circle class="o" cx="8" cy="8" r="6"/><path class="o" d="M5 6.6h6M5 9.6h6"/>',
    "non_idem_write": '<circle class="f" cx="8" cy="8" r="6.7"/><path class="i" d="M8 4.4v4.4M8 10.6v1.4"/>',
    "yes": '<path class="o" d="M2.5 8.6l3.6 3.6 7.4-8"/>',
    "no": '<path class="o" d="M4.5 8h7"/>',
    "found": '<path class="o" d="M8 2.2l6.2 11.3H1.8zM8 6.4v3.4M8 11.6v.4"/>',
    "missing": '<circle class="d" cx="8" cy="8" r="6.2"/><path class="o" d="M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8"/>',
    "person": '<circle class="o" cx="8" cy="5" r="2.7"/><path class="o" d="M3 14c1-3 2-5 5-5s4 2 5 5"/>',
    "opaque": '<path class="o" d="M5.2 6a2.8 2.8 0 1 1 4.2 2.4C8.4 9 8 9.4 8 10.4M8 12.6v.9"/>',
}
"""The marks, on a ground of 16 by 16."""

KEY = (
    ("read", "read: a second try is always safe"),
    ("idem_write", "idem_write: safe with the same key, if the other side honours keys"),
    ("non_idem_write", "non_idem_write: a second try is a second effect"),
    ("yes", "declared"),
    ("no", "none, and none is needed"),
    ("found", "declared, and something is found about it"),
    ("missing", "missing or wrong"),
    ("person", "left to a person"),
    ("opaque", "only a run could tell"),
)


_EFFECTS = frozenset(Effect)


@dataclass(frozen=True, slots=True)
class _Cell:
    symbol: str
    words: str
    code: bool = False

    @property
    def sure(self) -> bool:
        """Whether something is declared."""
        return self.symbol == "yes"


def symbols() -> str:
    """The marks as they are drawn: stands once in a page with a step table."""
    drawn = "".join(
        f'<symbol id="s-{name}" viewBox="0 0 16 16">{shape}</symbol>' for name, shape in DRAWN.items()
    )
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{drawn}</defs></svg>'


def table(
    rung: TableRung, report: Report, groups: Mapping[str, Group], number: int, asked: int
) -> Iterator[str]:
    """The table of that number; `groups` are the findings by their anchors, `asked` is the last stage asked."""
    steps = declared(report)
    name = quoted(escape(rung.name or "steps"))
    place = quoted(escape(f"{rung.span.path}:{rung.span.line}"))
    yield f'<h3><code>{name}</code> <small class="soft">{place}</small></h3>'
    yield '<table class="steps" role="table"><thead role="rowgroup"><tr role="row">'
    for title in ("step", "effect class", "key", "query", "compensation", "deadline", "stage"):
        yield f'<th scope="col" role="columnheader">{title}</th>'
    yield '</tr></thead><tbody role="rowgroup">'
    for row, one in enumerate(rung.steps, start=1):
        anchor = f"step-{number}-{row}"
        yield from _row(one, steps[one.span, one.name], groups.get(anchor), asked)
    yield "</tbody></table>"


def legend() -> Iterator[str]:
    """What the marks mean."""
    yield '<ul class="key">'
    yield "".join(f"<li>{_symbol(symbol)} {quoted(words)}</li>" for symbol, words in KEY)
    yield f"<li>{_stairs(3, TOP)} stage 3 of 5 reached, the next one not</li></ul>"


def _row(rung: StepRung, step: Step, group: Group | None, asked: int) -> Iterator[str]:
    name = _breakable(rung.name)
    if group:
        told = quoted(counted(group.findings))
        name = f'<a href="#{group.anchor}"><code>{name}</code></a> <small class="told">{told}</small>'
    else:
        name = f"<code>{name}</code>"
    yield f'<tr role="row"><th scope="row" role="rowheader">{name}</th>'
    for title, cell in _cells(step, group.findings if group else ()):
        words = quoted(cell.words) if cell.symbol in _EFFECTS else _breakable(cell.words)
        words = f"<code>{words}</code>" if cell.code else f"<span>{words}</span>"
        mark = f'<span class="cell">{_symbol(cell.symbol)} {words}</span>'
        yield f'<td role="cell" data-title="{title}" class="{cell.symbol}">{mark}</td>'
    reached = min(rung.stage, asked)
    words = f"{reached} of {TOP}" + (f", {asked} asked" if asked < TOP else "")
    mark = f'<span class="cell">{_stairs(reached, asked)} <span>{words}{_next(rung, asked)}</span></span>'
    yield f'<td role="cell" data-title="stage">{mark}</td></tr>'


def _next(rung: StepRung, asked: int) -> str:
    """What holds the step back: the rule, or what to do where no rule asks for it."""
    if rung.next is None or rung.next.stage > asked:
        return ""
    return f"<small>{quoted(escape(rung.next.rule or rung.next.what))}</small>"


def _cells(step: Step, findings: Sequence[Finding]) -> Iterator[tuple[str, _Cell]]:
    cells: tuple[tuple[str, FieldName, _Cell], ...] = (
        ("effect class", "effect", _effect(step.effect)),
        ("key", "identity", _key(step)),
        ("query", "query", _query(step)),
        ("compensation", "compensate", _reference(step.compensate, step) or _Cell("no", "none")),
        ("deadline", "compensate_deadline", _deadline(step)),
    )
    misspelt = {unknown.nearest: unknown.name for unknown in step.unknown_fields}
    for title, name, cell in cells:
        span = step.settings()[name].span
        if name in misspelt and not cell.sure:
            yield title, _Cell("missing", misspelt[name], code=True)
        elif (
            cell.symbol == "yes" and span != step.span and any(found.span.within(span) for found in findings)
        ):
            yield title, replace(cell, symbol="found")
        else:
            yield title, cell


def _effect(effect: Setting[Effect]) -> _Cell:
    if effect.value is not None:
        return _Cell(effect.value, effect.value, code=True)
    return _unclear(effect) or _Cell("missing", "none declared")


def _key(step: Step) -> _Cell:
    if step.effect.value is Effect.READ:
        return _Cell("no", "not needed")
    named = ", ".join(word.text for word in step.identity.value or ()) or "all params"
    if step.keyed:
        return _Cell("yes", named, code=step.identity.present)
    unclear = _unclear(step.dedupe) or _unclear(step.identity)
    if unclear:
        return unclear
    if step.effect.value is Effect.IDEM_WRITE:
        return _Cell("opaque" if step.open else "missing", f"{named}; nobody promises to honour it")
    return _Cell("yes" if step.identity.present else "no", named, code=step.identity.present)


def _query(step: Step) -> _Cell:
    found = _reference(step.query, step)
    if found and found.symbol != "opaque":
        return found
    if step.left_to_person:
        return _Cell("person", "a person")
    if found:
        return found
    if step.effect.value is Effect.READ:
        return _Cell("no", "not needed")
    return _Cell("missing", "none") if step.unguarded else _Cell("no", "none")


def _deadline(step: Step) -> _Cell:
    found = step.compensate_deadline
    if found.present and found.value is not None:
        return _Cell("yes", _length(found.value))
    unclear = _unclear(found)
    if unclear:
        return unclear
    if step.open and found.absent:
        return _Cell("opaque", "not seen")
    return _Cell("missing", "none") if step.compensate.present else _Cell("no", "not needed")


def _reference(setting: Setting[Any], step: Step) -> _Cell | None:
    if setting.present and setting.value is not None:
        return _Cell("yes", setting.value.name, code=True)
    return _unclear(setting) or (_Cell("opaque", "not seen") if step.open and not setting.written else None)


def _unclear(setting: Setting[Any]) -> _Cell | None:
    if setting.opaque:
        return _Cell("opaque", "not known")
    return _Cell("missing", setting.text or "wrong") if setting.wrong else None


def _length(duration: Duration) -> str:
    """A length of time in words: `1 day 2 hours`."""
    seconds = int(duration.length.total_seconds())
    parts = []
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(f"{number} {unit}{'' if number == 1 else 's'}")
    return " ".join(parts) or duration.text or "less than a second"


def _breakable(text: str) -> str:
    """A name that may go over two lines, behind its dots and underscores."""
    return re.sub(r"(?<=[._])(?=\w)", "<wbr>", quoted(escape(text)))


def _symbol(name: str) -> str:
    return f'<svg class="symbol" aria-hidden="true"><use href="#s-{name}"/></svg>'


def _stairs(reached: int, asked: int) -> str:
    """Five steps that rise: filled as far as reached, crossed where it stops, dotted where nobody asked."""
    parts = []
    for stage in range(1, TOP + 1):
        kind = "on" if stage <= reached else "unasked" if stage > asked else "off"
        kind = "off next" if stage == reached + 1 and kind == "off" else kind
        x, height = stage * 11 - 10, 3 + stage * 3
        parts.append(f'<rect class="{kind}" x="{x}" y="{19 - height}" width="9" height="{height}"/>')
    return f'<svg class="stairs" aria-hidden="true" viewBox="0 0 56 20">{"".join(parts)}</svg>'


def stages(rungs: Sequence[TableRung], asked: int) -> dict[int, int]:
    """How many steps have reached each stage that was asked for, or a later one."""
    found = [step.stage for rung in rungs for step in rung.steps]
    return {stage: sum(one >= stage for one in found) for stage in range(1, asked + 1)}
