"""A bound on memory is kept or is an error: it is never passed over."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError

ROWS = 70_000


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    frame = pd.DataFrame({f"x{j}": [float(i // 4) for i in range(ROWS)] for j in range(8)})
    for name in ("before", "after"):
        (folder / name).mkdir()
        frame.to_parquet(folder / name / "a.parquet", index=False)
        frame.to_csv(folder / f"{name}.csv", index=False)
    (folder / "before.csv.gz").write_bytes(gzip.compress((folder / "before.csv").read_bytes(), 1))
    frame.to_stata(folder / "before.dta", write_index=False)
    return folder


@pytest.mark.parametrize(
    ("original", "published"),
    [("before.csv", "after.csv"), ("before", "after.csv"), ("before.csv", "after"), ("before.csv.gz", "after.csv")],
)
def test_text_that_does_not_fit_is_streamed(release: Path, original: str, published: str) -> None:
    names = [f"x{j}" for j in range(8)]
    claim = {"k": 3, "quasi_identifiers": names, "guarantee": "microaggregation"}
    assert dc.verify(release / original, release / published, memory="50MB", **claim).safe


def test_other_files_that_do_not_fit_are_refused(release: Path) -> None:
    with pytest.raises(InputError, match="does not fit into the memory"):
        dc.verify(release / "before.dta", release / "after", k=3, guarantee="microaggregation", memory="50MB")


def test_a_dataframe_is_not_compared_with_a_folder_that_does_not_fit(release: Path) -> None:
    frame = pd.read_csv(release / "before.csv")
    with pytest.raises(InputError, match="only Parquet and"):
        dc.verify(frame, release / "after", k=3, guarantee="microaggregation", memory="50MB")


def test_what_fits_is_judged(release: Path) -> None:
    assert dc.verify(release / "before.csv", release / "after", k=3, guarantee="microaggregation", memory="2GB").safe
    assert dc.verify(release / "before", release / "after", k=3, guarantee="microaggregation", memory="100MB").safe
