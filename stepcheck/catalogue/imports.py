"""What a name that nothing in a file binds is usually imported from."""

from collections.abc import Mapping
from functools import cache

from stepcheck.catalogue.contents import contents


def usual(name: str) -> str:
    """The dotted path that an unbound name (`?uuid4`, `?datetime.now`) most likely stands for.

    The name itself, without its question mark, where there is no usual one; a bound name as it is.
    """
    if not name.startswith("?"):
        return name
    written = name[1:]
    table = _known()
    if written in table:
        return table[written]
    first, dot, rest = written.partition(".")
    called = first.endswith("()")
    found = table.get(first.removesuffix("()"))
    return written if found is None else f"{found}{'()' if called else ''}{dot}{rest}"


@cache
def _known() -> Mapping[str, str]:
    table: dict[str, str] = contents("imports")["names"]
    return table
