"""`discreet datasets`: write data to try things on."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.strict import Strict

app = typer.Typer(help="Write data to try discreet on.", no_args_is_help=True)


@app.command("survey", cls=Strict)
def survey(
    output: options.Output,
    n: Annotated[int, typer.Option("-n", help="Number of persons.", max=options.LARGEST)] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Seed.", max=options.LARGEST)] = 0,
    force: options.Force = False,
) -> None:
    """A synthetic household survey: skewed, correlated, and about nobody."""
    from discreet.cli.outputs import check_outputs
    from discreet.datasets import survey as draw
    from discreet.frames import write

    check_outputs([], data=output, force=force)
    write(draw(n, seed), output, force=force)


@app.command("autoworkers", cls=Strict)
def autoworkers(output: options.Output, force: options.Force = False) -> None:
    """The Czech autoworkers' six-way table, in long form."""
    from discreet.datasets import autoworkers as load
    from discreet.frames import write

    write(load(), output, force=force)
