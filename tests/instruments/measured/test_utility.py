"""`dc.utility` on whole files: what it refuses, which order of rows it finds, and that every figure is finite."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.measure.utility.absent import SHUFFLED, Absent

N = 40
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=N), RNG.normal(size=N)
PEOPLE = dc.datasets.survey(300, seed=1)[["region", "sex", "age", "income", "spending"]]


def numbers(value: Any) -> Iterator[float]:
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from numbers(part)
    if isinstance(value, float):
        yield value


STRANGE: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "constant": ({"x": [5] * N}, {"x": [5] * N}, {}),
    "constant, changed": ({"x": [5] * N}, {"x": [6] * N}, {}),
    "constant category": ({"c": ["a"] * N}, {"c": ["*"] * N}, {"by": "c"}),
    "one row": ({"x": [5], "c": ["a"]}, {"x": [6], "c": ["a"]}, {"by": "c", "regression": "x ~ c"}),
    "all missing": ({"x": [np.nan] * N, "c": [None] * N}, {"x": [np.nan] * N, "c": [None] * N}, {"by": "c"}),
    "all blank": (
        {"x": X, "c": list("ab") * 20},
        {"x": [None] * N, "c": [None] * N},
        {"by": "c", "regression": "x ~ c"},
    ),
    "huge": ({"x": 4e307 * X, "y": Y}, {"x": 4e307 * Y, "y": Y}, {"by": "y", "regression": "x ~ y"}),
    "tiny": ({"x": 1e-320 * X}, {"x": 1e-320 * Y}, {}),
    "far apart": ({"x": X}, {"x": 1e300 * Y}, {}),
    "weights of zero": ({"x": X, "w": [0] * 39 + [1]}, {"x": Y, "w": [0] * 39 + [1]}, {"weight": "w"}),
    "no weight where known": (
        {"x": [1.0, 2.0, np.nan], "w": [0, 0, 1]},
        {"x": [1.0, 3.0, 2.0], "w": [0, 0, 1]},
        {"weight": "w"},
    ),
    "dates": ({"d": pd.date_range("2000-01-01", periods=N)}, {"d": ["[2000-01-01, 2000-02-20]"] * N}, {"by": "d"}),
    "fewer rows": ({"x": X}, {"x": X[:30]}, {}),
    "unreadable": ({"x": X}, {"x": ["young"] * N}, {"by": "x"}),
    "strangers": ({"c": list("ab") * 20}, {"c": ["z"] * N}, {"by": "c"}),
    "sets": ({"c": list("ab") * 20}, {"c": ["{a, b}"] * N}, {"by": "c"}),
    "identifiers": ({"c": [f"v{i}" for i in range(N)]}, {"c": [f"v{i}" for i in range(N)]}, {"by": "c"}),
    "text of digits": ({"c": [str(i) for i in range(N)]}, {"c": range(N)}, {}),
    "odd names": ({"$x$\n<b>": X, "": Y}, {"$x$\n<b>": Y, "": Y}, {}),
}


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.filterwarnings("error")
def test_every_figure_is_finite_or_absent_with_a_reason(name: str) -> None:
    before, after, how = STRANGE[name]
    found = dc.utility(pd.DataFrame(before), pd.DataFrame(after), queries=50, **how)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert all(math.isfinite(value) for value in numbers(told))
    for path, why in told["absent"].items():
        assert why.startswith(("not defined", "left out")), path
    assert found.summary() and found.sections() and len(found.to_frame()) == len(before) - ("weight" in how)


def test_nothing_lost_in_a_copy() -> None:
    found = dc.utility(PEOPLE, PEOPLE, by=["region", "sex"], regression="income ~ age + sex")
    assert found.overall_loss == found.information_loss == found.gcp == found.deviations.il1s == 0
    assert found.correlations.largest == 0 and found.query_errors.max() < 1e-12
    assert found.classes[0] == found.classes[1]
    assert all((one.overlap == 1).all() for one in found.totals)
    assert not isinstance(found.regression, Absent) and found.regression.overlap == pytest.approx(np.ones(3))
    frame = found.to_frame()
    assert (frame.loss == 0).all() and (frame.mean_change.dropna() == 0).all()


def test_a_microaggregated_file() -> None:
    columns = ["income", "spending"]
    release = dc.microaggregate(PEOPLE, k=5, columns=columns, method="mdav")
    found = dc.utility(PEOPLE, release.data, columns=columns)
    assert found.pairing.same
    assert found.information_loss == pytest.approx(release.information_loss, rel=0.01)  # whole numbers were rounded
    by_name = {column.name: column for column in found.columns}
    assert by_name["income"].sd_kept < 1 and isinstance(by_name["income"].ncp, Absent)
    assert found.classes[1].least >= 5


def test_a_shuffled_file_of_ours_has_no_figures_by_row() -> None:
    keys = ["age", "sex", "region"]
    people = PEOPLE[keys]
    release = dc.generalize(people, k=3, quasi_identifiers=keys, random_state=1)
    found = dc.utility(people, release.data)
    assert not found.pairing.same and found.overall_loss == SHUFFLED and found.information_loss == SHUFFLED
    assert found.gcp == pytest.approx(release.gcp)
    assert 0 < np.mean(found.query_errors) < 0.5
    told = found.to_dict()
    assert told["overall_loss"] is None and "same order" in told["absent"]["overall_loss"]
    assert "not row by row" in found.summary()
    order = np.asarray(release.publication().order)
    paired = dc.utility(people.iloc[order].reset_index(drop=True), release.data)
    assert paired.pairing.same and 0 < paired.overall_loss < 0.5  # type: ignore[operator]
    # What does not go by rows is the same.
    assert paired.gcp == found.gcp and paired.classes[1] == found.classes[1]


def test_rows_can_be_told() -> None:
    shuffled = PEOPLE.sample(frac=1, random_state=1)
    assert not dc.utility(PEOPLE, shuffled).pairing.same
    told = dc.utility(PEOPLE, shuffled, rows="same")
    assert told.pairing.same and told.overall_loss > 0.2  # type: ignore[operator]
    assert not dc.utility(PEOPLE, PEOPLE, rows="shuffled").pairing.same


def test_order_of_rows_changes_no_figure_that_does_not_need_it() -> None:
    noisy = PEOPLE.assign(income=PEOPLE["income"] + 500 * RNG.normal(size=300))
    shuffled = noisy.sample(frac=1, random_state=2)
    how: dict[str, Any] = {"by": "region", "regression": "income ~ age", "rows": "shuffled"}
    one, two = dc.utility(PEOPLE, noisy, **how), dc.utility(PEOPLE, shuffled, **how)
    assert one.query_errors == pytest.approx(two.query_errors)
    for name in ("mean_change", "sd_kept", "quantile_change", "frequency_change", "ncp"):
        assert one.to_frame()[name].to_numpy() == pytest.approx(two.to_frame()[name].to_numpy(), nan_ok=True)
    assert one.totals[1].overlap == pytest.approx(two.totals[1].overlap)
    assert one.regression.overlap == pytest.approx(two.regression.overlap)  # type: ignore[union-attr]


def test_frames_of_every_kind_and_the_seed() -> None:
    noisy = PEOPLE.assign(age=PEOPLE["age"] + RNG.integers(-3, 4, 300))
    told = dc.utility(PEOPLE, noisy, random_state=3).to_dict()
    again = dc.utility(pl.from_pandas(PEOPLE), pa.table(noisy.to_dict("list")), random_state=3)
    assert again.to_dict() == told
    assert isinstance(again.to_frame(), pl.DataFrame)
    assert dc.utility(PEOPLE, noisy, random_state=4).to_dict()["queries"] != told["queries"]


def test_weights_of_both_files() -> None:
    before = PEOPLE.assign(w=np.arange(300) % 5)
    after = before.assign(w=before["w"] * 2)
    doubled = dc.utility(before, after, weight="w", by="sex")
    counts = doubled.totals[0]
    assert counts.after.total == pytest.approx(2 * counts.before.total) and counts.overlap.max() == 0
    assert counts.before.total.sum() == before["w"].sum()
    lent = dc.utility(before, after.drop(columns="w"), weight="w", by="sex")
    assert lent.totals[0].overlap.min() == 1
    assert "w" not in [column.name for column in doubled.columns]
    with pytest.raises(InputError, match="not in the published file"):
        dc.utility(before, after.drop(columns="w"), weight="w", rows="shuffled")


@pytest.mark.parametrize(
    ("weight", "why"), [(-1.0, "below 0"), (np.nan, "missing"), (0.0, "0 in all"), (1e308, "too large")]
)
def test_weights_that_are_none(weight: float, why: str) -> None:
    frame = pd.DataFrame({"x": X, "w": weight})
    with pytest.raises(InputError, match=why):
        dc.utility(frame, frame, weight="w")


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(InputError) as caught:
        dc.utility(PEOPLE, PEOPLE, columns=["hat"], by="cat", rows="odd", queries=0, random_state=-1, regression="x")  # type: ignore[arg-type]
    assert len(caught.value.faults) == 8
    for frame in (PEOPLE.iloc[:0], PEOPLE[["age"]].rename(columns={"age": "x"})):
        with pytest.raises(InputError):
            dc.utility(PEOPLE, frame)
    with pytest.raises(InputError, match="rows"):
        dc.utility(PEOPLE, PEOPLE.iloc[:9], rows="same")


def test_columns_that_cannot_be_compared_are_left_out_or_refused() -> None:
    frame = PEOPLE.assign(far=np.inf, only=1)
    found = dc.utility(frame, frame.drop(columns="only"))
    assert found.left_out == ("only", "far") and "left out" in found.summary()
    with pytest.raises(InputError, match="infinite"):
        dc.utility(frame, frame, columns=["far"])
    with pytest.raises(InputError, match="infinite"):
        dc.utility(frame, frame, by="far")


def test_a_peers_file() -> None:
    """sdcMicro's recoding of numbers, blanks of local suppression, names of truth values."""
    before = pd.DataFrame({"age": [21, 25, 34, 38, 40] * 8, "sex": ["m", "f"] * 20, "own": [True, False] * 20})
    after = before.assign(age=["(20,30]", "(20,30]", "(30,40]", "(30,40]", "(30,40]"] * 8, own=["TRUE", "FALSE"] * 20)
    after["sex"] = after["sex"].where(np.arange(40) % 4 > 0)
    found = dc.utility(before, after)
    by_name = {column.name: column for column in found.columns}
    assert found.pairing.same and [column.unread for column in found.columns] == [0, 0, 0]
    assert by_name["own"].loss == 0 and by_name["sex"].loss == by_name["sex"].blanked == 0.25
    assert by_name["age"].widened == 1 and by_name["age"].ncp == pytest.approx(10 / 19)


CELLS = {
    "numbers": ([0.0, 1.0, 2.5, -3.0, 1e9, None], ["0", "1", "[1, 2.5]", "[-3, 1e9]", "*", "", "NA", "x", "{1, 2}"]),
    "text": (["a", "b", "c, d", "", "01"], ["a", "B", "{a, b}", '{"c, d", a}', "{, a}", "*", "", "zz", "{", "1"]),
    "dates": (["2000-01-01", "2001-05-06", ""], ["2000-01-01", "[2000-01-01, 2001-05-06]", "*", "", "2000"]),
    "constant": ([7], [7]),
}


def drawn(cells: list[Any], rows: int, rng: np.random.Generator) -> list[Any]:
    """Cells at random, the first of them in the first row."""
    return [cells[0], *(cells[j] for j in rng.integers(0, len(cells), rows - 1))]


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.filterwarnings("error")
def test_drawn_files(seed: int) -> None:
    """Whatever stands in the cells, whichever columns are asked for."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    m = n if rng.random() < 0.6 else int(rng.integers(1, 40))
    kinds = rng.choice(list(CELLS), 3)
    before, after = (
        pd.DataFrame({f"{i} {kind}": drawn(CELLS[kind][side], rows, rng) for i, kind in enumerate(kinds)})
        for side, rows in ((0, n), (1, m))
    )
    names = list(before.columns)
    how: dict[str, Any] = {"by": [str(name) for name in rng.permutation(names)[:2]]}
    if "numbers" in kinds:
        of = next(name for name in names if "numbers" in name)
        how["regression"] = f"{of} ~ " + " + ".join(f"C({name})" for name in names if name != of)
    if seed % 2:
        before["w"], after["w"] = 1 + rng.integers(0, 3, n), 1 + rng.integers(0, 3, m)
        how["weight"] = "w"
    if n == m and seed % 3:
        how["rows"] = "same"
    found = dc.utility(before, after, queries=20, **how)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert all(math.isfinite(value) for value in numbers(told))
    for column in told["columns"].values():
        for share in ("loss", "ncp", "frequency_change", "widened", "blanked", "unread"):
            assert column[share] is None or -1e-12 <= column[share] <= 1 + 1e-12
    assert found.summary() and found.sections()
