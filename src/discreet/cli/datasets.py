"""`discreet datasets`: write data to try things on."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options

app = typer.Typer(help="Write data to try discreet on.", no_args_is_help=True)


@app.command("survey")
def survey(
    output: options.Output,
    n: Annotated[int, typer.Option("-n", help="Number of persons.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Seed.")] = 0,
    force: options.Force = False,
) -> None:
    """A synthetic household survey: skewed, correlated, and about nobody."""
    from discreet.datasets import survey as draw
    from discreet.frames import write

    write(draw(n, seed), output, force=force)


@app.command("autoworkers")
def autoworkers(output: options.Output, force: options.Force = False) -> None:
    """The Czech autoworkers' six-way table, in long form."""
    from discreet.datasets import autoworkers as load
    from discreet.frames import write

    write(load(), output, force=force)
