"""Settings from the configuration file and the command line together, and how they are shown."""

import json
from dataclasses import replace
from pathlib import Path

from stepcheck import config, rules, selection
from stepcheck.cli._options import Asked
from stepcheck.excluded import EXCLUDED
from stepcheck.rule import Severity
from stepcheck.settings import STAGES, Settings, UsageError, check_rules


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
    return replace(
        found,
        ignore=(*found.ignore, *asked.ignore),
        stage=asked.stage or found.stage,
        least=Severity(asked.severity) if asked.severity else found.least,
        force_exclude=asked.force_exclude or found.force_exclude,
        output_format=asked.output_format or found.output_format,
        baseline=_baseline(asked, found, cwd),
    )


def _baseline(asked: Asked, found: Settings, cwd: Path) -> Path | None:
    if asked.write_baseline:  # what is to be written starts from everything that is found
        return None
    return cwd / asked.baseline if asked.baseline else found.baseline


def _configured(asked: Asked, cwd: Path) -> Settings:
    if asked.isolated and asked.config:
        raise UsageError("--isolated and --config exclude each other")
    if asked.isolated:
        return Settings(root=cwd)
    if asked.config:
        return config.load(cwd / asked.config, cwd, root=cwd)
    paths = [asked.stdin_filename or "-"] if asked.paths == ("-",) else list(asked.paths)
    file = config.find(paths, cwd)
    return config.load(file, cwd) if file else Settings(root=cwd)


def shown(settings: Settings, cwd: Path) -> str:
    """The settings as JSON, with the rules that run: what to look at when a finding is missing."""
    running = selection.choose(settings, rules.load())
    value = {
        "configuration": config.shown(settings.file, cwd) if settings.file else None,
        "root": settings.root.as_posix(),
        "rules": [rule.name for rule in running],
        "stage": settings.stage,
        "severity": {name: str(level) for name, level in sorted(settings.severity.items())},
        "least-severity": str(settings.least),
        "per-file-ignores": {pattern: list(names) for pattern, names in settings.per_file_ignores},
        "exclude": [
            *(sorted(EXCLUDED) if settings.exclude is None else settings.exclude),
            *settings.extend_exclude,
        ],
        "force-exclude": settings.force_exclude,
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
