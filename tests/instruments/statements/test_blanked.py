"""A local suppression in plain language: whom it hides, and what its blanks tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.instruments.statements.blanked import statement
from discreet.results import Section

FRAME = dc.datasets.survey(90, seed=2)[["age", "sex", "region"]]


def made(**options: Any) -> dc.LocalSuppression:
    return dc.suppress_locally(FRAME, 3, keys=["age", "sex", "region"], **options)


def test_by_class() -> None:
    found = statement(made())
    assert "3 rows or more show the same" in found.heading and "shown by 3 rows or more" in found.done[1]
    assert "once in 3 times" in found.against_whom[0] and "order of the rows" in found.not_covered[0]
    assert "not missing at random" in found.cost[1]


def test_by_cover() -> None:
    found = statement(made(semantics="cover", shuffle=True))
    assert "people or more fit" in found.heading and "fits 3 records" in found.done[1]
    assert "picks a published row" in found.against_whom[0] and "looks for a person" in found.not_covered[0]
    assert "shuffled in secret" in found.done[-1]


def test_some_of_the_keys_and_a_seed() -> None:
    found = statement(made(combinations=2, shuffle=True, random_state=1))
    assert "any 2 of the columns" in found.done[1] and "fixed seed" in found.not_covered[0]
    assert "more than 2 of these columns" in found.not_covered[1]


def test_it_does_not_say_how_near_the_fewest_it_is() -> None:
    result = made()
    assert result.status == "optimal" or result.gap is not None
    words = " ".join(word for _, sentences in statement(result).questions() for word in sentences)
    assert "fewe" not in words and "optimal" not in words and "proven" not in words


def named(sections: list[Section]) -> dict[str, Section]:
    return {section.title: section for section in sections}


def test_blanks_are_public_where_anybody_can_count_them() -> None:
    """Not few of them, not those that were missing before, and not what they were weighed by."""
    title = "What is blank, column by column"
    at = np.arange(120)
    frame = pd.DataFrame({"a": at % 2, "b": np.where(at < 108, -1, at)})
    many = dc.suppress_locally(frame, 5, keys=["a", "b"], importance={"a": 2, "b": 1})
    shown = named(many.public_sections())[title]
    assert shown.columns == ("column", "blanks", "of rows, %") and ("b", 12, "10") in shown.rows
    assert "importance" in named(many.sections())[title].columns
    few = frame.assign(b=np.where(at < 117, 0, at))
    assert title not in named(dc.suppress_locally(few, 5, keys=["b"], semantics="cover").public_sections())
    gaps = frame.assign(c=[None if i % 10 == 0 else "x" for i in at])
    assert title not in named(dc.suppress_locally(gaps, 5, keys=["b", "c"]).public_sections())


@pytest.mark.parametrize(("k", "span"), [(4, "5 to 9"), (7, "7 to 9"), (9, "9")])
def test_sizes_of_classes_begin_at_k(k: int, span: str) -> None:
    frame = pd.DataFrame({"a": np.repeat(np.arange(6), 9)})
    shown = named(dc.suppress_locally(frame, k, keys=["a"]).public_sections())["How many rows show the same keys"]
    assert shown.rows == [(span, 54)]
