"""Generated tables, read back: the facts are those that were written."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from stepcheck.analysis.project import Project
from stepcheck.facts import Effect
from stepcheck.frontends import TableOptions, literal_tables
from stepcheck.frontends._evidence import QUESTIONS

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6).filter(
    lambda name: name not in QUESTIONS
)
FIELDS = st.fixed_dictionaries(
    {"effect": st.sampled_from(["idem_write", "non_idem_write"])},
    optional={
        "retryable": st.booleans(),
        "max_attempts": st.integers(1, 9),
        "timeout": st.integers(1, 90),
        "identity": st.lists(st.sampled_from("abc"), unique=True),
        "on_uncertain": st.sampled_from(["query", "human"]),
    },
)
TABLES = st.dictionaries(NAMES, FIELDS, min_size=1, max_size=5)


def written(value: object, draw: st.DataObject) -> str:
    """A value in one of the ways Python can write it, with blanks of any kind where they mean nothing."""
    blank = draw.draw(st.sampled_from(["", " ", "\t", "\n", "  # é\n", "\f"]))
    if isinstance(value, dict):
        pairs = [(written(key, draw), written(inner, draw)) for key, inner in value.items()]
        if draw.draw(st.booleans()) and all(isinstance(key, str) and key.isidentifier() for key in value):
            inside = ", ".join(f"{key}={text}" for key, (_, text) in zip(value, pairs, strict=True))
            return f"dict({blank}{inside})" if not any(map(is_keyword, value)) else literal(pairs, blank)
        return literal(pairs, blank)
    if isinstance(value, list):
        items = [written(item, draw) for item in value]
        return (
            f"[{blank}{', '.join(items)}]"
            if draw.draw(st.booleans())
            else f"({''.join(i + ',' for i in items)})"
        )
    if isinstance(value, str) and len(value) > 1 and draw.draw(st.booleans()):
        return f"({value[:1]!r}{blank} {value[1:]!r})"
    return repr(value)


def literal(pairs: list[tuple[str, str]], blank: str) -> str:
    return "{" + blank + ", ".join(f"{key}{blank}: {text}" for key, text in pairs) + "}"


def is_keyword(name: str) -> bool:
    import keyword
    import unicodedata

    return keyword.iskeyword(name) or unicodedata.normalize("NFKC", name) != name


@given(TABLES, st.data())
@settings(max_examples=150, deadline=None)
def test_a_generated_table_is_read_as_it_was_written(model, data):
    source = f"S = {written(model, data)}\n"
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder))
        module = project.read("s.py", source.encode())
        [table] = literal_tables.FRONTEND.tables(module, project, TableOptions())
    assert [step.name for step in table.steps] == list(model)
    lines = source.replace("\r", "\n").split("\n")
    for step, fields in zip(table.steps, model.values(), strict=True):
        assert step.effect.value is Effect(fields["effect"])
        assert step.retryable.value == fields.get("retryable")
        assert step.max_attempts.value == fields.get("max_attempts")
        timeout = step.timeout.value.length.total_seconds() if step.timeout.written else None
        assert timeout == fields.get("timeout")
        identity = [word.text for word in step.identity.value] if step.identity.written else None
        assert identity == fields.get("identity")
        assert step.on_uncertain.value == fields.get("on_uncertain")
        assert (step.unknown_fields, step.repeated_fields, step.open) == ((), (), False)
        place = step.max_attempts.span
        if step.max_attempts.written:
            text = lines[place.line - 1][place.column - 1 : place.end_column - 1]
            assert text == str(fields["max_attempts"])
    assert (table.repeated, table.open) == ((), False)
