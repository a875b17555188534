"""Microaggregation of a dataset that does not fit into memory: planned, grouped in blocks, written, checked, renamed.

The groups are those of the method of blocks (`microaggregation/search/blocks.py`) but for the borders of blocks that
fit into memory, and every round after the first has a set of its own, shifted. Means, types and the order of rows are
as in memory. What needs all records at once cannot be had: certificates, weights, strata, averages over gaps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, listing, shown
from discreet.frames.datasets import Dataset
from discreet.frames.datasets.dataset import Part
from discreet.instruments.large import grouping
from discreet.instruments.large.setup import Setup, comparable
from discreet.scale.engines import open_engine
from discreet.scale.memory import memory_limit, rows_within
from discreet.scale.plan import grow, portions, sample_size
from discreet.scale.run import Run, fingerprint, opened
from discreet.work import Deadline, ProgressCallback

EXACT = 2.0**53
LARGEST = 2.0**400
FILLED = 0.8  # of what a task may hold, by the plan: a sample tells sizes roughly
# Shares of the stages in the work, for an estimate of the time left.
WEIGHTS = {"reading": 2.0, "dealing": 4.0, "grouping": 20.0, "mending": 50.0, "writing": 8.0}


@dataclass(frozen=True)
class Asked:
    """What is asked for, as checked: one set of columns, one k."""

    columns: tuple[str, ...]
    k: int
    effort: str
    seed: int
    scale: str
    missing: str
    round: bool
    drop: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a run came to: figures of the whole, from those of its tasks."""

    n: int
    suppressed: int
    sse: float
    sst: float
    sizes: Mapping[int, int]
    seconds: float
    method: str
    detail: Mapping[str, int]
    losses: tuple[float, ...]


def run_large(
    data: Dataset,
    asked: Asked,
    output: Path,
    *,
    progress: ProgressCallback | None,
    finish: Callable[[Path, Found], None],
) -> Found:
    """Do all the work in a private folder beside `output`; `finish(made, found)` checks it and lets it appear."""
    deadline = Deadline(None)
    limit, stamps = memory_limit(data.memory), data.stamps()
    width = len(asked.columns)
    row_bytes = 2.5 * data.row_bytes + 8 * (3 * width + 4)
    parts = data.parts(rows_within(limit, row_bytes))
    most = max(64 * asked.k, rows_within(limit, 8 * (2 * width + 14)))
    options = [asked.columns, asked.k, asked.effort, asked.scale, asked.missing, asked.round, asked.drop, data.dialect]
    with (
        opened(output, fingerprint(stamps, options, asked.seed, limit), resume=data.resume) as folder,
        open_engine(data.cluster, limit, shared=[folder, *data.paths[:1]]) as engine,
    ):
        rounds = _rounds(asked)
        weights = {name: share for name, share in WEIGHTS.items() if name != "mending"}
        weights |= {f"mending {number}": WEIGHTS["mending"] for number in range(1, rounds + 1)}
        run = Run(folder, engine, weights, progress)
        pieces = np.cumsum([0, *(len(part.cuts) for part in parts)]).tolist()
        share = sample_size(data.n, int(FILLED * most), width) / data.n
        read = run.stage(
            "reading",
            grouping.summarize,
            [(str(folder), part, piece, list(asked.columns), asked.seed, share) for part, piece in zip(parts, pieces)],
        )
        summary = _summary(read, asked, data)
        setup = _plan(folder, data, asked, parts, pieces, summary, most, rounds)
        setup.save(folder)
        last = _group(run, setup, parts, pieces)
        sizes: dict[int, int] = {}
        for one in last:
            for size, count in enumerate(one["sizes"]):
                if count:
                    sizes[size] = sizes.get(size, 0) + count
        _write(run, data, asked, parts, pieces, last, output)
        errors = [math.fsum(one["sse"][j] for one in last) for j in range(width)]
        totals = summary.totals(asked.scale)
        found = Found(
            n=data.n,
            suppressed=data.n - summary.n,
            sse=sum(errors),
            sst=sum(totals),
            sizes=sizes,
            seconds=deadline.elapsed,
            method=_method(asked, setup),
            losses=tuple(100.0 * error / total if total > 0 else 0.0 for error, total in zip(errors, totals)),
            detail={"rounds": setup.rounds + 1, "blocks": setup.trees[0]["blocks"], "parts": len(parts)},
        )
        data.check_unchanged(stamps)
        finish(folder / "out", found)
    return found


def _rounds(asked: Asked) -> int:
    """Rounds after the first."""
    from discreet.microaggregation.search.blocks import plan_of

    return plan_of(asked.effort, asked.k).rounds


def _method(asked: Asked, setup: Setup) -> str:
    from discreet.microaggregation.search.blocks import name_of, plan_of

    return "univariate" if setup.varying < 2 else name_of(plan_of(asked.effort, asked.k))


@dataclass(frozen=True)
class _Summary:
    """Moments and extremes of the records without a gap."""

    n: int
    mean: list[float]
    squares: list[float]
    low: list[float]
    high: list[float]

    def unit(self, scale: str) -> list[float]:
        """What columns are divided by; 0 for one that does not vary."""
        if scale == "none":
            units = [1.0] * len(self.mean)
        elif scale == "range":
            units = [high - low for low, high in zip(self.low, self.high)]
        else:
            units = [math.sqrt(squares / (self.n - 1)) if self.n > 1 else 0.0 for squares in self.squares]
        return [unit if high > low else 0.0 for unit, low, high in zip(units, self.low, self.high)]

    def shift(self, scale: str) -> list[float]:
        if scale == "none":
            return [0.0] * len(self.mean)
        return self.low if scale == "range" else self.mean

    def totals(self, scale: str) -> list[float]:
        """Sums of squared deviations from the mean, column by column."""
        return [squares / unit**2 if unit > 0 else 0.0 for squares, unit in zip(self.squares, self.unit(scale))]


def _summary(read: Sequence[dict[str, Any]], asked: Asked, data: Dataset) -> _Summary:
    """What the parts say, together; one error for all that is wrong with them."""
    faults = Faults()
    for fault in dict.fromkeys(fault for one in read for fault in one["faults"]):
        faults.add(fault)
    faults.raise_if_any()
    pieces = [piece for one in read for piece in one["pieces"]]
    gaps = np.sum([one["gaps"] for one in read], axis=0)
    n, k = sum(one["rows"] for one in read), asked.k
    blank = data.n - n
    if asked.missing == "error" and blank:
        holes = listing([f"{shown(name)} ({count})" for name, count in zip(asked.columns, gaps.tolist()) if count])
        faults.add(
            f"{blank} records have missing values, in columns (number of records): {holes}. Fill them in first; or use "
            'missing="suppress" (--missing suppress) to blank these records'
        )
    else:
        faults.check(
            blank == 0 or blank >= k,
            f"only {blank} records have missing values: as a class of their own they need at least k = {k}",
        )
        faults.check(n >= k, f"only {n} records are complete: fewer than k = {k}")
    faults.raise_if_any()
    mean, squares, count = np.zeros(len(asked.columns)), np.zeros(len(asked.columns)), 0
    for piece in pieces:  # Chan, Golub and LeVeque (1979), in the order of the data
        step, more = np.array(piece["mean"]) - mean, piece["n"]
        count += more
        mean = mean + step * (more / count)
        squares = squares + np.array(piece["squares"]) + step**2 * (more * (count - more) / count)
    low = np.min([piece["low"] for piece in pieces], axis=0)
    high = np.max([piece["high"] for piece in pieces], axis=0)
    largest = np.maximum(np.abs(low), np.abs(high))
    for name, size, kind in zip(asked.columns, largest.tolist(), data.numpy_types(asked.columns)):
        faults.check(
            kind[0] not in "iu" or size < EXACT,
            f"column {name!r} has whole numbers of 2^53 or more, whose means are computed exactly in memory only: "
            "give it as float64",
        )
        faults.check(
            size == 0 or 1 / LARGEST < size < LARGEST,
            f"column {name!r} has numbers beyond 2^400 or below 2^-400, which are compared in memory only: give it in "
            "other units",
        )
    faults.raise_if_any()
    return _Summary(n, mean.tolist(), squares.tolist(), low.tolist(), high.tolist())


def _plan(
    folder: Path,
    data: Dataset,
    asked: Asked,
    parts: Sequence[Part],
    pieces: Sequence[int],
    summary: _Summary,
    most: int,
    rounds: int,
) -> Setup:
    """The plan: it is decided here, from the sample, before any record is sent anywhere."""
    shift, unit = summary.shift(asked.scale), summary.unit(asked.scale)
    drawn = np.concatenate([np.load(folder / grouping.sample_name(piece)) for piece in pieces[:-1]])
    sample = np.column_stack([comparable(drawn[:, :-1], shift, unit), drawn[:, -1]])
    size = max(32 * asked.k, int(FILLED * most))
    trees = [grow(sample, summary.n, size)]
    for number in range(1, rounds + 1):
        trees.append(grow(sample, summary.n, size, np.random.default_rng([asked.seed, number])))
    starts = [part.first + sum(part.cuts[:i]) for part in parts for i in range(len(part.cuts))]
    return Setup(
        columns=list(asked.columns),
        types=list(data.numpy_types(asked.columns)),
        k=asked.k,
        effort=asked.effort,
        seed=asked.seed,
        round=asked.round,
        missing=asked.missing,
        shift=shift,
        unit=unit,
        trees=[tree.to_dict() for tree in trees],
        pieces=starts,
        most=most,
    )


def _group(run: Run, setup: Setup, parts: Sequence[Part], pieces: Sequence[int]) -> list[dict[str, Any]]:
    """All rounds, each over its own set of blocks; what the last one says."""
    folder = str(run.folder)
    dealt = run.stage("dealing", grouping.deal, [(folder, part, piece) for part, piece in zip(parts, pieces)])
    counts = np.array([one for part in dealt for one in part["counts"]], np.int64)
    names = [grouping.dealt_name(piece) for piece in range(len(counts))]
    found: list[dict[str, Any]] = []
    for number in range(setup.rounds + 1):
        arguments = []
        for place, portion in enumerate(portions(counts, setup.k, setup.most)):
            slices = [(names[source], block) for source, block in portion]
            rows = int(sum(counts[source, block] for source, block in portion))
            arguments.append((folder, number, place, slices, rows))
        found = run.stage("grouping" if number == 0 else f"mending {number}", grouping.group, arguments)
        run.forget("rows-*.arrow" if number == 0 else f"round{number - 1}-*.arrow")
        counts = np.array([one["counts"] for one in found], np.int64)
        names = [grouping.grouped_name(number, place) for place in range(len(found))]
    return found


def _write(
    run: Run,
    data: Dataset,
    asked: Asked,
    parts: Sequence[Part],
    pieces: Sequence[int],
    last: Sequence[dict[str, Any]],
    output: Path,
) -> None:
    """Every file anew, under its own name; a text under that of the output, which tells whether it is compressed."""
    out = run.folder / "out"
    out.mkdir(exist_ok=True)
    fits = [all(flags) for flags in zip(*(one["fits"] for one in last))]
    arguments = []
    for path, name in zip(data.paths, data.names):
        own = [(part, piece) for part, piece in zip(parts, pieces) if part.file == str(path)]
        made = name if data.text is None else output.name
        arguments.append(
            (str(run.folder), made, [part for part, _ in own], own[0][1], len(last), fits, list(asked.drop))
        )
    run.stage("writing", grouping.publish, arguments)
    run.forget("round*.arrow")
