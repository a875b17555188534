"""`discreet microaggregate`: protect the numeric columns of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options


def command(
    data: Annotated[
        str,
        typer.Argument(
            help="CSV, Parquet, Excel, SPSS, Stata or SAS file, or a folder of Parquet files; - is CSV from a pipe."
        ),
    ],
    k: options.K,
    output: options.Output,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            help="Numeric columns to protect, separated by commas; all of them unless given. Repeat it for sets of "
            "columns that are grouped one by one."
        ),
    ] = None,
    weight: Annotated[
        str | None, typer.Option("--weight", help="The column of sampling weights: means and loss are weighted.")
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="Columns whose values are strata: groups stay within them.")
    ] = None,
    leave: Annotated[
        str | None,
        typer.Option(help="Where all numeric columns are protected, those to publish as they are nevertheless."),
    ] = None,
    accept: options.Accept = None,
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
    missing: Annotated[
        str, typer.Option(help="Missing values: error, known (average what is), or suppress these records.")
    ] = "error",
    round: Annotated[bool, typer.Option("--round", help="Publish whole numbers in integer columns.")] = False,
    allow_unprotected: Annotated[
        bool, typer.Option("--allow-unprotected", help="Allow k = 1, which protects nobody.")
    ] = False,
    time_limit: options.TimeLimit = None,
    memory: options.Memory = None,
    cluster: options.Cluster = None,
    resume: options.Resume = False,
    seed: options.Seed = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Replace numeric records by the means of groups of at least K, losing as little as possible.

    The release is checked by independent code before anything is written.
    """
    from discreet.cli.console import progress, say, split_names, split_sets, warn
    from discreet.cli.identifiers import check_accepted, chosen, notice, without
    from discreet.cli.inputs import Source
    from discreet.cli.large import Beside, is_large, large_dataset, microaggregate_large
    from discreet.cli.outputs import Extra, as_json, check_outputs, publish
    from discreet.cli.pages import readers
    from discreet.instruments.microaggregate import microaggregate

    whom = readers(audience, report)
    if is_large(data, memory, cluster, resume):
        refused = {
            f"the method {method} (--method)": method not in ("auto", "blocks"),
            "a certificate (--certify)": certify or certificate is not None,
            "a time limit (--time-limit)": time_limit is not None,
            "weights (--weight)": weight is not None,
            "strata (--by)": by is not None,
            "columns chosen by default (--leave)": leave is not None,
        }
        opened = large_dataset(data, output, memory, cluster, resume=resume, delimiter=delimiter, encoding=encoding)
        microaggregate_large(
            opened,
            k,
            beside=Beside(report, whom, json, force=force, quiet=quiet),
            columns=split_sets(columns),
            effort=effort,
            random_state=seed,
            scale=scale,
            missing=missing,
            round=round,
            accept=accept or (),
            drop=split_names(drop) or (),
            allow_unprotected=allow_unprotected,
            refused=refused,
        )
        return
    check_outputs([json, report, certificate], data=output, force=force, inputs=[data], manifest=True)
    sets, left, strata = split_sets(columns), split_names(leave) or [], split_names(by) or []
    named = [name for text in columns or () for name in split_names(text) or []]
    source = Source.take(data, delimiter, encoding)
    document = source.read()
    used = [*named, *left, *strata, *([] if weight is None else [weight]), *(accept or ())]
    frame = without(document.frame, split_names(drop), used)
    check_accepted(frame, accept or (), named if len(columns or ()) < 2 else ())
    with progress(quiet) as callback:
        result = microaggregate(
            frame,
            k,
            columns=sets,
            method=options.word(method),
            effort=options.word(effort),
            certify=certify or certificate is not None,
            scale=options.word(scale),
            missing=options.word(missing),
            round=round,
            weight=weight,
            by=strata,
            leave=left,
            accept=accept or (),
            allow_unprotected=allow_unprotected,
            time_limit=time_limit,
            random_state=seed,
            progress=callback,
        )
        # A number for every record: the certificate is as confidential as the data.
        text = "" if certificate is None else as_json(dict(result.certificate or {}))
        proof = [] if certificate is None else [Extra(certificate, text, proof=True)]
        warning = notice(frame, [*result.columns, *(accept or ())])
        publish(
            result,
            output,
            source=source,
            like=document,
            report=report,
            audience=whom,
            json=json,
            also=proof,
            force=force,
        )
    if not quiet:
        say(result.summary())
    if columns is None:  # what was not named is told, even to those who want to hear nothing
        warn(chosen(frame, result.columns))
    if warning is not None:
        warn(warning)
