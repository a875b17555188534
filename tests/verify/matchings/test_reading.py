from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.generalization import edges_in_matchings, has_regular_subgraph

from discreet.errors import InputError
from discreet.results import Verdict
from discreet.verify import verify
from discreet.verify.matchings.flow import candidates, graph, k_flow, strong_components
from discreet.verify.values.notation import set_items


def verify_matchings(
    original: dict[str, Any], published: dict[str, Any], k: int, names: list[str], **more: Any
) -> Verdict:
    """The check of two mappings from names to columns."""
    before, after = (pa.table({n: pa.array(list(c)) for n, c in columns.items()}) for columns in (original, published))
    extra = [name for name in after.column_names if name not in before.column_names and name not in names]
    for name in extra:  # sensitive columns that the original data would also have
        before = before.append_column(name, after[name])
    return verify(before, after, k=k, quasi_identifiers=names, guarantee="matchings", **more)


def _release(n: int, seed: int) -> tuple[dict[str, list[str]], dict[str, list[str]], np.ndarray]:
    """Random originals and random boxes, and which original lies in which box, by definition."""
    rng = np.random.default_rng(seed)
    ages, letters = rng.integers(20, 26, n), rng.choice(list("abcd"), n)
    low = np.maximum(ages - rng.integers(0, 4, n), 20)
    high = ages + rng.integers(0, 4, n)
    sets = [sorted({letter, *rng.choice(list("abcd"), 2)}) for letter in letters]
    shown = rng.permutation(n)
    published = {
        "age": [str(low[i]) if low[i] == high[i] else f"[{low[i]}, {high[i]}]" for i in shown],
        "letter": [sets[i][0] if len(sets[i]) == 1 else "{" + ", ".join(sets[i]) + "}" for i in shown],
    }
    inside = np.array([[low[i] <= ages[j] <= high[i] and letters[j] in sets[i] for j in range(n)] for i in shown])
    return {"age": [str(a) for a in ages], "letter": letters.tolist()}, published, inside


@settings(max_examples=150, deadline=None)
@given(n=st.integers(2, 12), k=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_verdict_equals_exhaustive_flow(n: int, k: int, seed: int) -> None:
    original, published, inside = _release(n, seed)
    verdict = verify_matchings(original, published, k, ["age", "letter"])
    assert verdict.safe == (k <= n and has_regular_subgraph(inside, k))
    assert verdict.outcome in ("safe", "unsafe")


@settings(max_examples=60, deadline=None)
@given(n=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_candidates_are_the_edges_of_perfect_matchings(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    inside = rng.random((n, n)) < 0.5
    inside[np.arange(n), rng.permutation(n)] = True
    counts = inside.sum(axis=1).astype(np.int64)
    ones = np.ones(n, np.int64)
    g = graph(counts, np.nonzero(inside)[1].astype(np.int32), ones, ones)
    flow, short = k_flow(g, 1)
    assert short == 0
    found = candidates(g, flow, strong_components(g, flow))
    assert found.tolist() == edges_in_matchings(inside).sum(axis=0).tolist()


def test_equal_records_count_as_often_as_they_occur() -> None:
    original = {"x": ["1", "1", "1", "2"]}
    assert verify_matchings(original, {"x": ["1", "1", "1", "2"]}, 2, ["x"]).outcome == "unsafe"
    assert verify_matchings(original, {"x": ["[1, 2]"] * 4}, 4, ["x"]).safe
    assert verify_matchings({"x": ["1"] * 4}, {"x": ["1"] * 4}, 4, ["x"]).safe


def test_mean_tricks_are_rejected() -> None:
    original = {"x": [str(i) for i in range(12)]}
    ring = [[i, (i + 1) % 12, (i + 2) % 12] for i in range(12)]
    published = {"x": [f"[{min(m)}, {max(m)}]" for m in ring]}
    assert verify_matchings(original, published, 3, ["x"]).safe
    assert verify_matchings(original, published, 4, ["x"]).outcome == "unsafe"
    shrunk = {"x": ["[1, 2]", *published["x"][1:]]}
    assert verify_matchings(original, shrunk, 3, ["x"]).outcome == "unsafe"
    dropped = {"x": published["x"][1:]}
    assert verify_matchings(original, dropped, 3, ["x"]).outcome == "unsafe"


def test_hierarchies_missing_values_and_quotes() -> None:
    original = {"place": ["Rome", "Pisa", "Lyon", "Nice"]}
    labels = [("Rome", "Italy", "*"), ("Pisa", "Italy", "*"), ("Lyon", "France", "*"), ("Nice", "France", "*")]
    published = {"place": ["Italy", "Italy", "France", "France"]}
    assert verify_matchings(original, published, 2, ["place"], hierarchies={"place": labels}).safe
    tree = {"*": {"Italy": ["Rome", "Pisa"], "France": ["Lyon", "Nice"]}}
    assert verify_matchings(original, published, 2, ["place"], hierarchies={"place": tree}).safe
    blind = verify_matchings(original, published, 2, ["place"])
    assert blind.outcome == "cannot tell"
    assert "Italy" not in blind.summary()
    assert set_items('{a, "b, c", "say ""x""", }') == ["a", "b, c", 'say "x"', ""]
    odd = {"q": ["a, b", "{c}", 'd"', "e"]}
    assert verify_matchings(odd, {"q": ['{"a, b", "d""", "{c}", e}'] * 4}, 4, ["q"]).safe
    holes = {"q": ["a", "", "a", ""]}
    assert verify_matchings(holes, {"q": ["a", "", "a", ""]}, 2, ["q"]).safe
    assert verify_matchings(holes, {"q": ["{, a}"] * 4}, 4, ["q"]).safe
    assert not verify_matchings(holes, {"q": ["a"] * 4}, 2, ["q"]).safe
    assert verify_matchings(holes, {"q": ["a"] * 4}, 2, ["q"], missing="wildcard").safe
    numbers = {"q": ["1", "", "2", ""]}
    assert verify_matchings(numbers, {"q": ["*"] * 4}, 4, ["q"]).safe
    assert not verify_matchings(numbers, {"q": ["[1, 2]"] * 4}, 2, ["q"]).safe


def test_diversity_of_the_sensitive_attribute() -> None:
    original = {"x": ["1", "1", "2", "2"]}
    boxes = ["1", "1", "2", "2"]
    mixed = {"x": boxes, "s": ["u", "v", "u", "v"]}
    alike = {"x": boxes, "s": ["u", "u", "v", "v"]}
    assert verify_matchings(original, mixed, 2, ["x"], sensitive="s", l=2).safe
    verdict = verify_matchings(original, alike, 2, ["x"], sensitive="s", l=2)
    assert verdict.outcome == "unsafe"
    assert "4 people" in verdict.failures[0]


def test_what_cannot_be_judged() -> None:
    good = {"x": ["1", "2"]}
    verdict = verify_matchings(good, {"x": ["1", "(1; 2)"]}, 2, ["x"])
    assert verdict.outcome == "cannot tell" and verdict.exit_code == 2
    for call in (
        lambda: verify_matchings(good, {"y": ["1", "2"]}, 2, ["x"]),
        lambda: verify_matchings(good, good, 2, []),
        lambda: verify_matchings(good, good, 0, ["x"]),
        lambda: verify_matchings(good, good, 1, ["x"], l=2),
        lambda: verify_matchings({"x": []}, {"x": []}, 1, ["x"]),
    ):
        with pytest.raises(InputError):
            call()


@pytest.mark.parametrize("kind", [list, np.array])
def test_numbers_and_texts_are_the_same(kind: type) -> None:
    published = ["[1, 2]"] * 2 + ["[3, 4]"] * 2
    for original in ([1, 2, 3, 4], ["1", "2", "3", "4"]):
        assert verify_matchings({"x": kind(original)}, {"x": kind(published)}, 2, ["x"]).safe


def test_a_large_release_is_judged_on_part_of_its_graph() -> None:
    n = 3000
    original = {"x": np.arange(n)}
    low = np.random.default_rng(0).permutation(np.maximum(np.arange(n) - 400, 0))
    published = {"x": np.array([f"[{a}, {min(a + 800, n)}]" for a in low])}
    verdict = verify_matchings(original, published, 5, ["x"])
    assert verdict.safe
    assert verdict.figures["edges"] < 100 * n
