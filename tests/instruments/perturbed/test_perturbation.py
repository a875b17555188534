"""What every perturbation says of itself: measured, not proven, whatever the kind of frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import discreet as dc

MONEY = ["income", "savings"]
CALLS = {
    "rank": lambda frame: dc.rank_swap(frame, MONEY, random_state=1),
    "noise": lambda frame: dc.add_noise(frame, MONEY, random_state=1),
    "pram": lambda frame: dc.pram(frame, ["region", "sex"], random_state=1),
    "records": lambda frame: dc.swap_records(frame, ["region"], keys=["sex"], random_state=1),
}


def people() -> Any:
    return dc.datasets.survey(400, seed=1)[["region", "sex", "dwelling", "education", *MONEY]]


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_called_safe(name: str, tmp_path: Path) -> None:
    found = CALLS[name](people())
    verdict = found.verify()
    assert verdict.outcome == "cannot tell" and not verdict and verdict.exit_code == 2
    assert not verdict.proven and verdict.k is None
    assert "measured, not proven" in found.summary() and "undoes this" in found.summary()
    page = found.report(tmp_path / "r.html").read_text()
    assert "Measured, not proven" in page and "Verified" not in page
    assert found.to_dict()["status"] == "measured, not proven"
    assert sum(found.changed.values()) > 0
    assert found.plot().axes


@pytest.mark.parametrize("name", CALLS)
def test_every_kind_of_frame_comes_back_the_same(name: str) -> None:
    frame = people()
    table = pa.table({column: frame[column].to_numpy() for column in frame.columns})
    expected = CALLS[name](frame)
    for given in (table, pl.from_arrow(table)):
        found = CALLS[name](given)
        assert type(found.data) is type(given)
        assert found.data.schema == given.schema or name == "noise"
        for column in frame.columns:
            assert list(found.data[column].to_pylist() if given is table else found.data[column]) == pytest.approx(
                expected.data[column].tolist()
            )
        assert found.linkage == expected.linkage


def test_the_checker_measures_the_same() -> None:
    for name in ("rank", "noise", "pram"):
        found = CALLS[name](people())
        linked = found.linkage.by_category if name == "pram" else found.linkage.by_distance
        assert found.verify().figures["found"] == pytest.approx(linked)


def test_what_is_known_for_sure_leads_further() -> None:
    blind = dc.add_noise(people(), MONEY, percent=50, random_state=1).linkage
    sure = dc.add_noise(people(), MONEY, percent=50, known=["region", "sex", "education"], random_state=1).linkage
    assert sure.by_distance > 2 * blind.by_distance and sure.by_rank > 2 * blind.by_rank


def test_a_secret_draw_has_no_seed() -> None:
    found = dc.add_noise(people(), MONEY)
    assert found.seed is None and found.to_dict()["secret_draw"]
    assert "secret, from the operating system" in found.summary()
