"""The bound of a certificate is below the optimum whatever it names: multipliers, cuts, roots, a target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.certificate import all_groups, optimum, random_points, reduced_costs, roots

from discreet.verify.certificates.bound import BELOW, LARGEST, Effort, prove
from discreet.verify.certificates.points import scaled
from discreet.verify.certificates.reading import PRICED, Certificate, Cut, Malformed


def certificate(n: int, k: int, **stated: Any) -> Certificate:
    plain = {
        "bound": PRICED[0],
        "k": k,
        "n": n,
        "exponent": 0,
        "multipliers": (0.0,) * n,
        "roots": {},
        "cuts": (),
        "target": None,
        "searched": None,
        "second": False,
        "claims": {},
        "columns": None,
        "scale": None,
        "optimal": False,
    }
    return Certificate(**{**plain, **stated})


def cuts_of(random: np.random.Generator, n: int) -> tuple[Cut, ...]:
    pairs = ((3, (1, 1, 1), 2), (4, (2, 1, 1, 1), 3))
    return tuple(
        Cut(tuple(random.choice(n, size, replace=False).tolist()), numerators, divisor, float(random.random() / 3))
        for size, numerators, divisor in pairs
    )


@pytest.mark.parametrize("seed", range(40))
def test_nothing_proves_more_than_the_optimum(seed: int) -> None:
    """Roots are set to the least reduced costs, so that the evidence holds; the rest is arbitrary."""
    random = np.random.default_rng(seed)
    n, k = int(random.integers(7, 11)), int(random.integers(2, 4))
    points = random_points(random, n)
    best = optimum(points, k)
    data = scaled(points, "none")
    unit = 2.0**-data.shift
    groups, cuts = all_groups(n, k), cuts_of(random, n)
    multipliers = random.random(n) * best / n * 2
    triples = [(cut.records, cut.numerators, cut.divisor) for cut in cuts]
    penalties = [cut.penalty * best / n for cut in cuts]
    cuts = tuple(Cut(c.records, c.numerators, c.divisor, w) for c, w in zip(cuts, penalties))
    costs, root = reduced_costs(points, groups, multipliers, triples, penalties), roots(groups, multipliers)
    least = {int(r): min(0.0, float(costs[root == r].min())) for r in np.unique(root)}
    held = certificate(n, k, multipliers=tuple(multipliers), roots=least, cuts=cuts)
    found = prove(data, held, k, Effort())
    assert found.failure is None and found.undecided is None
    assert found.value / unit <= best * (1 + 1e-9) + 1e-12
    for target in (0.5 * best, best, 2.0 * best):
        for searched, second in ((None, False), (n // 2, False), (n // 2, True)):
            more = prove(
                data,
                certificate(
                    n, k, multipliers=tuple(multipliers), roots=least, cuts=cuts, target=target, searched=searched,
                    second=second,
                ),
                k,
                Effort(),
            )  # fmt: skip
            assert more.failure is None
            assert found.value <= more.value * (1 + 1e-12)
            assert more.value / unit <= best * (1 + 1e-7) + 1e-12
    deepest = min(least, key=lambda r: least[r])
    if least[deepest] < -1e-6 * best:
        forged = {**least, deepest: least[deepest] / 2}
        refused = prove(data, certificate(n, k, multipliers=tuple(multipliers), roots=forged, cuts=cuts), k, Effort())
        assert refused.failure == BELOW


@pytest.mark.parametrize("kind", ["zero", "only partition", "dynamic programming", "nearest neighbors"])
@pytest.mark.parametrize("seed", range(6))
def test_bounds_without_multipliers(kind: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    for n in (5, 9):
        points = random_points(random, n)[:, :1] if kind == "dynamic programming" else random_points(random, n)
        data = scaled(points, "none")
        found = prove(data, certificate(n, 3, bound=kind), 3, Effort())
        if kind == "only partition" and n >= 6:
            assert found.failure == "there is more than one partition"
            continue
        best = optimum(points, 3)
        assert found.failure is None
        assert found.value * 2.0**data.shift <= best * (1 + 1e-9) + 1e-12
        if kind in ("only partition", "dynamic programming"):
            assert found.value * 2.0**data.shift >= best * (1 - 1e-9) - 1e-12


def test_an_effort_that_does_not_suffice_decides_nothing() -> None:
    points = np.random.default_rng(3).standard_normal((30, 3))
    n, k = 30, 3
    stated = certificate(n, k, multipliers=(1.0,) * n)
    found = prove(scaled(points, "none"), stated, k, Effort(branches=1))
    assert found.failure is None or found.undecided is None
    assert (found.failure or found.undecided) is not None


def test_numbers_beyond_any_data_are_malformed() -> None:
    points = np.random.default_rng(3).standard_normal((9, 2))
    for stated in ({"multipliers": (LARGEST * 2.0**60,) * 9}, {"multipliers": (1.0,) * 9, "exponent": 900}):
        with pytest.raises(Malformed, match="beyond any"):
            prove(scaled(points, "none"), certificate(9, 3, **stated), 3, Effort())
