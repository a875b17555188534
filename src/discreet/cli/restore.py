"""`discreet restore`: make a database of a backup, without going back behind what has been told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.release_options import Database


def command(
    backup: Annotated[Path, typer.Argument(help="A file that `discreet backup` wrote.", show_default=False)],
    database: Database = None,
    receipt: Annotated[list[str] | None, typer.Option(help="A hash that the backup's ledger must have.")] = None,
    anchor: Annotated[
        Path | None, typer.Option(help="A text with hashes that it must have, such as kept heads.")
    ] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Nothing was answered after the backup: decide at once.")
    ] = False,
    force_rollback: Annotated[
        bool, typer.Option("--force-rollback", help="Go back although answers were given since; decisions are held.")
    ] = False,
) -> None:
    """Put a backup in the place of the database. Stop the server first.

    Refused where the database has answers that the backup does not know of. Into a new database decisions are held
    until `discreet resume`, unless `--complete` says that the backup knows every answer.
    """
    from discreet.cli.console import say, tell
    from discreet.cli.release_options import need_server, open_database, operator
    from discreet.errors import InputError

    need_server()
    from discreet.release.running.backup_check import hashes_in, read_backup
    from discreet.release.running.restore import restore

    if complete and force_rollback:
        raise InputError("--complete and --force-rollback contradict each other: a rollback forgets answers")
    read = read_backup(backup)
    wanted = [*(receipt or ()), *(hashes_in(anchor) if anchor is not None else ())]
    missing = read.missing(wanted)
    if missing and not force_rollback:
        raise InputError([f"{one[:64]} is not in the backup: it was given after it was made" for one in missing])
    opened = open_database(database, backup, anchor, create=True)
    done = restore(opened, operator(), read, receipts=wanted, rollback=force_rollback, complete=complete)
    opened.close()
    for chain, (kept, there) in done.lost.chains.items():
        say(f"{chain}: {there - kept} entries are lost")
    for other in done.lost.others:
        say(f"  lost: {other}")
    for told in done.lost.told:
        tell(str(told))
    if done.held:
        say("decisions are held until `discreet resume`, which takes what was released meanwhile as --released")
    say(f"restored the state of {read.made}")
