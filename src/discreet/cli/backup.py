"""`discreet backup`: copy a release server's database while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.release_options import Database


def command(
    output: Annotated[
        str, typer.Option("-o", "--output", help="Where to write; - is standard output.", show_default=False)
    ],
    database: Database = None,
    force: options.Force = False,
) -> None:
    """Copy everything: datasets, decisions, ledger, tokens. The server may run meanwhile.

    The counts are in it: the file is for its owner alone.
    """
    from discreet.cli.console import say
    from discreet.cli.outputs import check_outputs
    from discreet.cli.release_options import need_server, open_database, operator
    from discreet.errors import InputError
    from discreet.frames.atomic import together

    need_server()
    from discreet.release.history.database import file_of
    from discreet.release.running.backup import write_backup

    place = file_of(database)
    check_outputs([output], force=force, inputs=[place])
    if place is not None and not Path(place).exists():
        raise InputError(f"there is no database {place}")
    opened = open_database(database)
    with together(force) as batch:
        heads = write_backup(opened, operator(), batch.path(output, mode=0o600))
    opened.close()
    say(f"{sum(length for length, _ in heads.values())} ledger entries in {len(heads)} chains")
