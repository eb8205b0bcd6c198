import pytest
from click.testing import CliRunner

from stepcheck.cli import main


@pytest.mark.parametrize("group", [(), ("ledger",)])
def test_the_list_of_commands_says_of_each_in_a_whole_sentence_what_it_does(group: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*group, "--help"], terminal_width=80)
    listed = result.output.partition("Commands:\n")[2].splitlines()
    assert len(listed) >= 6
    assert [line for line in listed if not line.startswith("  ") or line[2] == " "] == []
    assert [line for line in listed if line.endswith("...") or not line.endswith(".")] == []
