from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.classes import joint_domain, set_cost
from oracles.generalization_domains import TREE, random_domain

from discreet.errors import InputError
from discreet.generalization import domain as domains
from discreet.generalization.hierarchy import by_interval, from_mapping
from discreet.generalization.recoding.levels import levels_of


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 40), seed=st.integers(0, 10**6), gaps=st.booleans())
def test_the_loss_of_a_level_is_the_mean_loss_of_its_groups(n: int, seed: int, gaps: bool) -> None:
    """Each group is published as what covers its values, or as the mean of its records."""
    domain = joint_domain(n, seed, gaps=gaps)
    weights = np.array([a.weight for a in domain.attributes])
    for weight, attribute, own in zip(weights / weights.mean(), domain.attributes, levels_of(domain)):
        alone = domains.domain([attribute])
        # A representative of every value: boxes count the values that could occur, means the records that do.
        every = domains.domain([_every_value(attribute)])
        for groups, found in zip(own.groups, own.loss):
            total = 0.0
            for g in range(groups.max() + 1):
                records = np.flatnonzero(groups[attribute.codes] == g)
                if records.size:
                    covered = np.flatnonzero(groups == g)
                    mean = attribute.kind == domains.MEAN
                    total += records.size * (set_cost(alone, records) if mean else set_cost(every, covered))
            assert found == pytest.approx(weight * total / n, abs=1e-9)
        assert (np.diff(own.loss) >= -1e-12).all()


def _every_value(attribute: domains.Attribute) -> domains.Attribute:
    codes = np.arange(attribute.size, dtype=np.int32)
    return domains.Attribute(
        attribute.name, attribute.kind, codes, attribute.size, attribute.position, attribute.hierarchy
    )


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 60), seed=st.integers(0, 10**6))
def test_levels_are_nested_from_every_value_to_one_group(n: int, seed: int) -> None:
    for own in levels_of(joint_domain(n, seed, gaps=True)):
        sizes = [len(set(row.tolist())) for row in own.groups]
        assert sizes[0] == own.groups.shape[1]
        assert sizes[-1] == 1
        assert sizes == sorted(sizes, reverse=True)
        assert len(set(sizes)) == len(sizes), "a level that changes nothing is none"
        for below, above in zip(own.groups[:-1], own.groups[1:]):
            assert len(set(zip(below.tolist(), above.tolist()))) == len(set(below.tolist()))


def test_levels_of_a_hierarchy_are_its_own() -> None:
    ages = by_interval(range(20, 60), [5, 10, 20])
    own = levels_of(domains.domain([domains.hierarchical("age", np.arange(40), ages)]))[0]
    assert [len(set(row.tolist())) for row in own.groups] == [40, 8, 4, 2, 1]
    uneven = levels_of(domains.domain([domains.hierarchical("leaf", np.arange(6), TREE)]))[0]
    names = [["abc|de|f", "abc|def", "abcdef"], [_spelled(row, TREE.leaves) for row in uneven.groups[1:]]]
    assert names[0] == names[1]


def _spelled(row: np.ndarray, leaves: tuple[str, ...]) -> str:
    groups = ("".join(sorted(leaves[v] for v in np.flatnonzero(row == g))) for g in np.unique(row))
    return "|".join(sorted(groups))


def test_numbers_have_bands_twice_as_wide_and_gaps_stand_apart_to_the_top() -> None:
    column = np.append(np.arange(16.0), np.nan)
    own = levels_of(domains.domain([domains.numeric("x", column)]))[0]
    assert [len(set(row[:16].tolist())) for row in own.groups] == [16, 8, 4, 2, 1, 1]
    assert all((row[:16] != row[16]).all() for row in own.groups[:-1])
    assert own.loss[-1] == pytest.approx(1.0)


def test_bands_of_means_hold_alike_many_records() -> None:
    column = np.exp(np.random.default_rng(2).normal(0, 3, 1024))
    own = levels_of(domains.domain([domains.mean("x", column)]))[0]
    codes = np.unique(column, return_inverse=True)[1]
    assert set(np.bincount(own.groups[1][codes]).tolist()) == {16}
    assert set(np.bincount(own.groups[5][codes]).tolist()) == {256}
    assert own.loss[-1] == pytest.approx(1.0)


def test_least_levels_and_what_is_wrong() -> None:
    tree = from_mapping({"*": {"A": ["a", "b"], "B": ["c", "d"]}})
    domain = domains.domain([domains.hierarchical("leaf", np.array([0, 1, 2, 3]), tree)])
    assert levels_of(domain, {"leaf": 1})[0].least == 1
    with pytest.raises(InputError, match="from 0 to 2"):
        levels_of(domain, {"leaf": 3})
    with pytest.raises(InputError, match="a value of their own"):
        levels_of(random_domain(50, 1, missing=True))
