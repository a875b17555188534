"""The transformers keep to scikit-learn's rules but for those that a protection of a whole file cannot keep."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import discreet as dc
from discreet.sklearn import EXPECTED_FAILURES, Generalizer, Microaggregator

MONEY = ["income", "savings", "spending"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return dc.datasets.survey(300, seed=1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [Microaggregator(method="mdav"), Generalizer()], ids=lambda e: type(e).__name__)
def test_rules_of_scikit_learn(estimator: Microaggregator | Generalizer) -> None:
    found = check_estimator(estimator, expected_failed_checks=EXPECTED_FAILURES, on_fail="raise")
    assert {one["check_name"] for one in found if one["status"] == "xfail"} <= set(EXPECTED_FAILURES)


def test_what_is_fitted_is_the_release(people: pd.DataFrame) -> None:
    made = Microaggregator(k=4, random_state=3)
    out = made.fit_transform(people[MONEY])
    expected = dc.microaggregate(people, 4, columns=MONEY, random_state=3)
    assert out == pytest.approx(expected.data[MONEY].to_numpy())
    assert made.information_loss_ == expected.information_loss
    assert np.unique(out, axis=0, return_counts=True)[1].min() >= 4
    assert (made.transform(people[MONEY]) == out).all()


@pytest.mark.parametrize("scale", ["range", "none"])
def test_settings_are_those_of_the_instrument(people: pd.DataFrame, scale: str) -> None:
    made = Microaggregator(k=6, method="auto", effort="fast", scale=scale, random_state=1).fit(people[MONEY])
    expected = dc.microaggregate(people, 6, columns=MONEY, effort="fast", scale=scale, random_state=1)
    assert (made.labels_ == expected.labels).all()
    unit = np.ptp(people[MONEY].to_numpy(), axis=0) if scale == "range" else 1.0
    new = people[MONEY][:20] + 7
    apart = [np.square((made.centroids_ - row) / unit).sum(axis=1).argmin() for row in new.to_numpy()]
    assert (made.transform(new) == made.centroids_[apart]).all()


def test_other_records_get_the_nearest_mean_and_the_model_keeps_no_record(people: pd.DataFrame) -> None:
    made = Microaggregator(k=5, method="mdav").fit(people[MONEY])
    new = people[MONEY] + 1
    out = made.transform(new)
    unit = people[MONEY].to_numpy().std(axis=0, ddof=1)
    for row, published in zip(new.to_numpy(), out):
        apart = np.square((made.centroids_ - row) / unit).sum(axis=1)
        assert (published == made.centroids_[apart.argmin()]).all()
    kept = pickle.dumps(made)
    values = people["spending"].to_numpy(np.float64)
    alone = [value for value in values if (made.centroids_ != value).all()]
    assert len(alone) > 250 and not any(value.tobytes() in kept for value in alone)


def test_boxes_hold_their_records(people: pd.DataFrame) -> None:
    columns = ["age", "income", "region", "sex"]
    made = Generalizer(k=5, boxes="text")
    out = made.fit_transform(people[columns])
    assert pd.DataFrame(out).value_counts().min() >= 5
    for group in range(int(made.labels_.max()) + 1):
        rows = people[columns][made.labels_ == group]
        low, high = rows["age"].min(), rows["age"].max()
        box = out[made.labels_ == group][0]
        assert box[0] == (f"{low}" if low == high else f"[{low}, {high}]")
        regions = sorted(set(rows["region"]))
        assert box[2] == (regions[0] if len(regions) == 1 else "{" + ", ".join(regions) + "}")
    assert np.isnan(made.lower_[:, 2]).all()


def test_other_records_get_the_nearest_box(people: pd.DataFrame) -> None:
    made = Generalizer(k=5).fit(people[["age", "sex"]])
    out = made.transform(pd.DataFrame({"age": [200, 30], "sex": ["f", "x"]}))
    top = made.upper_[:, 0].max()
    assert out[0, 0] == (made.lower_ / 2 + made.upper_ / 2)[made.upper_[:, 0] == top][:, 0].max()
    assert out.shape == (2, 2)


def test_in_a_pipeline_and_named_columns(people: pd.DataFrame) -> None:
    model = make_pipeline(Microaggregator(k=5, method="mdav"), LinearRegression())
    model.fit(people[["income", "savings"]], people["spending"])
    exact = LinearRegression().fit(people[["income", "savings"]], people["spending"])
    assert model.score(people[["income", "savings"]], people["spending"]) > 0.8 * exact.score(
        people[["income", "savings"]], people["spending"]
    )
    both = make_column_transformer((Microaggregator(method="mdav"), MONEY), (Generalizer(), ["age", "sex"]))
    both.set_output(transform="pandas")
    out = both.fit_transform(people)
    assert [name.split("__")[1] for name in out.columns] == [*MONEY, "age", "sex"]


def test_faults(people: pd.DataFrame) -> None:
    for estimator, word in (
        (Microaggregator(k=0), "k must"),
        (Microaggregator(k=1), "protects nobody"),
        (Microaggregator(method="hat"), "hat"),
        (Microaggregator(k=400), "minimum of 400"),
        (Generalizer(boxes="hat"), "boxes"),
        (Generalizer(k="x"), "k must"),
    ):
        with pytest.raises(ValueError, match=word):
            estimator.fit(people[MONEY])


def test_boxes_in_text_hold_their_ends_to_the_last_digit() -> None:
    values = 123456789.0 + np.arange(6)[:, None] / 7
    shown = Generalizer(k=3, boxes="text").fit_transform(values)
    for text in shown[:, 0]:
        low, high = (float(end) for end in text.strip("[]").split(", "))
        assert low in values[:, 0] and high in values[:, 0]
