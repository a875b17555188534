"""One intruder and one scale for every release: what is found, what is lost, and what is proven of it."""

from __future__ import annotations

import pandas as pd
import pytest

import discreet as dc
from discreet.errors import Faults
from discreet.instruments.comparison.measured import check_columns, measured, unprotected

KEYS = ["age", "sex", "region"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(150, seed=1)[[*KEYS, "income", "savings"]]


def test_whoever_leaves_what_is_known_as_it_is_has_no_proof(people: pd.DataFrame) -> None:
    numbers = dc.microaggregate(people, 3, columns=["income", "savings"], method="mdav")
    keys = dc.suppress_locally(people, 3, keys=KEYS, accept=["income", "savings"])
    both = dc.compare([numbers, keys])
    assert set(both.columns) == {*KEYS, "income", "savings"}
    assert both.entries[0].risk > 0.5 and both.entries[0].guaranteed is None
    alone = dc.compare([numbers], columns=["income", "savings"])
    assert alone.entries[0].risk <= 1 / 3 + 1e-12
    assert dc.compare([keys], columns=["income"]).entries[0].loss == 0


def test_unchecked_is_unproven(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people[["income", "savings"]], 3, method="mdav")
    assert dc.compare([result]).entries[0].guaranteed == pytest.approx(1 / 3)
    found = dc.compare([result], check=False).entries[0]
    assert found.guaranteed is None and found.row()["verified"] is None


def test_several_sets_have_no_guarantee_together(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people, 3, columns=[["income"], ["savings"]], method="mdav", accept=["savings"])
    assert dc.compare([result]).entries[0].guaranteed is None


def test_a_record_that_is_not_published_is_lost(people: pd.DataFrame) -> None:
    homes = pd.DataFrame({"home": [0, 0, 0, 1, 2, 3, 4], "age": [1, 2, 3, 4, 4, 5, 5]})
    result = dc.protect(homes, 2, keys=["age"], household="home", rare="suppress", random_state=1)
    entry = dc.compare([result]).entries[0]
    assert len(result.data) == 4
    assert entry.loss >= 3 / 7


def test_the_unprotected_file_tells_one_person_for_each_combination(people: pd.DataFrame) -> None:
    result = dc.suppress_locally(people[KEYS], 3, keys=KEYS)
    for columns in (["sex"], ["sex", "region"], KEYS):
        assert unprotected(result, columns) == pytest.approx(len(people[columns].drop_duplicates()) / len(people))


def test_means_are_found_by_k_and_the_rest_in_full(people: pd.DataFrame) -> None:
    result = dc.microaggregate(people, 3, columns=["income"], method="mdav")
    found = measured(result, ["income"], check=False, seed=1)
    assert 0 < found.found.share <= 1 / 3 + 1e-12 and found.outcome == "" and found.guaranteed is None
    assert 0 < found.loss < 1
    left = measured(result, ["savings"], check=True, seed=1)
    assert left.loss == 0 and left.found.share > 0.5 and left.guaranteed is None


def test_columns_that_are_not_published_are_named(people: pd.DataFrame) -> None:
    result = dc.suppress_locally(people[KEYS], 3, keys=KEYS)
    faults = Faults()
    check_columns([result, result], ["age", "income"], faults)
    with pytest.raises(dc.InputError, match="'income' is not in what result 1 publishes") as caught:
        faults.raise_if_any()
    assert len(caught.value.faults) == 2
