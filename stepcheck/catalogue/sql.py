"""What an SQL statement does when it is repeated, told from its text."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from stepcheck.facts import Effect

_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?\*/|(?P<string>'(?:[^']|'')*'|\$\$.*?\$\$)"
    r'|(?P<quoted>"(?:[^"]|"")*"|`[^`]*`|\[\w+\])|(?P<hole>\{\}|%\(\w+\)s|%s|\$\d+|[:@]\w+|\?)'
    r"|(?P<word>[^\W\d][\w$]*)|(?P<number>\d[\w.]*)|(?P<mark>::|\|\||[-+*/=<>!]+|[(),;.])",
    re.DOTALL,
)
_READS = frozenset({"SELECT", "SHOW", "EXPLAIN", "DESCRIBE", "DESC", "VALUES", "TABLE", "PRAGMA"})
_ABSOLUTE = frozenset({"DELETE", "TRUNCATE", "REPLACE", "MERGE", "UPSERT"})
_GUARDED = frozenset({"CREATE", "DROP", "ALTER"})
_CONTROL = frozenset(
    {"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET", "START", "END", "LOCK", "USE", "ANALYZE"}
)
_NOISE = frozenset({"ONLY", "INTO", "LOW_PRIORITY", "IGNORE", "OR", "FROM", "ROLLBACK", "ABORT", "FAIL"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement."""

    verb: str
    """`SELECT`, `INSERT`, ... in upper case."""
    effect: Effect
    table: str = ""
    """The table written to or read first, in lower case without its schema; nothing where it is a hole."""
    additive: bool = False
    """Each repeat adds to what the last one left: `x = x + 1`, `INSERT ... SELECT`."""
    claims: bool = False
    """A second one does nothing: `ON CONFLICT DO NOTHING`, `INSERT IGNORE`."""
    locks: bool = False
    """`SELECT ... FOR UPDATE`."""
    control: bool = False
    """Begins, ends or sets up a transaction; it changes nothing itself."""
    compares: bool = False
    """It changes a column only where that still is what is named: `SET state = 'b' WHERE state = 'a'`."""


def statements(text: str) -> tuple[Statement, ...]:
    """The statements of a text, as far as their first words are known; holes are `{}` or placeholders."""
    return tuple(found for part in _split(_tokens(text)) if (found := _read(part)) is not None)


def classify(text: str) -> Statement | None:
    """The statement of a text that bears repeating least, or None where there is none that is known."""
    order = [Effect.READ, Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE]
    found = statements(text)
    return max(found, key=lambda statement: order.index(statement.effect), default=None)


def texts(text: str) -> tuple[str, ...]:
    """The quoted texts of a statement, without their quotes, in order."""
    if classify(text) is None:
        return ()
    found = (match["string"] for match in _TOKEN.finditer(text) if match.lastgroup == "string")
    return tuple(one[1:-1] for one in found)


def _compares(tokens: list[str]) -> bool:
    """Whether a column that an UPDATE sets stands in its condition, too."""
    if "SET" not in tokens or "WHERE" not in tokens:
        return False
    middle = tokens.index("WHERE")
    sets, asks = tokens[tokens.index("SET") + 1 : middle], tokens[middle + 1 :]
    columns = {name for name, sign in itertools.pairwise(sets) if sign == "=" and name[:1].isalpha()}
    return bool(columns.intersection(asks))


def _tokens(text: str) -> list[str]:
    """Words in upper case, quoted names in lower case without quotes, strings as `''`, holes as `?`."""
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind in ("word", "mark", "number"):
            tokens.append(match[0].upper())
        elif kind == "quoted":
            tokens.append(match[0][1:-1].lower())
        elif kind == "string":
            tokens.append("''")
        elif kind == "hole":
            tokens.append("?")
    return tokens


def _split(tokens: list[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for token in tokens:
        if token == ";":
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _read(tokens: list[str]) -> Statement | None:
    verb = tokens[0] if tokens else ""
    if verb == "WITH":
        return _with(tokens)
    if verb in _READS:
        locks = any(pair in _pairs(tokens) for pair in (("FOR", "UPDATE"), ("FOR", "SHARE")))
        into = verb == "SELECT" and "INTO" in _outside(tokens)
        if into:
            return Statement(verb, Effect.NON_IDEM_WRITE, _after(tokens, "INTO"))
        return Statement(verb, Effect.READ, _after(tokens, "FROM"), locks=locks)
    if verb == "INSERT":
        return _insert(tokens)
    if verb == "UPDATE":
        adds = any(_self_referring(tokens))
        effect = Effect.NON_IDEM_WRITE if adds else Effect.IDEM_WRITE
        return Statement(verb, effect, _after(tokens, "UPDATE"), additive=adds, compares=_compares(tokens))
    if verb in _ABSOLUTE:
        return Statement(verb, Effect.IDEM_WRITE, _after(tokens, verb))
    if verb in _GUARDED:
        guarded = "IF" in tokens or ("OR", "REPLACE") in _pairs(tokens)
        return Statement(verb, Effect.IDEM_WRITE if guarded else Effect.NON_IDEM_WRITE)
    if verb == "COPY":
        adds = "FROM" in _outside(tokens)
        effect = Effect.NON_IDEM_WRITE if adds else Effect.READ
        return Statement(verb, effect, _after(tokens, "COPY"), additive=adds)
    if verb in ("CALL", "EXEC", "EXECUTE", "DO"):
        return Statement(verb, Effect.NON_IDEM_WRITE)
    if verb in _CONTROL:
        return Statement(verb, Effect.READ, control=True)
    return None


def _with(tokens: list[str]) -> Statement | None:
    """What follows the common table expressions, or the worst of what stands in them."""
    verbs = _READS | _ABSOLUTE | {"INSERT", "UPDATE"}
    found: list[Statement] = []
    depth = 0
    for position, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        opens = token in verbs and tokens[position - 1] in ("(", ")")
        if not opens or (found and depth and token in _READS):
            continue
        end = _closing(tokens, position) if depth else len(tokens)
        statement = _read(tokens[position:end])
        if statement is not None:
            found.append(statement)
    order = [Effect.READ, Effect.IDEM_WRITE, Effect.NON_IDEM_WRITE]
    return max(reversed(found), key=lambda statement: order.index(statement.effect), default=None)


def _closing(tokens: list[str], position: int) -> int:
    depth = 0
    for at in range(position, len(tokens)):
        depth += (tokens[at] == "(") - (tokens[at] == ")")
        if depth < 0:
            return at
    return len(tokens)


def _insert(tokens: list[str]) -> Statement:
    table = _after(tokens, "INTO") or _after(tokens, "INSERT")
    pairs = _pairs(tokens)
    ignores = tokens[1:2] == ["IGNORE"] or ("OR", "IGNORE") in pairs or ("DO", "NOTHING") in pairs
    if ignores:
        return Statement("INSERT", Effect.IDEM_WRITE, table, claims=True)
    updates = ("ON", "CONFLICT") in pairs or ("ON", "DUPLICATE") in pairs or ("OR", "REPLACE") in pairs
    if updates:
        start = tokens.index("ON") if "ON" in tokens else 0
        adds = any(_self_referring(tokens[start:], table))
        effect = Effect.NON_IDEM_WRITE if adds else Effect.IDEM_WRITE
        return Statement("INSERT", effect, table, additive=adds)
    unless = ("WHERE", "NOT") in pairs and "EXISTS" in tokens
    if unless:
        return Statement("INSERT", Effect.IDEM_WRITE, table)
    return Statement("INSERT", Effect.NON_IDEM_WRITE, table, additive="SELECT" in tokens)


def _self_referring(tokens: list[str], table: str = "") -> Iterator[bool]:
    """For each `column = value` of a SET clause, whether the value is reckoned from the column's own."""
    start = tokens.index("SET") + 1 if "SET" in tokens else _position(tokens, ("DUPLICATE", "KEY")) + 3
    clause: list[str] = []
    depth = 0
    for token in tokens[start:]:
        if depth == 0 and token in ("WHERE", "RETURNING", "FROM"):
            break
        if depth == 0 and token == ",":
            yield _refers(clause, table)
            clause = []
            continue
        depth += (token == "(") - (token == ")")
        clause.append(token)
    yield _refers(clause, table)


def _refers(clause: list[str], table: str) -> bool:
    if "=" not in clause:
        return False
    middle = clause.index("=")
    names = [token for token in clause[:middle] if token not in (".", "(", ")")]
    column, value = (names[-1].upper() if names else ""), clause[middle + 1 :]
    reckons = bool(
        {"+", "-", "*", "/", "||", "CONCAT", "ARRAY_APPEND", "JSONB_INSERT", "JSON_INSERT"} & set(value)
    )
    for position, token in enumerate(value):
        if token.upper() != column:
            continue
        owner = value[position - 2].lower() if position >= 2 and value[position - 1] == "." else table
        if reckons and owner not in ("excluded", "new"):
            return True
    return value[:1] == ["NOT"] and value[1:2] == [column]


def _outside(tokens: list[str]) -> list[str]:
    """The tokens that stand in no bracket."""
    found: list[str] = []
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if depth == 0:
            found.append(token)
    return found


def _pairs(tokens: list[str]) -> set[tuple[str, str]]:
    return set(itertools.pairwise(tokens))


def _position(tokens: list[str], pair: tuple[str, str]) -> int:
    return next((at for at in range(len(tokens) - 1) if (tokens[at], tokens[at + 1]) == pair), len(tokens))


def _after(tokens: list[str], word: str) -> str:
    """The table named behind a word, without its schema, in lower case."""
    if word not in tokens:
        return ""
    at = tokens.index(word) + 1
    while at < len(tokens) and tokens[at] in _NOISE:
        at += 1
    name = ""
    while at < len(tokens) and (tokens[at][:1].isalpha() or tokens[at][:1] == "_"):
        name = tokens[at].lower()
        if tokens[at + 1 : at + 2] != ["."]:
            break
        at += 2
    return name
