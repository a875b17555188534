"""`discreet hierarchy`: check a hierarchy file, alone or against the data it is for, and build simple ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.strict import Strict

app = typer.Typer(help="Hierarchies: the labels a value may be widened to.", no_args_is_help=True)


@app.command("check", cls=Strict)
def check(
    hierarchy: Annotated[Path, typer.Argument(help="CSV without header: value, then ever wider labels.")],
    data: Annotated[str | None, typer.Option("--data", help="The file it is for.")] = None,
    column: Annotated[str | None, typer.Option("--column", help="The column it is for, with --data.")] = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
) -> None:
    """Say everything that is wrong with a hierarchy, or what it looks like. Exit code 0 good, 2 not."""
    from discreet.cli.console import tell
    from discreet.errors import Faults, InputError
    from discreet.frames import column_faults, read, text_array
    from discreet.instruments.quasi_identifiers import as_hierarchy

    faults = Faults()
    faults.check((data is None) == (column is None), "--data and --column go together: give both or neither")
    dialect = delimiter is not None or encoding is not None
    faults.check(
        data is not None or not dialect, "--delimiter and --encoding are for the file of --data: give that too"
    )
    tree = None
    try:
        tree = as_hierarchy(hierarchy, hierarchy.name)
    except InputError as error:
        faults.extend(error)
    covered = ""
    if data is not None and column is not None:
        document = read(data, delimiter=delimiter, encoding=encoding, verbatim=[column])
        wrong = column_faults(document.frame, [column])
        for fault in wrong:
            faults.add(fault)
        if not wrong and tree is not None:
            present = {text for text in text_array(document.frame, column) if text is not None}
            absent = len(present - set(tree.leaves))
            faults.check(absent == 0, f"the hierarchy misses {absent} of the {len(present)} values of {column!r}")
            covered = f", all {len(present)} values of {column} covered"
    faults.raise_if_any()
    assert tree is not None
    wider = len(tree.labels) - len(tree.leaves)
    tell(f"good: {len(tree.leaves)} values, {wider} wider labels, {tree.height} levels above the values{covered}")


@app.command("make", cls=Strict)
def make(
    data: Annotated[str, typer.Argument(help="The file with the values.")],
    column: Annotated[str, typer.Option("--column", help="The column.", show_default=False)],
    output: options.Output,
    widths: Annotated[str | None, typer.Option("--widths", help="Widths of intervals, such as 5,10,20.")] = None,
    prefixes: Annotated[str | None, typer.Option("--prefixes", help="Lengths of prefixes, such as 4,3,2.")] = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
) -> None:
    """Write the hierarchy of a column's values by intervals of numbers or by prefixes of codes."""
    import csv
    import io

    from discreet.cli.outputs import check_outputs
    from discreet.errors import InputError
    from discreet.frames import numeric_array, read, text_array, write_text
    from discreet.generalization.hierarchy import by_interval, by_prefix

    check_outputs([output], force=force, inputs=[data])
    if (widths is None) == (prefixes is None):
        raise InputError("give either --widths or --prefixes")
    # Labels of codes are made of the text as it stands, as 'generalize' reads columns that have a hierarchy.
    document = read(data, delimiter=delimiter, encoding=encoding, verbatim=[] if prefixes is None else [column])
    try:
        steps = [float(part) for part in (widths or prefixes or "").split(",")]
    except ValueError:
        raise InputError("--widths and --prefixes take numbers separated by commas") from None
    if widths is not None:
        numbers = numeric_array(document.frame, [column])[:, 0]
        tree = by_interval(numbers[~(numbers != numbers)].tolist(), steps)
    else:
        texts = [text for text in text_array(document.frame, column) if text is not None]
        tree = by_prefix(texts, [int(step) for step in steps])
    rows = tree.rows()
    levels = max(len(row) for row in rows)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    for row in rows:  # a label that says nothing new was dropped from the tree: the file repeats the value below
        writer.writerow([row[0]] * (levels - len(row)) + list(row))
    write_text(output, text.getvalue(), force=force)
