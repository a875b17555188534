from __future__ import annotations

import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.perturbed.reading import Reading, one_spelling


def test_a_column_has_one_part_if_it_is_perturbed() -> None:
    read = Reading(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), None)
    assert read.columns(["a"]) == ("a",)
    assert read.names("b", "stratum") == ("b",) == read.names(["b"], "known column")
    read.faults.raise_if_any()
    read.names(["a"], "known column")
    with pytest.raises(dc.InputError, match="both perturbed and known column: a"):
        read.faults.raise_if_any()


def test_one_spelling_for_each_value() -> None:
    frame = one_spelling(pd.DataFrame({"a": ["1", "01", "1.0"], "b": ["x", "y", None]}), ["a", "b"])
    assert frame["a"].tolist() == ["1", "1", "1"]
