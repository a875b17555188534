"""`discreet verify-pattern`: check a pattern of hidden cells from the files alone. Exit 0 safe, 1 not, 2 unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options


def command(
    problem: Annotated[str, typer.Argument(help="The problem that was to be protected: a .jj or .csp file.")],
    pattern: Annotated[
        str | None, typer.Argument(help="The same file with hidden cells marked m; the problem itself, if left out.")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Also check this certificate, of a suppression or an audit.")
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option("--known", help="Numbers of cells that one attacker knows, separated by commas. May be repeated."),
    ] = None,
    time_limit: options.TimeLimit = None,
    json: options.Json = None,
    force: options.Force = False,
) -> None:
    """Check that every sensitive cell is protected to its levels, by whole numbers and a search that shares nothing."""
    from discreet.cli.audit import cells_of
    from discreet.cli.console import teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.frames import write_text
    from discreet.verify.tabular import verify_pattern

    check_outputs([json], force=force, inputs=[problem, pattern, certificate])
    verdict = verify_pattern(
        problem,
        pattern,
        certificate=certificate,
        attackers=[cells_of(text) for text in known or []],
        time_limit=time_limit,
    )
    if json is not None:
        write_text(json, as_json(verdict.to_dict()), force=force)
    teller(json)(verdict.summary())
    raise typer.Exit(verdict.exit_code)
