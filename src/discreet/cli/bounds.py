"""`discreet bounds`: what released margins of a table reveal about each of its cells."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options

Release = Annotated[
    list[str],
    typer.Option(
        "--release", "-r", help="A released margin, its variables joined by colons: A:B. Repeat it.", show_default=False
    ),
]
TableFile = Annotated[
    str, typer.Argument(help="A table in long form: one column per variable and `count`. Or records, to be counted.")
]
Count = Annotated[str, typer.Option(help="The column of counts; without it in the file, records are counted.")]


def command(
    table: TableFile,
    release: Release,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Where to write the bounds of all cells.", show_default=False)
    ] = None,
    method: Annotated[str, typer.Option(help="How to bound; 'auto' proves every side it can.")] = "auto",
    count: Count = "count",
    explain: Annotated[bool, typer.Option("--explain", help="Say which case of the theory applies.")] = False,
    time_limit: options.TimeLimit = None,
    report: options.Report = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Bound every cell of a table from margins alone: what an intruder can infer from what is published.

    Only the released margins of the table are used. Each bound is proven; `sharp` says that a table attains it. The
    file is proved again by the independent check before it gets its name.
    """
    from discreet.cli.console import progress, say
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.table_outputs import TableFile, check_and_write_bounds, kept
    from discreet.instruments.tables import bounds
    from discreet.report import page

    check_outputs([json, report], data=output, force=force, inputs=[table])

    def texts(checked: Any, verdict: Any) -> dict[Path, str]:
        found = {} if json is None else {json: as_json(checked.to_dict())}
        return found if report is None else {**found, report: page([checked], verdicts=[verdict])}

    with kept(table) as path, progress(quiet) as callback:
        margins = released(load(path, count, delimiter, encoding), release)
        result = bounds(margins, method=method, time_limit=time_limit, progress=callback)
        result, verdict = check_and_write_bounds(
            result,
            output,
            TableFile(path, count, delimiter, encoding),
            time_limit=time_limit,
            texts=texts,
            force=force,
        )
    if verdict.figures["undecided"]:
        say(f"note: {verdict.figures['undecided']} sides could not be proved again in time and are not called sharp")
    if not quiet:
        say(result.summary())
    if explain:
        say(str(result.explain()))


def load(path: str, count: str, delimiter: str | None, encoding: str | None) -> Any:
    """A table from a file in long form, or of records that are counted."""
    from discreet.frames import read
    from discreet.tables.table import Table

    document = read(path, delimiter=delimiter, encoding=encoding)
    if count in document.names:
        return Table.from_counts(document, count)
    if count != "count":
        from discreet.errors import InputError

        raise InputError(f"the file has no column {count!r}")
    return Table.from_frame(document)


def released(table: Any, release: list[str]) -> Any:
    """The released margins of a table; one error for all that is wrong with them."""
    from discreet.errors import Faults, InputError

    faults, wanted = Faults(), []
    for text in release:
        try:
            wanted.append(names(text))
            table.axes(wanted[-1])
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    return table.margins(wanted)


def names(text: str) -> list[str]:
    """`A:B` as names."""
    from discreet.errors import InputError

    found = [name.strip() for name in text.split(":")]
    if not all(found):
        raise InputError("a margin is written as names joined by colons, such as A:B")
    return found
