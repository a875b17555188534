"""`discreet dataset`: load tables into a release server's database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.release_options import Database
from discreet.cli.strict import Strict

WAITS = 3

app = typer.Typer(help="Load tables into the release server.", no_args_is_help=True)


@app.command("add", cls=Strict)
def command(
    table: Annotated[str, typer.Argument(help="Long table with a column `count`, or records.", show_default=False)],
    name: Annotated[str, typer.Option(help="Name by which analysts ask for it.", show_default=False)],
    policy: Annotated[Path | None, typer.Option(help="Policy as TOML; defaults unless given.")] = None,
    variables: Annotated[str | None, typer.Option(help="Variables to keep, as A:B:C; all unless given.")] = None,
    count: Annotated[str | None, typer.Option(help="Column of counts; `count` where there is one.")] = None,
    records: Annotated[bool, typer.Option("--records", help="Every row is a person: nothing is a count.")] = False,
    confirm_published: Annotated[
        bool, typer.Option("--confirm-published", help="What the policy declares as published really is public.")
    ] = False,
    codebook: Annotated[
        Path | None, typer.Option(help="Categories, labels and order, declared: JSON, TOML or CSV.")
    ] = None,
    same_as: Annotated[str | None, typer.Option("--same-as", help="Dataset whose history this one joins.")] = None,
    distinct: Annotated[bool, typer.Option("--distinct", help="It is not the table that it looks like.")] = False,
    population: Annotated[str | None, typer.Option(help="Name of the people it is about.")] = None,
    predecessor: Annotated[str | None, typer.Option(help="Dataset that is the edition before.")] = None,
    draft: Annotated[bool, typer.Option("--draft", help="For custodians alone, until it is opened.")] = False,
    database: Database = None,
) -> None:
    """Load a table under a policy. A running server offers it at once, unless it is a draft.

    A file in which several things could be the count is not guessed at: name the column (--count), or say that rows are
    persons (--records). Exit 3 where another custodian must confirm.
    """
    from discreet.cli.console import say
    from discreet.cli.release_options import need_server, open_database, operator

    need_server()
    from discreet.release.loading.choices import Choices
    from discreet.release.loading.codebook import codebook_text
    from discreet.release.loading.reading import read_file
    from discreet.release.people.four_eyes import Waits
    from discreet.release.policy import Policy, read_policy, split_margin
    from discreet.release.service import Service

    rule = Policy() if policy is None else read_policy(policy)
    chosen = Choices(count, records, None if variables is None else split_margin(variables))
    reading = read_file(table, chosen)
    loaded = reading.settled()
    declared = None if codebook is None else codebook_text(codebook)
    try:
        notes = Service(open_database(database, table, policy, codebook, create=True)).add(
            operator(),
            name,
            loaded,
            rule,
            confirmed=confirm_published,
            codebook=declared,
            unit=same_as,
            distinct=distinct,
            population=population,
            predecessor=predecessor,
            draft=draft,
        )
    except Waits as waiting:
        say(str(waiting))
        raise typer.Exit(WAITS) from None
    assert reading.taken is not None
    say(f"{name}: {len(loaded.names)} variables, {loaded.size} cells")
    if reading.taken.count is None:
        say("  Every row is a person.")
    for sentence in (*reading.notes(), *notes, *rule.sentences()):
        say(f"  {sentence}")


@app.command("list", cls=Strict)
def list_all(database: Database = None) -> None:
    """List the datasets and their variables."""
    from discreet.cli.console import tell
    from discreet.cli.release_options import need_server, open_database

    need_server()
    from discreet.release.service import Service

    for found in Service(open_database(database, read_only=True)).datasets():
        marks = [found["stage"]] if found["stage"] != "open" else []
        marks += [f"same as {found['unit']}"] if found["unit"] else []
        marks += [f"after {found['predecessor']}"] if found["predecessor"] else []
        tell(f"{found['name']}  {':'.join(found['variables'])}{'  ' if marks else ''}{', '.join(marks)}")
