"""`stepcheck schema`: the JSON Schema of step tables or of the configuration."""

import json

import click


@click.command()
@click.argument("what", type=click.Choice(["table", "config"]), default="table")
def command(what: str) -> None:
    """Print the JSON Schema of step table files, or of stepcheck's configuration."""
    from stepcheck.schema import config_schema, table_schema  # noqa: PLC0415

    schema = config_schema() if what == "config" else table_schema()
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
