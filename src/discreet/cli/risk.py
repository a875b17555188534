"""`discreet risk`: how exposed the records of a file are."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from discreet.cli import options


def command(
    data: Annotated[str, typer.Argument(help="CSV, Parquet, Excel, SPSS, Stata or SAS file; - is CSV from a pipe.")],
    keys: Annotated[str, typer.Option(help="Columns an intruder may know, separated by commas.", show_default=False)],
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Where to write the risk of every record.", show_default=False),
    ] = None,
    weight: Annotated[str | None, typer.Option(help="Column of sampling weights, each 1 or more.")] = None,
    household: Annotated[str | None, typer.Option(help="Column that tells which records belong together.")] = None,
    sensitive: Annotated[
        str | None, typer.Option(help="Columns whose values the keys must not tell, separated by commas.")
    ] = None,
    numeric: Annotated[
        str | None, typer.Option(help="Columns of numbers by which persons could be linked, separated by commas.")
    ] = None,
    original: Annotated[
        str | None, typer.Option(help="The file before protection, row by row, for --numeric.", show_default=False)
    ] = None,
    missing: Annotated[str, typer.Option(help="A missing key is a value of its own, or a wildcard.")] = "value",
    boxes: Annotated[
        str, typer.Option(help="A box in a key, such as [17, 39] or {a, b}, is a value of its own, or a set.")
    ] = "value",
    alpha: Annotated[float, typer.Option(help="How much a match by a wildcard counts, 0 to 1.")] = 1.0,
    exact: Annotated[
        bool, typer.Option("--exact", help="Individual risk by the exact formula, not its approximation.")
    ] = False,
    suda: Annotated[str, typer.Option(help="Scores of special uniques: original, ihsn or none.")] = "original",
    max_risk: Annotated[float, typer.Option("--max-risk", help="Acceptable share of expected finds.")] = 0.01,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure how exposed the records of a file are to someone who knows their keys.

    Works on any file, protected or not. Every figure says whether it is counted or estimated. The risk of every record
    (-o) is confidential, like the file itself.
    """
    from discreet.cli.console import progress, say, split_names
    from discreet.cli.inputs import Source
    from discreet.cli.measurements import Kept, words_of, write_measurement
    from discreet.cli.outputs import check_outputs
    from discreet.cli.pages import readers
    from discreet.instruments.risk import risk

    whom = readers(audience, report)
    check_outputs([json, report], data=output, force=force, inputs=[data, original])
    sources = [Source.take(path, delimiter, encoding) for path in (data, original) if path is not None]
    before = None if original is None else sources[1].read().frame
    asked: dict[str, Any] = {"--keys": keys, "--weight": weight, "--household": household, "--sensitive": sensitive}
    asked |= {"--numeric": numeric, "--original": original, "--missing": missing, "--boxes": boxes}
    asked |= {"--alpha": alpha, "--suda": suda, "--max-risk": max_risk, "--exact": exact}
    asked |= {"--delimiter": delimiter, "--encoding": encoding}
    kept = Kept(sources, ["discreet", "risk", data, *words_of(asked)], whom)
    with progress(quiet):
        result = risk(
            sources[0].read().frame,
            split_names(keys) or [],
            weight=weight,
            household=household,
            sensitive=split_names(sensitive),
            numeric=split_names(numeric),
            original=before,
            missing=options.word(missing),
            boxes=options.word(boxes),
            alpha=alpha,
            exact=exact,
            suda=None if suda == "none" else options.word(suda),
            max_risk=max_risk,
        )
        write_measurement(result, output, json, report, kept, force=force)
    if not quiet:
        say(result.summary())
