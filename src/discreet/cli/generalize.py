"""`discreet generalize`: widen the quasi-identifiers of a file until each person has k equally likely matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options

ORDER_FORM = "column=first,second,..."


def command(
    data: Annotated[
        str,
        typer.Argument(
            help="CSV, Parquet, Excel, SPSS, Stata or SAS file, or a folder of Parquet files; - is CSV from a pipe."
        ),
    ],
    k: options.K,
    qi: Annotated[
        str, typer.Option("--qi", help="Columns an intruder may know, separated by commas.", show_default=False)
    ],
    output: options.Output,
    categorical: Annotated[
        str | None, typer.Option(help="Numeric columns that are really categories, separated by commas.")
    ] = None,
    ordered: Annotated[
        list[str] | None,
        typer.Option("--ordered", help="column=first,second,...: categories in an order. May be repeated."),
    ] = None,
    numeric: Annotated[
        str | None, typer.Option(help="Columns of text whose digits are numbers, separated by commas.")
    ] = None,
    cap: options.Cap = None,
    level: options.Level = None,
    drop: options.Drop = None,
    accept: options.Accept = None,
    method: Annotated[str, typer.Option(help="How to search; 'auto' picks.")] = "auto",
    hierarchy: Annotated[
        list[str] | None,
        typer.Option("--hierarchy", help="column=file.csv: labels a column may be widened to. May be repeated."),
    ] = None,
    missing: Annotated[str, typer.Option(help="Missing values: error, value or wildcard.")] = "error",
    ncp: Annotated[str, typer.Option(help="How loss is counted: distinct or share.")] = "distinct",
    importance: Annotated[
        list[str] | None, typer.Option("--importance", help="column=number: how much its loss counts. May be repeated.")
    ] = None,
    weight: Annotated[list[str] | None, typer.Option("--weight", hidden=True)] = None,
    partition: Annotated[str | None, typer.Option(help="Cut blocks by: kd or lexicographic.")] = None,
    partition_size: Annotated[int | None, typer.Option(help="Records in a block.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of reassignment.")] = None,
    sensitive: Annotated[str | None, typer.Option(help="Sensitive column, with --l.")] = None,
    l: Annotated[
        int | None, typer.Option("--l", help="Least number of sensitive values among a person's matches.")
    ] = None,
    certify: Annotated[
        bool, typer.Option("--certify", help="Also prove how little any release could have lost.")
    ] = False,
    keep_secret: Annotated[
        Path | None,
        typer.Option(
            "--keep-secret",
            help="Store the matchings and the draw for the custodian (mode 0600): a file, or for a folder a folder.",
        ),
    ] = None,
    time_limit: options.TimeLimit = None,
    memory: options.Memory = None,
    cluster: options.Cluster = None,
    resume: options.Resume = False,
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="Repeat search and draw: for tests, as the seed gives the secret away."),
    ] = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Widen quasi-identifiers so that each person has K equally likely matches, losing as little as possible.

    Rows are shuffled, and every other column is published as it is: leave out names and numbers that identify
    people, with --drop. The release is checked by independent code before anything is written.
    """
    from discreet.cli.console import progress, say, split_names, warn
    from discreet.cli.identifiers import check_accepted, notice, without
    from discreet.cli.inputs import Source
    from discreet.cli.large import Beside, generalize_large, is_large, large_dataset
    from discreet.cli.outputs import Extra, check_outputs, publish
    from discreet.cli.pages import readers
    from discreet.instruments.generalize import generalize

    whom = readers(audience, report)
    hierarchies = options.pairs(hierarchy, "--hierarchy", "column=file.csv")
    shares = _importance(importance, weight)
    orders = {name: split_names(text) or [] for name, text in options.pairs(ordered, "--ordered", ORDER_FORM).items()}
    given: dict[str, Any] = {"partition": partition, "partition_size": partition_size, "rounds": rounds}
    given = {name: value for name, value in given.items() if value is not None}
    categories = split_names(categorical) or []
    known = split_names(qi) or []
    if is_large(data, memory, cluster, resume):
        from discreet.instruments.quasi_identifiers import Treatment

        generalize_large(
            large_dataset(data, output, memory, cluster, resume=resume, delimiter=delimiter, encoding=encoding),
            k,
            beside=Beside(report, whom, json, force=force, quiet=quiet),
            keep_secret=keep_secret,
            quasi_identifiers=known,
            method=options.word(method),
            options=given,
            random_state=seed,
            treatment=Treatment(
                hierarchies=hierarchies,
                categorical=categories,
                ordered=orders,
                importance=shares,
                ncp=options.word(ncp),
                missing=options.word(missing),
                sensitive=None,
                numeric=split_names(numeric) or (),
                caps=options.caps(cap),
                levels=options.levels(level),
            ),
            accept=accept or (),
            drop=split_names(drop) or (),
            refused={
                "a certificate (--certify)": certify,
                "a time limit (--time-limit)": time_limit is not None,
                "sensitive values (--sensitive, --l)": sensitive is not None or l is not None,
            },
        )
        return
    check_outputs(
        [json, report, keep_secret], data=output, force=force, inputs=[data, *hierarchies.values()], manifest=True
    )
    told = [*known, *([] if sensitive is None else [sensitive])]
    source = Source.take(data, delimiter, encoding)
    # Digits that a float64 does not hold count: in delimited text these columns stay text.
    document = source.read(exact=told, verbatim=[*categories, *orders, *hierarchies])
    frame = without(document.frame, split_names(drop), [*told, *(accept or ())])
    check_accepted(frame, accept or (), known)
    with progress(quiet) as callback:
        result = generalize(
            frame,
            k,
            quasi_identifiers=known,
            method=options.word(method),
            hierarchies=hierarchies,
            certify=certify,
            time_limit=time_limit,
            random_state=seed,
            progress=callback,
            categorical=categories,
            ordered=orders,
            importance=shares,
            ncp=options.word(ncp),
            missing=options.word(missing),
            numeric=split_names(numeric) or (),
            caps=options.caps(cap),
            levels=options.levels(level),
            sensitive=sensitive,
            l=l,
            accept=accept or (),
            check=False,  # `publish` checks, once, just before it writes
            **given,
        )
        secret = [] if keep_secret is None else [Extra(keep_secret, result.secret())]
        warning = notice(frame, [*told, *(accept or ())])
        publish(
            result,
            output,
            source=source,
            like=document,
            report=report,
            audience=whom,
            json=json,
            also=secret,
            hierarchies=hierarchies,
            force=force,
        )
    if not quiet:
        say(result.summary())
    if warning is not None:
        warn(warning)


def _importance(given: list[str] | None, former: list[str] | None) -> dict[str, float]:
    """How much each column's loss counts; `former` is what stands after the option's old name."""
    from discreet.errors import InputError

    if former:
        raise InputError("--weight is now called --importance: how much a column's loss counts, as in age=2")
    try:
        return {column: float(text) for column, text in options.pairs(given, "--importance", "column=number").items()}
    except ValueError as error:
        raise error if isinstance(error, InputError) else InputError("--importance takes column=number") from None
