"""A release in another format than its original: left columns that are written as something else are still theirs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

START = dt.datetime(2020, 1, 1)
LEFT = {
    "truth values with gaps": (pa.array([True, False, None] * 8), ("csv", "sav", "dta")),
    "times": (pa.array([dt.time(hour, 59, 1) for hour in range(24)]), ("csv", "sav")),
    "durations": (pa.array([dt.timedelta(seconds=1000 * i) for i in range(24)]), ("csv",)),
    "moments of a zone": (
        pa.array([START + dt.timedelta(hours=i) for i in range(24)], pa.timestamp("us", "Europe/Madrid")),
        ("csv",),
    ),
    "dates": (pa.array([dt.date(2020, 1, 1 + i) for i in range(24)]), ("csv", "sav", "dta", "xpt")),
}


@pytest.mark.parametrize("kind", LEFT)
def test_left_columns_pass_the_check(discreet: Callable, tmp_path: Path, kind: str) -> None:
    column, endings = LEFT[kind]
    data = tmp_path / "data.parquet"
    pq.write_table(pa.table({"q": [i % 7 for i in range(24)], "left": column}), data)
    for ending in endings:
        out = tmp_path / f"out.{ending}"
        ran = discreet("generalize", data, "-k", 3, "--qi", "q", "-o", out, "-q")
        assert ran.code == 0, f"{ending}: {ran.err}"
        ran = discreet("verify", data, out, "-k", 3, "--qi", "q", "--guarantee", "matchings")
        assert ran.code == 0, f"{ending}: {ran.out}"


def test_bytes_have_no_place_in_labelled_files(discreet: Callable, tmp_path: Path) -> None:
    data, out = tmp_path / "data.parquet", tmp_path / "out.sav"
    pq.write_table(pa.table({"q": [1, 2] * 6, "left": [b"secret"] * 12}), data)
    ran = discreet("generalize", data, "-k", 3, "--qi", "q", "-o", out, "-q")
    assert ran.code == 2 and "bytes" in ran.err and "secret" not in ran.err and not out.exists()
