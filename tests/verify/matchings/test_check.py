"""The check of k disjoint matchings, and what it says and does not say of a release whose draw it has not seen."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import edges_in_matchings, has_regular_subgraph
from oracles.likelihood import pair_shares
from oracles.readings import intervals, sets

import discreet as dc
from discreet.verify.matchings import check
from discreet.verify.matchings.check import verify_matchings
from discreet.verify.matchings.reading import Reading


def _release(n: int, seed: int) -> tuple[list[Reading], np.ndarray]:
    """Random originals and random boxes, and which original lies in which box, by definition."""
    rng = np.random.default_rng(seed)
    ages, letters = rng.integers(0, 6, n), rng.integers(0, 4, n)
    low = np.maximum(ages - rng.integers(0, 4, n), 0)
    high = ages + rng.integers(0, 4, n)
    held = [frozenset({int(letter), *rng.integers(0, 4, 2).tolist()}) for letter in letters]
    shown = rng.permutation(n)
    readings = [
        intervals(ages.tolist(), [(int(low[i]), int(high[i])) for i in shown]),
        sets(letters.tolist(), [held[i] for i in shown]),
    ]
    inside = np.array([[low[i] <= ages[j] <= high[i] and letters[j] in held[i] for j in range(n)] for i in shown])
    return readings, inside


@settings(max_examples=150, deadline=None)
@given(n=st.integers(2, 12), k=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_verdict_equals_exhaustive_flow(n: int, k: int, seed: int) -> None:
    readings, inside = _release(n, seed)
    verdict = verify_matchings(readings, k=k)
    assert verdict.safe == (k <= n and has_regular_subgraph(inside, k))
    assert verdict.outcome in ("safe", "unsafe")


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 7), seed=st.integers(0, 10**6))
def test_the_stated_probability_is_that_over_all_assignments(n: int, seed: int) -> None:
    readings, inside = _release(n, seed)
    verdict = verify_matchings(readings, k=1)
    if verdict.safe:
        assert verdict.figures["largest_probability"] == pytest.approx(pair_shares(inside).max(), rel=1e-12)
        assert verdict.figures["largest_probability_error"] == 0
        assert verdict.figures["largest_probability_method"] == "exact"


@settings(max_examples=100, deadline=None)
@given(n=st.integers(2, 7), l=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_l_counts_the_values_of_all_candidates(n: int, l: int, seed: int) -> None:
    readings, inside = _release(n, seed)
    values = np.random.default_rng(seed).integers(-1, 4, n)  # −1: missing, which is no value
    verdict = verify_matchings(readings, k=1, sensitive_codes=values, l=l)
    joined = edges_in_matchings(inside)
    if joined.any():
        fewest = min(len(set(values[joined[:, p]].tolist()) - {-1}) for p in range(n))
        assert verdict.safe == (fewest >= l)
        assert any("distinct sensitive values" in line for line in (*verdict.proven, *verdict.failures))


def test_equal_records_count_as_often_as_they_occur() -> None:
    values = [1, 1, 1, 2]
    assert verify_matchings([intervals(values, [(1, 1)] * 3 + [(2, 2)])], k=2).outcome == "unsafe"
    assert verify_matchings([intervals(values, [(1, 2)] * 4)], k=4).safe
    assert verify_matchings([intervals([1] * 4, [(1, 1)] * 4)], k=4).safe


def test_large_classes_and_a_large_k_do_not_overflow() -> None:
    n, k = 70_000, 40_000  # k units for each of 70 000 equal records: 2.8 thousand million along one edge
    alike = Reading(np.zeros(n, np.int64), np.zeros(n, np.int64), np.array([0, 1]), np.zeros(1, int), np.zeros(1, int))
    verdict = verify_matchings([alike], k=k)
    assert verdict.safe
    assert verdict.figures["largest_probability"] == pytest.approx(1 / n)


def test_mean_tricks_are_rejected() -> None:
    values = list(range(12))
    ring = [[i, (i + 1) % 12, (i + 2) % 12] for i in range(12)]
    boxes = [(min(m), max(m)) for m in ring]
    assert verify_matchings([intervals(values, boxes)], k=3).safe
    assert verify_matchings([intervals(values, boxes)], k=4).outcome == "unsafe"
    assert verify_matchings([intervals(values, [(1, 2), *boxes[1:]])], k=3).outcome == "unsafe"
    assert verify_matchings([intervals(values, boxes[1:])], k=3).outcome == "unsafe"
    assert verify_matchings([intervals(values, boxes)], k=13).outcome == "unsafe"


def test_a_wildcard_lies_in_every_box() -> None:
    boxes = [frozenset({0})] * 4
    assert verify_matchings([sets([0, None, 0, None], boxes)], k=4).safe
    assert not verify_matchings([sets([0, 1, 0, 1], boxes)], k=2).safe


def test_k_candidates_are_not_called_equally_likely() -> None:
    n = 1000
    original = pd.DataFrame({"x": np.arange(-1, n - 1)})
    published = pd.DataFrame({"x": ["[-1, 1]", "[-1, 998]", *["[0, 998]"] * (n - 2)]})
    verdict = dc.verify(original, published, k=2, quasi_identifiers=["x"])
    assert verdict.exit_code == 0
    assert verdict.summary().startswith("safe (matchings, k = 2)")
    assert verdict.figures["largest_probability"] == pytest.approx(999 / 1001)
    assert verdict.figures["largest_probability_error"] == 0
    assert any("under a uniform prior one person is at one row with probability 99.8 %" in x for x in verdict.limits)
    assert any("2 candidates" in line for line in verdict.proven)
    assert not any("1/2" in line or "likely" in line or "probability" in line for line in verdict.proven)


def test_where_all_fit_everywhere_nothing_is_more_likely() -> None:
    verdict = verify_matchings([intervals([1, 2, 3, 4], [(1, 4)] * 4)], k=4)
    assert verdict.figures["largest_probability"] == pytest.approx(0.25)
    assert any("nobody is at one row with more than 25 %" in line for line in verdict.limits)


def test_a_release_too_large_for_an_estimate_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = [intervals(list(range(8)), [(0, 7)] * 8)]
    for name in ("MOST_LIKELIHOOD_ROWS", "MOST_LIKELIHOOD_EDGES"):
        with monkeypatch.context() as patch:
            patch.setattr(check, name, 7)
            verdict = verify_matchings(readings, k=2)
        assert verdict.safe
        assert "largest_probability" not in verdict.figures
        assert any("not estimated" in line for line in verdict.limits)


def test_diversity_of_the_sensitive_attribute() -> None:
    readings = [intervals([1, 1, 2, 2], [(1, 1), (1, 1), (2, 2), (2, 2)])]
    assert verify_matchings(readings, k=2, sensitive_codes=np.array([0, 1, 0, 1]), l=2).safe
    verdict = verify_matchings(readings, k=2, sensitive_codes=np.array([0, 0, 1, 1]), l=2)
    assert verdict.outcome == "unsafe"
    assert "4 people" in verdict.failures[0]


def test_a_large_release_is_judged_on_part_of_its_graph() -> None:
    n = 3000
    low = np.maximum(np.arange(n) - 400, 0)
    readings = [intervals(list(range(n)), [(int(a), int(min(a + 800, n))) for a in low])]
    verdict = verify_matchings(readings, k=5)
    assert verdict.safe
    assert verdict.figures["edges"] < 100 * n
