"""`discreet verify`: check a release from the files alone. Exit code 0 safe, 1 unsafe, 2 cannot tell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
        typer.Option("--certificate", help="Also re-prove the bound in this file, from the data alone."),
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(help="With --certificate: columns are made comparable by sd, range or none.", show_default="sd"),
    ] = None,
    missing: Annotated[
        str | None, typer.Option(help="For matchings: missing values are a value of their own, or a wildcard.")
    ] = None,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", help="A column that may tell people apart, accepted by name.")
    ] = None,
    secret: Annotated[
        Path | None, typer.Option("--secret", help="For matchings: the custodian's file, to check the draw itself.")
    ] = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
) -> None:
    """Check that every person in a release is hidden among at least K."""
    from discreet.cli.console import split_names, teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.errors import InputError
    from discreet.frames import write_text
    from discreet.verify import File, verify, verify_certified

    if original == published == "-":
        raise InputError("only one of the two files can come from standard input")
    trees = options.pairs(hierarchy, "--hierarchy", "column=file.csv")
    check_outputs([json], force=force, inputs=[original, published, certificate, secret, *trees.values()])
    if scale not in (None, "sd", "range", "none"):
        raise InputError("unknown scale: choose one of sd, range, none")
    if scale is not None and certificate is None:
        raise InputError("--scale is about a certificate: name its file with --certificate")
    before, after = (File(path, delimiter=delimiter, encoding=encoding) for path in (original, published))
    claim: dict[str, Any] = {
        "k": k,
        "quasi_identifiers": split_names(qi),
        "guarantee": guarantee,
        "categorical": split_names(categorical) or (),
        "hierarchies": trees or None,
        "sensitive": sensitive,
        "l": l,
        "missing": missing,
        "accept": accept or (),
        "secret": secret,
    }
    proof = None
    if certificate is None:
        verdict = verify(before, after, **claim)
    else:
        verdict, proof = verify_certified(before, after, certificate, scale=scale or "sd", **claim)
    if json is not None:
        figures = verdict.to_dict() | ({} if proof is None else {"certificate": proof.to_dict()})
        write_text(json, as_json(figures), force=force)
    tell = teller(json)
    tell(verdict.summary())
    if proof is not None:
        tell(proof.summary())
    exits = (verdict.exit_code, 0 if proof is None else proof.exit_code)
    # Unsafe outweighs cannot tell.
    raise typer.Exit(1 if 1 in exits else max(exits))
