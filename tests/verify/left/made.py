"""Columns for the tests of this folder, and the survey that the definitions were measured on."""

from __future__ import annotations

import numpy as np
import pandas as pd

import discreet as dc
from discreet.verify.left.values import Values


def words(codes: list[int]) -> Values:
    found = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    return Values("c", found, np.ones(len(codes), bool), None, "words")


def numbers(places: list[float]) -> Values:
    found = np.unique(places, return_inverse=True)[1].astype(np.int64)
    return Values("c", found, np.ones(len(places), bool), np.array(places, float), "numbers")


def generated_survey() -> pd.DataFrame:
    """The file that the definitions were measured on: weights by stratum, dates of birth, recodes, ids."""
    n = 1500
    people = dc.datasets.survey(n, seed=11)
    rng = np.random.default_rng(1)
    strata = {region: 3.5 + 1.25 * i for i, region in enumerate(sorted(people.region.unique()))}
    people["weight"] = people.region.map(strata)
    people["noisy_weight"] = people.weight * np.exp(0.05 * rng.normal(size=n))
    people["born"] = 2020 - people.age - rng.random(n)
    people["year_of_birth"] = np.floor(people.born)
    people["sex_code"] = people.sex.map({"m": "1", "f": "2"})
    return people
