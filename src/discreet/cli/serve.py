"""`discreet serve`: run the release server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.release_options import Database


def command(
    database: Database = None,
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is every one.")] = "127.0.0.1",
    workers: Annotated[int, typer.Option(help="Processes.", min=1, max=64)] = 1,
    deciders: Annotated[
        int | None,
        typer.Option(help="Processes that decide, shared by the others; one per core unless given.", min=1, max=64),
    ] = None,
    rate: Annotated[float, typer.Option(help="Requests a second that one token may make.", min=0.1)] = 500.0,
    max_upload: Annotated[int, typer.Option(help="Largest upload, in megabytes.", min=1)] = 64,
    oidc: Annotated[Path | None, typer.Option(help="Sign-in service (OpenID Connect), as TOML.")] = None,
    session_hours: Annotated[float, typer.Option(help="Hours after which people sign in again.", min=0.1, max=168)] = 8,
    public_url: Annotated[
        str | None, typer.Option(help="Address that people know it by, such as https://stats.example.org.")
    ] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(help="Address or network of a proxy that may say for whom it asks.")
    ] = None,
    max_rows: Annotated[int, typer.Option(help="Most rows of an upload.", min=1)] = 10_000_000,
    max_columns: Annotated[int, typer.Option(help="Most columns of an upload.", min=1)] = 500,
    read_memory: Annotated[int, typer.Option(help="Memory for reading an upload, in megabytes.", min=64)] = 2048,
    read_seconds: Annotated[float, typer.Option(help="Time for reading an upload.", min=1.0)] = 60.0,
    log: Annotated[bool, typer.Option("--log", help="One line per request: no names, no figures.")] = False,
    log_format: Annotated[str, typer.Option(help="text, or json: one object a line.")] = "text",
    metrics_port: Annotated[
        int | None, typer.Option(help="Serve metrics to this machine at this port, without a token.", min=1, max=65535)
    ] = None,
) -> None:
    """Serve tables: each request for a margin is released, refused or simulated.

    Put a proxy that speaks HTTPS before it when it is reached over a network.
    """
    from discreet.cli.console import say
    from discreet.cli.release_options import need_server, open_database
    from discreet.errors import InputError

    need_server()
    import logging
    import os
    import tempfile
    from contextlib import suppress
    from dataclasses import replace

    from discreet.release.people.openid.settings import read_settings
    from discreet.release.running.metrics_port import FOLDER, serve_metrics
    from discreet.release.web.settings import Settings
    from discreet.work import thread_count

    if log_format not in ("text", "json"):
        raise InputError("--log-format must be text or json")
    level = logging.INFO if log else logging.WARNING
    if oidc is not None:
        need_server("authlib", "joserfc", "requests")
        read_settings(oidc)
    settings = Settings(
        database=database,
        rate=rate,
        burst=10 * rate,
        max_upload=max_upload << 20,
        max_rows=max_rows,
        max_columns=max_columns,
        read_memory=read_memory << 20,
        read_seconds=read_seconds,
        workers=workers,
        deciders=-(-(deciders or thread_count()) // workers),
        openid=None if oidc is None else str(oidc.resolve()),
        session_hours=session_hours,
        log_format=log_format,
        public_url=public_url,
        proxies=tuple(proxy or ()),
    )
    open_database(database, create=True).close()
    with tempfile.TemporaryDirectory(prefix="discreet-server-") as folder:
        if workers > 1:  # what they count together
            settings = replace(settings, places=str(Path(folder) / "places"))
        settings.to_environment()
        os.environ[FOLDER] = folder  # before the library that counts is imported: it looks there once
        from discreet.release.web.logs import set_up
        from discreet.release.web.processes import listen, run_many, run_one

        set_up(level)
        listening = listen(host, port)
        if metrics_port is not None:
            serve_metrics(metrics_port)
        say(f"discreet serves on http://{host}:{port} (stop with Ctrl-C)")
        if workers == 1:
            with suppress(KeyboardInterrupt):  # Ctrl-C and a request to end are how a server ends
                run_one(listening)
        else:
            run_many(listening, workers, level)
