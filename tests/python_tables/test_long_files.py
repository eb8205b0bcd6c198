"""Files of thousands of steps: what is asked of names grows with the file, not with its square."""

from collections import Counter

import pytest

from stepcheck.analysis import evaluate, found, names
from stepcheck.analysis.project import Project
from stepcheck.frontends import TableOptions, called_steps, literal_tables

WRITE = '{"effect": "non_idem_write", "call": pay}'
MANY = 300


@pytest.fixture
def counted(monkeypatch):
    """How often names are followed, values evaluated and words compared."""
    counts = Counter()

    def count(module, name):
        real = getattr(module, name)

        def counting(*arguments, **keywords):
            counts[name] += 1
            return real(*arguments, **keywords)

        monkeypatch.setattr(module, name, counting)

    count(evaluate, "_name")
    count(evaluate, "_same")
    count(names, "_meaning")
    count(found, "_ratio")
    return counts


@pytest.mark.parametrize(
    "line",
    [
        'STEPS["a"]["k{n}"] = {n}',
        'STEPS["a"] = {{**STEPS["a"], "j{n}": {n}}}',
        'STEPS["s{n}"] = WRITE',
        'STEPS |= {{"s{n}": WRITE}}',
        'STEPS_{n} = {{**STEPS, "s{n}": WRITE}}',
        's{n} = Step("s{n}", effect="non_idem_write", call=pay_{n})',
    ],
)
def test_names_are_followed_a_few_times_a_line(tmp_path, counted, line):
    lines = [line.format(n=number).replace("WRITE", WRITE) for number in range(MANY)]
    text = "def pay(): ...\nSTEPS = {'a': " + WRITE + "}\n" + "\n".join(lines) + "\n"
    (tmp_path / "steps.py").write_text(text)
    project = Project(tmp_path)
    module = project.module("steps.py")
    for form in (literal_tables, called_steps):
        assert form.FRONTEND.tables(module, project, TableOptions()) or form is called_steps
    assert counted.total() < 20 * MANY


def test_a_chain_of_tables_is_followed_once_a_link(tmp_path, counted):
    links = [f'S{n} = {{**S{n - 1}, "s{n}": {WRITE}}}' for n in range(1, MANY)]
    (tmp_path / "steps.py").write_text(f"def pay(): ...\nS0 = {{'a': {WRITE}}}\n" + "\n".join(links))
    project = Project(tmp_path)
    tables = literal_tables.FRONTEND.tables(project.module("steps.py"), project, TableOptions())
    assert [len(table.steps) for table in tables] == [1] * MANY
    assert counted.total() < 20 * MANY
    assert [table.open for table in tables] == [False] * 102 + [True] * (MANY - 102)
