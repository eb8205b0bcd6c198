"""What a file of the catalogue says: TOML, or the JSON a wheel has of it, which is read in a tenth of the time."""

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent


def contents(name: str) -> dict[str, Any]:
    """What the file of that name says; `calls/stripe` stands in the folder `calls`."""
    try:
        text = (FOLDER / f"{name}.json").read_bytes()
    except FileNotFoundError:
        import tomllib  # noqa: PLC0415 (only a checkout has no JSON)

        return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    table: dict[str, Any] = json.loads(text)
    return table
