"""`discreet resume`: let a restored server decide again."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli.release_options import Database


def command(
    released: Annotated[
        list[str] | None, typer.Option(help="A margin that was told after the backup, as DATASET=A:B.")
    ] = None,
    database: Database = None,
) -> None:
    """End the hold after a restore. What was released since the backup must be named: it counts as released."""
    from discreet.cli.console import say
    from discreet.cli.release_options import need_server, open_database, operator
    from discreet.errors import InputError

    need_server()
    from discreet.release.policy import split_margin
    from discreet.release.running.hold import resume

    told = []
    for given in released or ():
        name, equals, margin = given.partition("=")
        if not equals:
            raise InputError("--released is written as DATASET=A:B")
        told.append((name, split_margin(margin)))
    resume(open_database(database), operator(), told)
    say(f"decisions go on; {len(told)} margins count as released")
