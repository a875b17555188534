"""Numeric columns with gaps, and means in their place."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.verify import verify_certified

MONEY = ["income", "spending"]


def people(gaps: int, n: int = 100) -> pd.DataFrame:
    frame = dc.datasets.survey(n, seed=6)[["sex", *MONEY]]
    frame["income"] = frame["income"].astype(float)
    frame.loc[frame.index[:gaps] * 3, "income"] = np.nan
    return frame


@pytest.mark.parametrize("gaps", [1, 4, 30])
@pytest.mark.parametrize("method", ["auto", "mdav"])
def test_what_is_known_is_averaged(gaps: int, method: str) -> None:
    """One record with a gap is no dead end: nothing else is lost by it."""
    frame = people(gaps)
    result = dc.microaggregate(frame, 5, columns=MONEY, missing="known", method=method)
    assert result.verify().safe and result.suppressed == 0
    assert result.data["spending"].notna().all()
    known = frame["income"].notna().groupby(result.labels).transform("sum")
    means = frame["income"].groupby(result.labels).transform("mean").where(known >= 5)
    np.testing.assert_allclose(result.data["income"], means, rtol=1e-12)
    assert result.filled == int((frame["income"].isna() & (known >= 5)).sum())
    assert result.blanked == int((frame["income"].notna() & (known < 5)).sum())
    assert result.blanked == 0 or gaps > 4
    assert np.bincount(result.labels).min() >= 5


def test_without_gaps_nothing_is_new() -> None:
    frame = people(0)
    plain, known = (dc.microaggregate(frame, 5, columns=MONEY, missing=policy) for policy in ("error", "known"))
    assert plain.data.equals(known.data) and plain.information_loss == known.information_loss


def test_too_few_known_values() -> None:
    frame = people(0)
    frame["income"] = frame["income"].where(frame.index < 4)
    with pytest.raises(dc.InputError, match=r"fewer than k = 5 known values: income \(4\)"):
        dc.microaggregate(frame, 5, columns=MONEY, missing="known")
    with pytest.raises(dc.InputError, match=r'missing="known"'):
        dc.microaggregate(frame, 5, columns=MONEY)
    with pytest.raises(dc.InputError, match="certificate"):
        dc.microaggregate(people(3), 5, columns=MONEY, missing="known", certify=True)


def test_whole_numbers_with_gaps_stay_exact() -> None:
    large = pd.array([2**60 + 3 * i for i in range(9)] + [None], dtype="Int64")
    frame = pd.DataFrame({"x": large, "w": [1.0] * 8 + [2.0, 1.0]})
    result = dc.microaggregate(frame, 3, columns=["x"], missing="known", round=True)
    known = [value for value, label in zip(large, result.labels) if label == result.labels[0] and not pd.isna(value)]
    assert result.data["x"].iloc[0] == round(Fraction(sum(map(int, known)), len(known))) and result.verify().safe
    assert dc.microaggregate(frame, 3, columns=["x"], missing="known", weight="w", round=True).verify().safe


def test_what_is_suppressed_counts_as_loss() -> None:
    frame = people(6)
    result = dc.microaggregate(frame, 5, columns=MONEY, missing="suppress", method="mdav")
    kept = frame["income"].notna()
    inside = frame[kept]
    unit, mean = inside[MONEY].std(), inside[MONEY].mean()
    after = result.data.loc[kept, MONEY]
    sse = (((inside[MONEY] - after) / unit) ** 2).to_numpy().sum()
    lost = (((frame.loc[~kept, "spending"] - mean["spending"]) / unit["spending"]) ** 2).sum()
    sst = (((inside[MONEY] - mean) / unit) ** 2).to_numpy().sum()
    assert result.blanked == 6
    assert result.information_loss == pytest.approx(100 * (sse + lost) / (sst + lost), rel=1e-9)
    assert result.verify().figures["information_loss"] == pytest.approx(result.information_loss, rel=1e-9)
    proven = dc.microaggregate(frame, 5, columns=MONEY, missing="suppress", certify=True)
    assert proven.lower_bound <= proven.information_loss
    weighted = frame.assign(w=np.arange(100) % 7 + 1.0)
    result = dc.microaggregate(weighted, 5, columns=MONEY, missing="suppress", weight="w", method="mdav")
    verdict = result.verify()
    assert verdict.safe and verdict.figures["information_loss"] == pytest.approx(result.information_loss, rel=1e-9)


@pytest.mark.parametrize("scale", ["sd", "range", "none"])
def test_very_large_and_small_numbers_with_gaps(scale: str) -> None:
    frame = pd.DataFrame({"x": np.array([1e300, -1e300, 1e299, np.nan] * 5), "y": np.arange(20.0) * 1e-300})
    result = dc.microaggregate(frame, 3, missing="known", scale=scale, method="mdav")
    assert np.isfinite(result.information_loss) and result.verify().safe


def test_a_certificate_speaks_of_complete_records(tmp_path: Path) -> None:
    frame = people(6)
    result = dc.microaggregate(frame, 5, columns=MONEY, missing="suppress", certify=True)
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(dict(result.certificate)))
    asked = {"k": 5, "quasi_identifiers": MONEY, "guarantee": "microaggregation"}
    verdict, certified = verify_certified(frame, result.data, proof, **asked)
    assert verdict.safe and certified.safe
    assert any("6 records with a gap" in limit for limit in certified.limits)
    # With what is blanked, more is lost than of the complete records alone.
    assert result.information_loss > certified.figures["information_loss"]
    assert result.lower_bound > certified.figures["least_information_loss"] * 0.999
    with pytest.raises(dc.InputError, match="one set of columns without weights and strata"):
        verify_certified(frame, result.data, proof, by="sex", **asked)
