"""The hashes of a step: its idempotency key, the hash of its input, the key of its business identity."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from stepcheck.executor.canonical import CanonicalError, dump, tag

KEY_SCHEME = "stepcheck-key/1"
INPUT_SCHEME = "stepcheck-input/1"
BUSINESS_SCHEME = "stepcheck-business/1"
COMPENSATION_SCHEME = "stepcheck-compensation/1"


def idempotency_key(
    task_id: str,
    step_path: str,
    params: Mapping[str, object],
    *,
    identity: tuple[str, ...] = (),
    volatile: tuple[str, ...] = (),
) -> str:
    """Return the key of one step at one address: the same for every attempt and after every restart.

    The params named in `identity` go in; without such a list, all but those in `volatile`. Every part is
    typed and separate, so that no two addresses can meet in one key. Raises CanonicalError for a param
    outside the closed domain and for one that `identity` names and `params` lacks.
    """
    return _hash([KEY_SCHEME, task_id, step_path, _fields(params, identity, volatile)])


def input_hash(step_name: str, params: Mapping[str, object], *, volatile: tuple[str, ...] = ()) -> str:
    """Return the hash that tells whether an address is asked for the same step with the same params again."""
    return _hash([INPUT_SCHEME, step_name, _fields(params, (), volatile)])


def business_key(step_name: str, params: Mapping[str, object], identity: tuple[str, ...]) -> str | None:
    """Return the key of the same action in every step and task, None without an identity."""
    if not identity:
        return None
    return _hash([BUSINESS_SCHEME, step_name, _fields(params, identity, ())])


def compensation_key(forward_key: str) -> str:
    """Return the key of the compensation of the step that `forward_key` belongs to."""
    return _hash([COMPENSATION_SCHEME, forward_key])


def _fields(
    params: Mapping[str, object], identity: Iterable[str], volatile: tuple[str, ...]
) -> list[list[object]]:
    names = sorted(set(identity)) or sorted(name for name in params if name not in volatile)
    for name in names:
        if name not in params:
            raise CanonicalError(
                f"params.{name}", "is named in 'identity', and the params have no such field"
            )
    return [[name, *tag(params[name], f"params.{name}")] for name in names]


def _hash(material: list[object]) -> str:
    return sha256(dump(material)).hexdigest()
