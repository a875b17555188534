"""`discreet audit`: what a published table gives away about its hidden cells. Exit 0 safe, 1 not, 2 cannot tell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options

Tables = Annotated[
    list[str],
    typer.Argument(help="A .jj or .csp problem, or tables with totals: long CSV or τ-ARGUS files. Several are linked."),
]


def command(
    tables: Tables,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Where to write the interval of each hidden cell.")
    ] = None,
    hierarchy: Annotated[list[str] | None, typer.Option("--hierarchy", help="variable=file.csv or .hrc.")] = None,
    rule: Annotated[list[str] | None, typer.Option("--rule", help="A rule such as frequency=3, p=10.")] = None,
    earlier: Annotated[
        list[str] | None, typer.Option("--earlier", help="An earlier release of the same table. May be repeated.")
    ] = None,
    rounding: Annotated[
        int | None, typer.Option("--rounding", help="Published cells were rounded to the nearest of this base.", min=1)
    ] = None,
    rounded: Annotated[
        str | None,
        typer.Option("--rounded", help="What discreet round published: known to within the base less one unit."),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option("--known", help="Numbers of cells that one attacker knows, separated by commas. May be repeated."),
    ] = None,
    singletons: Annotated[
        bool | None,
        typer.Option("--singletons/--no-singletons", help="Single respondents know their cells.", show_default=False),
    ] = None,
    levels_only: Annotated[
        bool, typer.Option("--levels-only", help="Decide the levels of sensitive cells and no more.")
    ] = False,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write the proofs of all intervals, for verify-pattern.")
    ] = None,
    time_limit: options.TimeLimit = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Say for each hidden cell what can be inferred from everything published, and which sensitive ones are exposed.

    Every end of an interval is proven in whole numbers and, where it is called sharp, attained by a table. What is
    written is checked first, by code that shares nothing with the search.
    """
    from discreet.cli.console import progress, teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.pages import readers, record
    from discreet.errors import InputError, UnsafeReleaseError
    from discreet.frames import write
    from discreet.frames.atomic import together
    from discreet.instruments.totals.audit import audit
    from discreet.report import page

    whom = readers(audience, report)
    trees = options.pairs(hierarchy, "--hierarchy", "variable=file.csv")
    check_outputs(
        [json, report, certificate],
        data=output,
        force=force,
        inputs=[*tables, rounded, *(earlier or []), *trees.values()],
    )
    if rounded is not None and rounding is None:
        raise InputError("--rounded needs --rounding: the base of what was published")
    if levels_only and (output is not None or certificate is not None):
        raise InputError("--levels-only looks for no intervals: leave out -o and --certificate")
    with progress(quiet) as callback:
        result = audit(
            tables if len(tables) > 1 else tables[0],
            hierarchies=trees or None,
            rules=rule,
            earlier=earlier or (),
            rounding=rounding if rounded is None else (rounding, rounded),
            attackers=[cells_of(text) for text in known or []],
            singletons=singletons,
            levels_only=levels_only,
            time_limit=time_limit,
            progress=callback,
        )
    verdict = result.verify()
    how = _again(tables, certificate, known)
    if verdict.outcome != result.outcome and "cannot tell" not in (verdict.outcome, result.outcome):
        raise UnsafeReleaseError("the independent check does not confirm this audit, so nothing is written")
    with together(force) as batch:
        texts: dict[Path | None, Any] = {
            certificate: lambda: as_json(result.certificate()),
            json: lambda: as_json(result.to_dict()),
            report: lambda: page([result], verdicts=[verdict], audience=whom, record=record(tables, command=how)),
        }
        for path, text in texts.items():
            if path is not None:
                batch.text(path, text())
        if output is not None:
            write(result.to_frame(), batch.path(output, suffix=".csv", last=True), force=True)
    tell = teller(json)
    if not quiet:
        tell(result.summary())
        tell(f"checked: {verdict.outcome}")
    raise typer.Exit(max(result.exit_code, verdict.exit_code) if 1 not in (result.exit_code, verdict.exit_code) else 1)


def _again(tables: list[str], certificate: Path | None, known: list[str] | None) -> list[str]:
    """The command that checks a problem again; tables of labels are audited again."""
    if len(tables) > 1 or Path(tables[0]).suffix.lower() not in (".jj", ".csp"):
        return []
    words = ["discreet", "verify-pattern", tables[0]]
    words += [] if certificate is None else ["--certificate", str(certificate)]
    return [*words, *(word for text in known or [] for word in ("--known", text))]


def cells_of(text: str) -> list[int]:
    from discreet.errors import InputError

    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError("--known takes numbers of cells separated by commas, such as 3,17") from None
