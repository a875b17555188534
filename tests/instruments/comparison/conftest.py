"""The persons and the releases that comparisons are about."""

from __future__ import annotations

import pandas as pd
import pytest

import discreet as dc

KEYS = ["age", "sex", "region"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(150, seed=1)[[*KEYS, "income", "savings"]]


@pytest.fixture(scope="module")
def releases(people: pd.DataFrame) -> list[dc.results.Result]:  # type: ignore[name-defined]
    small = people[KEYS]
    return [
        dc.generalize(small, 3, quasi_identifiers=KEYS, random_state=1, method="mondrian"),
        dc.generalize(small, 3, quasi_identifiers=KEYS, random_state=1, rounds=2),
        dc.suppress_locally(small, 3, keys=KEYS),
        dc.protect(small, 3, keys=KEYS, guarantee="classes", random_state=1),
        dc.suppress_locally(small, 3, keys=KEYS, semantics="cover"),
    ]
