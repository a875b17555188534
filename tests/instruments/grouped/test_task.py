"""What is done for one k: the same whatever was done before with the same task, and proven about what is published."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from discreet.errors import Faults
from discreet.frames import adopt
from discreet.instruments.grouped.task import Task
from discreet.instruments.quantities import Choice, read
from discreet.methods import Shared, Wanted
from discreet.work import Deadline, Reporter


def frame(n: int = 40, seed: int = 0) -> pd.DataFrame:
    values = np.random.default_rng(seed).integers(0, 50, (n, 2))
    return pd.DataFrame({"a": values[:, 0], "b": values[:, 1] / 2})


def task(data: pd.DataFrame, *, certify: bool = False, round: bool = False, method: str = "auto") -> Task:
    choice, faults = (
        Choice(columns=["a", "b"], scale="sd", missing="error", left=(), weights=None, strata=None),
        Faults(),
    )
    given = read(adopt(data), (3, 5), choice, faults)
    faults.raise_if_any()
    assert given is not None
    return Task(
        frame=data,
        given=(given,),
        choice=choice,
        wanted=Wanted(method),
        certify=certify,
        seed=0,
        round=round,
        weight=None,
        by=(),
        accept=(),
        report=Reporter(None),
        shared=Shared(),
    )


@pytest.mark.parametrize("method", ["auto", "fdm", "mdav"])
def test_what_was_done_for_another_k_changes_nothing(method: str) -> None:
    data = frame()
    used = task(data, method=method)
    used.result(3, Deadline(None))
    after, alone = used.result(5, Deadline(None)), task(data, method=method).result(5, Deadline(None))
    assert (after.labels == alone.labels).all() and after.sse == alone.sse
    pd.testing.assert_frame_equal(after.data, alone.data)


def test_each_published_record_is_its_groups_mean() -> None:
    data = frame()
    made = task(data).result(3, Deadline(None))
    assert np.bincount(made.labels).min() >= 3
    means = data.groupby(made.labels).transform("mean")
    np.testing.assert_allclose(made.data.to_numpy(float), means.to_numpy(), rtol=1e-12)


def test_rounded_columns_stay_whole_numbers() -> None:
    made = task(frame(), round=True).result(3, Deadline(None))
    assert made.rounded and made.data["a"].dtype.kind == "i" and made.data["b"].dtype.kind == "f"


def test_the_proof_is_about_the_very_values_that_are_published() -> None:
    data = frame(12)
    one = task(data, certify=True)
    given = one.given[0]
    partition, proof = one.groups(given, 3, Deadline(None), Shared())
    assert proof is not None
    honest = data.groupby(partition.labels).transform("mean")
    checked = one.checked(given, 3, proof, honest)
    assert checked.optimal and checked.payload["columns"] == ["a", "b"] and checked.payload["scale"] == "sd"
    sorted_by_one = data.groupby(data["a"].rank(method="first").sub(1) // 3).transform("mean")
    worse = one.checked(given, 3, proof, sorted_by_one)
    assert not worse.optimal and worse.payload["sse"] > checked.payload["sse"]
    assert one.result(3, Deadline(None)).lower_bound == pytest.approx(checked.lower_bound, rel=1e-9)
