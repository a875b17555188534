"""Columns of two frames in one coding: ours, a peer's, numbers, moments, categories, hierarchies, blanks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import discreet as dc
from discreet.frames import read as dc_read
from discreet.instruments.measured.columns import Pair, read_pairs
from discreet.measure.utility.columns import ANYTHING, MISSING, Categories, Numbers, take
from discreet.measure.utility.overall import column_loss, overall_loss


def pair(original: list[object], published: list[object], **how: object) -> Pair:
    return read_pairs(pd.DataFrame({"x": original}), pd.DataFrame({"x": published}), ["x"], **how)[0]  # type: ignore[arg-type]


def ends(found: Pair) -> list[tuple[float, float]]:
    assert isinstance(found.after, Numbers)
    return list(zip(found.after.low.tolist(), found.after.high.tolist()))


def sets(found: Pair) -> list[object]:
    """Per row the labels it may stand for; strangers by a question mark."""
    column = found.after
    assert isinstance(column, Categories)
    out: list[object] = []
    for code in column.codes.tolist():
        if code < 0:
            out.append({MISSING: None, ANYTHING: "*"}[code])
            continue
        members = column.member[column.first[code] : column.first[code + 1]].tolist()
        out.append([None if m == MISSING else found.labels[m] if m < column.size else "?" for m in members])
    return out


def test_numbers_in_every_notation() -> None:
    texts = ["17", "[17, 39]", "[17,39]", "(17, 39]", "[17; 39[", "17-39", "17 – 39", "*", "", None, "NA"]
    found = pair(list(range(11)), texts)
    assert found.kind == "numbers" and found.unread == 0
    assert ends(found)[:7] == [(17, 17)] + [(17, 39)] * 6
    assert ends(found)[7] == (-np.inf, np.inf)
    assert np.isnan(ends(found)[8:]).all()


def test_what_cannot_be_read_among_numbers_is_anything_and_counted() -> None:
    found = pair([1, 2, 3, 4], ["young", "[a, b]", "[9, 1]", "1e999"])
    assert found.unread == 4 and set(ends(found)) == {(-np.inf, np.inf)}


def test_moments() -> None:
    days = ["1950-01-03", "1950-01-05", "1952-04-30"]
    found = pair(days, ["1950-01-03", "[1950-01-03, 1950-01-05]", "*"])
    assert found.kind == "moments"
    (a, b), (low, high), _ = ends(found)
    assert a == b == low and high - low == 2
    stored = pair(pd.to_datetime(days), days)
    assert stored.kind == "moments" and column_loss(stored.before, stored.after) == 0


def test_text_that_looks_like_numbers_stays_text() -> None:
    found = pair(["01", "02", "1"], ["01", "{01, 02}", "2"])
    assert found.kind == "categories"
    assert sets(found) == [["01"], ["01", "02"], ["02"]]
    ambiguous = pair(["01", "1"], ["001", "1"])
    assert sets(ambiguous) == [["?"], ["1"]] and ambiguous.unread == 1


def test_numbers_named_categorical_are_categories() -> None:
    found = pair([1, 2, 3], ["1", "{1, 2}", "*"], categorical=["x"])
    assert sets(found) == [["1"], ["1", "2"], "*"]
    assert sets(pair([1, 2, 3], [1.0, 2.0, np.nan], categorical=["x"])) == [["1"], ["2"], None]


def test_sets_with_quotes_and_missing() -> None:
    found = pair(["a", "b, c", None], ['{"b, c", a}', "{, a}", ""])
    assert sets(found) == [["a", "b, c"], [None, "a"], None]
    assert isinstance(found.after, Categories) and found.after.values == 3


def test_the_missing_values_of_a_peer() -> None:
    assert sets(pair(["a", "b"], ["NA", "nan"])) == [None, None]
    assert sets(pair(["a", "NA"], ["NA", "a"])) == [["NA"], ["a"]]


def test_decimal_commas(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x;c\n1,5;p\n2,5;q\n4;r\n")
    (tmp_path / "b.csv").write_text("x;c\n[1,5, 2,5];p\n2,5;{p, q}\n*;r\n")
    before, after = (dc_read(tmp_path / name) for name in ("a.csv", "b.csv"))
    found = read_pairs(before, after, ["x", "c"])
    assert ends(found[0]) == [(1.5, 2.5), (2.5, 2.5), (-np.inf, np.inf)] and found[0].unread == 0
    assert sets(found[1]) == [["p"], ["p", "q"], ["r"]]


def test_case_and_truth_values_of_a_peer() -> None:
    assert sets(pair([True, False], ["True", "FALSE"])) == [["true"], ["false"]]
    assert sets(pair(["Yes", "No"], ["yes ", "no"])) == [["Yes"], ["No"]]


def test_labels_of_a_hierarchy() -> None:
    tree = {"top": {"south": ["a", "b"], "north": ["c", "d"]}}
    known = pair(["a", "b", "c", "c"], ["south", "b", "north", "top"], hierarchies={"x": tree})
    assert sets(known) == [["a", "b"], ["b"], ["c", "d"], ["a", "b", "c", "d"]]
    assert known.unread == 0
    assert column_loss(known.before, known.after) == pytest.approx((1 / 3 + 0 + 1 / 3 + 1) / 4)
    assert pair(["a", "b", "c", "c"], ["south", "b", "north", "top"]).unread == 3


def test_all_missing_and_no_rows() -> None:
    for empty in ([None, None], [np.nan, np.nan], ["", ""]):
        found = pair(empty, empty)
        assert column_loss(found.before, found.after) == 0
    assert column_loss(*(lambda p: (p.before, p.after))(pair([], []))) == 0


def test_frames_of_any_kind_read_the_same() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3], "c": ["a", "b", None]})
    boxes = pd.DataFrame({"x": ["[1, 2]", "2", None], "c": ["{a, b}", "b", None]})
    both = read_pairs(frame, boxes, ["x", "c"])
    again = read_pairs(pl.from_pandas(frame), pl.from_pandas(boxes), ["x", "c"])
    assert [column_loss(p.before, p.after) for p in both] == [column_loss(p.before, p.after) for p in again]


def test_a_generalized_file_of_ours() -> None:
    people = dc.datasets.survey(200, seed=1)[["age", "sex", "region"]]
    release = dc.generalize(people, k=3, quasi_identifiers=["age", "sex", "region"], random_state=1)
    order = np.asarray(release.publication().order)
    found = read_pairs(people, release.data, ["age", "sex", "region"])
    assert [p.unread for p in found] == [0, 0, 0]
    rows = [take(p.before, order) for p in found]
    loss = overall_loss(rows, [p.after for p in found])
    assert 0 < loss < overall_loss([p.before for p in found], [p.after for p in found])
