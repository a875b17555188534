"""`discreet token`: give people access to a release server, and take it away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.release_options import Database
from discreet.cli.strict import Strict

app = typer.Typer(help="Give people access to the release server, and take it away.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="Name of the token or person.", show_default=False)]
OneDataset = Annotated[str, typer.Argument(help="Name of the dataset.", show_default=False)]


@app.command("create", cls=Strict)
def create(
    role: Annotated[str, typer.Option(help="custodian or analyst.", show_default=False)],
    name: Annotated[str | None, typer.Option(help="Whose token it is; shows in the ledger.")] = None,
    expires: Annotated[str | None, typer.Option(help="When it ends: 90d, 12h, or a date (UTC).")] = None,
    only: Annotated[list[str] | None, typer.Option(help="The role is for this dataset; may be repeated.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write it to this new file, for you alone to read.")] = None,
    database: Database = None,
) -> None:
    """Print a new token, or save it. It is shown this once: only a digest of it is kept."""
    from discreet.cli.console import say, tell
    from discreet.cli.release_options import need_server, open_database, operator, private_file

    need_server()
    from discreet.release.people.expiry import parse_expiry
    from discreet.release.tokens import create_token

    end = None if expires is None else parse_expiry(expires)
    opened = open_database(database, create=True)
    if save is None:
        token, chosen = create_token(opened, role, name, who=operator(), expires=end, only=only or ())
        say(f"token {chosen} ({role}); it cannot be shown again:")
        tell(token)
        return
    with private_file(save) as write:
        token, chosen = create_token(opened, role, name, who=operator(), expires=end, only=only or ())
        write(token)
    say(f"token {chosen} ({role}) is in {save}, for its owner alone")


@app.command("list", cls=Strict)
def list_all(database: Database = None) -> None:
    """List the tokens and people by name, with their roles."""
    from discreet.cli.console import tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.tokens import list_tokens

    for line in list_tokens(open_database(database, read_only=True)):
        role = ",".join(f"{dataset}:{given}" for dataset, given in line.grants) or line.role
        person = "" if line.issuer is None else f"  {line.subject} at {line.issuer}"
        tell(f"{line.name}  {role}  {line.created:%Y-%m-%d %H:%M}  {line.state}{person}")


@app.command("revoke", cls=Strict)
def revoke(name: Name, database: Database = None) -> None:
    """Make a token useless, at once and for good."""
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.tokens import revoke_token

    revoke_token(open_database(database), name, who=operator())


@app.command("role", cls=Strict)
def role(
    name: Name,
    role: Annotated[str, typer.Argument(help="custodian, analyst or none.", show_default=False)],
    database: Database = None,
) -> None:
    """Change a role, for every dataset; grants on single ones end."""
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.people.grants import set_role

    set_role(open_database(database), name, role, who=operator())


@app.command("grant", cls=Strict)
def grant(
    name: Name,
    dataset: OneDataset,
    role: Annotated[str, typer.Argument(help="custodian or analyst.", show_default=False)],
    database: Database = None,
) -> None:
    """Give a role on one dataset. Whoever has any such grant sees the granted datasets alone."""
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.people import grants

    grants.grant(open_database(database), name, dataset, role, who=operator())


@app.command("ungrant", cls=Strict)
def ungrant(name: Name, dataset: OneDataset, database: Database = None) -> None:
    """Take a grant away, at once. The role everywhere does not come back: `discreet token role` gives it."""
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.people import grants

    grants.ungrant(open_database(database), name, dataset, who=operator())
