"""What may be claimed of blanks, and when a release is taken for one with blanks."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import discreet as dc

BEFORE = pd.DataFrame({"age": [30, 30, 41, 41], "sex": list("ffmm")})
AFTER = pd.DataFrame({"age": [30.0, 30.0, None, None], "sex": list("ffmm")})


def test_blanks_are_recognized_by_their_looks() -> None:
    assert dc.verify(BEFORE, AFTER, k=2, quasi_identifiers=["age", "sex"]).guarantee == "blanks"
    assert dc.verify(BEFORE, BEFORE, k=2, quasi_identifiers=["age", "sex"]).guarantee != "blanks"
    other = AFTER.assign(age=[35.0, 35.0, None, None])
    assert dc.verify(BEFORE, other, k=2, quasi_identifiers=["age", "sex"]).guarantee != "blanks"
    assert (
        dc.verify(BEFORE, AFTER[:3], k=2, quasi_identifiers=["age", "sex"], guarantee="classes").guarantee == "classes"
    )
    mixed = AFTER.iloc[[2, 0, 3, 1]].reset_index(drop=True)
    assert dc.verify(BEFORE, mixed, k=2, quasi_identifiers=["age", "sex"]).guarantee == "blanks"
    more = AFTER.assign(age=[30.0, 30.0, 30.0, None])
    assert dc.verify(BEFORE, more, k=2, quasi_identifiers=["age", "sex"]).guarantee != "blanks"
    # Who asks how combinations are shared asks about blanks.
    assert dc.verify(BEFORE, BEFORE, k=2, quasi_identifiers=["age", "sex"], semantics="cover").guarantee == "blanks"


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"guarantee": "classes", "semantics": "cover"}, "semantics is for the guarantee 'blanks'"),
        ({"guarantee": "classes", "combinations": 2}, "combinations is for the guarantee 'blanks'"),
        ({"guarantee": "blanks", "semantics": "wildcard"}, "unknown semantics"),
        ({"guarantee": "blanks", "combinations": 0}, "combinations must be"),
        ({"guarantee": "blanks", "combinations": True}, "combinations must be"),
        ({"guarantee": "blanks", "hierarchies": {"sex": [["f", "*"], ["m", "*"]]}}, "hierarchies"),
        ({"guarantee": "blanks", "missing": "wildcard"}, "missing"),
        ({"guarantee": "blanks", "earlier": ["a.json"]}, "earlier"),
        ({"guarantee": "blanks", "by": "other"}, "by"),
    ],
)
def test_what_makes_no_sense_is_refused(claim: dict[str, Any], words: str) -> None:
    frame = BEFORE.assign(other=1)
    with pytest.raises(dc.InputError, match=words):
        dc.verify(frame, AFTER.assign(other=1), k=2, quasi_identifiers=["age", "sex"], **claim)


def test_cover_needs_the_original() -> None:
    with pytest.raises(dc.InputError, match="cover can only be checked against the original"):
        dc.verify(None, AFTER, k=2, quasi_identifiers=["age", "sex"], guarantee="blanks", semantics="cover")
