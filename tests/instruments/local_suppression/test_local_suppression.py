"""A file with blanks as a result: figures, sentences, and what of them is for everybody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.local_suppression.local_suppression import LocalSuppression
from discreet.results import about

KEYS = ["a", "b", "c"]


def people(n: int = 150) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(0, 4, n) for name in KEYS})
    return frame.assign(c=[f"v{v}" for v in frame["c"]])


def sharers(frame: pd.DataFrame) -> pd.Series:
    return frame[KEYS].astype(object).where(frame[KEYS].notna(), "blank").groupby(KEYS)["a"].transform("size")


@pytest.fixture(scope="module")
def result() -> LocalSuppression:
    return dc.suppress_locally(people(), 3, keys=KEYS)


def test_pages_and_pictures(result: LocalSuppression) -> None:
    html = result._repr_html_()
    assert "Local suppression in 150 records" in html
    titles = [section.title for section in result.sections()]
    assert titles == ["What is blank, column by column", "What an intruder can do", "How many rows show the same keys"]
    assert not any(section.confidential for section in result.sections())
    cover = dc.suppress_locally(people(), 3, keys=KEYS, semantics="cover")
    small = int((sharers(cover.data) < 3).sum())
    assert cover.sections()[2].confidential == (small > 0)
    assert sum(row[1] for row in result.sections()[2].rows) == 150
    assert result.plot().axes[0].get_title(loc="left") == "Blanks by column"


def test_counts_are_those_of_the_blanks(result: LocalSuppression) -> None:
    blank = result.data[KEYS].isna().to_numpy()
    assert result.suppressed == blank.sum() and result.by_column == dict(zip(KEYS, blank.sum(axis=0).tolist()))
    told = result.to_dict()
    assert told["suppressed"] == result.suppressed and told["by_column"] == result.by_column
    assert ("secret_draw" in told) == result.shuffled
    assert result.claim() == {"k": 3, "quasi_identifiers": tuple(KEYS), "guarantee": "blanks", "semantics": "class"}
    assert (
        replace(result, accept=("x",), combinations=2).claim() | {"accept": ("x",), "combinations": 2}
        == replace(result, accept=("x",), combinations=2).claim()
    )


def test_what_is_said_is_so(result: LocalSuppression) -> None:
    facts = dict(result.facts())
    assert facts["suppressed"].startswith(f"{result.suppressed} of 450 cells")
    assert "do with fewer than" in facts["proof"] and "cost" not in facts and "missing" not in facts
    weighted = replace(result, importance={"a": 2.0, "b": 1.0, "c": 1.0}, missing=4)
    facts = dict(weighted.facts())
    assert "a blank in each costs: a 2, b 1, c 1" in facts["cost"] and "cost less than" in facts["proof"]
    assert "4 keys were missing" in facts["missing"]
    assert dict(replace(result, order=None).facts())["rows"] == "in the order of the original"
    shuffled = replace(result, order=np.arange(150), seed=None)
    assert dict(shuffled.facts())["rows"] == "in a secret random order"
    assert "whoever knows the seed" in dict(replace(shuffled, seed=7).facts())["rows"]
    assert "proof" not in dict(replace(result, lower_bound=None, gap=None).facts())


def test_what_few_rows_have_is_not_for_everybody(result: LocalSuppression) -> None:
    assert [section.confidential for section in replace(result, missing=1).sections()] == [True, False, False]
    few = np.zeros_like(result.blank)
    few[:2, 0] = True
    assert replace(result, blank=few).sections()[0].confidential
    public = result.public_sections()
    assert public[0].columns == ("column", "blanks", "of rows, %")
    assert list(public[0].rows) == [(n, c, about(100 * c / 150)) for n, c in result.by_column.items()]
    assert len(replace(result, missing=1).public_sections()) == 2
