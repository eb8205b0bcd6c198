"""Comments of TOML, whose strings are not Python's."""

import pytest

from stepcheck import comments


@pytest.mark.parametrize(
    "code",
    [
        "a = 'C:\\'",
        "a = '''it's \\''''",
        'a = """"quoted""""',
        'a = """\nsay ""#"""',
    ],
)
def test_a_string_ends_where_toml_ends_it(code: str) -> None:
    text = f"{code}  # stepcheck: ignore[a] -- it's so, isn't it\n"
    assert [one.text for one in comments.read("a.toml", text, ".toml")] == ["ignore[a] -- it's so, isn't it"]
