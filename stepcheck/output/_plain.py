"""What JSON formats share: text that any encoder takes, and a fingerprint for every finding."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from stepcheck.report import Finding


def dump(value: Any) -> str:
    """The value as indented JSON, keys in the order given, newline at the end, lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    if not text.isascii():
        text = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text + "\n"


def fingerprints(findings: Iterable[Finding]) -> Iterator[tuple[Finding, str]]:
    """Each finding with a fingerprint that no other finding of the run has.

    It is the finding's own, followed by a counter where several have the same one.
    """
    seen: Counter[str] = Counter()
    for found in findings:
        own = found.fingerprint or digest(found.rule, found.span.path, found.step, found.message)
        seen[own] += 1
        yield found, own if seen[own] == 1 else digest(own, str(seen[own]))


def digest(*parts: str) -> str:
    """A hexadecimal digest of texts of which none runs into the next."""
    packed = json.dumps(parts).encode()
    return hashlib.sha256(packed).hexdigest()
