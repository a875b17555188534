"""`discreet dataset open`, `close`, `retire` and `policy`: the life of a dataset after it was loaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.release_options import Database
from discreet.cli.strict import Strict

WAITS = 3  # exit code: another custodian must confirm
Name = Annotated[str, typer.Argument(help="Name of the dataset.", show_default=False)]


def open_command(name: Name, database: Database = None) -> None:
    """Open a dataset that is a draft or closed: analysts may ask."""
    _move(database, name, "open")


def close(name: Name, database: Database = None) -> None:
    """Close a dataset: what is released can still be had, nothing more is decided."""
    _move(database, name, "closed")


def retire(name: Name, database: Database = None) -> None:
    """Retire a dataset for good: only custodians see what was released of it."""
    _move(database, name, "retired")


def policy(
    name: Name,
    file: Annotated[Path, typer.Argument(help="The new policy as TOML.", show_default=False)],
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Change it though what is released breaks the new rule.")
    ] = False,
    database: Database = None,
) -> None:
    """Change the rule of a dataset from now on. What is released already is judged by it, and stays released."""
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.people.four_eyes import Waits, change_rule
    from discreet.release.policy import read_policy

    rule = read_policy(file)
    try:
        notes = change_rule(open_database(database, file), operator(), name, rule, confirm=confirm)
    except Waits as waiting:
        _say(name, [str(waiting)])
        raise typer.Exit(WAITS) from None
    _say(name, [*notes, *rule.sentences()])


def add_to(app: typer.Typer) -> None:
    """Put these commands beside those that load."""
    app.command("open", cls=Strict)(open_command)
    app.command("close", cls=Strict)(close)
    app.command("retire", cls=Strict)(retire)
    app.command("policy", cls=Strict)(policy)


def _move(database: str | None, name: str, stage: str) -> None:
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.life.stages import change_stage

    change_stage(open_database(database), operator(), name, stage)
    _say(name, [f"is {stage} from now on"])


def _say(name: str, sentences: Iterable[str]) -> None:
    from discreet.cli.console import say

    for sentence in sentences:
        say(f"{name}: {sentence}")
