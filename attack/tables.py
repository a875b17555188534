"""Attacks the table room: bounds against enumeration, large counts, forged files, synthetic tables that are the truth.

    run(seconds, seed)      tries until the time is over; raises AssertionError with what it takes to see the hole again

Bounds of small tables are compared with all tables that have the margins. A table times an odd factor has sharp bounds
that are known where they are those of a transport polytope: for the margins of a decomposable model they are linear in
the counts as long as nothing is cut off at 0, which the closed form below does in Python integers; for others every
bound must hold for the scaled tables of the enumeration, and nothing may be called sharp that the check cannot confirm.
"""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import discreet as dc
from discreet.errors import DiscreetError, InputError
from discreet.instruments.tables import METHODS
from discreet.verify.cells.files import verify_bounds

MANY = 3000
FACTORS = (1, 2**20 + 7, 2**31 - 1, 2**40 + 15, 2**53 - 111, 2**53 + 5, 2**57 + 3)


def all_tables(shape: tuple[int, ...], margins: dict[tuple[int, ...], np.ndarray]) -> list[np.ndarray]:
    """Every table with the margins, cell by cell."""
    cells = list(np.ndindex(*shape))
    found: list[np.ndarray] = []
    x = np.zeros(shape, np.int64)
    left = {axes: values.copy() for axes, values in margins.items()}
    last = {axes: {tuple(c[a] for a in axes): i for i, c in enumerate(cells)} for axes in margins}

    def fill(i: int) -> None:
        if len(found) > MANY:
            return
        if i == len(cells):
            found.append(x.copy())
            return
        places = [(axes, tuple(cells[i][a] for a in axes)) for axes in margins]
        most = min(int(left[axes][place]) for axes, place in places)
        forced = {int(left[axes][place]) for axes, place in places if last[axes][place] == i}
        values = range(most + 1) if not forced else [v for v in forced if len(forced) == 1 and v <= most]
        for value in values:
            for axes, place in places:
                left[axes][place] -= value
            x[cells[i]] = value
            fill(i + 1)
            for axes, place in places:
                left[axes][place] += value
        x[cells[i]] = 0

    fill(0)
    return found


def _case(rng: np.random.Generator) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    shape = [(2, 2, 2), (2, 3, 2), (3, 3), (2, 2, 3), (2, 2, 2, 2), (4, 2), (1, 3, 2), (2, 2)][int(rng.integers(8))]
    k = len(shape)
    counts = rng.poisson(float(rng.choice([0.4, 0.8, 1.2])), shape).astype(np.int64)
    if not counts.sum():
        counts.reshape(-1)[0] = 1
    every: list[tuple[int, ...]] = [axes for size in range(1, k) for axes in itertools.combinations(range(k), size)]
    chosen = rng.choice(len(every), int(rng.integers(1, min(4, len(every)) + 1)), replace=False)
    return counts, [every[i] for i in sorted(chosen)]


def _margins(counts: np.ndarray, axes: list[tuple[int, ...]]) -> dict[tuple[int, ...], np.ndarray]:
    return {a: counts.sum(axis=tuple(b for b in range(counts.ndim) if b not in a)) for a in axes}


def check_bounds(counts: np.ndarray, axes: list[tuple[int, ...]], factor: int) -> None:
    """Every method: nothing is cut off, what is called sharp is; and the check agrees."""
    what = f"counts {counts.tolist()} of shape {counts.shape}, margins {axes}, factor {factor}"
    scaled = dc.Table.from_array(counts * factor)
    released = scaled.margins([[scaled.names[a] for a in some] for some in axes])
    tables = all_tables(counts.shape, _margins(counts, axes))
    low, high = (pick(tables, axis=0) for pick in (np.min, np.max))
    for method in METHODS:
        try:
            bounds = dc.bounds(released, method=method, time_limit=5)
        except InputError as error:
            refused = "not those of a decomposable" in str(error) or "separates the independence" in str(error)
            if not refused:
                raise AssertionError(f"method {method} refuses a true table: {error}; {what}") from error
            continue
        lower, upper = np.asarray(bounds.lower), np.asarray(bounds.upper)
        for cell in np.ndindex(*counts.shape):
            # Multiples of the small tables have these margins: no bound may cut them off.
            ends = int(low[cell]) * factor, int(high[cell]) * factor
            assert lower[cell] <= ends[0] and ends[1] <= upper[cell], f"method {method} cuts off {cell}: {what}"
            if factor == 1:
                assert not bounds.lower_sharp[cell] or lower[cell] == low[cell], (
                    f"{method}: not sharp at {cell}: {what}"
                )
                assert not bounds.upper_sharp[cell] or upper[cell] == high[cell], (
                    f"{method}: not sharp at {cell}: {what}"
                )
        verdict = bounds.verify()
        assert verdict.outcome != "unsafe", f"method {method}: the check refuses an honest result: {verdict}; {what}"
        if factor == 1 and method == "auto":
            assert bounds.sharp.all(), f"auto leaves sides open: {what}"
            assert verdict.safe, f"auto is not confirmed: {verdict.summary()}; {what}"


def check_forgery(rng: np.random.Generator, counts: np.ndarray, axes: list[tuple[int, ...]]) -> None:
    """A bounds file with one thing changed is never called safe, unless it is still true."""
    table = dc.Table.from_array(counts)
    frame = dc.bounds(table.margins([[table.names[a] for a in some] for some in axes])).to_frame()
    names = [[table.names[a] for a in some] for some in axes]
    tables = all_tables(counts.shape, _margins(counts, axes))
    low, high = (pick(tables, axis=0).reshape(-1) for pick in (np.min, np.max))
    forged = frame.copy()
    row = int(rng.integers(len(frame)))
    kind = str(rng.choice(["lower", "upper", "drop", "twice", "swap", "label", "wide", "word", "column"]))
    if kind in ("lower", "upper"):
        forged.loc[row, kind] += int(rng.choice([-2, -1, 1, 2, 10**6]))
    elif kind == "drop":
        forged = forged.drop(index=row)
    elif kind == "twice":
        forged = forged.iloc[[*range(len(forged)), row]]
    elif kind == "swap":
        forged.loc[row, ["lower", "upper"]] = [int(high[row]) + 1, int(low[row])]
    elif kind == "label":
        forged[table.names[0]] = forged[table.names[0]].astype(object)
        forged.loc[row, table.names[0]] = "nobody"
    elif kind == "wide":
        forged["lower"], forged["upper"] = 0, 999
    elif kind == "word":
        forged["sharp"] = forged["sharp"].astype(object)
        forged.loc[row, "sharp"] = "perhaps"
    else:
        forged["note"] = 1
    with TemporaryDirectory() as folder:
        first, second = Path(folder, "bounds.csv"), Path(folder, "table.csv")
        forged.to_csv(first, index=False)
        table.to_frame().to_csv(second, index=False)
        try:
            safe = verify_bounds(str(first), str(second), names).safe
        except InputError:
            safe = False
    still = False
    if kind in ("lower", "upper", "wide"):
        still = bool((forged["lower"] == low).all() and (forged["upper"] == high).all())
    assert not safe or still, f"a forged file ({kind} in row {row}) is called safe: {counts.tolist()}, {axes}"


def check_synthetic(rng: np.random.Generator, counts: np.ndarray, axes: list[tuple[int, ...]]) -> None:
    """A synthetic table has the margins, and where it must be the truth in a small count, it is not given."""
    table = dc.Table.from_array(counts)
    released = table.margins([[table.names[a] for a in some] for some in axes])
    tables = np.array(all_tables(counts.shape, _margins(counts, axes)))
    fixed = tables.min(axis=0) == tables.max(axis=0)
    told = fixed & (counts >= 1) & (counts <= 2)
    what = f"{counts.tolist()}, {axes}"
    for distribution in ("uniform", "loglinear"):
        seed = int(rng.integers(1 << 31))
        try:
            drawn = dc.simulate(released, random_state=seed, distribution=distribution)
        except DiscreetError as error:
            if not told.any() and not fixed.all():
                raise AssertionError(f"refused without need ({error}): {what}") from error
            continue
        assert not told.any() and not fixed.all(), f"gives away pinned small counts: {what}, seed {seed}"
        assert any(np.array_equal(drawn.dense(), t) for t in tables), f"not a table with the margins: {what}"
        assert np.array_equal(drawn.pinned.reshape(counts.shape), fixed), f"wrong about what is pinned: {what}"


def run(seconds: float, seed: int) -> str:
    rng = np.random.default_rng(seed)
    end, tried = time.monotonic() + seconds, {"bounds": 0, "forged files": 0, "synthetic tables": 0}
    while time.monotonic() < end:
        counts, axes = _case(rng)
        if len(all_tables(counts.shape, _margins(counts, axes))) > MANY:
            continue
        check_bounds(counts, axes, int(rng.choice(np.array(FACTORS, np.int64))))
        tried["bounds"] += 1
        check_forgery(rng, counts, axes)
        tried["forged files"] += 1
        check_synthetic(rng, counts, axes)
        tried["synthetic tables"] += 1
    return ", ".join(f"{count} {what}" for what, count in tried.items())
