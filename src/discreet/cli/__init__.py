"""The command `discreet`: one small file per command, nothing heavy imported before it is needed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from discreet._version import __version__
from discreet.cli import (
    ask,
    audit,
    backup,
    bounds,
    cell_key,
    compare,
    dataset,
    dataset_life,
    datasets,
    demo,
    generalize,
    hierarchy,
    ledger,
    microaggregate,
    perturb,
    plan,
    proposal,
    protect,
    recommend,
    restore,
    resume,
    risk,
    round,
    serve,
    simulate,
    suppress,
    suppress_locally,
    tabulate,
    token,
    utility,
    verify,
    verify_bounds,
    verify_pattern,
)
from discreet.cli.process import CANCELLED, leave, prepare
from discreet.cli.strict import Strict

app = typer.Typer(
    name="discreet",
    help="Publish data about people and firms without giving any of them away. Every answer carries its proof.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"discreet {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="On an error, show the traceback. It may quote data: do not pass it on."),
    ] = False,
) -> None:
    pass


app.command("microaggregate", cls=Strict)(microaggregate.command)
app.command("generalize", cls=Strict)(generalize.command)
app.command("suppress-locally", cls=Strict)(suppress_locally.command)
app.command("protect", cls=Strict)(protect.command)
app.add_typer(perturb.app, name="perturb")
app.add_typer(hierarchy.app, name="hierarchy")
app.command("bounds", cls=Strict)(bounds.command)
app.command("simulate", cls=Strict)(simulate.command)
app.command("tabulate", cls=Strict)(tabulate.command)
app.command("suppress", cls=Strict)(suppress.command)
app.command("round", cls=Strict)(round.command)
app.command("cell-key", cls=Strict)(cell_key.command)
app.command("risk", cls=Strict)(risk.command)
app.command("utility", cls=Strict)(utility.command)
app.command("compare", cls=Strict)(compare.command)
app.command("recommend", cls=Strict)(recommend.command)
app.command("verify", cls=Strict)(verify.command)
app.command("verify-bounds", cls=Strict)(verify_bounds.command)
app.command("audit", cls=Strict)(audit.command)
app.command("verify-pattern", cls=Strict)(verify_pattern.command)
app.add_typer(datasets.app, name="datasets")
app.command("plan", cls=Strict)(plan.command)
app.command("serve", cls=Strict)(serve.command)
app.add_typer(token.app, name="token")
app.add_typer(proposal.app, name="proposal")
dataset_life.add_to(dataset.app)
app.add_typer(dataset.app, name="dataset")
app.add_typer(ledger.app, name="ledger")
app.command("backup", cls=Strict)(backup.command)
app.command("restore", cls=Strict)(restore.command)
app.command("resume", cls=Strict)(resume.command)
app.command("ask", cls=Strict)(ask.command)
app.command("demo", cls=Strict)(demo.command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and leave with its exit code: 0 done, 1 unsafe, 2 bad input, 130 cancelled."""
    try:
        prepare()
        from discreet.cli.console import run

        code = run(app, sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # before anything began, or when all was said
        code = CANCELLED
    leave(code)
