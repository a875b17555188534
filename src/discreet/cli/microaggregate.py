"""`discreet microaggregate`: protect the numeric columns of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options


def command(
    data: Annotated[str, typer.Argument(help="CSV, Parquet, SPSS, Stata or SAS file; - is CSV on standard input.")],
    k: options.K,
    output: options.Output,
    columns: Annotated[
        str | None,
        typer.Option(help="Numeric columns to protect, separated by commas; all of them unless given."),
    ] = None,
    method: Annotated[str, typer.Option(help="How to group; 'auto' picks.")] = "auto",
    drop: options.Drop = None,
    effort: Annotated[str | None, typer.Option(help="fast, default or best.", show_default="default")] = None,
    certify: Annotated[
        bool, typer.Option("--certify", help="Also prove how little any method could have lost.")
    ] = False,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write the proof, for 'discreet verify'; implies --certify.")
    ] = None,
    scale: Annotated[str, typer.Option(help="Make columns comparable by: sd, range or none.")] = "sd",
    missing: Annotated[str, typer.Option(help="Missing values: error, or suppress these records.")] = "error",
    round: Annotated[bool, typer.Option("--round", help="Publish whole numbers in integer columns.")] = False,
    time_limit: options.TimeLimit = None,
    seed: options.Seed = None,
    report: options.Report = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Replace numeric records by the means of groups of at least K, losing as little as possible.

    The release is checked by independent code before anything is written.
    """
    from discreet.cli.console import progress, say, split_names
    from discreet.cli.identifiers import notice, without
    from discreet.cli.outputs import as_json, check_outputs, publish
    from discreet.frames import code_columns, read
    from discreet.instruments.microaggregate import microaggregate

    check_outputs([json, report, certificate], data=output, force=force)
    document = read(data, delimiter=delimiter, encoding=encoding)
    frame = without(document.frame, split_names(drop), split_names(columns) or ())
    with progress(quiet) as callback:
        result = microaggregate(
            frame,
            k,
            columns=split_names(columns),
            method=method,
            effort=effort,
            certify=certify or certificate is not None,
            scale=scale,
            missing=missing,
            round=round,
            time_limit=time_limit,
            random_state=seed,
            progress=callback,
        )
        proof = {} if certificate is None else {certificate: as_json(dict(result.certificate or {}))}
        publish(result, output, like=document, report=report, json=json, also=proof, force=force)
    if not quiet:
        say(result.summary())
        codes = code_columns(frame) if columns is None else []
        if codes:
            say(f"Left as they were, because leading zeros make them look like codes: {', '.join(codes)}.")
        warning = notice(frame, result.columns)
        if warning is not None:
            say(warning)
