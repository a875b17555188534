"""`pram`: categories drawn anew, such that tables keep their expected counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults
from discreet.instruments.grouped.sampling import names_of, read_strata
from discreet.instruments.perturbed.perturbation import Perturbation
from discreet.instruments.perturbed.reading import Reading, one_spelling
from discreet.perturbation.pram import donors, draw, invariant, matrix_faults, two_stage
from discreet.perturbation.randoms import Randoms
from discreet.work import Deadline

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Matrix = Mapping[str, Mapping[str, float]]


def pram(
    frame: Any,
    columns: Sequence[str],
    *,
    stay: float = 0.8,
    matrix: Mapping[str, Matrix] | None = None,
    repair: bool = False,
    together: bool = False,
    by: str | Sequence[str] | None = None,
    known: Sequence[str] = (),
    accept: Sequence[str] = (),
    random_state: int | None = None,
) -> Perturbation:
    """Draw categories anew by the post-randomization method (PRAM), invariant: expected counts stay what they were.

    What this protects is measured, not proven.

    Parameters
    ----------
    frame : a pandas, Polars or pyarrow table. The result's `data` is of the same kind, with the same rows and order.
    columns : the columns to perturb. A missing value is a category of its own.
    stay : the probability that a record keeps its category for sure; else it takes that of a record drawn at random
        (which may be the same), so that the matrix is stay·I + (1 − stay)·1π', invariant for the shares π of the file.
    matrix : for some or all columns a matrix of one's own: value → published value → probability. Each row must sum to
        1, and the shares of the file must be kept: π'P = π'.
    repair : make such a matrix invariant, by the way back of Bayes' rule, instead of refusing it.
    together : the columns are drawn as one, from the combinations that occur.
    by : columns whose values are strata: categories are drawn from those of the own stratum.
    known : columns left as they are that an intruder may know: linkage is then measured among those who share them.
    accept : left columns that the check may find telling, accepted by name; see `discreet.verify`.
    random_state : a seed, for repeating the draw. Without one the operating system supplies a secret key: whoever
        knows the random numbers can undo what they did.
    """
    clock, read = Deadline(None), Reading(frame, random_state)
    chosen, strata = read.columns(columns), read.names(names_of(by), "stratum")
    read.names(known, "known column"), read.names(accept, "accepted column")
    share = read.share(stay, "stay", 0.0, 1.0, above=False)
    read.faults.check(share < 1, "stay = 1 changes nothing: choose a number below 1")
    own = dict(matrix or {})
    _check_own(read.faults, own, chosen, together=together, strata=bool(strata), repair=repair)
    codes = read.codes(chosen)
    table = read.table if read.faults else one_spelling(read.table, chosen)
    given = {name: _matrix(table, name, own[name], codes[name], repair, read.faults) for name in own if name in codes}
    places = read_strata(read.table, strata, read.faults)
    read.faults.raise_if_any()
    randoms = Randoms.of(random_state)
    place = np.zeros(len(read.table), np.int64) if places is None else places
    rows: dict[str, Codes] = {}
    for name in chosen:
        found = given.get(name)
        if found is not None:
            drawn = draw(codes[name] + 1, found, randoms, name)
            rows[name] = _first(codes[name] + 1, len(found))[drawn]
        elif together:
            rows[name] = donors(place, share, randoms, "all columns")
        else:
            rows[name] = donors(place, share, randoms, name)
    from discreet.frames import exchange_columns

    truest = {name: float(_matrix_of(codes[name], place, share, given.get(name)).max()) for name in chosen}
    return Perturbation(
        data=exchange_columns(table, rows),
        original=frame,
        method="PRAM",
        columns=chosen,
        numeric=False,
        n=len(read.table),
        settings={
            "stay": share,
            "matrix": sorted(own),
            "repair": repair,
            "together": together,
            "by": list(strata),
        },
        detail={"most_believed": max(truest.values())},
        known=tuple(names_of(known)),
        accept=tuple(names_of(accept)),
        seed=random_state,
        seconds=clock.elapsed,
    )


def _check_own(
    faults: Faults, own: Mapping[str, Matrix], chosen: Sequence[str], *, together: bool, strata: bool, repair: bool
) -> None:
    """Matrices of one's own are for columns that are perturbed, one by one, over the whole file."""
    stray = [str(name) for name in own if name not in chosen]
    faults.check(not stray, f"matrix names columns that are not perturbed: {', '.join(stray)}")
    faults.check(not (own and together), "a matrix is for one column, and together for several: choose one")
    faults.check(not (own and strata), "a matrix is for the whole file, and by for strata: choose one")
    faults.check(not repair or bool(own), "repair is for a matrix of one's own, and none was given")


def _first(codes: Codes, count: int) -> Codes:
    """Per category a record that has it, or 0 where none has."""
    first = np.zeros(count, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def _matrix_of(codes: Codes, strata: Codes, stay: float, own: Floats | None) -> Floats:
    """Per category that occurs in a stratum the probability that it stays: the diagonal of the matrix."""
    if own is not None:
        return np.diagonal(own)[np.unique(codes + 1)]
    out = []
    for stratum in range(int(strata.max()) + 1):
        counts = np.bincount(codes[strata == stratum] + 1)
        shares = counts[counts > 0] / counts.sum()
        out.append(np.diagonal(invariant(shares, stay)) if len(shares) < 1000 else stay + (1.0 - stay) * shares)
    return np.concatenate(out)


def _matrix(table: Any, name: str, given: Any, codes: Codes, repair: bool, faults: Faults) -> Floats | None:
    """The matrix over the column's codes (the first for missing values), checked against the shares of the file."""
    from discreet.frames.exact import entries

    labels = ["", *entries(table, name).texts]
    place = {text: number for number, text in enumerate(labels)}
    if not faults.check(
        isinstance(given, Mapping), f"the matrix of {name!r} must be value → published value → probability"
    ):
        return None
    out = np.zeros((len(labels), len(labels)))
    strange = 0
    for value, row in given.items():
        for other, probability in row.items():
            if str(value) in place and str(other) in place:
                out[place[str(value)], place[str(other)]] = float(probability)
            elif str(value) in place and float(probability) > 0:
                strange += 1
    faults.check(strange == 0, f"the matrix of {name!r} leads to {strange} values that the column does not have")
    counts = np.bincount(codes + 1, minlength=len(labels))
    absent = [number for number in np.flatnonzero(counts).tolist() if labels[number] not in {str(v) for v in given}]
    faults.check(not absent, f"the matrix of {name!r} misses {len(absent)} values of the column: add their rows")
    unused = counts == 0
    out[unused, :], out[unused, unused] = 0.0, 1.0
    if strange or absent:
        return None
    shares = counts / counts.sum()
    if repair and not [fault for fault in matrix_faults(out, shares) if "invariant" not in fault]:
        out = two_stage(out, shares)
        out[unused, unused] = 1.0
    wrong = matrix_faults(out, shares)
    for fault in wrong:
        way = ": correct it, or have it made so (repair, --repair)" if "invariant" in fault else ": correct it"
        faults.add(f"the matrix of {name!r} {fault}{way}")
    return None if wrong else out
