"""`discreet perturb pram`: draw categories anew, expected counts kept."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.perturb import shared


def command(
    data: shared.Data,
    columns: Annotated[str, typer.Option(help="Columns to perturb, separated by commas.", show_default=False)],
    output: options.Output,
    stay: Annotated[
        float, typer.Option(help="Probability that a record keeps its category; else it takes that of any record.")
    ] = 0.8,
    matrix: Annotated[
        list[str] | None,
        typer.Option(
            "--matrix",
            help="column=file.csv: transition probabilities of one's own, a row per value, its first cell the value, "
            "and a column per published value. May be repeated.",
        ),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Make a matrix of one's own invariant instead of refusing it.")
    ] = False,
    together: Annotated[
        bool, typer.Option("--together", help="Draw the columns as one, from the combinations that occur.")
    ] = False,
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
    """Draw categories anew by invariant PRAM: counts stay what they were, in expectation.

    What this protects is measured, not proven.
    """
    from discreet.cli.console import split_names
    from discreet.instruments.perturbed.matrices import read_matrix
    from discreet.instruments.perturbed.pram import pram

    named, strata, sure = (split_names(text) or [] for text in (columns, by, known))
    tables = options.pairs(matrix, "--matrix", "column=file.csv")
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
        lambda frame: pram(
            frame,
            named,
            stay=stay,
            matrix={column: read_matrix(path) for column, path in tables.items()} or None,
            repair=repair,
            together=together,
            by=strata,
            known=sure,
            accept=accept or (),
            random_state=seed,
        ),
        used=[*named, *strata, *sure, *(accept or ())],
        drop=drop,
        measured_only=measured_only,
        inputs=list(tables.values()),
    )
