"""Every combination of guarantee and option is checked or an error; the columns examined are named."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import discreet as dc
from discreet.verify import File

FRAME = pd.DataFrame({"x": [1, 1, 2, 2], "s": ["a", "b", "a", "b"]})
OPTIONS: dict[str, dict[str, Any]] = {
    "l": {"sensitive": "s", "l": 2},
    "categorical": {"categorical": ["x"]},
    "hierarchies": {"hierarchies": {"x": [("1", "*"), ("2", "*")]}},
    "missing": {"missing": "wildcard"},
    "secret": {"secret": "published_row,box_of,origin,match_1,match_2\n"},
}
FOR_BOXES = {"categorical", "hierarchies", "missing", "secret"}
SUBSETS = list(chain.from_iterable(combinations(OPTIONS, size) for size in range(len(OPTIONS) + 1)))


@pytest.mark.parametrize("guarantee", ["auto", "classes", "microaggregation"])
@pytest.mark.parametrize("original", [True, False])
@pytest.mark.parametrize("chosen", SUBSETS, ids="-".join)
def test_options_are_checked_or_an_error(guarantee: str, original: bool, chosen: tuple[str, ...]) -> None:
    given = {key: value for name in chosen for key, value in OPTIONS[name].items()}
    hinted = original and ("secret" in chosen or (guarantee == "auto" and "hierarchies" in chosen))
    boxes = hinted or (original and guarantee == "classes")
    impossible = (FOR_BOXES & set(chosen) and not boxes) or (guarantee == "microaggregation" and not original)
    if guarantee == "microaggregation" and "secret" in chosen:
        impossible = True
    call = {"k": 2, "quasi_identifiers": ["x"], "guarantee": guarantee, **given}
    if impossible:
        with pytest.raises(dc.InputError):
            dc.verify(FRAME if original else None, FRAME, **call)
    elif not hinted:
        verdict = dc.verify(FRAME if original else None, FRAME, **call)
        assert verdict.safe and ("l" not in chosen or verdict.figures["l"] == 2)


@pytest.mark.parametrize("guarantee", ["classes", "microaggregation", "matchings"])
@pytest.mark.parametrize("values", [["a", "A", "a ", " a"], ["1", "1.0", "１", "+1"], ["", "", "", ""]])
def test_l_counts_values_that_differ_in_more_than_form(guarantee: str, values: list[str]) -> None:
    alike = FRAME.assign(s=values)
    names = {"quasi_identifiers": ["x"], "sensitive": "s", "guarantee": guarantee}
    assert dc.verify(FRAME, FRAME, k=2, l=2, **names)
    assert not dc.verify(alike, alike, k=2, l=2, **names)
    assert bool(dc.verify(alike, alike, k=2, l=1, **names)) == any(values), "what is missing is no value"


def test_k_is_any_whole_number() -> None:
    for k in (2, np.int8(2), np.uint64(2)):
        assert dc.verify(FRAME, FRAME, k=k, quasi_identifiers=["x"])
    for k in (True, np.bool_(True), 2.0, "2", None, 0, -1):
        with pytest.raises(dc.InputError, match="k must be"):
            dc.verify(FRAME, FRAME, k=k, quasi_identifiers=["x"])


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(dc.InputError) as caught:
        dc.verify(FRAME, FRAME, k=0, quasi_identifiers=["no"], guarantee="x", missing="y", l=1, accept=["z"])
    assert len(caught.value.faults) == 7


def numbers(odd: str, rows: int = 30) -> File:
    lines = [f"{1000 + 37 * i},q" for i in range(rows)]
    return File(data="\n".join(["income,z", *lines, f"{odd},q", ""]).encode())


@pytest.mark.parametrize("odd", ["n/a", '"1,234"', "unknown", "1e999", "0x1F", "１"])
def test_a_column_with_an_odd_cell_does_not_drop_out(odd: str) -> None:
    file = numbers(odd)
    with pytest.raises(dc.InputError, match="income of the original holds numbers but for 1 of 31") as caught:
        dc.verify(file, file, k=3)
    assert odd.strip('"') not in str(caught.value)
    assert dc.verify(file, file, k=3, accept=["income"]).limits


@pytest.mark.parametrize("odd", ["00", "NA", "", '"7"', " 7"])
def test_a_column_with_an_odd_number_is_examined(odd: str) -> None:
    verdict = dc.verify(numbers(odd), numbers(odd), k=3)
    assert verdict.outcome == "unsafe" and "income" in str(verdict.figures["columns"])


def test_columns_examined_are_named() -> None:
    original = pd.DataFrame({"x": [1, 3, 5, 7], "code": ["01", "02", "10", "11"], "t": list("aabb")})
    published = original.assign(x=[2.0, 2.0, 6.0, 6.0])
    verdict = dc.verify(original, published, k=2)
    assert verdict.safe and verdict.figures["columns"] == "x"
    assert any("since none were named: x" in words for words in verdict.proven)
    assert any("code look like codes" in words for words in verdict.limits)
    named = dc.verify(original, published, k=2, quasi_identifiers=["x"])
    assert not any("since none were named" in words for words in named.proven)


def test_a_shuffled_release_in_which_nothing_was_widened_is_recognized() -> None:
    original = pd.DataFrame({"x": [10, 10, 20, 20, 30, 30], "s": list("abcdef")})
    shuffled = original.iloc[[3, 0, 5, 1, 4, 2]].reset_index(drop=True)
    verdict = dc.verify(original, shuffled, k=2, quasi_identifiers=["x"])
    assert verdict.safe and verdict.guarantee == "matchings"
    assert dc.verify(original, original, k=2, quasi_identifiers=["x"]).guarantee == "microaggregation"
    torn = shuffled.assign(s=list("abcdef"))  # no row of the original any more
    assert not dc.verify(original, torn, k=2, quasi_identifiers=["x"])
    anything = shuffled.assign(x="*")
    assert dc.verify(original, anything, k=2, quasi_identifiers=["x"]).guarantee == "matchings"
    lines = original.assign(x=["a\nb", "a\nb", "c", "c", "d", "d"])
    wide = lines.assign(x="{a\nb, c, d}")
    assert dc.verify(lines, wide, k=2, quasi_identifiers=["x"]).guarantee == "matchings"
