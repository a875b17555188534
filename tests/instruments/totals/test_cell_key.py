"""`dc.cell_key`: against counting by hand, the same noise in every table, what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError

KEYS = 16


@pytest.fixture(scope="module")
def people() -> Any:
    frame = dc.datasets.survey(300, seed=2)
    return frame.assign(key=dc.record_keys(frame["person"], "a secret of ours", KEYS))


@pytest.fixture(scope="module")
def noise() -> Any:
    rows = [(c, k, max(-c, (k % 5) - 2)) for c in range(1, 12) for k in range(KEYS)]
    return pd.DataFrame(rows, columns=["pcv", "ckey", "pvalue"])


def published(result: dc.CellKeyTable) -> dict[tuple[str, ...], int]:
    data = result.data
    names = result.table.variables
    return {tuple(str(row[name]) for name in names): int(row["count"]) for _, row in data.iterrows()}


def test_against_counting_by_hand(people: Any, noise: Any) -> None:
    told = published(dc.cell_key(people, ["sex", "region"], record_key="key", perturbation=noise))
    lookup = {(row.pcv, row.ckey): row.pvalue for row in noise.itertuples()}
    for (sex, region), count in told.items():
        chosen = people
        chosen = chosen if sex == "Total" else chosen[chosen["sex"] == sex]
        chosen = chosen if region == "Total" else chosen[chosen["region"] == region]
        assert count == len(chosen) + lookup[min(len(chosen), 11), int(chosen["key"].sum()) % KEYS]


def test_the_same_cell_has_the_same_noise_in_every_table(people: Any, noise: Any) -> None:
    wide = published(dc.cell_key(people, ["sex", "region"], record_key="key", perturbation=noise))
    narrow = published(dc.cell_key(people, ["region"], record_key="key", perturbation=noise))
    assert all(wide["Total", region] == count for (region,), count in narrow.items())


def test_what_is_inferred_holds(people: Any, noise: Any) -> None:
    result = dc.cell_key(people, ["sex", "region"], record_key="key", perturbation=noise)
    true = result.original.problem.cells.value
    assert all(count in own.tolist() for count, own in zip(true.tolist(), result.behind))
    assert result.exact_by_support <= result.exact_by_sums
    assert "support" in result.summary()
    silent = noise.assign(pvalue=0)
    told = dc.cell_key(people, ["sex", "region"], record_key="key", perturbation=silent)
    assert told.exact_by_support == int((true > 0).sum())
    assert told.verify().outcome == "unsafe"


def test_what_is_refused(people: Any, noise: Any) -> None:
    with pytest.raises(InputError, match="record keys"):
        dc.cell_key(people, ["sex"], record_key="age", perturbation=noise)
    with pytest.raises(InputError, match="pcv"):
        dc.cell_key(people, ["sex"], record_key="key", perturbation=people)
    with pytest.raises(InputError, match="pvalue"):
        dc.cell_key(people, ["sex"], record_key="key", perturbation=noise.assign(pvalue=0.5))
