"""Declarations against bodies: every snippet of the tables is found by its rule, or by none of the family."""

import pytest

from stepcheck.behaviour import declaring
from stepcheck.facts import Evidence
from tests.behaviour.families import problems, snippets

RULES = ("understated-effect", "write-behind-get")
SNIPPETS = snippets("declaring")


@pytest.mark.parametrize(
    ("wanted", "text"),
    [(wanted, text) for wanted, _, text in SNIPPETS],
    ids=[head for _, head, _ in SNIPPETS],
)
def test_a_snippet_is_found_by_its_rule_and_a_lookalike_by_none(wanted: str, text: str) -> None:
    found = {name for name, _ in problems(text, declaring.facts, RULES)}
    assert (wanted in found) if wanted != "quiet" else not found, found


@pytest.mark.parametrize("rule", RULES)
def test_there_are_enough_snippets_of_each_rule(rule: str) -> None:
    assert sum(wanted == rule for wanted, _, _ in SNIPPETS) >= 8


@pytest.mark.parametrize(
    ("hint", "body", "found"),
    [
        ("readOnlyHint=True", "httpx.post('https://x.test/notes', json=note)", True),
        ("readOnlyHint=True", "httpx.put('https://x.test/notes/1', json=note)", True),
        ("readOnlyHint=True", "httpx.get('https://x.test/notes/1')", False),
        ("readOnlyHint=False", "httpx.post('https://x.test/notes', json=note)", False),
        ("idempotentHint=True", "httpx.post('https://x.test/notes', json=note)", True),
        ("idempotentHint=True", "httpx.put('https://x.test/notes/1', json=note)", False),
        (
            "idempotentHint=True",
            "httpx.post('https://x.test/notes', json=note, headers={'Idempotency-Key': note})",
            False,
        ),
        ("idempotentHint=True", "httpx.post('https://x.test/notes/search', json=note)", False),
        ("idempotentHint=True", "httpx.post('https://x.test/notes/1/archive')", False),
        ("destructiveHint=True", "httpx.post('https://x.test/notes', json=note)", False),
    ],
)
def test_a_hint_is_held_against_what_the_tool_does(hint: str, body: str, found: bool) -> None:
    text = f"import httpx\n\n@mcp.tool(annotations=ToolAnnotations({hint}))\ndef tool(note):\n    {body}\n"
    assert [name for name, _ in problems(text, declaring.facts, RULES)] == ["understated-effect"] * found


def test_a_hint_that_lies_is_told_with_the_way_to_the_write() -> None:
    text = """\
import httpx

def send(path, body):
    return httpx.post("https://x.test" + path, json=body)

@mcp.tool(annotations={"readOnlyHint": True})
def look(text):
    return send("/notes", {"text": text})
"""
    [(_, problem)] = problems(text, declaring.facts, RULES)
    assert problem.message == (
        "'look' is called at will, as it is said to only read ('readOnlyHint'), and it comes to 'httpx.post' "
        "(it is a POST)"
    )
    assert problem.evidence is Evidence.KNOWN
    assert [(related.span[1], related.message) for related in problem.related] == [
        (8, "by this call"),
        (4, "here: it is a POST"),
    ]


@pytest.mark.parametrize(
    ("route", "found"),
    [
        ("@app.get('/x')", True),
        ("@app.route('/x')", True),
        ("@app.route('/x', methods=['GET'])", True),
        ("@app.route('/x', methods=['GET', 'POST'])", False),
        ("@app.post('/x')", False),
        ("@require_GET", True),
        ("@require_POST", False),
        ("@api_view(['GET', 'HEAD'])", True),
        ("@api_view(['PUT'])", False),
        ("@mcp.resource('x://y')", True),
        ("@registry.get('x')", False),
    ],
)
def test_a_get_is_told_by_its_decorator(route: str, found: bool) -> None:
    text = f"{route}\ndef view(request, pk):\n    Item.objects.filter(pk=pk).delete()\n"
    assert [name for name, _ in problems(text, declaring.facts, RULES)] == ["write-behind-get"] * found
