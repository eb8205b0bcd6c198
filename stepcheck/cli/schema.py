"""`stepcheck schema`: the JSON Schema of step tables or of the configuration, and the table of a step's fields."""

import json

import click


@click.command(short_help="Print the JSON Schema of step tables or the configuration.")
@click.argument("what", type=click.Choice(["table", "config", "fields"]), default="table")
def command(what: str) -> None:
    """Print the JSON Schema of step table files or of the configuration, or all fields of a step as Markdown."""
    if what == "fields":
        from stepcheck.schema import fields_table  # noqa: PLC0415

        click.echo(fields_table(), nl=False)
        return
    from stepcheck.schema import config_schema, table_schema  # noqa: PLC0415

    schema = config_schema() if what == "config" else table_schema()
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
