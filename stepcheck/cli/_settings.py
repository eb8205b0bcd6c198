"""Settings from the configuration file and the command line together, and how they are shown."""

import json
import os
from dataclasses import replace
from pathlib import Path

from stepcheck import config, rules, selection
from stepcheck.cli._options import Asked
from stepcheck.excluded import EXCLUDED
from stepcheck.rule import Severity
from stepcheck.settings import ALL, STAGES, Settings, UsageError, check_rules


def settings(asked: Asked, cwd: Path) -> Settings:
    """The settings of a run. Raises UsageError.

    A selection on the command line stands in place of the configured selection: `--select` replaces `select`,
    `ignore` and `stage`; `--ignore` adds to `ignore`; `--stage` replaces `stage`.
    """
    known = rules.names()
    check_rules(asked.select, known, "--select")
    check_rules(asked.ignore, known, "--ignore")
    found = _configured(asked, cwd)
    if asked.select:
        found = replace(found, select=asked.select, ignore=(), stage=STAGES)
    chosen = replace(found, ignore=(*found.ignore, *asked.ignore), stage=asked.stage or found.stage)
    _something_runs(chosen, asked)
    return replace(
        chosen,
        least=Severity(asked.severity) if asked.severity else found.least,
        force_exclude=asked.force_exclude or found.force_exclude,
        cache=asked.cache,
        cache_dir=cwd / asked.cache_dir if asked.cache_dir else found.cache_dir,
        jobs=asked.jobs,
        code=found.code if asked.code is None else asked.code,
        output_format=asked.output_format or found.output_format,
        baseline=_baseline(asked, found, cwd),
    )


def _something_runs(chosen: Settings, asked: Asked) -> None:
    """Raise UsageError, saying what excludes what, where no rule is left to run."""
    if (chosen.select, chosen.ignore, chosen.stage) == ((ALL,), (), STAGES):
        return
    every = rules.load()
    if selection.choose(chosen, every):
        return
    select = f"{'--' * bool(asked.select)}select"
    wanted = selection.choose(replace(chosen, ignore=(), stage=STAGES), every)
    if not wanted:
        raise UsageError(f"no rule is left to run: {select} names none")
    if not selection.choose(replace(chosen, stage=STAGES), every):
        ignore = f"{'--' * bool(asked.ignore)}ignore"
        what = "every rule" if ALL in chosen.select else f"all that {select} names"
        raise UsageError(f"no rule is left to run: {ignore} takes out {what}")
    stage = f"{'--' * bool(asked.stage)}stage"
    first = min(rule.stage for rule in selection.choose(replace(chosen, stage=STAGES), every))
    raise UsageError(
        f"no rule is left to run: {stage} ends at {chosen.stage}, and what {select} names begins at stage {first}"
    )


def _baseline(asked: Asked, found: Settings, cwd: Path) -> Path | None:
    if asked.write_baseline:  # what is to be written starts from everything that is found
        return None
    return cwd / asked.baseline if asked.baseline else found.baseline


def _configured(asked: Asked, cwd: Path) -> Settings:
    if asked.isolated and asked.config:
        raise UsageError("--isolated and --config exclude each other")
    if asked.isolated:
        return _unconfigured(asked, cwd)
    if asked.config:
        return config.load(cwd / asked.config, cwd, root=cwd)
    paths = [asked.stdin_filename or "-"] if asked.paths == ("-",) else list(asked.paths)
    file = config.find(paths, cwd)
    return config.load(file, cwd) if file else _unconfigured(asked, cwd)


def _unconfigured(asked: Asked, cwd: Path) -> Settings:
    """The defaults. The folder of a baseline stands in for that of a configuration: from wherever a run is started,
    the baseline's paths are the same.
    """
    file = asked.baseline or asked.write_baseline
    return Settings(root=Path(os.path.normpath((cwd / file).parent)) if file else cwd)


def shown(settings: Settings, cwd: Path) -> str:
    """The settings as JSON, with the rules that run: what to look at when a finding is missing."""
    running = selection.choose(settings, rules.load())
    value = {
        "configuration": config.shown(settings.file, cwd) if settings.file else None,
        "root": settings.root.as_posix(),
        "rules": [rule.name for rule in running],
        "stage": settings.stage,
        "severity": {rule.name: str(settings.severity.get(rule.name, rule.severity)) for rule in running},
        "least-severity": str(settings.least),
        "per-file-ignores": {pattern: list(names) for pattern, names in settings.per_file_ignores},
        "exclude": [
            *(sorted(EXCLUDED) if settings.exclude is None else settings.exclude),
            *settings.extend_exclude,
        ],
        "force-exclude": settings.force_exclude,
        "code": settings.code,
        "max-file-size": settings.max_file_size,
        "baseline": settings.baseline.as_posix() if settings.baseline else None,
        "source-roots": list(settings.source_roots),
        "tables": {
            "extra-fields": sorted(settings.tables.extra_fields),
            "aliases": dict(sorted(settings.tables.aliases.items())),
        },
        "output-format": settings.output_format,
        "not-running": [name for name in rules.names() if name not in {rule.name for rule in running}],
    }
    return json.dumps(value, indent=2) + "\n"
