"""What the user's configuration says of calls goes before everything else."""

from pathlib import Path

import pytest

from stepcheck import config, engine
from stepcheck.behaviour.calls import keys
from stepcheck.behaviour.calls.acts import acts
from stepcheck.behaviour.calls.effects import does
from stepcheck.behaviour.calls.own import own_table
from stepcheck.behaviour.context import study
from stepcheck.behaviour.repeating.additions import additions
from stepcheck.code.flow import Call, read_flows
from stepcheck.facts import Evidence, KeyState
from stepcheck.settings import UsageError

CALLS = {
    "*.notary.stamp": {"effect": "non_idem_write"},
    "shop.pay.settle_up": {"effect": "non_idem_write"},
    "billing.total": {"effect": "read"},
    "*.first_time": {"effect": "idem_write", "claims": True},
    "audit.note": {"effect": "idem_write", "rows": True},
    "shop.mail.send_nothing": {"effect": "read"},
}


def told(text: str, path: str = "src/shop/pay.py") -> list[tuple[str, str, str]]:
    """Each call of the file's functions with what it is for and what that rests on."""
    context = study(read_flows(path, text.encode()), own_table(CALLS))
    return [
        (act.name, act.deed.value, act.evidence.value)
        for flow in context.file.flows[1:]
        for act in acts(context, flow)
    ]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("notary.stamp(x)", "write"),
        ("self.notary.stamp(x)", "write"),
        ("billing.total(x)", "asks"),
        ("events.first_time(x)", "claim"),
        ("audit.note(x)", "record"),
    ],
)
def test_a_call_is_told_by_the_name_it_is_written_with(call: str, expected: str) -> None:
    name = call.partition("(")[0]
    assert told(f"def f(x):\n    {call}\n") == [(name, expected, "declared")]


def test_a_function_of_the_same_file_goes_by_its_dotted_path_from_any_root() -> None:
    text = "def settle_up(x): ...\ndef f(x):\n    settle_up(x)\n"
    assert told(text) == [("settle_up", "write", "declared")]
    assert told(text, "other/pay.py") == []


def test_an_imported_function_goes_by_where_it_comes_from() -> None:
    absolute = "from shop.mail import send_nothing\ndef f(x):\n    send_nothing(x)\n"
    relative = "from .mail import send_nothing as quiet\ndef f(x):\n    quiet(x)\n"
    assert told(absolute) == [("send_nothing", "asks", "declared")]
    assert told(relative) == [("quiet", "asks", "declared")]


def test_only_what_is_done_once_more_is_an_effect() -> None:
    context = study(
        read_flows("a.py", b"def f(x):\n    notary.stamp(x)\n    billing.total(x)\n"), own_table(CALLS)
    )
    flow = context.file.flows[1]
    found = [does(context, flow, one) for _, one in flow.points() if isinstance(one, Call)]
    assert [made and (made.evidence, made.why) for made in found] == [
        (Evidence.DECLARED, "the configuration says so"),
        None,
    ]


def test_an_entry_of_the_configuration_makes_a_finding(tmp_path: Path) -> None:
    (tmp_path / "stepcheck.toml").write_text('code = true\n[calls]\n"*.notary.stamp" = "non_idem_write"\n')
    text = (
        "import requests\n@retry(stop=stop_after_attempt(3))\ndef send(deed):\n"
        "    api.notary.stamp(deed, timeout=5)\n    requests.post(deed)\n"
    )
    (tmp_path / "a.py").write_text(text)
    file = config.find([str(tmp_path)], tmp_path)
    assert file is not None
    settings = config.load(file, tmp_path)
    _, behaviour = engine.believed(settings, "a.py", cwd=tmp_path)
    assert behaviour is not None
    (function,) = behaviour.functions
    assert next((call.name, call.why) for call in function.calls) == (
        "api.notary.stamp",
        "the configuration says so",
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '"a.b" = "wrote"',
            '\'effect\' in [calls] must be "read", "idem_write" or "non_idem_write", not \'wrote\'',
        ),
        ('"a.b" = {effect = "read", kye = "x"}', "unknown key 'kye' in [calls]; did you mean 'key'?"),
        ('"a.b" = {effect = "read", claims = 3}', "'claims' in [calls] must be true or false, not 3"),
    ],
)
def test_a_mistake_in_an_entry_is_told_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "stepcheck.toml"
    file.write_text(f"code = true\n[calls]\n{line}\n")
    with pytest.raises(UsageError) as raised:
        config.load(file, tmp_path)
    assert str(raised.value) == f"stepcheck.toml:3: {message}"


@pytest.mark.parametrize(
    ("given", "expected"),
    [("mark=order.id", KeyState.STABLE), ("mark=None", KeyState.ABSENT), ("", KeyState.ABSENT)],
)
def test_the_argument_that_is_said_to_be_the_key_is_one(given: str, expected: KeyState) -> None:
    own = own_table({"notary.stamp": {"effect": "non_idem_write", "key": "mark"}})
    context = study(read_flows("a.py", f"def f(order):\n    notary.stamp({given})\n".encode()), own)
    flow = context.file.flows[1]
    point, call = context.calls(flow)[0]
    assert keys.state(context, flow, call, point) is expected


@pytest.mark.parametrize(
    ("calls", "given", "found"),
    [
        ({}, "stream, row", ["xadd"]),
        ({"*.xadd": {"effect": "idem_write"}}, "stream, row", []),
        ({"*.xadd": {"effect": "non_idem_write", "key": "id"}}, "stream, row, id=row.number", []),
        ({"*.xadd": {"effect": "non_idem_write", "key": "id"}}, "stream, row", ["xadd"]),
    ],
)
def test_what_the_configuration_says_of_a_call_is_heard_about_additions(
    calls: dict[str, dict[str, object]], given: str, found: list[str]
) -> None:
    text = f"import redis\nr = redis.Redis()\ndef f(stream, row):\n    r.xadd({given})\n"
    context = study(read_flows("a.py", text.encode()), own_table(calls))
    assert [one.name.rpartition(".")[2] for one in additions(context, context.file.flows[1])] == found
