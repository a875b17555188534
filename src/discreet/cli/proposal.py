"""`discreet proposal`: what waits for a second custodian."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli.release_options import Database, TokenFile
from discreet.cli.strict import Strict

if TYPE_CHECKING:
    from discreet.release.people.actor import Actor

app = typer.Typer(help="Confirm or reject what waits for a second custodian.", no_args_is_help=True)
Number = Annotated[int, typer.Argument(help="Number of the proposal.", min=1, max=2**31 - 1, show_default=False)]


@app.command("list", cls=Strict)
def list_all(database: Database = None) -> None:
    """List what waits."""
    from discreet.cli.console import tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.people.proposals import pending

    for one in pending(open_database(database)):
        tell(f"{one.number}  {one.kind}  {one.subject}  {one.who}  {one.created:%Y-%m-%d %H:%M}")


@app.command("confirm", cls=Strict)
def confirm(number: Number, token_file: TokenFile = None, database: Database = None) -> None:
    """Let a proposal take effect, as the custodian whose token is in DISCREET_TOKEN or a file."""
    opened, actor = _custodian(token_file, database)
    from discreet.cli.console import say
    from discreet.release.people import proposals
    from discreet.release.people.four_eyes import CARRIERS

    done = proposals.confirm(opened, actor, number, CARRIERS)
    say(f"confirmed: {done.kind} {done.subject}")


@app.command("reject", cls=Strict)
def reject(number: Number, token_file: TokenFile = None, database: Database = None) -> None:
    """Let a proposal be forgotten, as the custodian whose token is in DISCREET_TOKEN or a file."""
    opened, actor = _custodian(token_file, database)
    from discreet.cli.console import say
    from discreet.release.people import proposals

    done = proposals.reject(opened, actor, number)
    say(f"rejected: {done.kind} {done.subject}")


@app.command("four-eyes", cls=Strict)
def four_eyes(
    wanted: Annotated[str, typer.Argument(help="on or off.", show_default=False)], database: Database = None
) -> None:
    """Ask for two custodians for every load and change of policy, or only where a policy asks for them."""
    from discreet.cli.release_options import need_server, open_database, operator
    from discreet.errors import InputError

    need_server()
    from discreet.release.people.four_eyes import ask_everywhere

    if wanted not in ("on", "off"):
        raise InputError("say on or off")
    ask_everywhere(open_database(database), wanted == "on", who=operator())


def _custodian(token_file: Path | None, database: str | None) -> tuple[Any, Actor]:
    """The open database and whoever the token belongs to: here, too, two people are needed and not one shell."""
    from discreet.cli.release_options import need_server, open_database, token_of
    from discreet.errors import InputError

    need_server()
    from discreet.release.tokens import actor_of_token

    token = token_of(None, token_file)
    opened = open_database(database)
    actor = actor_of_token(opened, token)
    if actor is None or not actor.some_custodian:
        raise InputError("the token is not that of a custodian")
    return opened, actor
