"""Which files are edited how, by their names."""

from pathlib import PurePosixPath

from stepcheck.fixes import json_text, python_text, toml_text, yaml_text
from stepcheck.fixes.kind import Kind

_DATA = {".json": json_text.KIND, ".toml": toml_text.KIND, ".yaml": yaml_text.KIND, ".yml": yaml_text.KIND}


def kind_of(path: str) -> Kind:
    """How that file is edited: as data by its suffix, else as Python (scripts may have no suffix)."""
    return _DATA.get(PurePosixPath(path).suffix.lower(), python_text.KIND)


def is_python(path: str) -> bool:
    """Whether the file is taken for Python."""
    return kind_of(path) is python_text.KIND
