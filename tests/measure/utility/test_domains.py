"""Totals by domain: counted record by record, intervals by the textbook formula."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.measure.utility import domains
from discreet.measure.utility.columns import ANYTHING, MISSING, Categories, plain_categories
from discreet.measure.utility.domains import NORMAL, domain_codes, estimates, membership

SETS = [frozenset({0}), frozenset({1}), frozenset({2}), frozenset({0, 1}), frozenset({0, 1, 2}), frozenset({1, 7, -1})]
FIRST = np.cumsum([0, *(len(s) for s in SETS)])
MEMBER = np.array([m for s in SETS for m in sorted(s)], np.int64)
ROW = st.tuples(st.integers(-2, 5), st.integers(-2, 5), st.integers(-5, 5), st.integers(0, 4))


def column(codes: list[int]) -> Categories:
    return Categories(np.array(codes, np.int64), FIRST, MEMBER, 3, False)


@given(st.lists(ROW, min_size=2, max_size=15))
def test_record_by_record(rows: list[tuple[int, int, int, int]]) -> None:
    first, second, values, weights = (list(part) for part in zip(*rows))
    every = [plain_categories(np.array(part), 3) for part in zip(*itertools.product(range(3), repeat=2))]
    cells, known = domain_codes(every)
    assert len(cells) == 9
    of = membership([column(first), column(second)], known)
    found = estimates(of, 9, np.array(values, float), np.array(weights, float))
    for place, (a, b) in enumerate(cells.tolist()):
        z = np.array([w * x * share(i, a) * share(j, b) for i, j, x, w in rows])
        assert found.total[place] == pytest.approx(z.sum(), abs=1e-9)
        variance = len(z) * z.var(ddof=1)
        assert found.half[place] == pytest.approx(NORMAL * np.sqrt(variance), abs=1e-6)


def share(code: int, value: int) -> float:
    return (value in SETS[code]) / len(SETS[code]) if code >= 0 else 0.0


def test_counts_missing_values_and_blank_domains() -> None:
    c = plain_categories(np.array([0, 0, 1, MISSING]), 2)
    cells, known = domain_codes([c])
    assert cells.tolist() == [[0], [1]]
    of = membership([c], known)
    assert estimates(of, 2, None, np.array([1.0, 2, 3, 4])).total.tolist() == [3, 3]
    assert estimates(of, 2, np.array([5.0, np.nan, 7, 8]), np.ones(4)).total.tolist() == [5, 7]
    gone = c._replace(codes=np.full(4, ANYTHING))
    assert estimates(membership([gone], known), 2, None, np.ones(4)).total.tolist() == [0, 0]


def test_one_record_has_no_interval_and_nobody_no_domain() -> None:
    c = plain_categories(np.array([0]), 1)
    _, known = domain_codes([c])
    assert np.isnan(estimates(membership([c], known), 1, None, np.ones(1)).half).all()
    nobody = plain_categories(np.array([MISSING]), 0)
    cells, known = domain_codes([nobody])
    assert len(cells) == 0 and membership([nobody], known).record.size == 0


def test_too_wide_and_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domains, "MOST_PARTS", 5)
    with pytest.raises(InputError, match="widened too far"):
        membership([column([4, 4])], np.array([0, 1, 2]))
    monkeypatch.setattr(domains, "MOST_DOMAINS", 2)
    with pytest.raises(InputError, match="3 domains"):
        domain_codes([plain_categories(np.arange(3), 3)])
    wide = plain_categories(np.array([10**7]), 10**7 + 1)
    with pytest.raises(InputError, match="too many combinations"):
        domain_codes([wide] * 3)
