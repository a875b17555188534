"""Edits of real certificates against the exact optimum over all partitions: none is accepted that states too much."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import discreet as dc
from discreet.verify.certificates import verify_certificate

ROOT = Path(__file__).resolve().parents[2]


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
        result = dc.microaggregate(frame, k, certify=True, effort="fast", scale=scale, random_state=0)
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
