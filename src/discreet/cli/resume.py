"""`discreet resume`: let a restored server decide again."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli.release_options import Database


def command(
    released: Annotated[
        list[str] | None,
        typer.Option(
            help="What was told after the backup: DATASET=A:B; in part, =A:B=1,5 (rows hidden) or =A:B=round5."
        ),
    ] = None,
    database: Database = None,
) -> None:
    """End the hold after a restore. What was released since the backup must be named: it counts as released."""
    from discreet.cli.console import say
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.running.hold import read_told, resume

    told = [read_told(given) for given in released or ()]
    resume(open_database(database), operator(), told)
    say(f"decisions go on; {len(told)} margins count as told")
