"""`discreet ledger`: check the record of everything that was told, take it away, and anchor it elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.release_options import Database
from discreet.cli.strict import Strict

app = typer.Typer(
    help="Check the record of everything the release server has told, and keep it elsewhere.", no_args_is_help=True
)


@app.command("verify", cls=Strict)
def verify(
    database: Database = None,
    receipt: Annotated[list[str] | None, typer.Option(help="A hash that must be in the ledger.")] = None,
    anchor: Annotated[
        list[Path] | None, typer.Option(help="An earlier print of `ledger head`: the ledger must still begin so.")
    ] = None,
) -> None:
    """Check that no entry was edited, deleted or reordered. Exit 0 intact, 1 not, 2 it cannot be told.

    The database is only read, also while a server writes. The last hashes are printed: kept elsewhere and given as
    `--anchor` or `--receipt` later, they show even a ledger that was rewritten as a whole.
    """
    from discreet.cli.console import say, tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.audit import audit
    from discreet.release.history.anchors import parse_anchors

    anchors = [one for path in anchor or () for one in parse_anchors(_text(path))]
    found = audit(open_database(database, read_only=True), receipt or (), anchors)
    for chain, (length, head) in found.heads.items():
        tell(f"{chain}  {length} entries  {head}")
    for note in found.notes:
        say(f"note: {note}")
    _end(list(found.faults), f"{found.entries} entries in {len(found.heads)} chains")


@app.command("head", cls=Strict)
def head(database: Database = None) -> None:
    """Print the last hash of every chain: to be posted or put away, and given to `ledger verify --anchor` later."""
    from discreet.cli.console import tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.history import store
    from discreet.release.history.anchors import heads_text

    with open_database(database, read_only=True).snapshot() as connection:
        lines = heads_text(store.read_chains(connection))
    for line in lines:
        tell(line)


@app.command("export", cls=Strict)
def export(
    output: Annotated[Path, typer.Option("--output", "-o", help="File of JSON lines to write.", show_default=False)],
    key: Annotated[
        Path | None, typer.Option(help="Private key to sign with; made where there is none, with KEY.pub beside it.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    database: Database = None,
) -> None:
    """Write the whole ledger to a file that can be checked without the database.

    It holds no counts, but who asked for what and why it was refused: for custodians' and auditors' eyes.
    """
    from discreet.cli.console import say, warn
    from discreet.cli.outputs import check_outputs
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.frames.atomic import atomic
    from discreet.release.history import keys
    from discreet.release.history.export import export as lines_of

    check_outputs([output], force=force, inputs=[key])
    opened = open_database(database, output, key)
    if key is not None and not key.exists():
        say(f"a new key: {key} (keep it to yourself), {keys.make_key(key)} (to check with)")
    secret = None if key is None else keys.read_key(key)
    with atomic(output, force, mode=0o600) as file:
        for line in lines_of(opened, operator(), secret):
            file.write(line)
    say(f"the ledger is in {output}")
    if key is None:
        warn("the export is not signed: anybody could have written it; give --key")


@app.command("check-export", cls=Strict)
def check_export(
    file: Annotated[Path, typer.Argument(help="What `ledger export` wrote.", show_default=False)],
    key: Annotated[Path | None, typer.Option(help="The key it was signed with.")] = None,
    public: Annotated[Path | None, typer.Option(help="The public part of that key.")] = None,
    anchor: Annotated[
        list[Path] | None, typer.Option(help="An earlier print of `ledger head`: the ledger must begin so.")
    ] = None,
) -> None:
    """Check an exported ledger: its hashes and who signed it. Exit 0 intact, 1 not, 2 it cannot be told."""
    from discreet.cli.console import tell
    from discreet.cli.release_options import need_server
    from discreet.errors import InputError

    need_server()
    from discreet.release.history import keys
    from discreet.release.history.anchors import parse_anchors
    from discreet.release.history.export import check_export as check

    if (key is None) == (public is None):
        raise InputError("give the key that must have signed it: --key FILE, or --public FILE")
    anchors = [one for path in anchor or () for one in parse_anchors(_text(path))]
    known = keys.read_public(public) if public is not None else keys.read_key(Path(str(key))).public_key()
    try:
        with file.open("rb") as lines:
            faults, heads = check(lines, known, anchors)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None
    for chain, (length, last) in heads.items():
        tell(f"{chain}  {length} entries  {last}")
    _end(faults, f"{sum(length for length, _ in heads.values())} entries in {len(heads)} chains")


def _end(faults: list[str], what: str) -> None:
    from discreet.cli.console import EXIT_UNSAFE, say

    if not faults:
        say(f"intact: {what}")
        return
    for fault in faults:
        say(f"  - {fault}")
    say(f"not intact: {len(faults)} faults")
    raise typer.Exit(EXIT_UNSAFE)


def _text(path: Path) -> str:
    from discreet.errors import InputError

    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"the anchor {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"the anchor {path} is not text") from None
