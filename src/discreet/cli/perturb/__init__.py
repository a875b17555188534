"""`discreet perturb`: the perturbative methods that offices compare with, one small file per method."""

from __future__ import annotations

import typer

from discreet.cli.perturb import noise, pram, rank_swap, swap_records
from discreet.cli.strict import Strict

app = typer.Typer(
    help="Perturb values: noise, rank swapping, PRAM, record swapping. What they protect is measured, not proven.",
    no_args_is_help=True,
)
app.command("pram", cls=Strict)(pram.command)
app.command("rank-swap", cls=Strict)(rank_swap.command)
app.command("noise", cls=Strict)(noise.command)
app.command("swap-records", cls=Strict)(swap_records.command)
