"""Which file of the project a dotted module name means, seen from the file that imports it."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from stepcheck.analysis.found import File, Missing, Outside, nearest_name
from stepcheck.analysis.modules import Modules


def locate(project: Modules, dotted: str, importer: str, level: int = 0) -> File | Outside | Missing:
    """The module of that name. `level` counts the leading dots of a relative import.

    An absolute name is looked for in the folders above the importing file, the nearest first, then in the
    source roots. A name whose first part no folder holds is outside of the project.
    """
    if level:
        base = _parent(project, importer, level)
        if base is None:
            return Outside(dotted)
        found = _below(project, base, dotted, "." * level + dotted)
        return found or _absent(project, base, dotted, "." * level + dotted)
    partly: str | None = None
    for base in _bases(project, importer):
        found = _below(project, base, dotted, dotted)
        if found is not None and found.path != importer:
            return found
        head = _below(project, base, dotted.partition(".")[0], dotted)
        if partly is None and head is not None and head.path != importer:
            partly = base
    if partly is None:
        return Outside(dotted)
    return _absent(project, partly, dotted, dotted)


def submodule(project: Modules, parent: File, name: str) -> File | None:
    """The module of that name in a package."""
    if not parent.folder and not parent.path.endswith("__init__.py"):
        return None
    base = parent.path if parent.folder else _join(parent.path, "..")
    return _below(project, base, name, f"{parent.dotted}.{name}")


def canonical(project: Modules, path: str) -> str:
    """The one dotted name that stands for a file, however it was imported."""
    parts = list(PurePosixPath(project.shown(path)).with_suffix("").parts)
    if parts and parts[-1] == "__init__":
        parts.pop()
    for root in sorted(project.source_roots, key=len, reverse=True):
        above = list(PurePosixPath(root).parts)
        if above and parts[: len(above)] == above and len(parts) > len(above):
            return ".".join(parts[len(above) :])
    return ".".join(parts)


def _below(project: Modules, base: str, dotted: str, name: str) -> File | None:
    path = project.inside(project.shown(_join(base, dotted.replace(".", "/")) if dotted else base))
    for file in (f"{path}/__init__.py", f"{path}.py"):
        if project.has_file(file.removeprefix("./")):
            return File(file.removeprefix("./"), name)
    return File(path, name, folder=True) if project.has_code(path) else None


def _absent(project: Modules, base: str, dotted: str, name: str) -> Outside | Missing:
    """What to make of a module that is not there, although its first part, or its package, is."""
    known, real = base, not dotted or project.has_file(_join(base, "__init__.py"))
    for part in dotted.split("."):
        inner = _below(project, known, part, part)
        if inner is None:
            near = nearest_name(part, project.modules_in(known))
            if not (real or near or name.startswith(".")):
                break  # a folder without __init__.py gives way to an installed package of the same name
            return Missing(f"no module {name!r} in the project", near)
        known = inner.path if inner.folder else _join(inner.path, "..")
        if not inner.folder and not inner.path.endswith("__init__.py"):
            return Missing(f"no module {name!r} in the project: {project.shown(inner.path)} is no package")
        real = not inner.folder
    return Outside(dotted)


def _parent(project: Modules, importer: str, level: int) -> str | None:
    folders = PurePosixPath(project.shown(importer)).parts[:-1]
    if level - 1 > len(folders):
        return None
    return project.inside("/".join(folders[: len(folders) - (level - 1)]) or ".")


def _bases(project: Modules, importer: str) -> Iterator[str]:
    seen = set()
    above = project.above(importer) if importer else []
    packages = [folder for folder in above if project.has_file(_join(folder, "__init__.py"))]
    roots = [project.inside(root) for root in project.source_roots]
    for folder in [*(folder for folder in above if folder not in packages), *roots]:
        for base in (folder, _join(folder, "src")):
            if base not in seen:
                seen.add(base)
                yield base


def _join(base: str, name: str) -> str:
    if name == "..":
        return str(PurePosixPath(base).parent)
    return name if base in ("", ".") else f"{base}/{name}"
