"""`discreet demo`: a guided run on data that ships with discreet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options


def command(
    folder: Annotated[Path, typer.Option(help="Where to put the files.")] = Path("demo"),
    n: Annotated[int, typer.Option("-n", help="Number of persons in the survey.", max=options.LARGEST)] = 600,
    force: options.Force = False,
) -> None:
    """A guided run of all three instruments, each with its check, that leaves a report to look at."""
    from discreet.demo import run

    run(folder, n=n, force=force)
