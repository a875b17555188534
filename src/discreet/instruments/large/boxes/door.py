"""What is asked of a large generalization, checked at once; its release, checked before it appears."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError, listing, whole
from discreet.frames.datasets import Dataset
from discreet.frames.datasets.dataset import PARQUET
from discreet.generalization.methods import REGISTRY, check_order
from discreet.instruments.large.boxes.generalize import Asked, Found, run_large
from discreet.instruments.large.boxes.result import LargeGeneralization
from discreet.instruments.large.boxes.writing import OUT, SECRET
from discreet.instruments.quasi_identifiers import Treatment, as_hierarchy, known_columns
from discreet.methods import Wanted
from discreet.results import Verdict
from discreet.work import SEED_FAULT, ProgressCallback, is_seed

Beside = Callable[[LargeGeneralization, Verdict, Path], None]

WHOLE = ("k-concealment", "mip")
"""Methods that cannot be used block by block: their boxes cover more than their matches, or they know few records."""


def check_asked(
    data: Dataset,
    k: Any,
    *,
    quasi_identifiers: Sequence[str],
    method: str,
    options: Mapping[str, Any],
    random_state: Any,
    treatment: Treatment,
    accept: Sequence[str],
    drop: Sequence[str] = (),
    secret: bool = False,
    refused: Mapping[str, bool],
    faults: Faults | None = None,
) -> Asked:
    """The call as it can be carried out; one error for all that is wrong. `refused` are options that cannot be had."""
    from discreet.frames import adopt, column_faults

    faults = Faults() if faults is None else faults
    head = adopt(data.schema.empty_table())
    REGISTRY.check(faults, Wanted(method, None, None, None, dict(options)))
    faults.check(method not in WHOLE, f"method {method!r} does not work block by block: use auto for a dataset")
    for what, names in (("accepted column", accept), ("column to drop", drop)):
        for fault in column_faults(head, names, what=what) if len(names) else ():
            faults.add(fault)
    known = known_columns(head, quasi_identifiers, faults)
    both = [name for name in drop if name in known or name in accept]
    faults.check(not both, f"both dropped and used: {listing(both)}; choose one")
    both = [name for name in accept if name in known]
    faults.check(not both, f"both accepted as they are and protected: {listing(both)}; choose one")
    check_order(faults, known, options)
    matches = whole(k) or 0
    if faults.check(matches >= 2, "k must be a whole number, 2 or more"):
        faults.check(matches <= data.n, f"k = {k} is larger than the number of records ({data.n}): choose a smaller k")
    faults.check(is_seed(random_state), SEED_FAULT)
    treatment.check(faults, known)
    trees: dict[str, Any] = {}
    for name, given in treatment.hierarchies.items():  # read now: what a file says later is another run
        try:
            trees[name] = as_hierarchy(given, name)
            _check_labels(faults, name, [label for path in trees[name].paths for label in path], data)
        except InputError as error:
            faults.extend(error)
    for what, wanted in refused.items():
        faults.check(not wanted, f"{what} cannot be had for a dataset that is worked on in blocks: leave it out")
    faults.raise_if_any()
    gone = set(drop)
    index = "__index_level_"  # of pandas, in Parquet: it speaks of an order of rows
    columns = [name for name in data.columns if name not in gone and (data.text or not name.startswith(index))]
    return Asked(
        names=tuple(known),
        columns=tuple(columns),
        k=matches,
        method=method,
        options=dict(options),
        seed=None if random_state is None else int(random_state),
        treatment=replace(treatment, hierarchies=trees),
        secret=secret,
    )


def _check_labels(faults: Faults, column: str, labels: Sequence[str], data: Dataset) -> None:
    """Note labels that the text which is followed has no letters for: it would be noticed when all is done."""
    if data.text is None:
        return
    try:
        "".join(labels).encode(data.text.encoding)
    except UnicodeError:
        faults.add(
            f"the hierarchy of {column!r} has labels that {data.text.encoding}, the encoding of {data.name}, cannot "
            "write: convert the data to UTF-8"
        )


def generalize_dataset(
    data: Dataset,
    asked: Asked,
    *,
    accept: Sequence[str] = (),
    keep_secret: Path | None = None,
    force: bool = False,
    progress: ProgressCallback | None = None,
    beside: Beside | None = None,
) -> LargeGeneralization:
    """The release of a dataset, written where it says or else to a temporary place that goes with the result.

    It is checked before it appears. `beside` writes what goes along with it, when it is known to be safe; the
    matchings and the draw go to the folder `keep_secret`.
    """
    from discreet.frames.datasets.writing import check_free, check_target, copied, place, placed
    from discreet.instruments.large.door import Temporary, confirmed, reopened

    owner, target = None, data.output
    if target is None:
        owner = Temporary()
        target = owner.path / (data.names[0] if data.text is not None else "data")
    single = data.text is not None
    if target.suffix.lower() in PARQUET and not single:
        raise InputError(
            f"a release that is made in blocks is a folder: leave {target.suffix} out of its name {target}"
        )
    check_target(target, data, force=force, single=single)
    if keep_secret is not None:
        check_target(keep_secret, data, force=force, single=False)
    results: list[LargeGeneralization] = []

    def finish(folder: Path, found: Found) -> None:
        made = folder / OUT / target.name if single else folder / OUT
        release = reopened(data, made)
        result = _result(data, asked, found, tuple(accept), release)
        verdict = confirmed(result)
        for one in (target, keep_secret):
            if one is not None:
                check_free(one, force=force)
        with ExitStack() as taken_back:
            if keep_secret is not None:  # a copy: a run that dies between the two names can still go on
                secret = taken_back.enter_context(copied(folder / SECRET, keep_secret))
                taken_back.enter_context(placed(secret, keep_secret, force=force))
            if beside is not None:
                beside(result, verdict, made)
            place(made, target, force=force)
        results.append(replace(result, data=replace(release.moved(target), owner=owner)))

    run_large(data, asked, target, progress=progress, finish=finish)
    return results[0]


def _result(
    data: Dataset, asked: Asked, found: Found, accept: tuple[str, ...], published: Dataset
) -> LargeGeneralization:
    nobody, keys, treatment = np.empty(0, np.int64), found.values.keys, asked.treatment
    return LargeGeneralization(
        data=published,
        matches=nobody,
        matchings=nobody,
        cover=None,
        boxes=nobody,
        origin=nobody,
        k=asked.k,
        n=found.n,
        quasi_identifiers=asked.names,
        method="reassign" if asked.method == "auto" else asked.method,
        status="complete",
        gcp=found.gcp,
        lower_bound=None,
        gap=None,
        seconds=found.seconds,
        seed=asked.seed,
        ncp=treatment.ncp,
        missing=treatment.missing,
        shuffled=True,
        sensitive=None,
        l=None,
        bound=None,
        losses=found.losses,
        widened=found.widened,
        detail=dict(found.detail),
        original=data,
        categorical=tuple(name for name in asked.names if name not in keys.ranges),
        hierarchies=keys.trees,
        accept=accept,
        caps=keys.caps,
        levels=dict(treatment.levels),
    )
