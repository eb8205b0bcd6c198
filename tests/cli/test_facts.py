import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from stepcheck.cli import main

CODE = """\
import uuid
from tenacity import retry, stop_after_attempt


@retry(stop=stop_after_attempt(3))
def book(client, parcel):
    return client.post("/parcels", json=parcel, headers={"Idempotency-Key": str(uuid.uuid4())})


STEPS = {"book": {"effect": "non_idem_write", "call": book, "max_attempts": 1}}
"""


def test_facts_are_told_of_each_step_function_and_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(CODE, "utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["facts", "a.py"])
    assert result.exit_code == 0
    told = result.output.splitlines()
    assert told[:4] == [
        "10: table 'STEPS'",
        "  10: step 'book'",
        "    effect: non_idem_write (written)",
        "    call: 'book', function (written)",
    ]
    assert told[-5:] == [
        "6: function 'book'",
        "  7: 'client.post' is a non_idem_write (inferred from the body: it is a POST), its key is stable",
        "  2 harmless calls not shown",
        "  7: 'client.post' is begun again by 'tenacity.retry' (line 5, at most 3 attempts) after a lost answer, "
        "outcome unknown; its key is stable; nothing is asked in between",
        "  7: key 'Idempotency-Key' is made of 'uuid.uuid4', which is drawn anew each time (known), made anew by "
        "'tenacity.retry'",
    ]


CHECKOUT = """\
@app.post("/orders")
def checkout(request):
    if Order.objects.filter(key=request.json["key"]).exists():
        return
    result = square.charge(request.json["nonce"])
    note(result)
    Order.objects.create(key=request.json["key"], state="paid")
    log.info("done")
"""


def test_each_call_is_told_with_what_it_is_for_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(CHECKOUT, "utf-8")
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(main, ["facts", "a.py"]).output.splitlines()
    assert told[:8] == [
        "2: function 'checkout'",
        "  is a route, run by a client (line 1, inferred from the body)",
        "  3: 'Order.objects.filter' is a lookup of 'Order' (known: it goes by '*.objects.filter')",
        "  3: 'Order.objects.filter().exists' is a lookup of 'Order' (known: it goes by '*.objects.*.exists')",
        "  5: 'square.charge' is a non_idem_write (inferred from the name: 'charge' in its name), its key is opaque",
        "  6: 'note' is opaque: nothing tells what it does",
        "  7: 'Order.objects.create' is a record of 'Order', 'paid' (known: it goes by '*.objects.create')",
        "  1 harmless call not shown",
    ]
    every = CliRunner().invoke(main, ["facts", "--all", "a.py"]).output.splitlines()
    assert "  8: 'log.info' is harmless (inferred from the body: it computes, logs or counts)" in every


def test_the_same_is_told_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(CHECKOUT, "utf-8")
    monkeypatch.chdir(tmp_path)
    told = json.loads(CliRunner().invoke(main, ["facts", "--output-format", "json", "a.py"]).output)
    assert (told["version"], told["path"], told["tables"]) == (1, "a.py", [])
    checkout = next(one for one in told["functions"] if one["name"] == "checkout")
    assert checkout["runs"] == [
        {"role": "route", "who": "a client", "line": 1, "evidence": "inferred from the body"}
    ]
    assert [(call["name"], call["deed"], call["states"]) for call in checkout["calls"]] == [
        ("Order.objects.filter", "lookup", []),
        ("Order.objects.filter().exists", "lookup", []),
        ("square.charge", "write", []),
        ("note", "opaque", []),
        ("Order.objects.create", "record", ["paid"]),
        ("log.info", "harmless", []),
    ]
    assert all(set(fact) == {"function", "text"} for fact in told["facts"])


def test_a_function_beyond_the_budget_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(
        CODE + "\n\ndef long(client):\n" + "    client.post('/x')\n" * 251, "utf-8"
    )
    monkeypatch.chdir(tmp_path)
    line = CODE.count("\n") + 3
    text = CliRunner().invoke(main, ["facts", "a.py"]).output.splitlines()
    at = text.index("  not looked into: it calls too many things")
    assert text[at - 1] == f"{line}: function 'long'"
    told = json.loads(CliRunner().invoke(main, ["facts", "--output-format", "json", "a.py"]).output)
    assert told["not_looked_into"] == [{"name": "long", "line": line, "why": "it calls too many things"}]


def test_a_file_that_cannot_be_read_is_told_and_not_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("def (", "utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["facts", "a.py"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: a.py:1:5: it is not valid Python 3.")


def test_the_bodies_of_functions_are_read_unless_that_is_switched_off(tmp_path: Path) -> None:
    from stepcheck import engine
    from stepcheck.settings import Settings

    code = "import time\n\n\ndef order(client):\n    while True:\n        try:\n"
    code += "            return client.post('/orders')\n"
    code += (
        "        except Exception:  # stepcheck: ignore[salted-hash-key] -- read only where code is read\n"
    )
    (tmp_path / "a.py").write_text(code + "            time.sleep(1)\n", "utf-8")
    assert engine.run(Settings(root=tmp_path, code=False), ["."], cwd=tmp_path).findings == ()
    found = engine.run(Settings(root=tmp_path), ["."], cwd=tmp_path).findings
    assert {finding.rule for finding in found} >= {"unused-ignore"}
