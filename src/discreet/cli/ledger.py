"""`discreet ledger`: check the record of everything that was told."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli.release_options import Database
from discreet.cli.strict import Strict

app = typer.Typer(help="Check the record of everything the release server has told.", no_args_is_help=True)


@app.command("verify", cls=Strict)
def verify(
    database: Database = None,
    receipt: Annotated[list[str] | None, typer.Option(help="A hash that must be in the ledger.")] = None,
) -> None:
    """Check that no entry was edited, deleted or reordered. Exit 0 intact, 1 not.

    The last hashes are printed: kept elsewhere and given as `--receipt` later, they show even a ledger that was
    rewritten as a whole.
    """
    from discreet.cli.console import EXIT_UNSAFE, say, tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.audit import audit

    found = audit(open_database(database), receipt or ())
    for chain, (length, head) in found.heads.items():
        tell(f"{chain}  {length} entries  {head}")
    if found.intact:
        say(f"intact: {found.entries} entries in {len(found.heads)} chains")
        return
    for fault in found.faults:
        say(f"  - {fault}")
    say(f"not intact: {len(found.faults)} faults")
    raise typer.Exit(EXIT_UNSAFE)
