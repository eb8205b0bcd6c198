"""Loops of attempts that go on after a success, and generators that are begun again."""

from pathlib import Path

import pytest

from tests.behaviour.families import checked

ATTACH = """\
def attach(machine, spec, names):
    for {header}:
        try:
            machine.attach({given})
            {success}
        except Busy:
            {handle}
"""


@pytest.mark.parametrize(
    ("header", "given", "ways", "found"),
    [
        ("attempt in range(3)", "spec", ("log.info('done')", "time.sleep(1)"), [(4, "retry-after-success")]),
        ("_ in range(3)", "spec", ("log.info('done')", "time.sleep(1)"), [(4, "retry-after-success")]),
        ("attempt in range(3)", "spec", ("break", "time.sleep(1)"), []),
        ("attempt in range(3)", "spec", ("return", "time.sleep(1)"), []),
        ("name in names", "name", ("log.info('done')", "time.sleep(1)"), []),
        ("number in range(3)", "number", ("log.info('done')", "time.sleep(1)"), []),
        ("attempt in range(3)", "spec", ("log.info('done')", "raise"), []),
    ],
)
def test_a_success_must_leave_a_loop_of_attempts(
    header: str, given: str, ways: tuple[str, str], found: list[tuple[int, str]], tmp_path: Path
) -> None:
    text = ATTACH.format(header=header, given=given, success=ways[0], handle=ways[1])
    assert checked(tmp_path, text) == found


@pytest.mark.parametrize(
    "text",
    [
        # hands out the items of a page after it is there, and goes on where it was
        """
        def pages(client):
            cursor = None
            while True:
                try:
                    page = client.page(cursor)
                except ConnectionError:
                    time.sleep(1)
                    continue
                yield from page.items
                cursor = page.next
        """,
        # resumes
        """
        def lines(client):
            position = 0
            for attempt in range(3):
                try:
                    for line in client.lines(start=position):
                        position += 1
                        yield line
                    return
                except ConnectionError:
                    time.sleep(1)
        """,
        # a subscription: nothing comes twice
        """
        def events(queue):
            while True:
                try:
                    event = queue.get(timeout=5)
                    yield event
                except TimeoutError:
                    continue
        """,
        # the handler ends it
        """
        def lines(client):
            for attempt in range(3):
                try:
                    yield from client.lines()
                    return
                except ConnectionError:
                    raise
        """,
    ],
)
def test_a_generator_that_hands_out_nothing_twice_is_passed_over(text: str, tmp_path: Path) -> None:
    assert checked(tmp_path, text) == []


def test_what_was_delegated_may_have_been_handed_out_in_part(tmp_path: Path) -> None:
    text = """\
    def lines(client):
        while True:
            try:
                yield from client.lines()
                return
            except ConnectionError:
                time.sleep(1)
    """
    assert checked(tmp_path, text) == [(4, "retry-after-yield")]
