"""What a comparison takes from a release: its columns, what its k is about, and whose each row may be."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.comparison.releases import claimed, is_release, truth_in, worked_on
from discreet.measure.risk.scene import identity


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(40, seed=1)[["household", "age", "sex", "income"]]


def test_columns_and_claims(people: pd.DataFrame) -> None:
    numbers = dc.microaggregate(people, 3, columns=["income"], method="mdav")
    assert is_release(numbers) and worked_on(numbers) == ("income",) and claimed(numbers) == {"income"}
    assert not is_release(dc.risk(people, ["age"]))
    homes = dc.protect(
        people, 2, keys=["age"], numeric=["income"], household="household", leave=["sex"], rare="merge", random_state=1
    )
    assert set(worked_on(homes)) == {"age", "income"} == claimed(homes)  # households are numbered anew
    small = people[["age", "sex"]]
    blanks = dc.suppress_locally(small, 2, keys=["age", "sex"])
    assert claimed(blanks) == {"age", "sex"}
    assert not claimed(dc.suppress_locally(small, 2, keys=["age", "sex"], semantics="cover"))
    assert not claimed(replace(blanks, combinations=1))  # of some keys, not of all together


def test_rows_may_be_each_of_k_persons(people: pd.DataFrame) -> None:
    small = people[["age", "sex"]]
    boxes = dc.generalize(small, 3, quasi_identifiers=["age", "sex"], random_state=1)
    truth = truth_in(boxes, 40)
    assert truth.records.shape == truth.persons.shape == (40, 3)
    for row in range(40):
        assert boxes.origin[row] in truth.persons[row]  # the one that was drawn is one of them
        assert sorted(truth.persons[row]) == sorted(boxes.matches[boxes.boxes[row]])
    means = dc.microaggregate(people[["income"]], 3, method="mdav")
    assert (truth_in(means, 40).records == identity(40).records).all()
    mixed = dc.suppress_locally(small, 2, keys=["age", "sex"], shuffle=True, random_state=1)
    known = truth_in(mixed, 40)
    sexes = mixed.data["sex"].to_numpy()[known.records[:, 0]]
    told = pd.notna(sexes)
    assert (sexes[told] == small["sex"].to_numpy()[told]).all()
