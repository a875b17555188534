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
Variables = Annotated[
    str | None,
    typer.Option(help="The variables of the table, as A:B:C, where the file has other columns; all unless given."),
]


def command(
    table: TableFile,
    release: Release,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Where to write the bounds of all cells.", show_default=False)
    ] = None,
    method: Annotated[str, typer.Option(help="How to bound; 'auto' proves every side it can.")] = "auto",
    count: Count = "count",
    variables: Variables = None,
    policy: Annotated[
        str,
        typer.Option(help="Which cells are exposed: counts of 1 to c whose bounds are closer than w. Or a TOML file."),
    ] = "c=2,w=3",
    explain: Annotated[bool, typer.Option("--explain", help="Say which case of the theory applies.")] = False,
    time_limit: options.TimeLimit = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Bound every cell of a table from margins alone: what an intruder can infer from what is published.

    Only the released margins of the table are used. Each bound is proven; `sharp` says that a table attains it. The
    file is proved again by the independent check before it gets its name. Whether the cells are safe is another matter:
    that is told by the policy.
    """
    from discreet.cli.console import progress, say
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.pages import readers, record
    from discreet.cli.table_outputs import TableFile, check_and_write_bounds, kept
    from discreet.instruments.tables import bounds
    from discreet.report import page

    whom, rules = readers(audience, report), risk_policy(policy)
    check_outputs([json, report], data=output, force=force, inputs=[table])
    chosen = None if variables is None else tuple(names(variables))

    def texts(checked: Any, verdict: Any) -> dict[Path, str]:
        found = {} if json is None else {json: as_json(checked.to_dict())}
        if report is None:
            return found
        margins = [word for one in release for word in ("-r", one)]
        own = [] if variables is None else ["--variables", variables]
        own += [] if count == "count" else ["--count", count]
        how = ["discreet", "verify-bounds", output, table, *margins, *own] if output is not None else []
        kept = record([table], command=how)
        return {**found, report: page([checked], verdicts=[verdict], audience=whom, record=kept)}

    with kept(table) as path:
        loaded = load(path, count, delimiter, encoding, chosen)
        margins = released(loaded, release)
        with progress(quiet) as callback:
            result = bounds(margins, method=options.word(method), time_limit=time_limit, progress=callback)
        result, verdict = check_and_write_bounds(
            result.under(rules, loaded),
            output,
            TableFile(path, count, chosen, delimiter, encoding),
            time_limit=time_limit,
            texts=texts,
            force=force,
        )
    if verdict.figures["undecided"]:
        say(f"note: {verdict.figures['undecided']} sides could not be proved again in time and are not called sharp")
    if not quiet:
        say(result.summary())
    if explain:
        for line in result.exposure().lines():
            say(f"    {line}")
        say(str(result.explain()))


def risk_policy(text: str) -> Any:
    """`c=2,w=3`, or what stands in a TOML file, as a policy."""
    from discreet.errors import InputError
    from discreet.release.policy import read_policy
    from discreet.tables.bounds.risk import RiskPolicy

    parts = [part.partition("=") for part in text.split(",")]
    if not all(name.strip() in ("c", "w") and sign for name, sign, _ in parts):
        if text.endswith(".toml") or Path(text).is_file():
            found = read_policy(Path(text))
            return RiskPolicy.of({"c": found.c, "w": found.w})
        raise InputError("--policy takes c=2,w=3 or the name of a TOML file")
    try:
        return RiskPolicy.of({name.strip(): int(value) for name, _, value in parts})
    except ValueError as error:
        raise error if isinstance(error, InputError) else InputError("--policy takes whole numbers, c=2,w=3") from None


def load(
    path: str, count: str, delimiter: str | None, encoding: str | None, variables: tuple[str, ...] | None = None
) -> Any:
    """A table from a file in long form, or of records that are counted."""
    from discreet.frames import read
    from discreet.tables.table import Table

    document = read(path, delimiter=delimiter, encoding=encoding)
    if count in document.names:
        return Table.from_counts(document, count, variables)
    if count != "count":
        from discreet.errors import InputError

        raise InputError(f"the file has no column {count!r}")
    if variables is None:
        check_records(document)
    return Table.from_frame(document, variables)


def check_records(document: Any) -> None:
    """A column of whole numbers called Freq, n or the like is no variable unasked: it may be the count."""
    from discreet.errors import InputError, listing
    from discreet.release.loading.columns import describe

    found = [column.name for column in describe(document) if column.named_like_a_count and column.could_count]
    if found:
        raise InputError(
            f"the column {listing(found)} may hold counts: say so with --count, or name the variables (--variables) "
            "if every row is a record"
        )


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
