"""`discreet token`: give people access to a release server, and take it away."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli.release_options import Database
from discreet.cli.strict import Strict

app = typer.Typer(help="Give people access to the release server, and take it away.", no_args_is_help=True)


@app.command("create", cls=Strict)
def create(
    role: Annotated[str, typer.Option(help="custodian or analyst.", show_default=False)],
    name: Annotated[str | None, typer.Option(help="Whose token it is; shows in the ledger.")] = None,
    database: Database = None,
) -> None:
    """Print a new token. It is shown this once: only a digest of it is kept."""
    from discreet.cli.console import say, tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.tokens import create_token

    token, chosen = create_token(open_database(database), role, name)
    say(f"token {chosen} ({role}); it cannot be shown again:")
    tell(token)


@app.command("list", cls=Strict)
def list_all(database: Database = None) -> None:
    """List the tokens by name."""
    from discreet.cli.console import tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.tokens import list_tokens

    for name, role, created, revoked in list_tokens(open_database(database)):
        state = f"revoked {revoked:%Y-%m-%d %H:%M}" if revoked else "valid"
        tell(f"{name}  {role}  {created:%Y-%m-%d %H:%M}  {state}")


@app.command("revoke", cls=Strict)
def revoke(
    name: Annotated[str, typer.Argument(help="Name of the token.", show_default=False)], database: Database = None
) -> None:
    """Make a token useless, at once."""
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.tokens import revoke_token

    revoke_token(open_database(database), name)
