"""The verdict on a release with blanks: what holds, what does not, and what a peer's file really gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from oracles import blanks as oracle

import discreet as dc
from discreet.results import Verdict

KEYS = ["a", "b", "c"]


def judged(before: pd.DataFrame, after: pd.DataFrame, k: int = 2, **claim: Any) -> Verdict:
    return dc.verify(before, after, k=k, quasi_identifiers=KEYS, guarantee="blanks", **claim)


def frame(codes: np.ndarray) -> pd.DataFrame:
    """Codes as text, 0 as missing."""
    names = KEYS[: codes.shape[1]]
    return pd.DataFrame({name: [None if v == 0 else f"v{v}" for v in codes[:, j]] for j, name in enumerate(names)})


@st.composite
def releases(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int | None]:
    n = draw(st.integers(2, 8))
    original = np.array(draw(st.lists(st.integers(0, 2), min_size=3 * n, max_size=3 * n))).reshape(n, 3)
    blank = np.array(draw(st.lists(st.booleans(), min_size=3 * n, max_size=3 * n))).reshape(n, 3)
    return original, np.where(blank, 0, original), draw(st.sampled_from([None, 1, 2, 3]))


@given(releases(), st.integers(2, 3), st.sampled_from(["class", "cover"]))
def test_safe_is_what_the_definition_says(case: tuple[Any, Any, int | None], k: int, semantics: str) -> None:
    original, published, m = case
    found = judged(frame(original), frame(published), k, semantics=semantics, combinations=m)
    sharers = oracle.fewest_shown(published, m) if semantics == "class" else oracle.fewest_fits(original, published, m)
    assert found.safe == (min(sharers) >= k), found.summary()
    assert found.figures["blanked"] == int(((published == 0) & (original != 0)).sum())
    if not found.safe or semantics == "cover":
        fits = oracle.fewest_fits(original, published, m)
        assert found.figures["fits_fewer"] == sum(count < k for count in fits)
        assert found.figures["fits_one"] == sum(count == 1 for count in fits)
        found_in = oracle.fewest_found(original, published)
        assert found.figures["found_in_fewer"] == sum(count < k for count in found_in)


@given(releases(), st.integers(2, 3))
def test_the_published_file_alone_tells_its_classes(case: tuple[Any, Any, int | None], k: int) -> None:
    _, published, m = case
    found = dc.verify(None, frame(published), k=k, quasi_identifiers=KEYS, guarantee="blanks", combinations=m)
    assert found.safe == (min(oracle.fewest_shown(published, m)) >= k)


BEFORE = pd.DataFrame({"a": list("xxxxyyyy"), "b": list("ppqqppqq"), "c": list("11111112")})
AFTER = pd.DataFrame({"a": list("xxxxyyyy"), "b": list("ppqqppqq"), "c": [*"111111", None, None]})


def test_one_cell_restored_is_refused() -> None:
    assert judged(BEFORE, AFTER).safe
    restored = AFTER.assign(c=[*"111111", None, "2"])
    found = judged(BEFORE, restored)
    assert found.outcome == "unsafe"
    assert "2 rows show a combination that fewer than 2 rows show" in found.failures[0]
    assert "1 published rows fit fewer than 2 records of the original, 1 of them exactly one" in found.failures[1]


def test_a_cell_that_was_changed_is_refused_though_classes_are_large_enough() -> None:
    forged = AFTER.assign(c=[*"111111", "1", "1"])
    found = judged(BEFORE, forged)
    assert found.outcome == "unsafe"
    assert found.failures[0] == "in column c, 1 cells are neither blank nor what they were in the original"


def test_two_spellings_of_a_value_or_of_a_blank_tell_rows_apart() -> None:
    before = pd.DataFrame({"a": ["1.5", "1.5", "2", "2"], "b": list("xxyy"), "c": list("1111")})
    found = judged(before, before.assign(a=["1.50", "1.5", "2", "2"]))
    assert "column a spells 1 values in more than one way" in " ".join(found.failures)
    blank = judged(before, before.assign(a=["NA", "", "2", "2"]))
    assert "column a spells 1 values in more than one way" in " ".join(blank.failures)


def test_rows_lost_or_added_are_refused() -> None:
    assert "8 rows, the published data 7" in judged(BEFORE, AFTER[:-1]).failures[-1]


def test_a_shuffled_release_is_judged_by_who_can_be_where() -> None:
    other = list(range(100, 108))
    before, after = BEFORE.assign(weight=other), AFTER.assign(weight=other)
    order = [5, 2, 7, 0, 3, 6, 1, 4]
    assert judged(before, after.iloc[order].reset_index(drop=True), accept=["weight"]).safe
    torn = after.iloc[order].reset_index(drop=True).assign(weight=range(8))
    assert not judged(before, torn).safe


def test_left_columns_are_judged_as_everywhere() -> None:
    rows = np.random.default_rng(1).integers(0, 2, (200, 3)) + 1
    before = frame(rows).assign(copy=[f"v{v}" for v in rows[:, 0]], number=[f"id{i}" for i in range(200)])
    after = before.assign(a=[None, *before["a"][1:]], b=None)
    after.loc[1:9, "a"] = None
    found = judged(before, after)
    assert "column number has a value of its own in nearly every row" in " ".join(found.failures)
    assert "column copy repeats a of the original" in " ".join(found.failures)
    gone = dc.verify(
        before, after, k=2, quasi_identifiers=KEYS, guarantee="blanks", identifiers=["number"], accept=["copy"]
    )
    assert "column number identifies people and is published" in " ".join(gone.failures)
    extra = judged(before, after.assign(new=1), accept=["copy", "number"])
    assert "the original has no column new" in " ".join(extra.failures)
    changed = judged(before, after.assign(copy="v1"), accept=["number"])
    assert "column copy, which is not among the protected ones, differs" in " ".join(changed.failures)


def test_what_a_peers_wildcards_give_is_said() -> None:
    """A few rows left all but blank match everybody by wildcards, and hide nobody."""
    rng = np.random.default_rng(5)
    rows = rng.integers(1, 5, (60, 3))
    before = frame(rows)
    after = before.copy()
    after.loc[:1, ["a", "b"]] = None
    found = judged(before, after, k=3)
    counts = oracle.fewest_fits(rows, np.where(after.isna(), 0, rows), None)
    few, one = sum(c < 3 for c in counts), sum(c == 1 for c in counts)
    assert found.outcome == "unsafe"
    assert (
        f"{few} published rows fit fewer than 3 records of the original, {one} of them exactly one" in found.summary()
    )


def test_cover_says_who_is_found() -> None:
    before = pd.DataFrame({"a": list("xxxy"), "b": list("pppp"), "c": list("1111")})
    after = before.assign(a=["x", "x", "x", None])
    assert judged(before, after, 3).outcome == "unsafe"
    found = judged(before, after, 3, semantics="cover")
    assert found.safe
    assert "1 persons fit fewer than 3 published rows" in " ".join(found.limits)
