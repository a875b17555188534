"""Global recoding: one text per value throughout, the labels of the hierarchy, ranges of what occurs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.instruments.protect.levels import by_labels


def people() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "town": rng.choice(["a1", "a2", "b1", "b2"], 80),
            "age": rng.integers(20, 60, 80),
            "pay": rng.integers(100, 900, 80),
            "s": rng.choice(list("pqr"), 80),
        }
    )


TREE = {"*": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}


def test_every_value_has_one_text_and_every_text_its_values() -> None:
    frame = people()
    result = dc.protect(
        frame, 4, keys=["town", "age"], numeric=["pay"], sensitive=["s"], hierarchies={"town": TREE},
        guarantee="classes", recoding="global",
    )  # fmt: skip
    origin = result.drawn.origin[result.drawn.order]
    for name in ("town", "age"):
        pairs = set(zip(frame[name].iloc[origin].astype(str), result.data[name].astype(str)))
        assert len(pairs) == frame[name].nunique()
    assert set(result.data["town"]) in ({"a1", "a2", "b1", "b2"}, {"A", "B"}, {"*"})
    for text in set(result.data["age"].astype(str)):
        low, _, high = text.strip("[]").partition(", ")
        assert int(low) in set(frame["age"])
        assert int(high or low) in set(frame["age"])
    assert result.data.groupby(["town", "age", "pay"]).size().min() >= 4
    assert result.verify()
    assert result.detail["level of town"] in (0, 1, 2)


def test_what_one_level_for_all_cannot_do_is_said() -> None:
    frame = people().assign(town=lambda f: f["town"].where(f.index > 3))
    roles = {"keys": ["town", "age"], "numeric": ["pay"], "sensitive": ["s"]}
    with pytest.raises(InputError, match="no wildcards"):
        dc.protect(frame, 4, **roles, guarantee="classes", recoding="global", missing="wildcard")
    assert dc.protect(frame, 4, **roles, guarantee="classes", recoding="global", missing="value").verify()


def test_classes_by_number() -> None:
    sets = by_labels(np.array([1, 0, 1, 1, 0]))
    assert sets.start.tolist() == [0, 2, 5]
    assert sets.records.tolist() == [1, 4, 0, 2, 3]
    assert sets.of_row.tolist() == [1, 0, 1, 1, 0]
