"""`discreet recommend`: which instrument, method and k a file asks for."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from discreet.cli import options


def command(
    data: Annotated[str, typer.Argument(help="CSV, Parquet, Excel, SPSS, Stata or SAS file; - is CSV from a pipe.")],
    most_risk: Annotated[
        float | None, typer.Option("--most-risk", help="Largest share of persons whom anybody may find, by proof.")
    ] = None,
    most_loss: Annotated[
        float | None, typer.Option("--most-loss", help="Largest loss, from 0, nothing, to 1, everything.")
    ] = None,
    keys: Annotated[str | None, typer.Option(help="Keys an intruder may know, separated by commas.")] = None,
    numeric: Annotated[
        str | None, typer.Option(help="Numbers an intruder may know, separated by commas; guessed without --keys.")
    ] = None,
    sensitive: Annotated[str | None, typer.Option(help="What an intruder wants to know, separated by commas.")] = None,
    drop: options.Drop = None,
    weight: Annotated[str | None, typer.Option(help="Column of sampling weights.")] = None,
    household: Annotated[str | None, typer.Option(help="Column that tells which records belong together.")] = None,
    accept: options.Accept = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Where to write the table of all that was tried.")
    ] = None,
    time_limit: options.TimeLimit = None,
    seed: options.Seed = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Propose how to protect a file, with the reasons and all that was tried for it.

    What is allowed to be found is held by proof. Without --keys and --numeric the roles of columns are guessed, and
    must be looked at. Nothing is published.
    """
    from discreet.cli.console import progress, split_names, teller
    from discreet.cli.inputs import Source
    from discreet.cli.measurements import Kept, words_of, write_measurement
    from discreet.cli.outputs import check_outputs
    from discreet.cli.pages import readers
    from discreet.instruments.comparison.recommend import recommend

    whom = readers(audience, report)
    check_outputs([json, report], data=output, force=force, inputs=[data])
    known = split_names(keys) or []
    source = Source.take(data, delimiter, encoding)
    asked: dict[str, Any] = {"--most-risk": most_risk, "--most-loss": most_loss, "--keys": keys, "--numeric": numeric}
    asked |= {"--sensitive": sensitive, "--drop": drop, "--weight": weight, "--household": household}
    asked |= {"--accept": accept, "--time-limit": time_limit, "--seed": seed if whom == "internal" else None}
    asked |= {"--delimiter": delimiter, "--encoding": encoding}
    kept = Kept([source], ["discreet", "recommend", data, *words_of(asked)], whom)
    with progress(quiet) as callback:
        found = recommend(
            source.read(exact=known).frame,
            keys=known,
            numeric=split_names(numeric) or [],
            sensitive=split_names(sensitive) or [],
            identifiers=split_names(drop) or [],
            weight=weight,
            household=household,
            most_risk=most_risk,
            most_loss=most_loss,
            accept=accept or [],
            time_limit=time_limit,
            random_state=seed,
            progress=callback,
        )
        write_measurement(found, output, json, report, kept, force=force)
    if not quiet:
        teller(json)(found.summary())
