"""`discreet perturb swap-records`: households of like composition exchange where they live."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.perturb import shared


def command(
    data: shared.Data,
    columns: Annotated[
        str, typer.Option(help="What is exchanged, such as region, separated by commas.", show_default=False)
    ],
    output: options.Output,
    household: Annotated[
        str | None, typer.Option(help="Column that numbers households; without it each record is one.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="Columns in which both households must be the same, the most important first.")
    ] = None,
    keys: Annotated[
        str | None, typer.Option(help="Columns an intruder may know: who is rare by them is exchanged first.")
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Rare is who shares the keys with fewer than K records.")] = 3,
    percent: Annotated[float, typer.Option(help="Least share of households that are exchanged, in percent.")] = 5.0,
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
    """Exchange where people live between households of the same profile, those at risk first.

    What this protects is measured, not proven.
    """
    from discreet.cli.console import split_names
    from discreet.instruments.perturbed.swap_records import swap_records

    named, alike, sought, sure = (split_names(text) or [] for text in (columns, profile, keys, known))
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
        lambda frame: swap_records(
            frame,
            named,
            household=household,
            profile=alike,
            keys=sought,
            k=k,
            percent=percent,
            known=sure,
            accept=accept or (),
            random_state=seed,
        ),
        used=[*named, *alike, *sought, *sure, *([] if household is None else [household]), *(accept or ())],
        drop=drop,
        measured_only=measured_only,
    )
