"""Margins that contradict one another are named, whoever compares them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

import discreet as dc
from discreet.tables.bounds.whole_table import _met_by_shuttle
from discreet.tables.theory.agreement import check_agreement, reduced_margins
from discreet.tables.theory.graph import decompose


def margins_of(values: dict[tuple[int, ...], np.ndarray], shape: tuple[int, ...]) -> dc.Margins:
    names = tuple(f"V{a + 1}" for a in range(len(shape)))
    return dc.Margins(names, tuple(tuple(range(s)) for s in shape), {k: np.asarray(v) for k, v in values.items()})


def test_contradicting_margins_are_named_all_at_once() -> None:
    wrong = margins_of({(0, 1): [[1, 2], [3, 4]], (1, 2): [[4, 1], [5, 1]], (0, 2): [[5, 5], [1, 1]]}, (2, 2, 2))
    with pytest.raises(dc.InfeasibleError) as caught:
        dc.bounds(wrong)
    assert len(caught.value.faults) >= 2
    assert "[V1 V2]" in str(caught.value)


@pytest.mark.parametrize("seed", range(40))
def test_margins_known_to_agree_change_nothing_in_what_is_found(seed: int) -> None:
    """Comparing new margins with old ones names the same contradictions as comparing all of them."""
    rng = np.random.default_rng(seed)
    x = rng.poisson(2.0, (2, 3, 2, 2))
    sets = {tuple(sorted(rng.choice(4, int(rng.integers(1, 4)), replace=False).tolist())) for _ in range(6)}
    values = {g: x.sum(axis=tuple(a for a in range(4) if a not in g)) for g in sorted(sets, key=lambda _: rng.random())}
    *old, last = values
    known = margins_of({g: values[g] for g in old}, x.shape)
    if rng.random() < 0.7:
        # Two counts are exchanged: totals still agree, smaller margins need not.
        values[last] = rng.permutation(values[last].reshape(-1)).reshape(values[last].shape)
    everything = dc.Margins(known.names, known.categories, {**known.values, last: values[last]})
    found = []
    for before in (None, known):
        try:
            check_agreement(everything, before)
            found.append(())
        except dc.InfeasibleError as error:
            found.append(tuple(sorted(error.faults)))
    assert found[0] == found[1]


def refusal(work: Callable[[], object]) -> tuple[str, ...] | None:
    try:
        work()
    except dc.InfeasibleError as error:
        return tuple(sorted(error.faults))
    return None


def test_a_margin_that_contradicts_is_named_by_an_update_as_by_starting_again() -> None:
    named = trusted = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = rng.poisson(2.0, (2, 3, 2, 2))
        sets = [*combinations(range(4), 2), *combinations(range(4), 3)]
        *old, last = (sets[i] for i in (*rng.permutation(9)[: rng.integers(4, 8)], 9))
        values = {g: x.sum(axis=tuple(a for a in range(4) if a not in g)) for g in (*old, last)}
        shuffled = rng.permutation(values[last].reshape(-1)) if seed % 3 else values[last] + (seed % 2)
        values[last] = shuffled.reshape(values[last].shape)
        known = margins_of({g: values[g] for g in old}, x.shape)
        before = dc.bounds(known)
        everything = dc.Margins(known.names, known.categories, {**known.values, last: values[last]})
        new = dc.Table(tuple(known.names[a] for a in last), tuple(known.categories[a] for a in last), values[last])
        found = refusal(lambda b=before, t=new: b.update(t))  # type: ignore[misc]
        assert found == refusal(lambda m=everything: dc.bounds(m))  # type: ignore[misc]
        reduced = reduced_margins(everything)
        if found is not None and "contradict" in found[0]:
            named += 1
            trusted += _met_by_shuttle(everything, reduced, decompose(4, reduced), before.solution)
    assert 10 < trusted < named - 10 < 80


def test_margins_that_contradict_are_named_though_only_the_shuttle_compares_them() -> None:
    named = trusted = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = rng.poisson(2.0, (2, 3, 2, 2))
        sets = [*combinations(range(4), 2), *combinations(range(4), 3)]
        # Any, or all of one order, which hold no other.
        chosen = [sets[:6], sets[6:], [sets[i] for i in rng.permutation(10)[: rng.integers(3, 7)]]][rng.integers(3)]
        values = {g: x.sum(axis=tuple(a for a in range(4) if a not in g)) for g in chosen}
        wrong = chosen[int(rng.integers(len(chosen)))]
        shuffled = rng.permutation(values[wrong].reshape(-1)) if seed % 3 else values[wrong] + (seed % 2)
        values[wrong] = shuffled.reshape(values[wrong].shape)
        margins = margins_of(values, x.shape)
        expected = refusal(lambda m=margins: check_agreement(m))  # type: ignore[misc]
        if expected is None:
            continue
        assert refusal(lambda m=margins: dc.bounds(m)) == expected  # type: ignore[misc]
        reduced = reduced_margins(margins)
        named += 1
        trusted += _met_by_shuttle(margins, reduced, decompose(4, reduced), None)
    assert 10 < trusted < named - 10 < 80
