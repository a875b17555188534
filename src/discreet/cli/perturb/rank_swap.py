"""`discreet perturb rank-swap`: exchange numbers between records of near rank."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.perturb import shared


def command(
    data: shared.Data,
    columns: Annotated[str, typer.Option(help="Numeric columns to perturb, separated by commas.", show_default=False)],
    output: options.Output,
    percent: Annotated[
        float, typer.Option(help="How far apart ranks may be, in percent of the records: 5 is a twentieth.")
    ] = 5.0,
    by: shared.By = None,
    known: shared.Known = None,
    measured_only: shared.MeasuredOnly = False,
    accept: options.Accept = None,
    drop: options.Drop = None,
    seed: shared.Seed = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Exchange the values of numeric columns between records of near rank, each column by itself.

    What this protects is measured, not proven.
    """
    from discreet.cli.console import split_names
    from discreet.instruments.perturbed.rank_swap import rank_swap

    named, strata, sure = (split_names(text) or [] for text in (columns, by, known))
    shared.run(
        shared.Files(
            data=data,
            output=output,
            report=report,
            audience=audience,
            json=json,
            delimiter=delimiter,
            encoding=encoding,
            force=force,
            quiet=quiet,
        ),
        lambda frame: rank_swap(
            frame, named, percent=percent, by=strata, known=sure, accept=accept or (), random_state=seed
        ),
        used=[*named, *strata, *sure, *(accept or ())],
        drop=drop,
        measured_only=measured_only,
    )
