"""Suppression certificates by hand: the bound of a two-way table is proven, and every forgery is refused."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from verify.tabular.cases import written

from discreet.tabular.suppress import search
from discreet.verify.tabular.certificate import STATUSES, check_certificate
from discreet.verify.tabular.cuts import Rejected, bridge, rebuilt
from discreet.verify.tabular.levels import check_levels
from discreet.verify.tabular.problem import load

# Only 4 is sensitive: its column must hide 1 or 7, its row 3 or 5; costs make the inner cycle cheapest.
COSTS = {0: 50, 1: 40, 2: 40, 3: 40, 4: 0, 5: 5, 6: 40, 7: 2, 8: 8}


def table_of(path: Path) -> Any:
    return load(written(path, costs=COSTS), "the problem")


def document() -> dict[str, Any]:
    """Rows by relations and pairs of them; their weights at the root prove the least cost."""
    return {
        "format": "discreet suppression certificate",
        "version": 1,
        "cost": 15,
        "lower_bound": 15,
        "status": "optimal",
        "pattern": [4, 5, 7, 8],
        "cuts": [
            {"cell": 4, "side": 1, "denominator": 1, "multipliers": {"1": 1}},
            {"cell": 4, "side": 1, "denominator": 1, "multipliers": {"4": 1}},
            {"cell": 4, "side": -1, "denominator": 1, "multipliers": {"1": -1, "5": 1}},
            {"cell": 4, "side": -1, "denominator": 1, "multipliers": {"4": -1, "2": 1}},
        ],
        "bridges": [],
        "proofs": [
            {"denominator": 1, "duals": {"0": 2, "1": 5, "2": 8}, "bridges": {}},
        ],
        "tree": [{"proof": 0}],
    }


def least_cost(path: Path) -> int:
    """The cheapest pattern that protects, by trying all of them."""
    table = table_of(path)
    free = [c for c in range(9) if c != 4]
    best = None
    for size in range(9):
        for chosen in combinations(free, size):
            cost = sum(COSTS[c] for c in chosen)
            if best is not None and cost >= best:
                continue
            levels = check_levels(table, sorted((*chosen, 4)))
            if all(level.outcome == "protected" for level in levels):
                best = cost
    assert best is not None
    return best


def test_the_bound_is_the_least_cost(tmp_path: Path) -> None:
    path = tmp_path / "p.jj"
    assert least_cost(path) == 15
    proven = check_certificate(table_of(path), document(), [4, 5, 7, 8])
    assert (proven.cost, proven.lower_bound, proven.optimal, proven.leaves) == (15, 15, True, 1)


@pytest.mark.parametrize("status", ["closed", "time limit"])
def test_a_bound_may_be_all_that_is_proven(status: str, tmp_path: Path) -> None:
    """A search that is closed to its solver's tolerance claims what it proves, and that is what counts."""
    table = table_of(tmp_path / "p.jj")
    found = check_certificate(table, document() | {"status": status, "lower_bound": 14}, [4, 5, 7, 8])
    assert (found.cost, found.lower_bound) == (15, 15)
    less = document() | {
        "status": status,
        "lower_bound": 14,
        "proofs": [{"denominator": 1, "duals": {}, "bridges": {}}],
    }
    with pytest.raises(Rejected, match="claims a bound of 14, and proves"):
        check_certificate(table, less, [4, 5, 7, 8])
    proves = check_certificate(table, less | {"lower_bound": 0}, [4, 5, 7, 8])
    assert not proves.optimal


def test_the_checker_knows_every_status_of_the_search() -> None:
    words = set(re.findall('"([a-z ]+)"', inspect.getsource(search)))
    assert {"optimal", "closed", "time limit"} <= words & set(STATUSES)


def test_rows_are_rebuilt(tmp_path: Path) -> None:
    table = table_of(tmp_path / "p.jj")
    first, _, third, _ = document()["cuts"]
    # 4 + 7 = 1: what 4 gains the cells 1 and 7 must give.
    assert rebuilt(table, first) == {1: 1, 7: 1}
    assert rebuilt(table, third) == {1: 1, 6: 1, 8: 1}
    assert rebuilt(table, {**first, "cover": [1]}) is None
    with pytest.raises(Rejected, match="attacker that was not stated"):
        rebuilt(table, {**first, "known": [7]})
    assert rebuilt(table, {**first, "known": [7]}, [frozenset({7})]) == {1: 1}
    with pytest.raises(Rejected, match="divides its right side"):
        rebuilt(table, {**first, "divisor": 1})
    assert bridge(table, [5, 8]) == {6: 1, 7: 1, 8: -1}
    with pytest.raises(Rejected, match="hidden whatever happens"):
        bridge(table, [1, 7])


def test_rounding_a_row_is_sound(tmp_path: Path) -> None:
    """Mixed-integer rounding: every pattern that satisfies the row satisfies the rounded one."""
    path = written(tmp_path / "p.jj", level=15, upper=31, costs=COSTS, values=[30, 12, 18, 15, 8, 7, 15, 4, 11])
    table = load(path, "the problem")
    cut = {"cell": 4, "side": 1, "denominator": 1, "multipliers": {"1": 1, "5": 1}}
    plain = rebuilt(table, cut)
    assert plain is not None
    for divisor in (2, 4, 6, 7, 8):
        rounded = rebuilt(table, {**cut, "divisor": divisor})
        assert rounded is not None
        for size in range(len(plain) + 1):
            for chosen in combinations(plain, size):
                if sum((plain[c] for c in chosen), Fraction(0)) >= 1:
                    assert sum((rounded.get(c, Fraction(0)) for c in chosen), Fraction(0)) >= 1


def test_a_tree_with_branches_and_fixings(tmp_path: Path) -> None:
    table = table_of(tmp_path / "p.jj")
    grown = document()
    grown["proofs"].append({"denominator": 2, "duals": {"0": 4, "1": 10}, "bridges": {}})
    grown["tree"] = [
        {"branch": 8, "zero": 1, "one": 2},
        {"proof": 0, "zero": [0], "then": 3},
        {"proof": 1},
        {"proof": 0},
    ]
    assert check_certificate(table, grown, [4, 5, 7, 8]).optimal
    grown["tree"][1] = {"proof": 1, "one": [0], "then": 3}
    with pytest.raises(Rejected, match="does not prove to be fixed"):
        check_certificate(table, grown, [4, 5, 7, 8])


FORGERIES: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda d: d.update(cost=14), "another cost"),
    (lambda d: d.update(pattern=[4, 5, 7]), "another pattern"),
    (lambda d: d["proofs"][0]["duals"].update({"0": 1}), "claims a bound"),
    (lambda d: d["proofs"][0]["duals"].update({"0": -2}), "weight below 0"),
    (lambda d: d["proofs"][0]["duals"].update({"7": 2}), "not there"),
    (lambda d: d["proofs"][0].update(denominator=0), "whole number"),
    (lambda d: d["cuts"][0].update(multipliers={"1": 1.5}), "whole number"),
    (lambda d: d["cuts"][0].update(cell=5), "not sensitive"),
    (lambda d: d["cuts"][0].update(denominator=2), "claims a bound|not a whole"),
    (lambda d: d["cuts"].pop(), None),
    (lambda d: d.update(tree=[{"branch": 8, "zero": 1, "one": 1}, {"proof": 0}]), "twice"),
    (lambda d: d.update(tree=[{"branch": 4, "zero": 1, "one": 2}, {"proof": 0}, {"proof": 0}]), "not free"),
    (lambda d: d.update(tree=[]), "claims a bound"),
    (lambda d: d.update(lower_bound=True), "no number"),
    (lambda d: d.update(lower_bound="1e999999999"), "no number"),
    (lambda d: d.update(lower_bound="1/0"), "no number"),
    (lambda d: d["cuts"][0].update(multipliers={"\u00b2": 1}), "not there"),
    (lambda d: d["cuts"][0].update(multipliers={"9" * 5000: 1}), "not there"),
    (lambda d: d.update(lower_bound=16), "claims a bound"),
    (lambda d: d.update(version=2), "version 1"),
    (lambda d: d.update(proofs=[{"denominator": 1, "duals": {"0": 2}}], lower_bound=2), "does not prove it"),
]


@pytest.mark.parametrize(("change", "words"), FORGERIES)
def test_forgeries_are_refused(tmp_path: Path, change: Callable[[dict[str, Any]], Any], words: str | None) -> None:
    table = table_of(tmp_path / "p.jj")
    forged = copy.deepcopy(document())
    change(forged)
    assert forged != document()
    if words is None:  # a row that no proof uses may go
        assert check_certificate(table, forged, [4, 5, 7, 8]).optimal
        return
    with pytest.raises(Rejected, match=words):
        check_certificate(table, forged, [4, 5, 7, 8])
