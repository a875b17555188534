"""`discreet ask`: request a margin from a release server."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.release_options import TokenFile

EXIT_CODES = {"release": 0, "refuse": 3, "simulate": 4, "suppress": 5, "round": 5}
EXCHANGED = {".px": "px", ".json-stat": "json-stat", ".sdmx.csv": "sdmx-csv", ".sdmx.json": "sdmx-structure"}


def command(
    server: Annotated[str, typer.Argument(help="Address of the server.", show_default=False)],
    dataset: Annotated[str, typer.Argument(help="Name of the dataset.", show_default=False)],
    margin: Annotated[str, typer.Argument(help="Variables joined by colons, such as A:B.", show_default=False)],
    token: Annotated[str | None, typer.Option(help="Your token; others may see it here.", show_default=False)] = None,
    token_file: TokenFile = None,
    output: Annotated[
        str, typer.Option("-o", "--output", help="Where to write, .px, .json-stat, .sdmx.csv too.")
    ] = "-",
    wait: Annotated[float, typer.Option(help="Seconds to wait for a server that is starting.", min=0.0, max=1e6)] = 0.0,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask for a margin. Exit 0 released, 3 refused, 4 simulated, 5 in part (some counts hidden, or rounded)."""
    from discreet.cli.console import say
    from discreet.cli.outputs import check_outputs
    from discreet.cli.release_options import token_of
    from discreet.client import Client
    from discreet.frames import write, write_text

    exchanged = next((format for ending, format in EXCHANGED.items() if output.lower().endswith(ending)), None)
    check_outputs([output if exchanged else None], data=None if exchanged else output, force=force)
    client = Client(server, token_of(token, token_file), wait=wait)
    answer = client.request(dataset, margin)
    if answer.margin is not None and exchanged:
        write_text(output, client.download(dataset, answer.variables, exchanged).decode("utf-8"), force=force)
    elif answer.margin is not None:
        write(answer.margin, output, force=force)
    if not quiet:
        say(f"{answer.answer}: {answer.reason}")
        say(f"receipt {answer.entry}")
    raise typer.Exit(EXIT_CODES[answer.answer])
