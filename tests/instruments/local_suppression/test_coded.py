"""A step of recoding tells what it did, and claims nothing."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pandas as pd
import pytest

import discreet as dc

RESULT = dc.top_code(pd.DataFrame({"age": [3, 40, 85, 97]}), {"age": 40})


def test_words_and_figures() -> None:
    assert RESULT.summary() == ("Top coding of age in 4 records\n  age  2 cells changed; 4 different values, now 2")
    assert RESULT.to_dict()["changed"] == {"age": 2}
    assert RESULT.to_dict()["values_after"] == {"age": 2}
    assert "2 cells changed" in RESULT._repr_html_()
    assert all(section.confidential for section in RESULT.sections())
    assert RESULT.plot().axes[0].get_title(loc="left") == "Different values before"
    assert RESULT.publication().data is RESULT.data


def test_a_step_is_no_release() -> None:
    with pytest.raises(dc.InputError, match="a step and no release"):
        RESULT.verify()
    assert RESULT.judged() is None
    with pytest.raises(FrozenInstanceError):
        RESULT.n = 5  # type: ignore[misc]
