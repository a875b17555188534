"""The seed's example, Tables 2 to 5 as corrected, and the Rochdale table."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from oracles.table_cases import all_ways
from references import reference

import discreet as dc
from discreet.solvers import cpsat

# Rows by F, E, D, C; columns by B, then A: as the seed prints them.
TABLE_2 = """
[0,88] [0,62] [0,224] [0,117]   [0,261] [0,246] [0,25] [0,38]
[0,88] [0,62] [0,224] [0,117]   [0,261] [0,151] [0,25] [0,38]
[0,58] [0,60] [0,170] [0,148]   [0,115] [0,173] [0,20] [0,36]
[0,58] [0,60] [0,170] [0,148]   [0,115] [0,173] [0,20] [0,36]
[0,88] [0,62] [0,126] [0,117]   [0,134] [0,134] [0,25] [0,38]
[0,88] [0,62] [0,126] [0,117]   [0,134] [0,134] [0,25] [0,38]
[0,58] [0,60] [0,126] [0,126]   [0,115] [0,134] [0,20] [0,36]
[0,58] [0,60] [0,126] [0,126]   [0,115] [0,134] [0,20] [0,36]
"""
# [ABCE] by E, C; B, A. The cell A yes, B no, C yes, E < 3 is printed [0,463]; its sharp bound is [30,463].
TABLE_3 = """
[0,206] [0,167] [0,404] [0,312]
[0,421] [30,463] [0,119] [0,119]
[0,181] [0,167] [0,363] [0,339]
[0,314] [0,344] [0,119] [0,119]
"""
# [ADE] by E, D; A. The seed lost the column A = yes.
TABLE_4 = "[182,515] [130,463] [83,416] [0,333] [0,333] [76,409] [30,363] [8,341]"
FIRST = ["BF", "ABCE", "ADE"]
SECOND = ["BF", "BC", "BE", "AB", "AC", "AE", "CE", "DE", "AD"]


def autoworkers() -> dc.Table:
    table = dc.Table.from_counts(dc.datasets.autoworkers())
    assert table.total == 1841
    assert table.shape == (2,) * 6
    return table


def printed(bounds: dc.Bounds, variables: str) -> list[str]:
    """Bounds in the printed order, the last variable fastest."""
    lower = bounds.lower.transpose([bounds.margins.names.index(v) for v in variables]).reshape(-1)
    upper = bounds.upper.transpose([bounds.margins.names.index(v) for v in variables]).reshape(-1)
    return [f"[{a},{b}]" for a, b in zip(lower, upper)]


def cells(text: str) -> list[str]:
    return re.findall(r"\[[^]]*\]", text)


def margins(table: dc.Table, releases: list[str]) -> dc.Margins:
    return table.margins([tuple(r) for r in releases])


@pytest.mark.parametrize("method", ["auto", "exact", "frechet", "shuttle", "shuttle-lines"])
def test_table_2(method: str) -> None:
    bounds = dc.bounds(margins(autoworkers(), FIRST), method=method)
    assert printed(bounds, "FEDCBA") == cells(TABLE_2)
    assert bounds.sharp.all()
    assert bounds.status == "sharp"


def test_tables_3_and_4() -> None:
    table = autoworkers()
    four = dc.bounds(margins(table.margin(tuple("ABCE")), ["BC", "BE", "AB", "AC", "AE", "CE"]))
    assert printed(four, "ECBA") == cells(TABLE_3)
    three = dc.bounds(margins(table.margin(tuple("ADE")), ["AE", "DE", "AD"]))
    assert printed(three, "EDA") == cells(TABLE_4)
    assert four.sharp.all()
    assert three.sharp.all()


def test_table_5_theorem_2_is_the_exact_answer() -> None:
    given = margins(autoworkers(), SECOND)
    by_theorem, whole = dc.bounds(given, method="reducible"), dc.bounds(given, method="exact")
    assert np.array_equal(by_theorem.lower, whole.lower)
    assert np.array_equal(by_theorem.upper, whole.upper)
    assert by_theorem.sharp.all()
    assert whole.sharp.all()
    assert printed(by_theorem, "FEDCBA")[:4] == ["[0,206]", "[0,167]", "[0,404]", "[0,312]"]


def test_table_5_the_linear_program_is_fractional_in_two_cells() -> None:
    given = margins(autoworkers(), SECOND)
    linear, exact = dc.bounds(given, method="lp"), dc.bounds(given)
    fractional = ~np.isclose(linear.upper, np.rint(linear.upper))
    assert fractional.sum() == 2
    assert np.allclose(linear.upper[fractional], 312 + 2 / 3)
    assert (exact.upper[fractional] == 312).all()
    assert np.array_equal(np.floor(linear.upper + 1e-9), exact.upper)


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_autoworkers_every_order_is_sharp(order: int) -> None:
    bounds = dc.bounds(all_ways(autoworkers(), order))
    x = autoworkers().dense()
    assert bounds.sharp.all()
    assert ((bounds.lower <= x) & (x <= bounds.upper)).all()
    assert bounds.verify().safe


def test_rochdale_where_rounding_the_linear_program_is_not_enough() -> None:
    if not cpsat.available():
        pytest.skip("needs OR-Tools (extra: exact)")
    table = dc.Table.from_counts(pd.read_csv(reference("rochdale.csv")))
    bounds = dc.bounds(all_ways(table, 3))
    assert bounds.sharp.all()
    linear = dc.bounds(all_ways(table, 3), method="lp")
    assert (np.floor(linear.upper + 1e-9) > bounds.upper).any()
    four = dc.bounds(all_ways(table, 4))
    assert np.array_equal(four.lower, four.upper)


def test_count_of_tables_given_all_four_way_margins() -> None:
    counted = dc.count_tables(all_ways(autoworkers(), 4))
    assert counted.exact
    assert counted.value == 705_884
