"""`discreet simulate`: a synthetic table with the released margins of a table."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.bounds import Count, Release, TableFile


def command(
    table: TableFile,
    release: Release,
    output: options.Output,
    distribution: Annotated[
        str, typer.Option(help="uniform over all tables with these margins, or loglinear.")
    ] = "uniform",
    count: Count = "count",
    time_limit: options.TimeLimit = None,
    seed: options.Seed = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw a table that has the same released margins and is otherwise random."""
    from discreet.cli.bounds import released
    from discreet.cli.console import progress, say
    from discreet.cli.outputs import check_outputs
    from discreet.frames import write
    from discreet.instruments.tables import simulate

    check_outputs([output], force=force)
    margins = released(table, release, count, delimiter, encoding)
    with progress(quiet) as callback:
        drawn = simulate(
            margins, random_state=seed, distribution=distribution, time_limit=time_limit, progress=callback
        )
    write(drawn.to_frame(), output, force=force)
    if not quiet:
        say(f"a synthetic table of {drawn.total} persons with the margins {', '.join(release)}")
