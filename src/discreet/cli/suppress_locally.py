"""`discreet suppress-locally`: leave as few keys of a file blank as possible, every combination shared by k."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options

FORM = "column=number, as in age=3,sex=1"


def command(
    data: Annotated[str, typer.Argument(help="CSV, Parquet, Excel, SPSS, Stata or SAS file; - is CSV from a pipe.")],
    k: options.K,
    keys: Annotated[str, typer.Option(help="Columns an intruder may know, separated by commas.", show_default=False)],
    output: options.Output,
    importance: Annotated[
        list[str] | None,
        typer.Option(
            "--importance", help="column=number,...: what a blank in it costs; the greater, the fewer. 1 unless given."
        ),
    ] = None,
    semantics: Annotated[
        str,
        typer.Option(help="class: K rows show every combination; cover: it fits K records, which is weaker."),
    ] = "class",
    combinations: Annotated[
        int | None, typer.Option(help="Ask it of every so many keys, rather than of all at once.")
    ] = None,
    drop: options.Drop = None,
    accept: options.Accept = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write the prices that prove the bound, for 'discreet verify'.")
    ] = None,
    no_certify: Annotated[
        bool, typer.Option("--no-certify", help="Do not prove how few blanks any release needs.")
    ] = False,
    shuffle: Annotated[
        bool | None,
        typer.Option(
            "--shuffle/--keep-order",
            help="Rows in a random order, or as they are; shuffled where the order would tell blanks, unless given.",
            show_default=False,
        ),
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
    """Leave as few keys blank as possible so that every published combination of keys is shared by K.

    Blanks are empty cells; everything else is published as it is: leave out names and numbers that identify people,
    with --drop. The release is checked by independent code before anything is written.
    """
    from discreet.cli.console import progress, say, split_names, warn
    from discreet.cli.identifiers import check_accepted, notice, without
    from discreet.cli.inputs import Source
    from discreet.cli.outputs import Extra, as_json, check_outputs, publish
    from discreet.cli.pages import readers
    from discreet.errors import InputError
    from discreet.instruments.local_suppression.suppress_locally import suppress_locally

    whom = readers(audience, report)
    if certificate is not None and no_certify:
        raise InputError("--certificate is what --no-certify leaves out: choose one")
    check_outputs([json, report, certificate], data=output, force=force, inputs=[data], manifest=True)
    weights = _importance(importance)
    names = split_names(keys) or []
    source = Source.take(data, delimiter, encoding)
    # Digits that a float64 does not hold count: in delimited text the keys stay text.
    document = source.read(exact=names)
    frame = without(document.frame, split_names(drop), [*names, *(accept or ())])
    check_accepted(frame, accept or (), names)
    with progress(quiet) as callback:
        result = suppress_locally(
            frame,
            k,
            keys=names,
            importance=weights,
            semantics=options.word(semantics),
            combinations=combinations,
            accept=accept or (),
            certify=not no_certify,
            shuffle=shuffle,
            time_limit=time_limit,
            random_state=seed,
            progress=callback,
            check=False,  # `publish` checks, once, just before it writes
        )
        # Prices tell which combinations are rare: the certificate is as confidential as the data.
        text = "" if certificate is None else as_json(dict(result.certificate or {}))
        proof = [] if certificate is None else [Extra(certificate, text, proof=True)]
        warning = notice(frame, [*names, *(accept or ())])
        verdict = publish(
            result,
            output,
            source=source,
            like=document,
            report=report,
            audience=whom,
            json=json,
            also=proof,
            force=force,
        )
    if not quiet:
        say(result.summary())
    if shuffle is None and result.shuffled:  # whoever lays the files side by side must know, quiet or not
        warn("Rows were shuffled: in their order the rows around a blank would have told it.")
    for limit in verdict.limits:
        if limit.startswith("who is looked for:"):
            warn(f"Not covered: {limit}.")
    if warning is not None:
        warn(warning)


def _importance(given: list[str] | None) -> dict[str, float] | None:
    """The numbers of `--importance`, which lists columns and may be repeated."""
    from discreet.cli.console import split_names
    from discreet.errors import InputError

    if not given:
        return None
    listed = options.pairs([one for text in given for one in split_names(text) or []], "--importance", FORM)
    try:
        return {column: _number(text) for column, text in listed.items()}
    except ValueError:
        raise InputError(f"--importance takes {FORM}") from None


def _number(text: str) -> float:
    return int(text) if text.isascii() and text.isdigit() else float(text)
