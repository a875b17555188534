"""`discreet utility`: what a published file is still good for, beside its original."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from discreet.cli import options


def command(
    data: Annotated[str, typer.Argument(help="The original: CSV, Parquet, Excel, SPSS, Stata or SAS file.")],
    published: Annotated[str, typer.Argument(help="What was published of it, by discreet or another program.")],
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="Where to write the figures of every column.", show_default=False),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to compare, separated by commas; all that both files have.")
    ] = None,
    weight: Annotated[str | None, typer.Option(help="Column of sampling weights.")] = None,
    by: Annotated[
        str | None, typer.Option(help="Columns whose values are the domains of totals, separated by commas.")
    ] = None,
    regression: Annotated[
        str | None, typer.Option(help="A regression to compare, as in 'income ~ age + C(sex)'.", show_default=False)
    ] = None,
    categorical: Annotated[
        str | None, typer.Option(help="Columns of categories that look like numbers, separated by commas.")
    ] = None,
    hierarchy: Annotated[
        list[str] | None,
        typer.Option("--hierarchy", help="column=file.csv: hierarchy whose labels were published. May be repeated."),
    ] = None,
    rows: Annotated[
        str, typer.Option(help="Order of rows in both files: same, shuffled, or auto, which finds out.")
    ] = "auto",
    queries: Annotated[int, typer.Option(help="How many range-count queries are drawn.")] = 1000,
    seed: Annotated[int, typer.Option(help="Fixes what is drawn.")] = 0,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure what a published file is still good for.

    Loss of cells, information loss, moments, quantiles, correlations, penalties of widening, random queries, whether
    the files can be told apart, totals by domain and a regression with their intervals. Figures that need both
    files in the same order of rows are left out where they are not.
    """
    from discreet.cli.console import progress, say, split_names
    from discreet.cli.inputs import Source
    from discreet.cli.measurements import Kept, words_of, write_measurement
    from discreet.cli.outputs import check_outputs
    from discreet.cli.pages import readers
    from discreet.instruments.measured.utility import utility

    whom = readers(audience, report)
    trees = options.pairs(hierarchy, "--hierarchy", "column=file.csv")
    check_outputs([json, report], data=output, force=force, inputs=[data, published, *trees.values()])
    before, after = (Source.take(path, delimiter, encoding) for path in (data, published))
    asked: dict[str, Any] = {"--columns": columns, "--weight": weight, "--by": by, "--regression": regression}
    asked |= {"--categorical": categorical, "--hierarchy": hierarchy, "--rows": rows, "--queries": queries}
    asked |= {"--seed": seed, "--delimiter": delimiter, "--encoding": encoding}
    kept = Kept([before], ["discreet", "utility", data, published, *words_of(asked)], whom, after)
    with progress(quiet):
        result = utility(
            before.read().frame,
            after.read().frame,
            columns=split_names(columns),
            weight=weight,
            by=split_names(by),
            regression=regression,
            categorical=split_names(categorical) or (),
            hierarchies=trees,
            rows=options.word(rows),
            queries=queries,
            random_state=seed,
        )
        write_measurement(result, output, json, report, kept, force=force)
    if not quiet:
        say(result.summary())
