"""Households as units: the synthetic survey, 10⁵ persons in some 4·10⁴ households, k = 5.

`python -m benchmarks whole-file-households`. Keys are age, sex, education and employment of persons, region and
dwelling of households; with numbers, income and household income are published as means. Beside the loss stands what
the same search finds for persons without their households: the difference is what the household id costs.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.harness import Case
from discreet.datasets.survey import survey_arrays
from discreet.generalization import domain as domains
from discreet.generalization.covering import Covering, cover
from discreet.generalization.domain import Attribute
from discreet.generalization.households.cover import cover_households
from discreet.work import Deadline, Reporter

K = 5
PERSONS = 100_000


def _survey(n: int, *, numbers: bool) -> tuple[list[Attribute], list[Attribute], np.ndarray]:
    """Attributes of persons, attributes of households, and the household of each person."""
    columns = survey_arrays(n, 1)

    def kinds(name: str) -> Attribute:
        values, codes = np.unique(columns[name], return_inverse=True)
        return domains.categorical(name, codes, values.size)

    members = [domains.numeric("age", columns["age"]), *map(kinds, ("sex", "education", "employment"))]
    shared = [kinds("region"), kinds("dwelling")]
    if numbers:
        members.append(domains.mean("income", columns["income"]))
        shared.append(domains.mean("household_income", columns["household_income"]))
    return members, shared, columns["household"]


def _households(n: int, guarantee: str, numbers: bool) -> Covering:
    members, shared, unit = _survey(n, numbers=numbers)
    return cover_households(
        members,
        shared,
        unit,
        K,
        guarantee=guarantee,
        rare="merge",
        seed=1,
        deadline=Deadline(None),
        report=Reporter(None),
    )


def households() -> list[list[object]]:
    rows: list[list[object]] = []
    for guarantee in ("matchings", "classes"):
        for numbers in (False, True):
            _households(400, guarantee, numbers)
            start, clock = time.perf_counter(), time.process_time()
            found = _households(PERSONS, guarantee, numbers)
            wall, cpu = time.perf_counter() - start, time.process_time() - clock
            members, shared, _ = _survey(PERSONS, numbers=numbers)
            alone = cover(
                domains.domain([*members, *shared]),
                K,
                guarantee=guarantee,
                seed=1,
                deadline=Deadline(None),
                report=Reporter(None),
            )
            kind = "keys and numbers" if numbers else "keys"
            rows.append([guarantee, kind, int(found.detail["households"]), found.loss, alone.loss, wall, cpu])
    return rows


CASES = {
    "whole-file-households": Case(
        f"Households of the survey, {PERSONS} persons, k = {K}",
        ["guarantee", "columns", "households", "loss", "loss of persons alone", "seconds", "CPU seconds"],
        households,
        short=False,
    )
}
