"""`discreet round`: a table with totals in multiples of a base that still add up, with a proven bound."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated, Any

import typer

from discreet.cli import options

TEXTS = (".csv", ".tsv", ".txt")


def command(
    table: Annotated[
        str, typer.Argument(help="A table with all its totals: long CSV, as discreet tabulate writes it.")
    ],
    base: Annotated[
        str, typer.Option("--base", help="What published values are multiples of, such as 5.", show_default=False)
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", help="Where to write the rounded table (.csv).", show_default=False)
    ],
    hierarchy: options.TableHierarchy = None,
    small: Annotated[
        bool, typer.Option("--small", help="Round small counts only; everything else follows by addition.")
    ] = False,
    totals_first: Annotated[
        bool, typer.Option("--totals-first", help="Totals weigh as much as all innermost cells in them.")
    ] = False,
    rule: options.Rule = None,
    audit: Annotated[
        bool,
        typer.Option("--audit", help="Infer all cells from the result; write it only if no sensitive one is told."),
    ] = False,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write the evidence of the bound as JSON.")
    ] = None,
    time_limit: options.TimeLimit = None,
    seed: options.Seed = None,
    report: options.Report = None,
    audience: options.Audience = None,
    json: options.Json = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Round every cell to a multiple of the base next to it, so that all totals are still the sums of their parts.

    The file is written only when the independent check has read it back and found it right. Cells that had to go
    further than one base are named.
    """
    from discreet.cli.console import progress, teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.cli.pages import readers, record
    from discreet.errors import InputError, UnsafeReleaseError
    from discreet.frames.atomic import together
    from discreet.instruments.totals.round import round_table
    from discreet.report import page

    whom = readers(audience, report)
    trees = options.pairs(hierarchy, "--hierarchy", "variable=file.csv")
    check_outputs([json, report, certificate], data=output, force=force, inputs=[table, *trees.values()])
    if any(PurePath(path).suffix.lower() not in TEXTS for path in (table, output)):
        raise InputError("discreet round reads and writes long tables as text: .csv, .tsv or .txt")
    with progress(quiet) as callback:
        result = round_table(
            table,
            base,
            hierarchies=trees or None,
            rules=rule or None,
            small=small,
            totals_first=totals_first,
            time_limit=time_limit,
            random_state=seed,
            progress=callback,
        )
    figures, words = result.to_dict(), []
    if audit:
        inferred = result.audit(time_limit=time_limit)
        figures["audit"] = inferred.figures()
        words = [f"audit: {inferred.told()}", *(f"  who attacks {text}" for text in inferred.attackers)]
        if inferred.exposed or inferred.undecided:
            raise UnsafeReleaseError(f"the rounded table tells too much, so it is not written: {inferred.told()}")
        if inferred.levels is not None and not inferred.levels.verify().safe:
            raise UnsafeReleaseError("the independent check does not confirm the audit, so the table is not written")
    with together(force) as batch:
        temporary = batch.path(output, suffix=PurePath(output).suffix, last=True)
        verdict = _checked(result, temporary, table, trees)
        proof = None if certificate is None else (certificate, as_json(result.certificate()))

        def kept() -> Any:
            return record([table], published=(output, temporary), certificate=proof)

        texts: dict[Path | None, Any] = {
            certificate: lambda: proof[1] if proof else "",
            json: lambda: as_json(figures),
            report: lambda: page([result], verdicts=[verdict], audience=whom, record=kept()),
        }
        for path, text in texts.items():
            if path is not None:
                batch.text(path, text())
    if not quiet:
        tell = teller(json)
        tell(result.summary())
        for line in words:
            tell(line)
        tell(f"checked: {verdict.outcome}")


def _checked(result: Any, temporary: Path, table: str, trees: dict[str, str]) -> Any:
    """Fill the file and have it read back: what is judged is what is published."""
    from discreet.errors import UnsafeReleaseError
    from discreet.frames import write
    from discreet.verify.tabular.rounding import verify_rounding

    write(result.document, temporary, force=True)
    verdict = verify_rounding(table, temporary, certificate=result.certificate(), hierarchies=trees)
    if not verdict.safe:
        raise UnsafeReleaseError(
            "the independent check does not confirm this rounding, so it is not written.\n" + verdict.summary()
        )
    return verdict
