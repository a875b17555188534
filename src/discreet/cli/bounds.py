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

    Only the released margins of the table are used. Each bound is proven; `sharp` says that a table attains it.
    """
    from contextlib import ExitStack

    from discreet.cli.console import progress, say
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.frames import atomic, write
    from discreet.instruments.tables import bounds
    from discreet.report import page

    check_outputs([output, json, report], force=force)
    margins = released(table, release, count, delimiter, encoding)
    with progress(quiet) as callback:
        result = bounds(margins, method=method, time_limit=time_limit, progress=callback)
        texts: dict[Path, str] = {}
        if json is not None:
            texts[json] = as_json(result.to_dict())
        if report is not None:
            texts[report] = page([result], verdicts=[result.verify()])
        with ExitStack() as stack:
            for path, text in texts.items():
                handle = stack.enter_context(atomic(path, force))
                handle.write(text.encode("utf-8"))
                handle.flush()
            if output is not None:
                write(result.to_frame(), output, force=force)
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


def released(path: str, release: list[str], count: str, delimiter: str | None, encoding: str | None) -> Any:
    """The released margins of a table file; one error for all that is wrong with them."""
    from discreet.errors import Faults, InputError

    table, faults, wanted = load(path, count, delimiter, encoding), Faults(), []
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
