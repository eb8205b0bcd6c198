"""What a wheel gets beyond the files of the checkout: the catalogue's TOML as JSON, which is read faster."""

import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGUE = "stepcheck/catalogue"


class Compiled(BuildHookInterface[Any]):
    """Puts a JSON file beside each TOML file of the catalogue, in the wheel alone: a checkout has no copies."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the JSON where the build finds it; an editable install reads the TOML of the checkout."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        for name, text in compiled(Path(self.root, CATALOGUE)).items():
            file = Path(self._folder.name, name)
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
            build_data["force_include"][str(file)] = f"{CATALOGUE}/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what the build has taken."""
        if version != "editable":
            self._folder.cleanup()


def compiled(catalogue: Path) -> dict[str, str]:
    """The JSON of each TOML file below a folder, by its own path in there.

    Raises TypeError or ValueError for what JSON cannot say.
    """
    texts = {}
    for file in sorted(catalogue.rglob("*.toml")):
        table = tomllib.loads(file.read_text("utf-8"))
        text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        if json.loads(text) != table:
            raise ValueError(f"{file} says something that JSON cannot")
        texts[file.relative_to(catalogue).with_suffix(".json").as_posix()] = text
    return texts
