"""`discreet cell-key`: counts with noise that is the same for the same records in every table."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options


def command(
    data: Annotated[str, typer.Argument(help="Records: CSV, Parquet, Excel, SPSS, Stata or SAS; - is standard input.")],
    by: Annotated[
        list[str],
        typer.Option("--by", help="Variables of the table, separated by commas. Repeat it for linked tables.",
                     show_default=False),
    ],
    record_key: Annotated[
        str, typer.Option("--record-key", help="The column with each record's key.", show_default=False)
    ],
    perturbation: Annotated[
        str,
        typer.Option("--perturbation", help="The table of perturbations: CSV with pcv, ckey, pvalue.",
                     show_default=False),
    ],
    output: options.Output,
    hierarchy: options.TableHierarchy = None,
    empty: Annotated[bool, typer.Option("--empty", help="List the cells that no record falls into, too.")] = False,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:  # fmt: skip
    """Count records in every cell of a table with all its totals, and add noise by cell keys.

    The same records get the same noise in every table, so that asking again tells nothing. What is printed says how
    many counts can still be inferred exactly from the values that the noise can take.
    """
    from discreet.cli.console import say, split_names
    from discreet.cli.inputs import Source, extension
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.pages import readers, record
    from discreet.errors import UnsafeReleaseError
    from discreet.frames import write
    from discreet.frames.atomic import together
    from discreet.instruments.totals.cell_key import cell_key
    from discreet.report import page

    whom = readers(audience, report)
    trees = options.pairs(hierarchy, "--hierarchy", "variable=file.csv")
    check_outputs([json, report], data=output, force=force, inputs=[data, perturbation, *trees.values()])
    tables = [split_names(text) or [] for text in by]
    names = [name for table in tables for name in table if name != record_key]
    source = Source.take(data, delimiter, encoding)
    result = cell_key(
        source.read(exact=[record_key], verbatim=names),
        tables,
        record_key=record_key,
        perturbation=perturbation,
        hierarchies=trees,
        empty=empty,
    )
    source.check_unchanged()
    verdict = result.verify()
    if verdict.figures["wrong"]:
        raise UnsafeReleaseError("the independent check does not confirm this noise, so nothing is written")
    with together(force) as batch:
        temporary = batch.path(output, last=True)
        write(result.document, temporary, force=True, format=extension(output))
        if json is not None:
            batch.text(json, as_json(result.to_dict()))
        if report is not None:
            kept = record([source], published=(output, temporary))
            batch.text(report, page([result], verdicts=[verdict], audience=whom, record=kept))
    if not quiet:
        say(result.summary())
        say(f"checked: {verdict.outcome}")
