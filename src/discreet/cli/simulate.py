"""`discreet simulate`: a synthetic table with the released margins of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options
from discreet.cli.bounds import Count, Release, TableFile, Variables


def command(
    table: TableFile,
    release: Release,
    output: options.Output,
    distribution: Annotated[
        str, typer.Option(help="uniform over all tables with these margins, or loglinear.")
    ] = "uniform",
    pinned: Annotated[
        str,
        typer.Option(
            help="refuse: no table where the margins fix a sensitive count, nor the original itself by chance. "
            "say: write it, and say which cells are the true ones."
        ),
    ] = "refuse",
    sensitive: Annotated[int, typer.Option(help="Counts from 1 to this one are sensitive.")] = 2,
    count: Count = "count",
    variables: Variables = None,
    time_limit: options.TimeLimit = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the draw; a random one unless given.")] = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw a table that has the same released margins and is otherwise random.

    Where the margins leave a cell only one count, every table that has them is true there. That is refused or said,
    as --pinned asks; margins that determine the whole table are always refused.
    """
    from secrets import randbelow

    from discreet.cli.bounds import load, names, released
    from discreet.cli.console import progress, say
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.pages import readers, record
    from discreet.cli.table_outputs import TableFile as Source
    from discreet.cli.table_outputs import check_and_write_synthetic, kept
    from discreet.instruments.tables import simulate
    from discreet.report import page

    whom = readers(audience, report)
    check_outputs([json, report], data=output, force=force, inputs=[table])
    # A seed that anyone can guess would tell which table was not published because it is the original.
    chosen = randbelow(1 << 53) if seed is None else seed
    kept_variables = None if variables is None else tuple(names(variables))
    with kept(table) as path:
        with progress(quiet) as callback:
            margins = released(load(path, count, delimiter, encoding, kept_variables), release)
            drawn = simulate(
                margins,
                random_state=chosen,
                distribution=options.word(distribution),
                pinned=options.word(pinned),
                sensitive=sensitive,
                time_limit=time_limit,
                progress=callback,
            )

        result = drawn.result(margins)

        def texts(verdict: Any, written: Path) -> dict[Path, str]:
            same = bool(verdict.figures["original"])
            more = {"method": distribution, "seed": chosen, "original": same}
            found = {} if json is None else {json: as_json(result.to_dict() | more)}
            if report is not None:
                kept = record([table], published=(output, written))
                found[report] = page([result], verdicts=[verdict], audience=whom, record=kept)
            return found

        verdict = check_and_write_synthetic(
            drawn,
            output,
            Source(path, count, kept_variables, delimiter, encoding),
            margins.releases,
            original=pinned,
            texts=texts,
            force=force,
        )
    # Never silently: these stay when everything else is quiet.
    for notice in drawn.notices():
        say(f"note: {notice}")
    if verdict.figures["original"]:
        say("note: the table that was drawn happens to be the original itself")
    if not quiet:
        say(f"a synthetic table of {drawn.total} persons with the margins {', '.join(release)}")
