"""`discreet plan`: which margins of a table can be published at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options


def command(
    table: Annotated[str, typer.Argument(help="Long table with a column `count`, or records.", show_default=False)],
    policy: Annotated[Path | None, typer.Option(help="Policy as TOML; defaults unless given.")] = None,
    variables: Annotated[str | None, typer.Option(help="Variables to keep, as A:B:C; all unless given.")] = None,
    count: Annotated[str | None, typer.Option(help="Column of counts; `count` where there is one.")] = None,
    records: Annotated[bool, typer.Option("--records", help="Every row is a person: nothing is a count.")] = False,
    time_limit: Annotated[float, typer.Option("--time-limit", help="Seconds; then the best so far.")] = 60.0,
    json: options.Json = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the margins that tell most and are safe to publish together; print one a line, most informative first."""
    from discreet.cli.console import progress, say, teller
    from discreet.cli.outputs import as_json, check_outputs
    from discreet.frames import write_text
    from discreet.release.loading.choices import Choices
    from discreet.release.loading.reading import read_file
    from discreet.release.plan import plan
    from discreet.release.policy import Policy, read_policy, split_margin

    check_outputs([json], force=force, inputs=[table, policy])
    rule = Policy() if policy is None else read_policy(policy)
    chosen = Choices(count, records, None if variables is None else split_margin(variables))
    reading = read_file(table, chosen)
    loaded = reading.settled()
    with progress(quiet) as callback:
        made = plan(loaded, rule, time_limit=time_limit, progress=callback)
    if json is not None:
        write_text(json, as_json(made.to_dict()), force=force)
    tell = teller(json)
    for step in made.steps:
        tell(":".join(step.variables))
    if not quiet:
        for note in reading.notes():
            say(f"note: {note}")
        say(made.summary())
