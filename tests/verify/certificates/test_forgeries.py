"""Edits of real certificates against the exact optimum over all partitions: none is accepted that states too much."""

from __future__ import annotations

import importlib.util
import json
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import discreet as dc
from discreet.verify.certificates.check import CHECK, compute, verify_certificate
from discreet.verify.certificates.reading import parse

ROOT = Path(__file__).resolve().parents[3]


def _loaded(name: str) -> ModuleType:
    path = ROOT / "attack" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"attack_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


forge = _loaded("certificates")


@pytest.mark.parametrize("number", range(24))
def test_no_forged_certificate_passes_and_every_honest_one_does(number: int) -> None:
    honest, edited, accepted = forge.attack([0, number], edits=20)
    assert honest >= 2
    assert edited == 20
    assert accepted < edited


def test_the_attack_sees_a_bound_above_the_truth() -> None:
    instance = forge.draw(np.random.default_rng(0))
    honest = instance.certificates[0]
    forge.demand_true(instance, json.dumps(honest), "honest")
    above = float(instance.least) * (1 + 1e-12)
    assert above > 0
    assert honest.get("exponent") == 0
    with pytest.raises(AssertionError, match="above the truth"):
        forge.demand_true(instance, json.dumps({**honest, "lower_bound": above}), "forged")
    with pytest.raises(AssertionError, match="another SSE"):
        forge.demand_true(instance, json.dumps({**honest, "sse": honest["sse"] * 1.001}), "forged")


def test_exact_figures_of_the_attack() -> None:
    """Against a partition written down by hand: 0, 1 | 10, 12 with k = 2, unscaled."""
    values = np.array([[0.0], [1.0], [10.0], [12.0]])
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    costs = forge.exact_costs(values, "none", pairs)
    assert [float(c) for c in costs] == [0.5, 50.0, 72.0, 40.5, 60.5, 2.0]
    assert forge.exact_least(4, pairs, costs) == 2.5
    whole = forge.exact_costs(values, "sd", [(0, 1, 2, 3)])
    assert whole[0] == 3


MAGNITUDES = {
    "large": lambda x: x * 1e300,
    "small": lambda x: x * 1e-300,
    "largest": lambda x: np.clip(x, -1, 1) * 1.7e308,
    "denormal": lambda x: np.round(x * 1000) * 5e-324,
    "mixed": lambda x: x * np.array([1e300, 1.0, 1e-300]),
    "one outlier": lambda x: np.vstack([x[1:], [1e300, 1e200, 1e100]]),
    "near a million": lambda x: 1e6 + 1e-3 * x,
    "constant column": lambda x: x * np.array([1.0, 0.0, 1.0]) + np.array([0.0, 7.0, 0.0]),
    "equal": lambda x: np.ones_like(x),
    "pairs": lambda x: np.repeat(x[::2], 2, axis=0),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", ["sd", "range", "none"])
@pytest.mark.parametrize("kind", MAGNITUDES)
def test_honest_certificates_of_any_magnitude(kind: str, scale: str) -> None:
    import pandas as pd

    values = MAGNITUDES[kind](np.random.default_rng(4).standard_normal((14, 3)))
    frame = pd.DataFrame(values, columns=["a", "b", "c"])
    for k in (1, 3, 8, 14):
        result = dc.microaggregate(
            frame, k, certify=True, allow_unprotected=True, effort="fast", scale=scale, random_state=0
        )
        assert result.certificate is not None
        assert np.isfinite([result.information_loss, result.lower_bound, result.gap]).all()
        json.dumps(result.to_dict(), allow_nan=False)
        verdict = verify_certificate(
            values, json.dumps(result.certificate),
            k=k, columns=["a", "b", "c"], scale=scale, published=result.data.to_numpy(float),
        )  # fmt: skip
        assert verdict.safe, verdict
        assert result.lower_bound <= result.information_loss


def test_units_that_are_left_out_are_not_forgiven() -> None:
    """In the units of the data the stated SSE of tiny numbers is beyond float64."""
    import pandas as pd

    values = np.round(np.random.default_rng(1).standard_normal((12, 1)) * 1000) * 5e-324
    result = dc.microaggregate(pd.DataFrame(values, columns=["a"]), 4, certify=True, scale="none")
    published = result.data.to_numpy(float)
    told = {**dict(result.certificate or {}), "bound": "zero", "lower_bound": 0.0, "status": "converged"}
    for exponent, outcome in ((told["exponent"], "safe"), (0, "unsafe"), (4999, "unsafe")):
        verdict = verify_certificate(
            values, {**told, "exponent": exponent}, k=4, columns=["a"], scale="none", published=published
        )  # fmt: skip
        assert verdict.outcome == outcome


def test_a_time_limit_of_a_millisecond_and_rounded_means() -> None:
    import pandas as pd

    frame = pd.DataFrame(np.random.default_rng(2).integers(0, 30, (40, 2)), columns=["a", "b"])
    for options in ({"time_limit": 0.001}, {"round": True, "effort": "fast"}):
        result = dc.microaggregate(frame, 3, certify=True, **options)
        verdict = verify_certificate(
            frame.to_numpy(float), json.dumps(result.certificate),
            k=3, columns=["b", "a"], scale="sd", published=result.data.to_numpy(float),
        )  # fmt: skip
        assert verdict.safe, verdict


def test_penalties_of_many_cuts_do_not_add_up_to_more_than_they_are() -> None:
    """One cut many times over, each penalty little more than half a unit in the last place of what is already there."""
    near, penalty, times = 2.0**-30, 2.0**-4, 60_000
    values = np.array([[0.0], [near], [1.0], [1.0 + near]])
    small = penalty * 2.0**-53 * (1 + 2.0**-20)
    cut = {"records": [0, 1], "numerators": [1, 1], "divisor": 2}
    summed = penalty + times * 2.0**-52 * penalty
    slack = 0.999 * (1e-10 * penalty / 4 + 97 * 2.0**-51 * 4 * 1.5 * penalty)
    multipliers = [summed / 2 + slack, summed / 2, near**2 / 2 + slack, 0.0]
    certificate = {
        "format": "discreet microaggregation certificate 1",
        "bound": "column generation with cuts",
        "k": 2,
        "n": 4,
        "columns": ["x"],
        "scale": "none",
        "multipliers": multipliers,
        "cuts": [{**cut, "penalty": penalty}, *[{**cut, "penalty": small}] * times],
        "lower_bound": 0.0,
        "sse": 0.0,
    }
    computed = compute(values, parse(certificate), 2, "none", None, CHECK)
    assert computed.proven.failure is None
    assert Fraction(computed.proven.value) * 2**computed.shift <= Fraction(near) ** 2


@pytest.mark.parametrize("exponent", [-1075, -3000, -5000])
def test_a_bound_too_small_for_float64_is_still_above_zero(exponent: int) -> None:
    values = np.array([[1.0], [1.0], [5.0], [5.0]])
    certificate = {
        "format": "discreet microaggregation certificate 1",
        "bound": "dynamic programming",
        "k": 2,
        "n": 4,
        "columns": ["x"],
        "scale": "none",
        "exponent": exponent,
        "lower_bound": 1.0,
        "sse": 0.0,
    }
    asked = {"k": 2, "columns": ["x"], "scale": "none", "published": values}
    assert verify_certificate(values, certificate, **asked).outcome == "unsafe"
    assert verify_certificate(values, {**certificate, "lower_bound": 0.0}, **asked).safe


@pytest.mark.parametrize("scale", ["sd", "range", "none"])
@pytest.mark.parametrize("first", [2**53, 10**17, 10**20])
def test_the_bound_holds_for_numbers_with_more_digits_than_float64_has(first: int, scale: str) -> None:
    """Pairs that float64 tells apart by more than they are: the truth is that of the digits in the file."""
    spacing = int(np.spacing(float(first)))
    pairs = [first + spacing // 2 - 1, first + spacing // 2 + 1]
    whole = [*pairs, *(x + 64 * spacing for x in pairs)]
    values = np.array([[float(x)] for x in whole])
    mean = Fraction(sum(whole), 4)
    unit = {
        "sd": sum((x - mean) ** 2 for x in whole) / 3,
        "range": Fraction(max(whole) - min(whole)) ** 2,
        "none": Fraction(1),
    }[scale]
    least = Fraction(4) / unit
    for kind in ("dynamic programming", "nearest neighbors"):
        certificate = {
            "format": "discreet microaggregation certificate 1",
            "bound": kind,
            "k": 2,
            "n": 4,
            "lower_bound": 0.0,
            "sse": 0.0,
        }
        computed = compute(values, parse(certificate), 2, scale, None, CHECK)
        assert Fraction(computed.proven.value) * Fraction(2) ** computed.shift <= least


def test_decimals_with_more_digits_than_float64_has(discreet, tmp_path: Path) -> None:
    original, release, proof = (tmp_path / name for name in ("data.csv", "release.csv", "proof.json"))
    original.write_text("x\n1000000000000000.06\n1000000000000000.07\n1000000000000008.06\n1000000000000008.07\n")
    protect = discreet("microaggregate", original, "-k", 2, "--columns", "x", "--scale", "none",
                       "-o", release, "--certificate", proof)  # fmt: skip
    assert protect.code == 0
    assert json.loads(proof.read_text())["lower_bound"] <= 1e-4
    checked = discreet("verify", original, release, "-k", 2, "--qi", "x", "--certificate", proof, "--scale", "none")
    assert checked.code == 0
