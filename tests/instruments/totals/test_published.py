"""Published files read back: what anybody infers from them is what the custodian's audit says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import InputError

HEAD = "region,sector,count,status\n"


def files(folder: Path, leaves: list[int], hidden: set[int], box: int) -> tuple[Path, Path]:
    """A 2 x 3 table with totals: the custodian's file with limits, and the one that is published."""
    inner = np.array(leaves).reshape(2, 3)
    full = np.zeros((3, 4), np.int64)
    full[1:, 1:], full[0, 1:], full[1:, 0], full[0, 0] = inner, inner.sum(0), inner.sum(1), inner.sum()
    own, public = HEAD.replace("\n", ",lower,upper,below,above,sliding\n"), HEAD
    for i, region in enumerate(("Total", "N", "S")):
        for j, sector in enumerate(("Total", "A", "B", "C")):
            value, at = int(full[i, j]), 4 * i + j
            mark = "u" if at in hidden else "s"
            low, high = (0, box) if mark == "u" else (value, value)
            own += f"{region},{sector},{value},{mark},{low},{high},0,0,1\n"
            public += f"{region},{sector},,hidden\n" if mark == "u" else f"{region},{sector},{value},s\n"
    (folder / "own.csv").write_text(own)
    (folder / "public.csv").write_text(public)
    return folder / "own.csv", folder / "public.csv"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 9), min_size=6, max_size=6), st.sets(st.integers(0, 11), min_size=1, max_size=8))
def test_anybody_infers_what_the_custodian_says(tmp_path: Path, leaves: list[int], hidden: set[int]) -> None:
    inner = np.array(leaves).reshape(2, 3)
    full = np.zeros((3, 4), np.int64)
    full[1:, 1:], full[0, 1:], full[1:, 0], full[0, 0] = inner, inner.sum(0), inner.sum(1), inner.sum()
    told = [int(v) for at, v in enumerate(full.ravel()) if at not in hidden]
    box = 10 * max(1, *told)
    if full.max() > box:
        return
    own, public = files(tmp_path, leaves, hidden, box)
    ours, theirs = dc.audit(own), dc.audit(public, rules=["zeros=1"])  # zeros may be hidden as well
    assert np.array_equal(ours.intervals.lower, theirs.intervals.lower)
    assert np.array_equal(ours.intervals.upper, theirs.intervals.upper)
    assert ours.outcome == theirs.outcome and theirs.verify().outcome == theirs.outcome


def test_a_published_file_that_tells_a_hidden_cell(tmp_path: Path) -> None:
    _, public = files(tmp_path, [3, 5, 2, 8, 1, 4], {5}, 100)
    found = dc.audit(public)
    assert found.outcome == "unsafe" and found.exposed and found.known_exactly == 1


def test_what_no_table_has_is_no_published_file(tmp_path: Path) -> None:
    _, public = files(tmp_path, [3, 5, 2, 8, 1, 4], {5, 6}, 100)
    text = public.read_text()
    public.write_text(text.replace("N,Total,10,s", "N,Total,1,s"))
    with pytest.raises(InputError, match="do not add up to any table"):
        dc.audit(public)
    public.write_text(text.replace("N,A,,hidden", "N,A,3,hidden"))
    with pytest.raises(InputError, match="tells 1 cells that are marked as hidden"):
        dc.audit(public)
    public.write_text(text)
    with pytest.raises(InputError, match="rules but zeros need the table it was made from"):
        dc.audit(public, rules=["frequency=3"])
    with pytest.raises(InputError, match="audit published files one by one"):
        dc.audit([public, public])
    with pytest.raises(InputError, match="is a published file"):
        dc.suppress(public)


def test_an_earlier_release_may_be_the_published_file(tmp_path: Path) -> None:
    own, public = files(tmp_path, [3, 5, 2, 8, 6, 4], {5, 6, 9, 10}, 100)
    assert dc.audit(own).outcome == "safe"
    assert dc.audit(own, earlier=[public]).outcome == "safe"
    shown = tmp_path / "shown.csv"
    shown.write_text(public.read_text().replace("S,B,,hidden", "S,B,6,s"))
    assert dc.audit(own, earlier=[shown]).outcome == "unsafe"
    first = dc.suppress(own, cost="value")
    again = dc.suppress(own, cost="value", earlier=[public])
    assert np.array_equal(first.table.problem.cells.hidden, again.table.problem.cells.hidden)
    shown.write_text(public.read_text().replace("S,C,4,s", "S,C,5,s"))
    with pytest.raises(InputError, match="an earlier release is of another table"):
        dc.suppress(own, earlier=[shown])
