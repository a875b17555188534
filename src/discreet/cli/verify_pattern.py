"""`discreet verify-pattern`: check a pattern of hidden cells from the files alone. Exit 0 safe, 1 not, 2 unknown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options

if TYPE_CHECKING:
    from discreet.instruments.totals.pattern_files import Asked

READ = "how discreet itself reads files with labels: rules and options, and cells and sums but for one long text file"


def command(
    problem: Annotated[
        str, typer.Argument(help="What was to be protected: a .jj or .csp problem, a long CSV or a τ-ARGUS table.")
    ],
    pattern: Annotated[
        str | None,
        typer.Argument(help="The same with hidden cells marked m, or as published; the problem itself, if left out."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Also check this certificate, of a suppression or an audit.")
    ] = None,
    linked: Annotated[
        list[str] | None, typer.Option("--linked", help="Another table of the same problem. May be repeated.")
    ] = None,
    rule: options.Rule = None,
    hierarchy: options.TableHierarchy = None,
    cost: Annotated[
        str | None, typer.Option("--cost", help="What hiding a cell cost: unit, count, value or file.")
    ] = None,
    earlier: Annotated[
        list[str] | None, typer.Option("--earlier", help="An earlier release of the same table. May be repeated.")
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option("--known", help="Numbers of cells that one attacker knows, separated by commas. May be repeated."),
    ] = None,
    singletons: Annotated[
        bool | None,
        typer.Option("--singletons/--no-singletons", help="Single respondents know their cells.", show_default=False),
    ] = None,
    time_limit: options.TimeLimit = None,
    json: options.Json = None,
    force: options.Force = False,
) -> None:
    """Check that every sensitive cell is protected to its levels, by whole numbers and a search that shares nothing.

    Give the options that the pattern was made with: they are part of what a certificate is about.
    """
    from discreet.cli.audit import cells_of
    from discreet.cli.console import teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.frames import write_text
    from discreet.instruments.totals.pattern_files import Asked, has_labels
    from discreet.verify.tabular import verify_pattern

    trees = options.pairs(hierarchy, "--hierarchy", "variable=file.csv")
    check_outputs(
        [json], force=force, inputs=[problem, pattern, certificate, *(linked or []), *(earlier or []), *trees.values()]
    )
    attackers = [cells_of(text) for text in known or []]
    if has_labels(problem) or linked or rule or trees or cost or earlier or singletons is not None:
        asked = Asked(trees or None, rule, cost, earlier or (), attackers, singletons)
        verdict = _of_files([problem, *(linked or [])], pattern, certificate, asked, time_limit)
    else:
        verdict = verify_pattern(problem, pattern, certificate=certificate, attackers=attackers, time_limit=time_limit)
    if json is not None:
        write_text(json, as_json(verdict.to_dict()), force=force)
    teller(json)(verdict.summary())
    raise typer.Exit(verdict.exit_code)


def _of_files(
    paths: list[str], pattern: str | None, certificate: Path | None, asked: Asked, time_limit: float | None
) -> Any:
    """The verdict on files that the checker does not read by itself: written as problems, which it does."""
    from tempfile import TemporaryDirectory

    from discreet.instruments.totals.additive import written_problem
    from discreet.instruments.totals.pattern_files import has_labels, read_pattern
    from discreet.verify.tabular import verify_pattern
    from discreet.verify.tabular.pattern import read_certificate

    document = None if certificate is None else read_certificate(certificate)
    audited = isinstance(document, dict) and document.get("format") == "discreet interval certificate"
    numbered = pattern is not None and not has_labels(pattern)
    found = read_pattern(paths, None if numbered and has_labels(paths[0]) else pattern, asked, audited=audited)
    with TemporaryDirectory(prefix="discreet-") as folder:
        posed, shown = Path(folder, "posed.jj"), Path(folder, "pattern.jj")
        posed.write_text(written_problem(found.problem), encoding="utf-8")
        shown.write_text(written_problem(found.pattern), encoding="utf-8")
        verdict = verify_pattern(
            str(posed),
            pattern if numbered and has_labels(paths[0]) else str(shown),
            certificate=document,
            attackers=found.attackers,
            holders=found.holders,
            limits=found.uncovered,
            hidden=found.hidden.nonzero()[0].tolist() if audited else None,
            time_limit=time_limit,
        )
    other = found.differences(paths, asked)
    if other:
        return replace(verdict, outcome="unsafe", failures=(*verdict.failures, *other))
    return replace(verdict, limits=(*verdict.limits, READ))
