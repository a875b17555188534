"""What is asked of a large microaggregation, checked at once; its release, checked before it appears."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError, UnsafeReleaseError
from discreet.frames.datasets import Dataset, dataset
from discreet.instruments.large.microaggregate import Asked, Found, run_large
from discreet.instruments.large.result import LargeMicroaggregation
from discreet.results import Result, Verdict
from discreet.work import SEED_FAULT, ProgressCallback, is_seed

Beside = Callable[[LargeMicroaggregation, Verdict, Path], None]


def check_asked(
    data: Dataset,
    k: Any,
    *,
    columns: Any,
    effort: str | None,
    random_state: Any,
    scale: str,
    missing: str,
    round: bool,
    accept: Sequence[str],
    drop: Sequence[str],
    allow_unprotected: bool,
    refused: Mapping[str, bool],
) -> Asked:
    """The call as it can be carried out; one error for all that is wrong. `refused` are options that cannot be had."""
    from discreet.frames import column_faults
    from discreet.instruments.quantities import least_sizes
    from discreet.microaggregation.methods import EFFORTS
    from discreet.microaggregation.problem import SCALES

    faults = Faults()
    head = data.schema.empty_table()
    if columns is None:
        faults.add(
            "the columns to protect in a dataset must be named (columns, --columns): nobody looks through it for them"
        )
    elif not isinstance(columns, str) and any(not isinstance(name, str) for name in columns):
        faults.add("several sets of columns cannot be grouped in a dataset: name one list of columns")
        columns = None
    for fault in [] if columns is None else column_faults(head, columns, numeric=True):
        faults.add(fault)
    for what, names in (("accepted column", accept), ("column to drop", drop)):
        for fault in column_faults(head, names, what=what) if len(names) else ():
            faults.add(fault)
    both = sorted({*drop} & {*(columns or ()), *accept})
    faults.check(not both, f"both dropped and used: {', '.join(both)}; choose one")
    sizes = least_sizes(k, faults, allow_unprotected=allow_unprotected)
    if faults.check(len(sizes) < 2, "a dataset is grouped for one k at a time: give one number"):
        for size in sizes:
            faults.check(size <= data.n, f"k = {size} is larger than the number of records ({data.n})")
    faults.check(is_seed(random_state), SEED_FAULT)
    known = effort is None or effort in EFFORTS
    faults.check(known, f"unknown effort {effort!r}: choose one of {', '.join(EFFORTS)}")
    faults.check(scale in SCALES, f"unknown scale {scale!r}: choose one of {', '.join(SCALES)}")
    faults.check(
        missing in ("error", "suppress"),
        'missing values in a dataset are an "error", or are suppressed (missing="suppress", --missing suppress)',
    )
    for what, given in refused.items():
        faults.check(not given, f"{what} cannot be had for a dataset that is worked on in blocks: leave it out")
    faults.raise_if_any()
    whole = any(kind[0] in "iu" for kind in data.numpy_types(columns))
    if round and not whole:
        raise InputError("round (--round) is for columns of whole numbers, and none is protected: leave it out")
    seed = 0 if random_state is None else int(random_state)
    return Asked(tuple(columns), sizes[0], effort or "default", seed, scale, missing, round, tuple(drop))


def microaggregate_dataset(
    data: Dataset,
    asked: Asked,
    *,
    accept: Sequence[str] = (),
    force: bool = False,
    progress: ProgressCallback | None = None,
    beside: Beside | None = None,
) -> LargeMicroaggregation:
    """The release of a dataset, written where it says or else to a temporary place that goes with the result.

    It is checked before it appears. `beside` writes what goes along with it, when it is known to be safe.
    """
    from discreet.frames.datasets.writing import check_free, check_target, place

    owner, target = None, data.output
    if target is None:
        owner = Temporary()
        target = owner.path / (data.names[0] if data.text is not None else "data")
    single = data.single and (owner is None or data.text is not None)
    check_target(target, data, force=force, single=single)
    results: list[LargeMicroaggregation] = []

    def finish(made: Path, found: Found) -> None:
        if single:
            made = made / (target.name if data.text is not None else data.names[0])
        release = reopened(data, made)
        result = _result(data, asked, found, tuple(accept), release)
        verdict = confirmed(result)
        check_free(target, force=force)
        if beside is not None:
            beside(result, verdict, made)
        place(made, target, force=force)
        results.append(replace(result, data=replace(release.moved(target), owner=owner)))

    run_large(data, asked, target, progress=progress, finish=finish)
    return results[0]


def reopened(data: Dataset, made: Path) -> Dataset:
    """What was made of a dataset, read as that was."""
    delimiter, encoding = (None, None) if data.text is None else (data.text.delimiter, data.text.encoding)
    return dataset(made, memory=data.memory, delimiter=delimiter, encoding=encoding)


def confirmed(result: Result) -> Verdict:
    """The verdict on a release that is safe; any other is not to be written."""
    verdict = result.verify()
    if not verdict.safe:
        raise UnsafeReleaseError(
            "the independent check does not confirm this release, so it is not written.\n" + verdict.summary()
        )
    return verdict


class Temporary:
    """A private folder that goes when nobody holds the result any more."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="discreet-"))
        weakref.finalize(self, shutil.rmtree, os.fspath(self.path), ignore_errors=True)


def _result(
    data: Dataset, asked: Asked, found: Found, accept: tuple[str, ...], published: Dataset
) -> LargeMicroaggregation:
    loss = 100.0 * found.sse / found.sst if found.sst > 0 else 0.0
    return LargeMicroaggregation(
        data=published,
        labels=np.empty(0, np.int64),
        k=asked.k,
        n=found.n,
        columns=asked.columns,
        method=found.method,
        status="complete",
        sse=found.sse,
        sst=found.sst,
        information_loss=loss,
        lower_bound=None,
        gap=None,
        seconds=found.seconds,
        seed=asked.seed,
        scale=asked.scale,
        missing=asked.missing,
        suppressed=found.suppressed,
        rounded=asked.round,
        bound=None,
        certificate=None,
        detail=found.detail,
        original=data,
        accept=accept,
        sets=(asked.columns,),
        counts=found.sizes,
        losses=found.losses,
    )
