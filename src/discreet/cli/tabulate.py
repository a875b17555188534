"""`discreet tabulate`: a table with all its totals from records, ready to be audited or suppressed."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated, Any

import typer

from discreet.cli import options

By = Annotated[
    list[str],
    typer.Option(
        "--by", help="Variables of the table, separated by commas. Repeat it for linked tables.", show_default=False
    ),
]


def command(
    data: Annotated[
        str,
        typer.Argument(
            help="Records: CSV, Parquet, Excel, SPSS, Stata or SAS; - is standard input. Or a folder of Parquet files."
        ),
    ],
    by: By,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            help="Where to write: a long table (.csv, .parquet), a problem (.jj, .csp) or τ-ARGUS files (.tab).",
            show_default=False,
        ),
    ],
    value: Annotated[
        str | None, typer.Option("--value", help="The column to add up; without it records are counted.")
    ] = None,
    weight: Annotated[str | None, typer.Option("--weight", help="Sampling weights.")] = None,
    holding: Annotated[
        str | None, typer.Option("--holding", help="Whom records belong to: a holding is one contributor.")
    ] = None,
    hierarchy: options.TableHierarchy = None,
    rule: options.Rule = None,
    empty: Annotated[bool, typer.Option("--empty", help="List the cells that no record falls into, too.")] = False,
    memory: options.Memory = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Count records, or add up an amount, in every cell of a table with all its totals.

    The file holds the true counts and amounts of all cells: it is for the custodian. With rules, sensitive cells are
    marked and get protection levels; hide them with `discreet suppress`.
    """
    from discreet.cli.console import say, split_names
    from discreet.cli.inputs import Source
    from discreet.cli.large import is_large
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.pages import readers, record
    from discreet.errors import InputError
    from discreet.frames.atomic import together
    from discreet.instruments.totals.tabulate import tabulate
    from discreet.report import page

    whom = readers(audience, report)
    hierarchies = options.pairs(hierarchy, "--hierarchy", "variable=file.csv")
    kind = PurePath(output).suffix.lower()
    special = kind in (".jj", ".csp", ".tab")
    beside = [PurePath(output).with_suffix(".rda")] if kind == ".tab" else []
    check_outputs(
        [json, report, *([output] if special else []), *map(str, beside)],
        data=None if special else output,
        force=force,
        inputs=[data, *hierarchies.values()],
    )
    tables = [split_names(text) or [] for text in by]
    names = [name for table in tables for name in table]
    numbers = [name for name in (value, weight) if name is not None]
    large = is_large(data, memory, None, False, texts=False)
    source = None if large else Source.take(data, delimiter, encoding)
    if source is None and not (delimiter is None and encoding is None):
        raise InputError("the delimiter and the encoding of data of any size are found, not chosen: leave them out")
    labels = [*names, *([] if holding is None else [holding])]
    verbatim = [name for name in labels if name not in numbers]
    result = tabulate(
        data if source is None else source.read(exact=numbers, verbatim=verbatim),
        tables,
        value=value,
        weight=weight,
        holding=holding,
        hierarchies=hierarchies,
        rules=rule or None,
        empty=empty,
        memory=memory,
    )
    if source is not None:
        source.check_unchanged()
    with together(force) as batch:
        for path, text in _texts(result, output, kind).items():
            batch.text(path, text)
        if not special:
            _fill(result, batch.path(output, last=True), output)
        if json is not None:
            batch.text(json, as_json(result.to_dict()))
        if report is not None:
            batch.text(report, page([result], audience=whom, record=record([] if source is None else [source])))
    if not quiet:
        say(result.summary())


def _texts(result: Any, output: str, kind: str) -> dict[Path, str]:
    """The files of a table that is not written as a long one."""
    from discreet.instruments.totals.additive import written_argus, written_problem

    if kind in (".jj", ".csp"):
        return {Path(output): written_problem(result.table)}
    if kind == ".tab":
        folder = Path(output).parent
        return {folder / name: text for name, text in written_argus(result.table, Path(output).stem).items()}
    return {}


def _fill(result: Any, temporary: Path, output: str) -> None:
    from discreet.cli.inputs import extension
    from discreet.frames import write
    from discreet.instruments.totals.additive import table_document

    table = table_document(result.table, levels=result.rules is not None)
    write(table, temporary, force=True, format=extension(output))
