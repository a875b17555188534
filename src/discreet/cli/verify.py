"""`discreet verify`: check a release from the files alone. Exit code 0 safe, 1 unsafe, 2 cannot tell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options

if TYPE_CHECKING:
    from discreet.results import Verdict

IDLE = (("guarantee", "auto"), ("rare", "error"))


def command(
    original: Annotated[str, typer.Argument(help="The confidential file, or a folder of Parquet files.")],
    published: Annotated[
        str | None, typer.Argument(help="The file or folder that is to be released; a manifest names it itself.")
    ] = None,
    k: options.MaybeK = None,
    manifest: Annotated[
        Path | None,
        typer.Option("--manifest", help="Check the release that this manifest stands beside, as it claims."),
    ] = None,
    qi: Annotated[
        list[str] | None,
        typer.Option(
            "--qi",
            help="Columns that could identify someone; numeric and changed ones unless given. Repeat it for sets of "
            "columns that were microaggregated one by one.",
        ),
    ] = None,
    guarantee: Annotated[
        str | None,
        typer.Option(
            help="auto, classes, microaggregation, matchings, blanks, or measured (-k 1).", show_default="auto"
        ),
    ] = None,
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
    cap: options.Cap = None,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", help="A left column that may tell, as it stands in the original.")
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", help="For microaggregation: columns whose values are strata.")
    ] = None,
    secret: Annotated[
        Path | None, typer.Option("--secret", help="The custodian's file, to check sets, means and the draw itself.")
    ] = None,
    numeric: Annotated[str | None, typer.Option(help="Columns published as means.")] = None,
    weight: Annotated[
        str | None,
        typer.Option(help="Column of sampling weights: published as means; for microaggregation, used in the means."),
    ] = None,
    household: Annotated[str | None, typer.Option(help="Column that numbers households, published anew.")] = None,
    person: Annotated[str | None, typer.Option(help="Column that numbers persons with several rows.")] = None,
    rare: Annotated[
        str | None,
        typer.Option(help="Sizes of fewer than K households: error, merge, suppress or unlink.", show_default="error"),
    ] = None,
    identifiers: Annotated[str | None, typer.Option(help="Columns that must not be published.")] = None,
    semantics: Annotated[
        str | None,
        typer.Option(help="For blanks: combinations are shared by class or by cover.", show_default="class"),
    ] = None,
    combinations: Annotated[
        int | None, typer.Option(help="For blanks: combinations of so many keys are shared, not of all.")
    ] = None,
    earlier: Annotated[
        list[Path] | None, typer.Option("--earlier", help="The manifest of an earlier release of the same people.")
    ] = None,
    memory: options.Memory = None,
    json: options.Json = None,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    force: options.Force = False,
) -> None:
    """Check that every person in a release is hidden among at least K."""
    from discreet.cli.console import split_names, split_sets, teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.errors import InputError
    from discreet.frames import write_text
    from discreet.verify import File, verify, verify_certified

    claim: dict[str, Any] = {
        "k": k,
        "quasi_identifiers": split_sets(qi),
        "guarantee": guarantee or "auto",
        "categorical": split_names(categorical) or (),
        "hierarchies": options.pairs(hierarchy, "--hierarchy", "column=file.csv") or None,
        "sensitive": sensitive,
        "l": l,
        "missing": missing,
        "accept": accept or (),
        "caps": options.caps(cap) or None,
        "numeric": split_names(numeric) or (),
        "weight": weight,
        "household": household,
        "person": person,
        "rare": rare or "error",
        "identifiers": split_names(identifiers) or (),
        "earlier": earlier or (),
        "by": split_names(by) or (),
        "semantics": semantics,
        "combinations": combinations,
    }
    files = [
        original,
        published,
        certificate,
        secret,
        manifest,
        *(claim["hierarchies"] or {}).values(),
        *(earlier or ()),
    ]
    check_outputs([json], force=force, inputs=files)
    if scale not in (None, "sd", "range", "none"):
        raise InputError("unknown scale: choose one of sd, range, none")
    if scale is not None and certificate is None:
        raise InputError("--scale is about a certificate: name its file with --certificate")
    proof = None
    if manifest is not None:
        verdict = _by_manifest(
            manifest,
            original,
            claim | {"published": published, "certificate": certificate, "memory": memory},
            secret,
            delimiter,
            encoding,
        )
    else:
        if published is None or k is None:
            raise InputError("give the published file and -k, or the --manifest that stands beside it")
        if original == published == "-":
            raise InputError("only one of the two files can come from standard input")
        before, after = (File(path, delimiter=delimiter, encoding=encoding) for path in (original, published))
        if certificate is None:
            verdict = verify(before, after, **claim, secret=secret, memory=memory)
        else:
            if memory is not None:
                raise InputError("a certificate is checked in memory: leave out --memory")
            verdict, proof = verify_certified(
                before, after, certificate, scale=options.word(scale or "sd"), **claim, secret=secret
            )
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


def _by_manifest(
    manifest: Path,
    original: str,
    claim: dict[str, Any],
    secret: Path | None,
    delimiter: str | None,
    encoding: str | None,
) -> Verdict:
    """The verdict on the release beside a manifest, which says itself what is to be checked."""
    from discreet.errors import InputError
    from discreet.verify.manifest import verify_manifest

    given = [name for name, value in claim.items() if value and (name, value) not in IDLE]
    if given:
        raise InputError(f"the manifest says what is to be checked: leave out {', '.join(given)}, or the manifest")
    return verify_manifest(manifest, original, secret=secret, delimiter=delimiter, encoding=encoding)
