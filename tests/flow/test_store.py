"""Stored flows come back equal, and what is no stored flow is refused."""

import marshal
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepcheck.code.flow import read_flows
from stepcheck.code.flow.store import from_plain, to_plain

SOURCE = """
import httpx
class A(B):
    def __init__(self, x: int = f(1), *, y=None, **z):
        self.c = httpx.Client(timeout=1.5)
    @retry(stop=3)
    async def send(self, é):
        async with self.c as s:
            try:
                return [await s.post(u, json={**z, "a": b"c"}) for u in é if u]
            except (E, F) as e:
                raise G from e
            finally:
                del é[1:2]
""".encode()


LEAVES = st.none() | st.booleans() | st.integers() | st.text()
PLAIN = st.recursive(LEAVES, lambda inner: st.lists(inner).map(tuple))


def test_flows_survive_the_store() -> None:
    file = read_flows("a/f.py", SOURCE)
    assert from_plain(marshal.loads(marshal.dumps(to_plain(file)))) == file


@settings(max_examples=100, deadline=None)
@given(PLAIN)
def test_foreign_values_are_refused(plain: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match="no stored flows"):
            from_plain(plain)


def test_a_flow_that_is_not_a_file_is_refused() -> None:
    with pytest.raises(ValueError, match="no stored flows"):
        from_plain((0, "f.py", 1, 1, 1, 1))


def test_a_long_sum_and_a_long_chain_are_stored() -> None:
    source = "x = " + " + ".join(["a"] * 700) + "\ny = q" + ".b().c" * 300 + "\n"
    file = read_flows("f.py", source.encode())
    assert file.flows[0].spent == ""
    assert from_plain(to_plain(file)) == file
