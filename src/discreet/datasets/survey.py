"""A synthetic household survey, for trying things out at any size.

One row is one person. Households have 1 to 6 members who share region, dwelling and household income. Incomes are
log-normal with a heavy tail, spending and savings follow income, hours follow employment, illness follows age: skewed
and correlated, as real surveys are. Nobody in it exists.

| column | kind | what |
|---|---|---|
| `person` | text | identifier with leading zeros |
| `household` | integer | identifier of the household |
| `region` | category | 12 regions of unequal size |
| `dwelling` | category | owned, rented, social, other |
| `sex` | category | f, m |
| `age` | integer | 0 to 99 |
| `education` | category | none, primary, secondary, tertiary |
| `employment` | category | employed, self-employed, unemployed, student, retired, inactive |
| `hours` | integer | usual weekly hours of work |
| `income` | integer | yearly personal income |
| `household_income` | integer | sum over the household |
| `spending` | number | yearly personal spending, two decimals |
| `savings` | integer | may be negative |
| `illness` | category | none, respiratory, cardiac, metabolic, other |
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError

MAX_ROWS = 10_000_000

REGIONS = np.array(
    [
        "Ashford",
        "Brook",
        "Calder",
        "Dunmore",
        "Elm Vale",
        "Fenland",
        "Glen",
        "Harbor",
        "Inver",
        "Juniper",
        "Kings",
        "Lowmoor",
    ]
)
DWELLINGS = np.array(["owned", "rented", "social", "other"])
EDUCATION = np.array(["none", "primary", "secondary", "tertiary"])
EMPLOYMENT = np.array(["employed", "self-employed", "unemployed", "student", "retired", "inactive"])
ILLNESS = np.array(["none", "respiratory", "cardiac", "metabolic", "other"])

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def survey(n: int = 1000, seed: int = 0) -> Any:
    """`n` persons of the synthetic survey, the same for the same `seed`."""
    from discreet.frames import from_arrays

    return from_arrays(survey_arrays(n, seed))


def survey_arrays(n: int, seed: int) -> dict[str, NDArray[Any]]:
    """The survey's columns as arrays."""
    if not 1 <= n <= MAX_ROWS:
        raise InputError(f"the survey can have 1 to {MAX_ROWS} rows")
    if seed < 0:
        raise InputError("the seed must be 0 or more")
    rng = np.random.default_rng(seed)
    household = _households(rng, n)
    count = int(household[-1]) + 1
    region = _draw(rng, count, 1.0 / np.arange(1, REGIONS.size + 1) ** 0.7)
    wealth = rng.normal(0.0, 0.5, count) - 0.04 * region
    dwelling = _draw_by(rng, wealth, np.array([0.9, 0.0, -1.1, -2.0]), slope=np.array([1.2, 0.0, -1.0, -0.3]))

    sex = rng.integers(0, 2, n)
    age = np.clip(np.where(rng.random(n) < 0.22, rng.integers(0, 18, n), rng.gamma(9.0, 5.4, n)), 0, 99).astype(
        np.int64
    )
    schooling = 0.6 * wealth[household] - 0.012 * (age - 45) + rng.normal(0, 0.8, n)
    education = np.digitize(schooling, [-1.6, -0.6, 0.7])
    education[age < 6] = 0
    education[(age >= 6) & (age < 16)] = np.minimum(education[(age >= 6) & (age < 16)], 1)
    employment = _employment(rng, age, education)
    working = employment <= 1
    hours = np.where(working, np.clip(np.rint(rng.normal(37, 8, n) + 4 * (employment == 1)), 4, 80), 0).astype(np.int64)
    income = _income(rng, age, education, employment, hours, wealth[household])
    household_income = np.bincount(household, weights=income).astype(np.int64)[household]
    share = np.clip(rng.beta(6, 2.5, n), 0.05, 1.0)
    spending = np.round(600 + share * (0.75 * income + 0.2 * household_income), 2)
    savings = np.rint((income - spending) * rng.gamma(2.0, 1.5, n)).astype(np.int64)
    illness = _illness(rng, age, dwelling[household])
    width = len(str(MAX_ROWS))
    return {
        "person": np.char.zfill(np.arange(1, n + 1).astype(f"U{width}"), width),
        "household": household + 1,
        "region": REGIONS[region[household]],
        "dwelling": DWELLINGS[dwelling[household]],
        "sex": np.array(["f", "m"])[sex],
        "age": age,
        "education": EDUCATION[education],
        "employment": EMPLOYMENT[employment],
        "hours": hours,
        "income": income,
        "household_income": household_income,
        "spending": spending,
        "savings": savings,
        "illness": ILLNESS[illness],
    }


def _households(rng: np.random.Generator, n: int) -> Codes:
    sizes = 1 + rng.choice(6, n, p=[0.30, 0.32, 0.16, 0.14, 0.06, 0.02])
    ends = np.cumsum(sizes)
    used = int(np.searchsorted(ends, n)) + 1
    return np.repeat(np.arange(used), sizes[:used])[:n].astype(np.int64)


def _draw(rng: np.random.Generator, n: int, weights: NDArray[np.floating]) -> Codes:
    return np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(n)).astype(np.int64)


def _draw_by(rng: np.random.Generator, driver: Floats, base: Floats, slope: Floats) -> Codes:
    """A category per row from logits base + slope·driver."""
    odds = np.exp(base[None, :] + slope[None, :] * driver[:, None])
    edges = np.cumsum(odds, axis=1)
    return (rng.random(driver.size)[:, None] * edges[:, -1:] > edges).sum(axis=1).astype(np.int64)


def _employment(rng: np.random.Generator, age: Codes, education: Codes) -> Codes:
    u = rng.random(age.size)
    adult = np.select(
        [u < 0.62 + 0.05 * education, u < 0.72 + 0.05 * education, u < 0.80 + 0.03 * education],
        [0, 1, 2],
        default=5,
    )
    young = np.where(u < 0.55, 3, adult)
    old = np.where(u < 0.88, 4, adult)
    return np.select([age < 6, age < 18, age < 25, age < 65], [5, 3, young, adult], default=old).astype(np.int64)


def _income(
    rng: np.random.Generator, age: Codes, education: Codes, employment: Codes, hours: Codes, wealth: Floats
) -> Codes:
    level = np.array([9.9, 9.9, 9.2, 8.1, 9.6, 8.3])[employment]
    experience = np.clip(age - 18, 0, 40) / 40
    log_income = level + 0.18 * education + 0.5 * experience - 0.35 * experience**2 + 0.4 * wealth
    log_income += 0.5 * np.log(np.maximum(hours, 10) / 37) * (employment <= 1) + rng.normal(0, 0.38, age.size)
    tail = np.where((employment == 1) & (rng.random(age.size) < 0.04), rng.pareto(1.8, age.size) + 1, 1.0)
    return np.where(age < 15, 0, np.rint(np.minimum(np.exp(log_income) * tail, 5e7))).astype(np.int64)


def _illness(rng: np.random.Generator, age: Codes, dwelling: Codes) -> Codes:
    t = age / 50.0
    p = np.stack([0.05 + 0.03 * (dwelling >= 2), 0.02 * t**2, 0.03 * t**1.5, np.full(age.size, 0.03)], axis=1)
    edges = np.cumsum(p, axis=1)
    u = rng.random(age.size)[:, None]
    drawn = (u > edges).sum(axis=1)
    return np.where(drawn == 4, 0, drawn + 1).astype(np.int64)
