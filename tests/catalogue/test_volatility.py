"""Which values change from attempt to attempt."""

import pytest

from stepcheck.catalogue.volatility import Scope, of_name, source
from stepcheck.facts import Change, Evidence


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("uuid.uuid4", Change.RANDOM),
        ("uuid.uuid4()", Change.RANDOM),
        ("?uuid4", Change.RANDOM),
        ("secrets.token_hex", Change.RANDOM),
        ("random.Random.random", Change.RANDOM),
        ("time.time", Change.CLOCK),
        ("datetime.datetime.utcnow", Change.CLOCK),
        ("?datetime.now", Change.CLOCK),
        ("django.utils.timezone.now", Change.CLOCK),
        ("self.request.retries", Change.ATTEMPT),
        ("temporalio.activity.info().attempt", Change.ATTEMPT),
        ("ti.try_number", Change.ATTEMPT),
        ("context.aws_request_id", Change.REQUEST),
        ("ctx.tool_call_id", Change.REQUEST),
        ("user.access_token", Change.CREDENTIAL),
        ("builtins.hash", Change.SALTED),
    ],
)
def test_a_source_of_change_is_known(name: str, change: Change) -> None:
    found = source(name)
    assert found is not None
    assert found.change is change


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("uuid.uuid5", Scope.BUSINESS),
        ("hashlib.sha256", Scope.BUSINESS),
        ("self.request.id", Scope.STEP),
        ("dbos.DBOS.workflow_id", Scope.STEP),
        ("temporalio.activity.info().workflow_run_id", Scope.RUN),
        ("dagster.context.run_id", Scope.RUN),
    ],
)
def test_what_stays_the_same_is_known_with_how_long(name: str, scope: Scope) -> None:
    found = source(name)
    assert found is not None
    assert (found.change, found.scope) == (None, scope)


@pytest.mark.parametrize(
    "name", ["order.id", "row.created_at", "order.tries", "user.public_token", "mine.uuid4"]
)
def test_a_stored_value_is_no_source(name: str) -> None:
    assert source(name) is None


def test_an_attribute_told_by_its_name_says_so() -> None:
    by_name, by_path = source("ti.try_number"), source("uuid.uuid4")
    assert by_name is not None and by_path is not None
    assert (by_name.evidence, by_path.evidence) == (Evidence.NAME, Evidence.KNOWN)


@pytest.mark.parametrize(
    ("name", "change"),
    [("attempt", Change.ATTEMPT), ("now", Change.CLOCK), ("nonce", Change.RANDOM), ("trace_id", Change.REQUEST),
     ("access_token", Change.CREDENTIAL)],
)  # fmt: skip
def test_the_name_of_a_parameter_suggests_its_change(name: str, change: Change) -> None:
    found = of_name(name)
    assert found is not None
    assert (found.change, found.evidence) == (change, Evidence.NAME)


def test_most_names_suggest_nothing() -> None:
    assert [
        name for name in ("order_id", "amount", "created_at", "correlation_id", "token") if of_name(name)
    ] == []
