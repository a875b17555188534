"""`discreet serve`: run the release server."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet.cli.release_options import Database


def command(
    database: Database = None,
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is every one.")] = "127.0.0.1",
    workers: Annotated[int, typer.Option(help="Processes.", min=1, max=64)] = 1,
    rate: Annotated[float, typer.Option(help="Requests a second that one token may make.", min=0.1)] = 500.0,
    max_upload: Annotated[int, typer.Option(help="Largest upload, in megabytes.", min=1)] = 64,
    log: Annotated[bool, typer.Option("--log", help="One line per request: no names, no figures.")] = False,
) -> None:
    """Serve tables: each request for a margin is released, refused or simulated.

    Put a proxy that speaks HTTPS before it when it is reached over a network.
    """
    from discreet.cli.console import progress, say
    from discreet.cli.release_options import need_server, open_database

    need_server()
    import logging
    from contextlib import suppress

    from discreet.release.engine import warm_up
    from discreet.release.web.logs import set_up
    from discreet.release.web.processes import listen, run_many, run_one
    from discreet.release.web.settings import Settings

    level = logging.INFO if log else logging.WARNING
    set_up(level)
    open_database(database).close()
    Settings(
        database=database, rate=rate, burst=10 * rate, max_upload=max_upload << 20, workers=workers
    ).to_environment()
    listening = listen(host, port)
    with progress():
        warm_up()
    say(f"discreet serves on http://{host}:{port} (stop with Ctrl-C)")
    if workers == 1:
        with suppress(KeyboardInterrupt):  # Ctrl-C and a request to end are how a server ends
            run_one(listening)
    else:
        run_many(listening, workers, level)
