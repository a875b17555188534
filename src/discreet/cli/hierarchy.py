"""`discreet hierarchy`: check a hierarchy file, alone or against the data it is for, and build simple ones."""

from __future__ import annotations

from datetime import date
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
    widths: Annotated[
        str | None, typer.Option("--widths", help="Widths of intervals of numbers, or of ages: 5,10,20.")
    ] = None,
    prefixes: Annotated[str | None, typer.Option("--prefixes", help="Lengths of prefixes, such as 4,3,2.")] = None,
    dates: Annotated[
        str | None,
        typer.Option("--dates", help="Steps of dates: some of day,month,quarter,year, then numbers of years."),
    ] = None,
    ages: Annotated[
        str | None, typer.Option("--ages", help="Dates of birth by the age on this day, such as 2024-12-31.")
    ] = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
) -> None:
    """Write the hierarchy of a column's values: intervals of numbers, prefixes of codes, steps of dates, or ages."""
    import csv
    import io

    from discreet.cli.outputs import check_outputs
    from discreet.errors import InputError
    from discreet.frames import column_faults, read, text_array, write_text
    from discreet.frames.dataframes import adopt
    from discreet.frames.exact import has_comma
    from discreet.generalization.calendar import by_age, by_date
    from discreet.generalization.hierarchy import by_interval, by_prefix

    check_outputs([output], force=force, inputs=[data])
    given = [prefixes is not None, dates is not None, ages is not None, widths is not None and ages is None]
    if sum(given) != 1:
        raise InputError("give either --widths, --prefixes, --dates or --ages (with or without --widths)")
    # Labels are made for the text as it stands, as 'generalize' reads columns that have a hierarchy.
    document = read(data, delimiter=delimiter, encoding=encoding, verbatim=[column])
    faults = column_faults(document.frame, [column])
    if faults:
        raise InputError(faults)
    texts = [text for text in dict.fromkeys(text_array(document.frame, column).tolist()) if text]
    if prefixes is not None:
        tree = by_prefix(texts, _whole(prefixes, "--prefixes"))
    elif dates is not None:
        tree = by_date(texts, [int(part) if part.strip().isdigit() else part.strip() for part in dates.split(",")])
    elif ages is not None:
        tree = by_age(texts, _day(ages), [] if widths is None else _whole(widths, "--widths"))
    else:
        assert widths is not None
        tree = by_interval(_numbers(texts, column, has_comma(adopt(document.frame), column)), _steps(widths))
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(tree.rows())
    write_text(output, text.getvalue(), force=force)


def _numbers(texts: list[str], column: str, comma: bool) -> dict[str, float]:
    """The number that each text is, without those that say that there is none."""
    import numpy as np

    from discreet.errors import InputError
    from discreet.frames.exact import numbers_in

    found, _, odd = numbers_in(np.arange(len(texts)), texts, comma)
    if found is None:
        raise InputError(f"column {column!r} is not numeric" + (f": {odd} values are no numbers" if odd else ""))
    return {text: float(number) for text, number in zip(texts, found) if number is not None}


def _steps(given: str) -> list[float]:
    from discreet.errors import InputError

    try:
        return [float(part) for part in given.split(",")]
    except ValueError:
        raise InputError("--widths and --prefixes take numbers separated by commas") from None


def _whole(given: str, option: str) -> list[int]:
    from discreet.errors import InputError

    steps = _steps(given)
    if not all(step.is_integer() for step in steps):
        raise InputError(f"{option} takes whole numbers here")
    return [int(step) for step in steps]


def _day(given: str) -> date:
    from discreet.errors import InputError

    try:
        return date.fromisoformat(given)
    except ValueError:
        raise InputError("--ages takes a day such as 2024-12-31") from None
