"""The whole file: keys and numbers under one guarantee.

`python -m benchmarks joint`: the eight keys of Adult and three generated numbers, skewed, and correlated with one
another and with age and education. Losses do not depend on the machine; seconds do.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.generalization_data import adult
from benchmarks.harness import Case
from discreet.generalization import domain as domains
from discreet.generalization.bound.lower_bound import lower_bound
from discreet.generalization.covering import Covering, cover, draw_rows
from discreet.generalization.domain import Domain
from discreet.work import Deadline, Reporter


def adult_with_numbers(n: int | None = None, seed: int = 11) -> Domain:
    """Adult's keys, and income, savings and spending: the logarithms are normal, with a common part."""
    keys = adult(n)
    rng = np.random.default_rng(seed)
    age, schooling = (
        keys.attributes[[a.name for a in keys.attributes].index(name)] for name in ("age", "education_num")
    )
    ability = rng.normal(size=keys.n) + 1.5 * (_places(schooling) - 0.6) + _places(age)
    income = np.exp(9.5 + 0.5 * ability + 0.3 * rng.normal(size=keys.n))
    savings = income * np.exp(1.2 * rng.normal(size=keys.n) + 2.0 * _places(age) - 2.0)
    spending = income**0.8 * np.exp(0.3 * rng.normal(size=keys.n))
    numbers = {"income": income, "savings": savings, "spending": spending}
    return domains.domain([*keys.attributes, *(domains.mean(name, np.round(x, 2)) for name, x in numbers.items())])


def _places(attribute: domains.Attribute) -> np.ndarray:
    assert attribute.position is not None
    return attribute.position[attribute.codes]


def joint() -> list[list[object]]:
    """Sets, their matchings and the draw, then the lower bound within a minute more."""
    small = adult_with_numbers(400)
    _cover(small, 3)
    lower_bound(small, 3, 0.5, time_limit=2.0)
    rows: list[list[object]] = []
    for n in (10_000, None):
        domain = adult_with_numbers(n)
        start, used = time.perf_counter(), time.process_time()
        covering = _cover(domain, 5)
        draw_rows(covering, 1)
        spent, used = time.perf_counter() - start, time.process_time() - used
        keys = [covering.losses[a.name] for a in domain.attributes if a.kind != domains.MEAN]
        means = [covering.losses[a.name] for a in domain.attributes if a.kind == domains.MEAN]
        bound, kind = lower_bound(domain, 5, covering.loss, time_limit=60.0)
        figures = (covering.loss, float(np.mean(keys)), float(np.mean(means)), bound)
        rows.append([domain.n, *(f"{x:.6f}" for x in figures), kind, f"{spent:.1f}", f"{used:.1f}"])
    return rows


def _cover(domain: Domain, k: int) -> Covering:
    return cover(domain, k, seed=0, deadline=Deadline(None), report=Reporter(None))


CASES = {
    "joint": Case(
        "Adult's eight keys and three generated numbers, k = 5",
        ["n", "loss", "of keys", "of numbers", "lower bound", "which", "wall s", "CPU s"],
        joint,
        short=False,
    )
}
