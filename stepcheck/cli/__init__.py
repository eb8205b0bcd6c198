"""The command line: one module a command, imported only when it is called."""

import importlib
import pkgutil
from typing import cast

import click

from stepcheck import __version__


class LazyGroup(click.Group):
    """A group whose commands are this package's modules: `check.py` defines `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The modules' names."""
        return sorted(
            module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")
        )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command's module and take its `command`."""
        if cmd_name not in self.list_commands(ctx):
            return None
        return cast("click.Command", importlib.import_module(f"{__name__}.{cmd_name}").command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As usual, with the nearest command's name where there is none of that name."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            from stepcheck.settings import hint  # noqa: PLC0415 (only on the way to an error)

            ctx.fail(f"no command {name!r}{hint(name, self.list_commands(ctx)).removesuffix('?')}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="stepcheck")
def main() -> None:
    """May this step be tried again? A linter for the retry safety of workflow and agent steps."""
