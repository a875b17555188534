"""`discreet verify`: check a release from the files alone. Exit code 0 safe, 1 unsafe, 2 cannot tell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options


def command(
    original: Annotated[str, typer.Argument(help="The confidential file.")],
    published: Annotated[str, typer.Argument(help="The file that is to be released.")],
    k: options.K,
    qi: Annotated[
        str | None,
        typer.Option("--qi", help="Columns that could identify someone; numeric and changed ones unless given."),
    ] = None,
    guarantee: Annotated[str, typer.Option(help="auto, classes, microaggregation or matchings.")] = "auto",
    categorical: Annotated[str | None, typer.Option(help="Numeric columns that are really categories.")] = None,
    hierarchy: Annotated[
        list[str] | None, typer.Option("--hierarchy", help="column=file.csv, for labels of a hierarchy.")
    ] = None,
    sensitive: Annotated[str | None, typer.Option(help="Sensitive column, with --l.")] = None,
    l: Annotated[int | None, typer.Option("--l", help="Least number of sensitive values among matches.")] = None,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", help="Also re-prove the bound in this file, from the original alone."),
    ] = None,
    missing: Annotated[str, typer.Option(help="Missing values are a value of their own, or a wildcard.")] = "value",
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
) -> None:
    """Check that every person in a release is hidden among at least K."""
    from discreet.cli.console import split_names
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.frames import read, write_text
    from discreet.verify import verify

    check_outputs([json], force=force)
    codes = split_names(categorical) or ()
    before = read(original, delimiter=delimiter, encoding=encoding, text=codes)
    after = read(published, delimiter=delimiter, encoding=encoding, text=codes)
    verdict = verify(
        before.frame,
        after.frame,
        k=k,
        quasi_identifiers=split_names(qi),
        guarantee=guarantee,
        categorical=split_names(categorical) or (),
        hierarchies=_hierarchies(hierarchy or []),
        sensitive=sensitive,
        l=l,
        missing=missing,
    )
    proof = None
    if certificate is not None:
        from discreet.verify.certificates import verify_certificate_file

        proof = verify_certificate_file(before.frame, certificate, k=k, release=verdict)
    if json is not None:
        figures = verdict.to_dict() | ({} if proof is None else {"certificate": proof.to_dict()})
        write_text(json, as_json(figures), force=force)
    typer.echo(verdict.summary())
    if proof is not None:
        typer.echo(proof.summary())
    exits = (verdict.exit_code, 0 if proof is None else proof.exit_code)
    # Unsafe outweighs cannot tell.
    raise typer.Exit(1 if 1 in exits else max(exits))


def _hierarchies(given: list[str]) -> dict[str, str] | None:
    """`column=file.csv` pairs as a mapping from columns to files."""
    from discreet.errors import InputError

    pairs = [text.partition("=") for text in given]
    if not all(column and path for column, _, path in pairs):
        raise InputError("--hierarchy takes column=file.csv")
    return {column: path for column, _, path in pairs} or None
