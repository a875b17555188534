"""Data for the benchmarks of generalization: Adult, and a synthetic CENSUS with the cardinalities of the seed paper.

The seed paper's CENSUS has 500 000 records on Age (79 values), Gender (2), Education (17), Marital status (6), Race
(9), Work class (10), Country (83) and Occupation (51), age and education as numbers. It cannot be had; the synthetic
one draws age, and the other attributes given age, education, gender and race from fixed random tables, so that
attributes depend on one another as in a census and rare values exist.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from discreet.generalization import domain as domains
from discreet.generalization.domain import Domain

NAMES = ("age", "education", "gender", "marital", "race", "workclass", "country", "occupation")
SIZES = (79, 17, 2, 6, 9, 10, 83, 51)
NUMERIC = ("age", "education")


def census_codes(n: int, seed: int = 7) -> np.ndarray:
    """n records as codes 0 … size−1 per attribute."""
    rng = np.random.default_rng(seed)

    def given(table: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Draw from row `row[i]` of a table of weights."""
        ends = np.cumsum(table / table.sum(axis=1, keepdims=True), axis=1)
        ends[:, -1] = 1.0
        out = np.empty(len(row), np.int64)
        for r in range(len(table)):
            at = np.flatnonzero(row == r)
            out[at] = np.searchsorted(ends[r], rng.random(len(at)), side="right")
        return np.minimum(out, table.shape[1] - 1)

    years = np.arange(79)
    age = given(np.exp(-(((years - 20) / 30.0) ** 2))[None, :] * np.linspace(1.0, 0.4, 79), np.zeros(n, np.int64))
    decade = np.minimum(age // 10, 7)
    schooling = np.array([1, 1, 1, 2, 2, 3, 3, 3, 4, 30, 20, 5, 5, 16, 7, 2, 1.5])
    centers = 9 + np.minimum(np.arange(8), 2)
    education = given(
        schooling * np.exp(-(((np.arange(17) - centers[:, None]) / 5.0) ** 2)),
        decade,
    )
    gender = given(np.array([[0.49, 0.51]]), np.zeros(n, np.int64))
    single = np.linspace(0.85, 0.04, 8)
    widowed = np.linspace(0.005, 0.5, 8) ** 1.5
    marital = given(
        np.column_stack([1 - single - widowed, single, *[np.full(8, 0.06)] * 2, widowed, widowed / 9]), decade
    )
    race = given(np.array([[0.75, 0.11, 0.06, 0.04, 0.015, 0.01, 0.008, 0.004, 0.003]]), np.zeros(n, np.int64))
    home = np.array([0.93, 0.93, 0.55, 0.35, 0.95, 0.4, 0.3, 0.6, 0.3])
    abroad = 1.0 / np.arange(1, 83) ** 1.3
    country = given(
        np.array([[h, *((1 - h) * rng.permutation(abroad / abroad.sum()))] for h in home]),
        race,
    )
    level = np.digitize(education, [8, 10, 13, 14])
    workclass = given(rng.dirichlet(np.array([12, 3, 2, 2, 1, 1, 0.6, 0.3, 0.2, 0.1]) * 2, 40), level * 8 + decade)
    trades = 1.0 / np.arange(1, 52) ** 0.7
    tables = np.array([rng.permutation(trades) * rng.gamma(0.6, 1, 51) + 1e-4 for _ in range(100)])
    occupation = given(tables, (level * 2 + gender) * 10 + workclass)
    columns = [age, education, gender, marital, race, workclass, country, occupation]
    return np.stack(columns, axis=1).astype(np.int32)


def census(n: int, seed: int = 7) -> Domain:
    codes = census_codes(n, seed)
    attributes = []
    for a, name in enumerate(NAMES):
        if name in NUMERIC:
            attributes.append(domains.numeric(name, codes[:, a].astype(np.float64)))
        else:
            found, compact = np.unique(codes[:, a], return_inverse=True)
            attributes.append(domains.categorical(name, compact, found.size))
    return domains.domain(attributes)


def write_census(n: int, path: Path, seed: int = 7) -> None:
    """The synthetic census as a CSV file, categories as text, with an income that nobody is supposed to know."""
    codes = census_codes(n, seed)
    columns = [
        codes[:, a].astype(str) if name in NUMERIC else np.char.add(f"{name[:3]}-", codes[:, a].astype(str))
        for a, name in enumerate(NAMES)
    ]
    income = np.random.default_rng(seed).integers(0, 50, n).astype(str)
    lines = [",".join((*NAMES, "income")), *map(",".join, zip(*columns, income))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def adult(n: int | None = None) -> Domain:
    """The first n records of Adult on its eight quasi-identifiers; the file is found as in the tests."""
    header, rows = _adult_rows(n)
    return _adult_domain(header[:8], rows)


def adult_sensitive(n: int, sensitive: str) -> tuple[Domain, np.ndarray]:
    """The same without the column `sensitive`, and that column as codes."""
    header, rows = _adult_rows(n)
    place = header.index(sensitive)
    values = np.unique([row[place] for row in rows], return_inverse=True)[1]
    return _adult_domain([name if name != sensitive else "" for name in header[:8]], rows), values


def _adult_rows(n: int | None) -> tuple[list[str], list[list[str]]]:
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("DISCREET_DATA", beside))
    with open(folder / "adult.csv", encoding="utf-8") as handle:
        header, *rows = list(csv.reader(handle))
    return header, rows[:n]


def _adult_domain(names: Sequence[str], rows: list[list[str]]) -> Domain:
    """The columns that have a name."""
    attributes = []
    for a, name in enumerate(names):
        column = [row[a] for row in rows]
        if name in ("age", "education_num"):
            attributes.append(domains.numeric(name, np.array(column, np.float64)))
        elif name:
            found, codes = np.unique(column, return_inverse=True)
            attributes.append(domains.categorical(name, codes, found.size))
    return domains.domain(attributes)
