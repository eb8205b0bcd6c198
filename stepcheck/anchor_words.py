"""Words of names by which a function is looked at, and what each says: wider than what rules make of them."""

import re
from functools import lru_cache
from itertools import pairwise

(
    WRITE, WEAK, CAUSE, RETRY, KEY, SURROUND, RECORDS, UNDO, ROLE, CURSOR, HISTORY, SEQUENCE, RUNS, SCHEDULES, SERVES,
    RESULT, MADE,
) = (1 << bit for bit in range(17))  # fmt: skip
ACTS = WRITE | WEAK
"""What a call may do outside; said of names that are called only."""

_HUMP = re.compile(rb"(?<=[a-z0-9])(?=[A-Z])")
_FIRST = {
    WRITE: (
        b"create send submit place charge pay refund transfer publish insert enqueue notify dispatch invite order"
        b" purchase capture payout withdraw deposit checkout provision broadcast email post patch request delay"
        b" sms deliver debit credit disburse mint mail announce buy sell ship book reserve redeem produce urlopen"
        b" award grant deduct launch trigger invoke bulk put_item kickoff index incr lpush rpush xadd sendmail"
    ),
    WEAK: (
        b"add push execute executemany increment decrement decr spawn toggle upload write save update upsert delete"
        b" remove commit put issue emit signal append"
    ),
}
"""First words of the names of calls: of such as do something outside, and of such as may."""
_WORDS = {
    CAUSE: (
        b"except finally suppress claim claimed processed exists existing seen compensate compensation compensations"
        b" saga interrupt elicit outbox inbox atomic begin transaction transactional savepoint acks messages"
        b" uncertain doubt unconfirmed indeterminate thread defer reattach"
    ),
    RECORDS: (
        b"save commit insert update delete execute put setex mark record records upsert journal ledger"
        b" create merge sadd hset nx setnx conflict integrity unique"
    ),
    UNDO: b"compensate compensation compensations undo rollback revert unwind refund reverse void revoke",
    ROLE: b"webhook webhooks consumer consume acks subscriber subscribe",
    RETRY: b"retry retries retrying retried retryable retrier attempt attempts tries backoff tenacity stamina sleep",
    KEY: (
        b"idempotency idempotent idempotence idempotently idempotencykey dedup dedupe deduplication deduplicate"
        b" deduplicationid dedupid clienttoken clientrequesttoken clientorderid nx setnx idem"
    ),
    CURSOR: b"offset cursor since checkpoint watermark bookmark last after token position latest newest",
    HISTORY: b"log ledger journal event events history step steps entries messages calls rows records",
    SEQUENCE: b"seq step no",
    RUNS: b"task run",
    RESULT: b"result results output outputs response responses done answered completed finished",
    MADE: (
        b"uuid uuid1 uuid4 time now utcnow today random randint choice hash dumps md5 sha1 sha256 hexdigest timestamp"
        b" urandom token_hex nanoid ulid objectid timeout"
    ),
}
"""Words anywhere in a name."""
_NAMES = {
    SURROUND: (
        b"boto3 botocore redis aioredis slack_sdk jira pubsub_v1 azure dramatiq elasticsearch opensearchpy Github"
        b" allowed_methods method_whitelist dbos DBOS entrypoint execute_activity start_activity ToolRetryMiddleware"
    ),
    SCHEDULES: (
        b"scheduler sched cron jobs Scheduler BackgroundScheduler AsyncIOScheduler Thread Timer create_task"
        b" ensure_future schedule"
    ),
    KEY: b"input_schema inputSchema tool_call tool_calls tool_call_id tool_use tool_use_id function_tool",
    SERVES: (
        b"Flask FastAPI AppConfig Starlette Quart Sanic create_app make_app get_wsgi_application get_asgi_application"
        b" Litestar Dash"
    ),
}
"""Whole names."""
_BY_NAME = {name: flag for flag, names in _NAMES.items() for name in names.split()}
_PAIRS = frozenset(
    {
        (b"client", b"token"), (b"client", b"order"), (b"request", b"token"), (b"row", b"ids"), (b"insert", b"id"),
        (b"client", b"oid"), (b"caller", b"reference"), (b"creation", b"token"),
    }
)  # fmt: skip
"""Words next to each other in the name of a key."""
_LOCAL = frozenset(
    (
        b"future connection session socket thread process server client pool engine tempfile directory dir "
        b"folder file dirs table tables index db database signal context header headers bytes parser logger "
        b"loop event window widget model object instance app default spec config schema indexes bucket topic "
        b"topics queue namespace collection heartbeat ping keepalive ack keys text mock backup link symlink "
        b"venv env tunnel channel transport stream tree node plan subprocess unix datagram endpoint worker "
        b"cursor view driver browser page executor signature response metric metrics telemetry stats by "
        b"listener lock "
    ).split()
)
"""Words behind the first one that make it something of this process."""
_BY_FIRST = {word: flag for flag, words in _FIRST.items() for word in words.split()}


_PLAIN_NAMES = frozenset({b"log", b"step", b"event", b"messages", b"rows"})


def _by_word() -> dict[bytes, int]:
    made: dict[bytes, int] = {}
    for flag, words in _WORDS.items():
        for word in words.split():
            made[word] = made.get(word, 0) | flag
    return made


_BY_WORD = _by_word()


@lru_cache(300_000)
def flags(name: bytes) -> int:
    """What a name says."""
    lower = name.lower()
    parts = (_HUMP.sub(b"_", name).lower() if lower != name else lower).strip(b"_").split(b"_")
    made = _BY_FIRST.get(parts[0], 0) | _BY_NAME.get(name, 0)
    if made & WRITE and (name[:1].isupper() or not _LOCAL.isdisjoint(parts[1:])):
        made = made & ~WRITE | WEAK
    for part in parts:
        made |= _BY_WORD.get(part, 0)
    if name in _PLAIN_NAMES:
        made &= ~HISTORY
    if len(parts) > 1 and any(pair in _PAIRS for pair in pairwise(parts)):
        made |= KEY
    return made
