"""A field that no executor can follow: misspelt, of a wrong kind, written twice, or without sense."""

from collections.abc import Iterator

from stepcheck.catalogue.durations import LIKE, iso_duration
from stepcheck.catalogue.names import misspells
from stepcheck.facts import FIELDS, Effect, Origin, Setting, Step
from stepcheck.rule import Evidence, Fix, Problem, RenameKey, rule

_OWN_RULE = ("effect", "compensate_deadline")
"""Wrong values of these are unknown-effect's and invalid-deadline's."""
_SENSIBLE: dict[str, frozenset[Effect]] = {field.name: field.effects for field in FIELDS}
_NEEDLESS = {
    "compensate": "which leaves nothing to undo, and yet has a",
    "dedupe": "which needs no key, and yet has a",
    "on_uncertain": "which may simply be read again, and yet has an",
}
"""Why a read needs none of the fields that make sense for writes alone."""
_NAMES = {spelling: field.name for field in FIELDS for spelling in (field.name, *field.aliases)}


@rule(Step, stage=1)
def invalid_field(step: Step) -> Iterator[Problem]:
    """Report each field that is misspelt, of a wrong kind, written twice, or that can have no meaning.

    A field unlike any of ours is the team's own, and its business.
    """
    yield from _misspelt(step)
    yield from _unfit(step)


def _misspelt(step: Step) -> Iterator[Problem]:
    meant = [_NAMES.get(unknown.nearest, "") for unknown in step.unknown_fields]
    for unknown, field in zip(step.unknown_fields, meant, strict=True):
        clear = misspells(unknown.name, unknown.nearest)
        needless = _needless(step, field)
        if not field or (needless and not clear):
            continue
        free = step.settings()[field].origin is Origin.DEFAULT and meant.count(field) == 1
        free = free and not needless and (clear or unknown.fits)
        title = f"rename {unknown.name!r} to {unknown.nearest!r}"
        yield Problem(
            unknown.span,
            f"no executor reads {unknown.name!r} in {step.name!r}: steps have no field of that name; "
            f"did you mean {unknown.nearest!r}",
            step=step.name,
            evidence=Evidence.DECLARED if clear else Evidence.NAME,
            fix=Fix(title, RenameKey(unknown.span, unknown.nearest), safe=clear) if free else None,
        )


def _needless(step: Step, field: str) -> bool:
    """Whether a field would have no meaning in a step: what is only somewhat like it, is not it."""
    if _for_others(step, field):
        return True
    return (
        step.effect.value is not Effect.READ and field == "compensate_deadline" and step.lacks("compensate")
    )


def _for_others(step: Step, field: str) -> bool:
    """Whether a field makes sense for other effect classes than the step's alone."""
    effect = step.effect.value
    return effect is not None and effect not in _SENSIBLE.get(field, (effect,))


def _unfit(step: Step) -> Iterator[Problem]:
    for word in step.repeated_fields:
        message = f"an earlier {word.text!r} of {step.name!r} is silently lost: this later one replaces it"
        yield Problem(word.span, message, step=step.name)
    for field, setting in step.settings().items():
        if setting.wrong and field not in _OWN_RULE:
            likely = iso_duration(setting.text) if "duration" in setting.why else ""
            cure = f"; did you mean {likely!r}" if likely else ""
            why = setting.why.removesuffix(LIKE) if likely else setting.why
            message = f"no executor can follow the {field} of {step.name!r}: {setting.text!r} {why}"
            yield Problem(setting.span, message + cure, step=step.name)
        elif senseless := _senseless(step, field, setting):
            yield Problem(setting.span, f"{step.name!r} {senseless}", step=step.name)


def _senseless(step: Step, field: str, setting: Setting[object]) -> str:
    """What a written field cannot mean in this step, or nothing; completes "'step' ..."."""
    if not setting.written or not setting.present:
        return ""
    if _for_others(step, field) and (field != "dedupe" or step.keyed):
        return f"is declared a {step.effect.value}, {_NEEDLESS[field]} {field}"
    match field:
        case "on_uncertain" if setting.value == "query" and step.lacks("query") and not step.unguarded:
            return "is to be settled by a query and has none"
        case "compensate_deadline" if step.lacks("compensate"):
            return "has a compensate_deadline and no compensate that it could end"
        case "on_absent" if setting.value == "retry" and step.lacks("query"):
            return "is to be sent again when its query finds nothing, and has no query"
        case "absence" if step.lacks("query"):
            return "has absence bounds for the answer of a query, and has no query"
        case "max_attempts" if setting.value == 1 and step.retryable.value is True:
            return "is retryable, and yet its max_attempts allow one attempt alone"
        case "max_attempts" if setting.value != 1 and step.retryable.value is False:
            return "is not retryable, and yet its max_attempts allow more than one attempt"
        case _:
            return ""
