"""`add_noise`: random noise added to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.instruments.grouped.sampling import names_of
from discreet.instruments.perturbed.perturbation import Perturbation
from discreet.instruments.perturbed.reading import Reading
from discreet.perturbation.noise import additive, correlated, restored
from discreet.perturbation.randoms import Randoms
from discreet.work import Deadline

LARGEST = 1000.0


def add_noise(
    frame: Any,
    columns: Sequence[str],
    *,
    percent: float = 10.0,
    correlated: bool = False,
    restore: bool = False,
    round: bool = False,
    known: Sequence[str] = (),
    accept: Sequence[str] = (),
    random_state: int | None = None,
) -> Perturbation:
    """Add normal noise to numeric columns, of `percent` of their standard deviations.

    What this protects is measured, not proven.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with the same rows and order.
    columns : the numeric columns to perturb. What is missing stays missing.
    percent : the standard deviation of the noise in percent of that of the column: above 0, up to 1000.
    correlated : the noise has the correlations of the columns, which keeps them, and cannot be filtered out by them.
    restore : draw the noisy values back to their means, so that variances (with `correlated`, covariances) are kept in
        expectation.
    round : publish whole numbers in integer columns; without it they become float.
    known : columns left as they are that an intruder may know: linkage is then measured among those who share them.
    accept : left columns that the check may find telling, accepted by name; see `discreet.verify`.
    random_state : a seed, for repeating the draw. Without one the operating system supplies a secret key: whoever
        knows the random numbers subtracts the noise.
    """
    from discreet.frames import replace_columns

    clock, read = Deadline(None), Reading(frame, random_state)
    chosen = read.columns(columns, numeric=True)
    read.names(known, "known column"), read.names(accept, "accepted column")
    share = read.share(percent, "percent", 0.0, LARGEST) / 100.0
    values = read.numbers(chosen)
    if correlated and chosen and values.size:
        read.faults.check(len(chosen) > 1, "correlated noise is for several columns, and one was named")
        complete = int((~np.isnan(values).any(axis=1)).sum())
        read.faults.check(
            complete > len(chosen),
            f"{complete} records are complete, too few for the correlations of {len(chosen)} columns",
        )
    whole = [name for name in chosen if read.table.schema[name].is_integer()]
    read.faults.check(
        not round or bool(whole), "round (--round) is for columns of whole numbers, and none is perturbed"
    )
    read.faults.raise_if_any()
    noisy = _noisy(values, share, Randoms.of(random_state), list(chosen), together=correlated)
    if restore:
        noisy = restored(values, noisy, share)
    return Perturbation(
        data=replace_columns(read.table, {name: noisy[:, j] for j, name in enumerate(chosen)}, round=round),
        original=frame,
        method="correlated noise" if correlated else "additive noise",
        columns=chosen,
        numeric=True,
        n=len(read.table),
        settings={"percent": 100.0 * share, "correlated": correlated, "restore": restore, "round": round},
        detail={},
        known=tuple(names_of(known)),
        accept=tuple(names_of(accept)),
        seed=random_state,
        seconds=clock.elapsed,
    )


def _noisy(values: Any, share: float, randoms: Randoms, names: list[str], *, together: bool) -> Any:
    return (correlated if together else additive)(values, share, randoms, names)
