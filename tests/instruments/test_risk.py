from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discreet as dc

FRAME = pd.DataFrame(
    {
        "sex": ["f", "f", "f", "m", "m", None],
        "age": [30, 30, 41, 41, 41, 30],
        "w": [10.0, 20.0, 5.0, 4.0, 6.0, 8.0],
        "home": ["a", "a", "b", "b", "c", "c"],
        "ill": ["x", "y", "x", "x", "x", "y"],
        "income": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    }
)
KEYS = ["sex", "age"]


def test_figures_by_hand() -> None:
    found = dc.risk(FRAME, KEYS, weight="w", household="home", sensitive="ill", numeric=["income"])
    assert found.f.tolist() == [2, 2, 1, 2, 2, 1]
    assert found.F.tolist() == [30, 30, 5, 10, 10, 8]
    p = np.array([1 / 5, 1 / 8])
    single = p / (1 - p) * np.log(1 / p)
    assert found.risk[[2, 5]] == pytest.approx(single)
    assert found.household_risk is not None
    assert found.household_risk[[0, 1]] == pytest.approx(1 - (1 - found.risk[0]) ** 2)
    assert found.uniques == 2 and found.below(3) == 6
    assert found.expected == pytest.approx(found.risk.sum())
    assert found.diversity["ill"]["distinct"] == 1
    assert found.linkage == (1.0, 1.0)
    assert found.subsets().by_size.tolist() == [3, 6]
    assert found.subsets(k=2, largest=1).exposed.tolist() == [False] * 5 + [True]


def test_without_weights_the_file_is_all_there_is() -> None:
    found = dc.risk(FRAME, KEYS)
    assert found.risk.tolist() == [0.5, 0.5, 1, 0.5, 0.5, 1]
    assert found.population is None and found.household_risk is None
    assert found.to_dict()["basis"]["expected"].startswith("counted")


@pytest.mark.parametrize("kind", [lambda f: f, pl.from_pandas, pa.Table.from_pandas])
def test_any_dataframe_in_the_same_kind_out(kind) -> None:
    frame = kind(FRAME)
    found = dc.risk(frame, KEYS, weight="w").to_frame()
    assert type(found) is type(frame)
    names = found.column_names if hasattr(found, "column_names") else list(found.columns)
    assert names == ["f", "F", "risk", "suda", "dis"]


def test_a_missing_key_by_name() -> None:
    assert dc.risk(FRAME, KEYS, missing="value").f.tolist() == [2, 2, 1, 2, 2, 1]
    assert dc.risk(FRAME, KEYS, missing="wildcard").f.tolist() == [3, 3, 1, 2, 2, 3]
    assert dc.risk(FRAME, KEYS, missing="wildcard", alpha=0.5).f.tolist() == [2.5, 2.5, 1, 2, 2, 3]


def test_numbers_against_the_original() -> None:
    masked = FRAME.assign(income=[2.0, 2.0, 2.0, 5.0, 5.0, 5.0])
    found = dc.risk(masked, KEYS, numeric=["income"], original=FRAME)
    assert found.linkage is not None and found.linkage.by_distance == pytest.approx(1 / 3)
    assert found.to_dict()["linkage"]["against"] == "original"
    assert dc.risk(masked, KEYS, numeric=["income"]).to_dict()["linkage"]["against"] == "itself"


def test_all_that_is_wrong_is_said_at_once() -> None:
    frame = FRAME.assign(w=[0.5, *FRAME["w"][1:]], home=["a", None, *FRAME["home"][2:]])
    with pytest.raises(dc.InputError) as caught:
        dc.risk(
            frame,
            ["sexx"],
            weight="w",
            household="home",
            sensitive=["nothing"],
            numeric=["ill"],
            missing="hat",
            suda="hat",
            max_risk=2,
        )
    assert len(caught.value.faults) == 8
    for word in ("sexx", "below 1 in 1 rows", "'home' is missing in 1 rows", "nothing", "'ill' is not numeric", "SUDA"):
        assert word in str(caught.value)
    with pytest.raises(dc.InputError, match="no records"):
        dc.risk(FRAME.iloc[:0], KEYS)
    with pytest.raises(dc.InputError, match="14 keys"):
        dc.risk(pd.DataFrame({f"c{j}": [1, 2] for j in range(15)}), [f"c{j}" for j in range(15)])
    with pytest.raises(dc.InputError, match="list of names"):
        dc.risk(FRAME, "sex")
    with pytest.raises(dc.InputError, match="number of rows"):
        dc.risk(FRAME, KEYS, numeric=["income"], original=FRAME.iloc[:2])


def test_many_keys_without_suda() -> None:
    frame = pd.DataFrame({f"c{j}": [1, 2, 1] for j in range(20)})
    found = dc.risk(frame, list(frame), suda=None)
    assert found.suda is None and found.contributions() == {}
    assert found.to_frame().columns.tolist() == ["f", "F", "risk"]
    assert "suda" not in found.to_dict()


def test_words_pictures_and_the_page(tmp_path) -> None:
    found = dc.risk(FRAME, KEYS, weight="w", household="home", sensitive="ill", numeric=["income"])
    assert "estimated by the negative binomial model, approximate" in found.summary()
    assert "Disclosure risk" in found._repr_html_()
    text = found.report(tmp_path / "risk.html").read_text()
    for word in ("Special uniques", "What the keys tell", "What the numbers tell", "the file itself", "<svg"):
        assert word in text
    assert found.plot().axes and dc.risk(FRAME, KEYS, suda=None).plot().axes
    with pytest.raises(dc.InputError, match="no release"):
        found.verify()
    assert found.publication().data.equals(found.to_frame())


def test_every_figure_says_where_it_comes_from() -> None:
    found = dc.risk(FRAME, KEYS, weight="w", household="home", sensitive="ill", numeric=["income"]).to_dict()
    settings = {"instrument", "version", "n", "keys", "missing", "boxes", "exact", "weighted", "max_risk", "basis"}
    assert set(found) - settings == set(found["basis"])
    assert all(
        text.startswith(("counted", "estimated by", "prosecutor counted", "scores counted"))
        for text in found["basis"].values()
    )


def test_whoever_knows_some_of_the_keys() -> None:
    found = dc.risk(FRAME, KEYS)
    assert found.subsets().by_size.tolist() == [3, 6]
    assert found.subsets(k=2, largest=1).exposed.tolist() == [False] * 5 + [True]
    for wrong in ({"k": 0}, {"largest": 1.5}):
        with pytest.raises(dc.InputError, match="whole numbers"):
            found.subsets(**wrong)


def test_suda_that_would_fill_the_memory_is_refused(monkeypatch) -> None:
    monkeypatch.setattr("discreet.instruments.risk.MOST_BITS", 7)
    with pytest.raises(dc.InputError, match="2 GB for 2 unique records"):
        dc.risk(FRAME, KEYS)
    assert dc.risk(FRAME, KEYS, suda=None).uniques == 2


def test_values_without_order_or_text_are_refused() -> None:
    frame = FRAME.assign(lists=[[1]] * 6)
    with pytest.raises(dc.InputError) as caught:
        dc.risk(frame, KEYS, household="lists", sensitive=["lists"])
    assert len(caught.value.faults) == 2
