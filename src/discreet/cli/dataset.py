"""`discreet dataset`: load tables into a release server's database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.release_options import Database
from discreet.cli.strict import Strict

app = typer.Typer(help="Load tables into the release server.", no_args_is_help=True)


@app.command("add", cls=Strict)
def add(
    table: Annotated[str, typer.Argument(help="Long table with a column `count`, or records.", show_default=False)],
    name: Annotated[str, typer.Option(help="Name by which analysts ask for it.", show_default=False)],
    policy: Annotated[Path | None, typer.Option(help="Policy as TOML; defaults unless given.")] = None,
    variables: Annotated[str | None, typer.Option(help="Variables to keep, as A:B:C; all unless given.")] = None,
    count: Annotated[str | None, typer.Option(help="Column of counts; `count` where there is one.")] = None,
    database: Database = None,
) -> None:
    """Load a table under a policy. A running server offers it at once."""
    from discreet.cli.console import say
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.engine import read_table
    from discreet.release.policy import Policy, read_policy, split_margin
    from discreet.release.service import Service

    rule = Policy() if policy is None else read_policy(policy)
    loaded = read_table(table, None if variables is None else split_margin(variables), count)
    Service(open_database(database, table, policy)).add("command line", name, loaded, rule)
    say(f"{name}: {len(loaded.names)} variables, {loaded.size} cells")
    for sentence in rule.sentences():
        say(f"  {sentence}")


@app.command("list", cls=Strict)
def list_all(database: Database = None) -> None:
    """List the datasets and their variables."""
    from discreet.cli.console import tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.service import Service

    for found in Service(open_database(database)).datasets():
        tell(f"{found['name']}  {':'.join(found['variables'])}")
