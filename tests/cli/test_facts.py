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
    assert told[-4:] == [
        "6: function 'book'",
        "  7: 'client.post' is a non_idem_write (inferred from the body: it is a POST), its key is stable",
        "  7: 'client.post' is begun again by 'tenacity.retry' (line 5, at most 3 attempts) after a lost answer, "
        "outcome unknown; its key is stable; nothing is asked in between",
        "  7: key 'Idempotency-Key' is made of 'uuid.uuid4', which is drawn anew each time (known), made anew by "
        "'tenacity.retry'",
    ]


def test_a_file_that_cannot_be_read_is_told_and_not_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("def (", "utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["facts", "a.py"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: a.py: it is not valid Python 3.")


def test_the_bodies_of_functions_are_read_when_asked_for(tmp_path: Path) -> None:
    from stepcheck import engine
    from stepcheck.settings import Settings

    code = "import time\n\n\ndef order(client):\n    while True:\n        try:\n"
    code += "            return client.post('/orders')\n"
    code += (
        "        except Exception:  # stepcheck: ignore[salted-hash-key] -- read only where code is read\n"
    )
    (tmp_path / "a.py").write_text(code + "            time.sleep(1)\n", "utf-8")
    assert engine.run(Settings(root=tmp_path), ["."], cwd=tmp_path).findings == ()
    found = engine.run(Settings(root=tmp_path, code=True), ["."], cwd=tmp_path).findings
    assert {finding.rule for finding in found} >= {"unused-ignore"}
