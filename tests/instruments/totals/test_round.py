"""`dc.round_table`: what it gives, what it refuses, and what the rounded table tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError


@pytest.fixture(scope="module")
def table() -> dc.Tabulation:
    return dc.tabulate(dc.datasets.survey(400, seed=3), by=["sex", "region", "education"], empty=True)


def test_a_table_of_counts(table: dc.Tabulation) -> None:
    result = dc.round_table(table, 5)
    told = result.table.problem.cells.value
    assert (told % 5 == 0).all()
    assert not table.table.problem.relations.residuals(told).any()
    assert result.lower_bound <= result.distance
    assert result.verify().safe
    assert set(result.data.columns) == {"sex", "region", "education", "count", "status"}
    assert result.to_dict()["distance"] == int(np.abs(told - table.table.problem.cells.value).sum())
    assert "base 5" in result.summary()
    assert result._repr_html_()


def test_amounts_publish_no_counts() -> None:
    amounts = dc.tabulate(dc.datasets.survey(200, seed=3), by=["sex", "region"], value="spending")
    result = dc.round_table(amounts, "100.00")
    assert set(result.data.columns) == {"sex", "region", "value", "status"}
    assert result.base == 10_000
    assert result.verify().safe
    assert all(float(value) % 100 == 0 for value in result.data["value"])


def test_totals_first(table: dc.Tabulation) -> None:
    plain, first = dc.round_table(table, 7), dc.round_table(table, 7, totals_first=True)
    total = [int(np.abs(result.rounding.change)[0]) for result in (plain, first)]
    assert total[1] <= total[0]
    assert first.lower_bound <= plain.distance
    assert first.verify().safe


def test_what_is_inferred_holds(table: dc.Tabulation) -> None:
    """The true value is in every interval, and a cell is exact only if it is."""
    result = dc.round_table(dc.tabulate(dc.datasets.survey(90, seed=1), by=["sex", "region"]), 3)
    found = result.audit().intervals
    true = result.original.problem.cells.value[found.cell]
    assert (found.lower <= true).all()
    assert (true <= found.upper).all()
    assert (found.upper - found.lower <= 4).all()


def test_sensitive_cells_need_room() -> None:
    ruled = dc.tabulate(dc.datasets.survey(90, seed=1), by=["sex", "region"], rules=["frequency=9", "range=90"])
    assert ruled.sensitive
    assert dc.round_table(ruled, 2).audit().exposed


def test_a_rounded_table_is_judged_against_what_is_known_besides(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    head = "sex,count,status,lower,upper,below,above,sliding"
    path.write_text(f"{head}\nTotal,7,s,0,14,0,0,0\nm,3,u,0,9,1,1,0\nf,4,s,0,4,0,0,0\n")
    free = dc.round_table(path, 5).audit()
    assert not free.exposed and any("base less one unit" in text for text in free.attackers)
    path.write_text(path.read_text().replace("f,4,s,0,", "f,4,s,4,").replace("Total,7,s,0,14", "Total,7,s,7,7"))
    known = dc.round_table(path, 5).audit()
    assert known.exposed and known.exact == free.exact, "limits known to all tell it, not the rounded table"
    frame = pd.DataFrame({"sex": ["f"] * 2 + ["m"], "key": 0})
    alone = dc.tabulate(frame, by=["sex", "key"], rules=["frequency=2", "knowledge=none"])
    told = dc.round_table(alone, 2).audit().attackers
    assert any("who know their own cells" in text for text in told)


@pytest.mark.parametrize("base", [0, 1, -5, 2.5, "x", True, float("nan"), "1e99"])
def test_a_base_that_is_none(table: dc.Tabulation, base: object) -> None:
    with pytest.raises(InputError, match="base"):
        dc.round_table(table, base)  # type: ignore[arg-type]


def test_what_cannot_be_rounded(table: dc.Tabulation, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="files only"):
        dc.round_table(table, 5, hierarchies={"sex": "x.csv"})
    with pytest.raises(InputError, match="random_state"):
        dc.round_table(table, 5, random_state=-1)
    with pytest.raises(InputError, match="too large"):
        dc.round_table(table, 2**49, totals_first=True)
    problem = tmp_path / "p.jj"
    problem.write_text("0\n2\n0 3 1 s 0 9 0 0 0\n1 3 1 s 0 9 0 0 0\n1\n0 2 : 0 (-1) 1 (1)\n")
    with pytest.raises(InputError, match="without labels"):
        dc.round_table(problem, 5)
