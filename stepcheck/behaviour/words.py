"""Words of names that tell what a call does, what an exception means, and what is a key: the last resort."""

from collections.abc import Iterable
from functools import lru_cache

from stepcheck.catalogue import exceptions, verbs
from stepcheck.catalogue.names import words
from stepcheck.facts import Outcome

KEYS = frozenset(
    {
        "idempotency key", "idempotency token", "idempotency id", "idempotent key", "idempotence key",
        "x idempotency key", "client token", "client request token", "client order id", "client oid",
        "new client order id", "orig client order id", "clord id", "dedup id", "dedup key", "dedupe id",
        "dedupe key", "deduplication id", "deduplication key", "message deduplication id", "request token",
        "row ids", "insert id", "x idempotency", "idempotency", "caller reference", "creation token",
        "paypal request id", "pay pal request id",
    }
)  # fmt: skip
"""Names of what carries an idempotency key, as words."""
ACCEPTED = frozenset(
    {"idempotency key", "idempotency token", "idempotency id", "idempotent key", "idempotence key"}
    | {"client token", "client request token", "dedup id", "dedup key", "dedupe id", "dedupe key"}
    | {"deduplication id", "deduplication key", "message deduplication id", "request token"}
)
"""Names of parameters that take nothing else."""
JOBS = frozenset({"job id", "task id", "message id"})
"""Names of ids that are keys where they are derived."""

_WRITES = frozenset(
    {
        "create", "send", "submit", "place", "charge", "pay", "refund", "transfer", "publish", "insert",
        "enqueue", "notify", "dispatch", "invite", "order", "purchase", "capture", "payout", "withdraw",
        "deposit", "checkout", "provision", "broadcast", "email",
    }
)  # fmt: skip
"""First words of names of what is done once more when it is called once more."""
_READS = frozenset(
    {
        "find", "query", "lookup", "exists", "status", "retrieve", "describe", "reconcile", "search",
        "confirm", "verify", "check", "is", "has", "already", "was", "list", "fetch", "recover", "resolve",
        "reread", "refetch", "reload", "refresh",
    }
)  # fmt: skip
_CLAIMS = frozenset({"claim", "acquire", "lock", "reserve", "setnx", "dedupe", "dedup", "deduplicate"})
_ANSWERS = frozenset({"get", "load", "read", "select", "poll"})
"""As a first word with another behind it: `get_order`; alone it is any dict's."""
_CLIENTS = frozenset(
    {
        "client", "session", "http", "httpx", "requests", "api", "rest", "exchange", "mailer", "sdk",
        "gateway", "stripe", "twilio", "slack", "smtp", "broker", "producer", "publisher", "sender",
        "service", "svc", "webhook", "provider", "bot", "sns", "sqs", "ses", "hypervisor",
        "paypal", "braintree", "adyen", "sendgrid", "mailgun", "notifier", "wallet",
    }
)  # fmt: skip
_VERBS = frozenset({"post", "patch"})
_RETRIES = frozenset({"retry", "retries", "retrying", "retryable", "retrier", "backoff"})
_ATTEMPTS = frozenset({"attempt", "attempts", "retry", "retries", "try", "tries", "trial"})
_PAUSES = frozenset({"sleep", "wait", "pause", "backoff", "delay"})

_NOT_SENT = (
    ("connect", "error"), ("connect", "timeout"), ("connection", "refused"), ("pool", "timeout"), ("gaierror",),
    ("name", "resolution"), ("new", "connection"), ("client", "connector"), ("dns",), ("proxy", "error"),
    ("not", "connected"), ("host", "unreachable"), ("connector", "error"),
)  # fmt: skip
_REFUSED = frozenset(
    {
        "rate", "ratelimit", "ratelimited", "throttle", "throttled", "throttling", "throttler", "flood",
        "many", "quota", "busy", "validation", "invalid", "found", "missing", "integrity", "unique", "duplicate",
        "exists", "conflict", "locked", "lock", "auth", "authentication", "authorization", "unauthorized",
        "expired", "forbidden", "denied", "permission", "value", "key", "type", "attribute", "index", "parse",
        "decode", "json", "unicode", "syntax", "deadlock", "serialization", "declined", "insufficient", "nonce",
        "concurrency", "stale", "slow", "limited", "exceeded", "assertion", "keyboard", "stop", "full", "empty",
        "cancelled", "exit", "eof", "version", "precondition", "closed",
    }
)  # fmt: skip
_UNKNOWN = frozenset(
    {
        "timeout", "timeouts", "timedout", "timed", "network", "reset", "aborted", "disconnected", "disconnect",
        "unavailable", "server", "transport", "gateway", "internal", "protocol", "transient", "unreachable",
    }
)  # fmt: skip
_BROAD = frozenset(
    {
        "Exception", "BaseException", "OSError", "IOError", "RequestException", "HTTPError", "ClientError",
        "ConnectionError", "RequestError", "APIError", "ApiError", "SMTPException", "HttpError", "URLError",
        "BotoCoreError", "StripeError", "GoogleAPICallError", "APIConnectionError", "TelegramError",
        "HTTPException", "EnvironmentError", "SSLError", "socket.error", "ChunkedEncodingError", "ReadError",
        "RemoteDisconnected", "IncompleteRead", "ApiException", "KafkaError", "RedisError", "WebSocketException",
    }
)  # fmt: skip
_WORST = (Outcome.UNKNOWN, Outcome.OPAQUE, Outcome.REFUSED, Outcome.NOT_SENT)
_CHECKED = frozenset({"ConnectionRefusedError", "FileNotFoundError"})


@lru_cache(4096)
def spaced(name: str) -> str:
    """The words of a name with a space between them."""
    return " ".join(words(name))


def is_key(name: str) -> bool:
    """Whether something of that name carries an idempotency key."""
    return spaced(name) in KEYS


def mentions_key(name: str) -> bool:
    """Whether the name has to do with keys or ids of requests."""
    found = set(words(name))
    return (
        is_key(name)
        or any(word.startswith(("idempot", "dedup")) for word in found)
        or {"request", "id"} <= found
        or ({"client", "id"} <= found and bool(found & {"order", "msg", "message"}))
        or found >= {"unique", "key"}
        or bool(found & {"nonce", "cid", "uid"})
    )


def last(name: str) -> str:
    """The last name of a dotted one."""
    return name.removesuffix("()").rpartition(".")[2]


def retries(name: str) -> bool:
    """Whether something of that name calls again what it is given or put around."""
    found = words(last(name))
    ends = {
        "if",
        "state",
        "policy",
        "config",
        "error",
        "exception",
        "after",
        "count",
        "callback",
        "exhausted",
    }
    return bool(_RETRIES.intersection(found)) and not ends.intersection(found)


def attempts(name: str) -> bool:
    """Whether a variable of that name counts attempts."""
    return bool(_ATTEMPTS.intersection(words(name)))


def pauses(name: str) -> bool:
    """Whether a call of that name waits."""
    return bool(_PAUSES.intersection(words(last(name))))


def asks(name: str) -> bool:
    """Whether a call of that name asks whether something is there, or claims it."""
    found = words(last(name))
    if not found or "log" in found:
        return False
    if found[0] in _ANSWERS:
        return len(found) > 1 and not {"logger", "event", "loop", "env", "attr", "item"} & set(found)
    return (
        found[0] in _READS or bool(_CLAIMS.intersection(found)) or bool({"exists", "existing"} & set(found))
    )


def writes(name: str) -> str:
    """The word by which a call of that name does something again when it is called again, or nothing."""
    found = words(last(name))
    if not found or found[0] not in _WRITES or last(name)[:1].isupper() or last(name).startswith("__"):
        return ""
    if verbs.here().intersection(found[1:]) or len(found) > 5:
        return ""
    return found[0]


def client(name: str) -> bool:
    """Whether something of that name speaks with the outside."""
    return bool(_CLIENTS.intersection(words(last(name))))


def posts(name: str) -> bool:
    """Whether a method of that name is an HTTP verb that a repeat does once more."""
    return last(name) in _VERBS


def outcome(exception: str) -> Outcome:
    """What an exception of that name tells of the call that raised it."""
    if not exception:
        return Outcome.OPAQUE
    known = exceptions.exception(exception)
    if known is not None and known.outcome is not Outcome.OPAQUE:
        return known.outcome
    name = last(exception.removeprefix("?"))
    found = words(name)
    if name in _CHECKED or any(set(these) <= set(found) for these in _NOT_SENT):
        return Outcome.NOT_SENT
    if name in _BROAD:
        return Outcome.UNKNOWN
    if _REFUSED.intersection(found):
        return Outcome.REFUSED
    if _UNKNOWN.intersection(found) or ("connection" in found):
        return Outcome.UNKNOWN
    return Outcome.OPAQUE


def worst(names: Iterable[str]) -> Outcome:
    """The outcome that leaves most open among those of the exceptions."""
    found = {outcome(name) for name in names}
    return next((one for one in _WORST if one in found), Outcome.OPAQUE)
