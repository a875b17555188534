"""What `rare` comes down to: who must be published, and in which units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from discreet.verify.readers import open_table
from discreet.verify.units.kept import Kept
from discreet.verify.units.roles import Roles
from discreet.verify.units.settle import rare_units, settle
from discreet.verify.units.unit import grouped

# Three households of two and one of three: with k = 2 the last is rare.
HOMES = ["a", "a", "b", "b", "c", "c", "d", "d", "d"]


@dataclass(frozen=True)
class Asked:
    """The part of a claim that is about units."""

    k: int
    roles: Roles
    secret: None = None


def settled(rare: str, homes: list[str] = HOMES, k: int = 2):  # type: ignore[no-untyped-def]
    table = open_table(pd.DataFrame({"h": homes, "x": range(len(homes))}), "data")
    return settle(table, table, Asked(k, Roles(household="h", rare=rare)))  # type: ignore[arg-type]


def test_rare_sizes_are_those_of_fewer_than_k_units() -> None:
    found = grouped(np.array([0, 0, 1, 1, 2, 2, 3, 3, 3, -1]))
    assert rare_units(found, 2).tolist() == [False, False, False, True]
    assert rare_units(found, 4).all() and not rare_units(found, 1).any()


@pytest.mark.parametrize("rare", ["error", "merge", "suppress", "unlink"])
def test_without_rare_sizes_everyone_is_published(rare: str) -> None:
    found = settled(rare, HOMES[:6])
    assert found.whole and found.complete and found.kept.tolist() == list(range(6))
    assert (found.failures, found.limits) == ((), ())


def test_an_error_counts_them() -> None:
    found = settled("error")
    assert found.whole and found.failures == ("1 households are of a size that fewer than 2 have",)


def test_unlinked_rows_stay_without_their_unit() -> None:
    found = settled("unlink")
    assert found.whole and found.complete and found.units is not None
    assert found.units[0].loose.tolist() == [6, 7, 8] and found.units[0].count == 3
    assert "3 rows" in found.limits[0]


def test_suppressed_rows_are_gone() -> None:
    found = settled("suppress")
    assert isinstance(found.before, Kept) and found.kept.tolist() == list(range(6))
    assert found.before.rows == 6 and found.units is not None and found.units[0].sizes.tolist() == [2, 2, 2]


def test_merged_units_may_have_fewer_members() -> None:
    found = settled("merge")
    assert found.whole and not found.complete and found.flexible.tolist() == [False, False, False, True]


def test_without_units_nothing_is_settled() -> None:
    table = open_table(pd.DataFrame({"x": [1, 2]}), "data")
    found = settle(table, table, Asked(2, Roles()))  # type: ignore[arg-type]
    assert found.units is None and found.kept.tolist() == [0, 1]
