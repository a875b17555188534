"""`discreet perturb noise`: add random noise to numbers."""

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
        float, typer.Option(help="Standard deviation of the noise, in percent of that of the column.")
    ] = 10.0,
    correlated: Annotated[
        bool, typer.Option("--correlated", help="Noise with the correlations of the columns, which keeps them.")
    ] = False,
    restore: Annotated[
        bool, typer.Option("--restore", help="Draw values back to their means, so that variances are kept.")
    ] = False,
    round: Annotated[bool, typer.Option("--round", help="Publish whole numbers in integer columns.")] = False,
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
    """Add normal noise to numeric columns.

    What this protects is measured, not proven.
    """
    from discreet.cli.console import split_names
    from discreet.instruments.perturbed.noise import add_noise

    named, sure = (split_names(text) or [] for text in (columns, known))
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
        lambda frame: add_noise(
            frame,
            named,
            percent=percent,
            correlated=correlated,
            restore=restore,
            round=round,
            known=sure,
            accept=accept or (),
            random_state=seed,
        ),
        used=[*named, *sure, *(accept or ())],
        drop=drop,
        measured_only=measured_only,
    )
