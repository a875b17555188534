"""`discreet verify-bounds`: check a bounds file from the files alone. Exit code 0 right, 1 wrong, 2 cannot tell."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.bounds import Count, Release, Variables


def command(
    bounds: Annotated[str, typer.Argument(help="The bounds file.")],
    table: Annotated[str, typer.Argument(help="The table, in long form.")],
    release: Release,
    sample: Annotated[int | None, typer.Option(help="Cells to prove again; all of them unless given.")] = None,
    count: Count = "count",
    variables: Variables = None,
    time_limit: options.TimeLimit = None,
    seed: options.Seed = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
) -> None:
    """Prove the bounds of a file again, by programs that share nothing with the method that computed them.

    Says how many sides were proved of how many. A side that is called sharp must be attained: wider is wrong.
    """
    from discreet.cli.bounds import names
    from discreet.cli.console import teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.frames import write_text
    from discreet.verify.cells.files import verify_bounds

    check_outputs([json], force=force, inputs=[bounds, table])
    verdict = verify_bounds(
        bounds,
        table,
        [names(text) for text in release],
        count=count,
        variables=None if variables is None else names(variables),
        delimiter=delimiter,
        encoding=encoding,
        sample=sample,
        time_limit=time_limit,
        random_state=0 if seed is None else seed,
    )
    if json is not None:
        write_text(json, as_json(verdict.to_dict()), force=force)
    teller(json)(verdict.summary())
    raise typer.Exit(verdict.exit_code)
