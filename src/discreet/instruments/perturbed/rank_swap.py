"""`rank_swap`: numbers exchanged between records of near rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.instruments.grouped.sampling import names_of, read_strata
from discreet.instruments.perturbed.perturbation import Perturbation
from discreet.instruments.perturbed.reading import Reading, one_spelling
from discreet.perturbation.randoms import Randoms
from discreet.perturbation.rank_swap import rank_swap as swapped
from discreet.perturbation.rank_swap import reach_of
from discreet.work import Deadline


def rank_swap(
    frame: Any,
    columns: Sequence[str],
    *,
    percent: float = 5.0,
    by: str | Sequence[str] | None = None,
    known: Sequence[str] = (),
    accept: Sequence[str] = (),
    random_state: int | None = None,
) -> Perturbation:
    """Exchange the values of numeric columns between records whose ranks differ by at most `percent` of the records.

    Each column by itself: its values stay what they were, and stand elsewhere. What this protects is measured, not
    proven.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with the same rows and order.
    columns : the numeric columns to perturb. What is missing stays missing.
    percent : how far apart ranks may be, in percent of the records (of the stratum) with a value: above 0, up to 100.
        5 is a twentieth of them, not five times all.
    by : columns whose values are strata: values are exchanged within them.
    known : columns left as they are that an intruder may know: linkage is then measured among those who share them.
    accept : left columns that the check may find telling, accepted by name; see `discreet.verify`.
    random_state : a seed, for repeating the draw. Without one the operating system supplies a secret key: whoever
        knows the random numbers can undo what they did.
    """
    clock, read = Deadline(None), Reading(frame, random_state)
    chosen, strata = read.columns(columns, numeric=True), read.names(names_of(by), "stratum")
    read.names(known, "known column"), read.names(accept, "accepted column")
    share = read.share(percent, "percent", 0.0, 100.0)
    values = read.numbers(chosen)
    places = read_strata(read.table, strata, read.faults)
    read.faults.raise_if_any()
    randoms = Randoms.of(random_state)
    place = np.zeros(len(read.table), np.int64) if places is None else places
    order = np.argsort(place, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(place))[:-1])
    rows, reach = {}, []
    for j, name in enumerate(chosen):
        rows[name] = np.arange(len(read.table))
        farthest = 0
        for number, group in enumerate(groups):
            there = group[~np.isnan(values[group, j])]
            ranks = np.unique(values[there, j], return_inverse=True)[1].ravel()
            rows[name][there] = there[swapped(ranks, share, randoms, f"{name} in stratum {number}")]
            farthest = max(farthest, reach_of(share, len(there)))
        reach.append(farthest)
    from discreet.frames import exchange_columns

    return Perturbation(
        data=exchange_columns(one_spelling(read.table, chosen), rows),
        original=frame,
        method="rank swapping",
        columns=chosen,
        numeric=True,
        n=len(read.table),
        settings={"percent": share, "by": list(strata)},
        detail={"reach": max(reach)},
        known=tuple(names_of(known)),
        accept=tuple(names_of(accept)),
        seed=random_state,
        seconds=clock.elapsed,
        reach=None if strata else tuple(reach),
    )
