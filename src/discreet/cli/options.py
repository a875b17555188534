"""Options that mean the same in every command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Output = Annotated[
    str, typer.Option("-o", "--output", help="Where to write; - is standard output.", show_default=False)
]
K = Annotated[int, typer.Option("-k", help="The least number of people who must look alike.", show_default=False)]
Delimiter = Annotated[str | None, typer.Option(help="Delimiter of CSV files; found out unless given.")]
Encoding = Annotated[str | None, typer.Option(help="Encoding of CSV files; found out unless given.")]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", help="Seconds; then the best so far is taken.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of everything random.")]
Drop = Annotated[str | None, typer.Option("--drop", help="Columns to leave out, such as names, separated by commas.")]
Report = Annotated[Path | None, typer.Option("--report", help="Write an HTML report.")]
Json = Annotated[Path | None, typer.Option("--json", help="Write the figures of the run as JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Replace output files that exist.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
