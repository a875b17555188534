"""The figures of whole files against a count by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.measure.utility.absent import CONSTANT, Absent
from discreet.measure.utility.domains import NORMAL


def test_by_hand() -> None:
    before = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": list("aabb")})
    after = pd.DataFrame({"x": ["0", "[0, 2]", "[2, 3]", ""], "c": ["a", "{a, b}", "b", "b"]})
    found = dc.utility(before, after, rows="same", by="c")
    x, c = found.columns
    # Twice the mean deviation from the median is 2: losses 0, .5/2, .5/2, 1.
    assert x.loss == pytest.approx((0 + 0.25 + 0.25 + 1) / 4)
    assert c.loss == pytest.approx(0.25)
    assert found.overall_loss == pytest.approx((x.loss + c.loss) / 2)  # type: ignore[operator]
    # By middles 0, 1, 2.5 and the mean 1.5 for the blank; the variation is 5.
    assert x.information_loss == pytest.approx(100 * (0.25 + 2.25) / 5)
    assert found.information_loss == x.information_loss
    assert x.mean_change == pytest.approx((3.5 / 3 - 1.5) / np.sqrt(1.25))
    assert x.ncp == pytest.approx((0 + 2 / 3 + 1 / 3 + 1) / 4) and c.ncp == pytest.approx(0.25)
    assert found.gcp == pytest.approx((x.ncp + c.ncp) / 2)  # type: ignore[operator]
    assert (x.widened, x.blanked, c.widened) == (0.5, 0.25, 0.25)
    assert c.frequency_change == pytest.approx(0.125)
    assert found.domains == [("a",), ("b",)]
    counts, sums = found.totals
    assert counts.after.total == pytest.approx([1.5, 2.5]) and sums.after.total == pytest.approx([0.5, 3.0])
    assert counts.before.half[0] == pytest.approx(NORMAL * np.sqrt(4 * np.var([1, 1, 0, 0], ddof=1)))


def test_information_loss_over_gaps_and_constant_columns() -> None:
    before = pd.DataFrame({"x": [0.0, 2.0, 4.0, np.nan], "y": [5.0] * 4, "z": [1.0, 2.0, 3.0, 4.0]})
    after = pd.DataFrame({"x": [1.0, 1.0, 4.0, np.nan], "y": [5.0] * 4, "z": [1.0, 2.0, 3.0, 4.0]})
    found = dc.utility(before, after, rows="same")
    x, y, z = found.columns
    assert x.information_loss == pytest.approx(100 * 2 / 8) and y.information_loss == CONSTANT
    assert z.information_loss == 0
    assert found.information_loss == pytest.approx((25 * 2 + 0 * 3) / 5)


def test_the_regression_of_both_files() -> None:
    rng = np.random.default_rng(0)
    before = pd.DataFrame({"x": rng.normal(size=80), "g": rng.choice(list("ab"), 80)})
    before["y"] = before["x"] + (before["g"] == "b") + 0.1 * rng.normal(size=80)
    found = dc.utility(before, before.assign(x=before["x"] * 1.001), regression="y ~ x + g").regression
    assert not isinstance(found, Absent)
    assert found.names == ("intercept", "x", "C(g)[b]")
    assert found.before.estimate == pytest.approx([0, 1, 1], abs=0.1) and 0.5 < found.overlap[1] < 1
    flat = dc.utility(before, before.assign(g="a"), regression="y ~ x + g").regression
    assert isinstance(flat, Absent) and "does not occur" in flat.why
    none = dc.utility(before, before).regression
    assert isinstance(none, Absent) and none.why == "not asked for"


def test_a_measurement_is_no_release() -> None:
    frame = pd.DataFrame({"x": range(30)})
    with pytest.raises(dc.InputError, match="no release"):
        dc.utility(frame, frame).verify()
    assert isinstance(dc.Utility, type) and dc.utility(frame, frame).title() == "Utility of 30 records in 1 column"


def test_dates_are_domains_by_their_names() -> None:
    frame = pd.DataFrame({"born": ["2001-05-06", "1950-01-03", "2001-05-06"], "x": [1, 2, 3]})
    found = dc.utility(frame, frame, by="born")
    assert found.domains == [("1950-01-03",), ("2001-05-06",)]
    assert found.totals[1].before.total.tolist() == [2, 4]
