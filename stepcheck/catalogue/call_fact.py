"""What is known of one call: what repeating it does, which key it takes, how to ask and how to undo."""

from dataclasses import dataclass
from enum import StrEnum

from stepcheck.facts import Duration, Effect, Evidence


class Place(StrEnum):
    """Where the key of a call is written."""

    KEYWORD = "keyword"
    """An argument of the call itself."""
    HEADER = "header"
    """An entry of `headers=`."""
    OPTIONS = "options"
    """An entry of a dict of options that is handed over."""
    BODY = "body"
    """A field of what is sent."""
    MESSAGE = "message"
    """A property of the message object."""
    MODEL = "model"
    """The primary key, or a unique column, that the caller sets."""
    DOCUMENT = "document"
    """A field of the document, such as `_id`."""
    CLIENT = "client"
    """A setting of the client: it covers the client's own retries only."""
    BUILDER = "builder"
    """A call in the chain before: `task.kicker().with_task_id(...)`."""
    PATH = "path"
    """A part of the address."""
    CONTEXT = "context"
    """A context manager around the call."""


class Repeat(StrEnum):
    """What a repeat of a call that is already done answers."""

    ERROR = "error"
    """The state is right, and the repeat raises."""
    NOOP = "noop"
    """The repeat says that there was nothing to do."""


@dataclass(frozen=True, slots=True)
class Key:
    """The idempotency key that a call takes."""

    name: str
    """Nothing for a unique column, whose name the schema knows."""
    place: Place
    effect: Effect
    """The class of the call once a key that stays the same over re-runs is passed."""
    autofill: bool = False
    """The client makes a fresh key for every call: that protects its own retries, not a step that is re-run."""
    window: Duration | None = None
    """How long the other side remembers the key; None where that is not known or for ever."""
    required: bool = False
    """The call cannot be made without it."""


@dataclass(frozen=True, slots=True)
class CallFact:
    """What is known of a call with the arguments it has."""

    name: str
    """The entry that tells it: a qualified name, `*` for one or more segments."""
    kind: str
    """`http`, `sql`, `orm`, `payment`, `email`, ...: one of `KINDS`."""
    effect: Effect
    """What repeating the same call does when no key is passed."""
    settled: bool
    """The arguments that the class depends on were seen; otherwise it is the class in doubt."""
    why: str
    """What of the arguments decided it ("the SQL is an INSERT"), or nothing."""
    evidence: Evidence
    source: str
    """The address of a document, or the name of what was judged."""
    checked: str
    """The package and version in which the call was seen, `inferred`, or nothing."""
    key: Key | None = None
    repeat: Repeat | None = None
    lookup: tuple[str, ...] = ()
    """Names of calls that tell whether it happened."""
    undo: tuple[str, ...] = ()
    """Names of calls that make up for it."""
    client: str = ""
    """The client whose own retries go around it: a name that `client` knows."""
    additive: bool = False
    """Each repeat adds to what the last one left."""
    claims: bool = False
    """A second one does nothing: the first one wins."""
    bound: str = ""
    """The parameter without which nothing bounds its time; empty for a call with a time limit of its own."""
    note: str = ""

    @property
    def local(self) -> bool:
        """Whether a database transaction takes it back."""
        return self.kind in ("sql", "orm")


KINDS = frozenset(
    [
        "http",
        "sql",
        "orm",
        "mongo",
        "redis",
        "queue",
        "enqueue",
        "email",
        "chat",
        "sms",
        "push",
        "payment",
        "scm",
        "tracker",
        "crm",
        "doc",
        "calendar",
        "alert",
        "file",
        "process",
        "infra",
        "aws",
        "gcp",
        "azure",
        "search",
        "vector",
        "llm",
        "workflow",
        "data",
    ]
)
"""What a call can be about."""
