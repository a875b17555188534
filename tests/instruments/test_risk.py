from __future__ import annotations

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
