"""`discreet ask`: request a margin from a release server."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli import options

EXIT_CODES = {"release": 0, "refuse": 3, "simulate": 4}


def command(
    server: Annotated[str, typer.Argument(help="Address of the server.", show_default=False)],
    dataset: Annotated[str, typer.Argument(help="Name of the dataset.", show_default=False)],
    margin: Annotated[str, typer.Argument(help="Variables joined by colons, such as A:B.", show_default=False)],
    token: Annotated[
        str, typer.Option(envvar="DISCREET_TOKEN", help="Your token; better in DISCREET_TOKEN.", show_default=False)
    ],
    output: Annotated[str, typer.Option("-o", "--output", help="Where to write; - is standard output.")] = "-",
    wait: Annotated[float, typer.Option(help="Seconds to wait for a server that is starting.", min=0.0, max=1e6)] = 0.0,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask for a margin. Exit 0 released, 3 refused, 4 simulated (the counts are synthetic)."""
    from discreet.cli.console import say
    from discreet.cli.outputs import check_outputs
    from discreet.client import Client
    from discreet.frames import write

    check_outputs([], data=output, force=force)
    answer = Client(server, token, wait=wait).request(dataset, margin)
    if answer.margin is not None:
        write(answer.margin, output, force=force)
    if not quiet:
        say(f"{answer.answer}: {answer.reason}")
        say(f"receipt {answer.entry}")
    raise typer.Exit(EXIT_CODES[answer.answer])
