"""Releases made to be misread: entries with two readings, labels at two places, ranges and means nearly right."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import discreet as dc
from discreet.verify import File, verify


def column(fields: list[str]) -> File:
    quoted = ['"' + field.replace('"', '""') + '"' if "," in field else field for field in fields]
    return File(data=("x,y\n" + "".join(f"{field},0\n" for field in quoted)).encode())


def outcome(original: Any, published: Any, k: int, guarantee: str = "matchings", **more: Any) -> str:
    before, after = (column(side) if isinstance(side, list) else side for side in (original, published))
    try:
        return verify(before, after, k=k, quasi_identifiers=["x"], guarantee=guarantee, **more).outcome
    except dc.InputError:
        return "error"


DAYS = [f"2020-01-0{i}" for i in (1, 2, 3, 4)]
MATCHINGS = {
    "a category like a set": (["a", "b", "{a, b}", "{a, b}"], "{a, b}", "unsafe"),
    "only such categories": (["{a, b}"] * 4, "{a, b}", "safe"),
    "a category like anything": (["*", "a", "b", "c"], "*", "unsafe"),
    "a category like a range": (["[1, 2]", "1", "2", "a"], "[1, 2]", "unsafe"),
    "braces too many": (list("abcd"), "{a, b, c, d}}", "cannot tell"),
    "blanks in a set": (list("abcd"), "{a,  b, c, d}", "unsafe"),
    "a set": (list("abcd"), "{a, b, c, d}", "safe"),
    "ends exchanged": (list("1234"), "[4, 1]", "unsafe"),
    "infinite": (list("1234"), "[1, inf]", "cannot tell"),
    "missing outside a range": (["1", "2", "3", ""], "[1, 3]", "unsafe"),
    "more digits than a float": (["0.1000000000000000055511151231257827", "0.1", "0.1", "0.1"], "0.1", "unsafe"),
    "just below": (["1", "2", "3", "100000000000000000001"], "[1, 100000000000000000000]", "unsafe"),
    "dates": (DAYS, "[2020-01-01, 2020-01-04]", "safe"),
    "a day short": (DAYS, "[2020-01-01, 2020-01-03]", "unsafe"),
}


@pytest.mark.parametrize("case", MATCHINGS)
def test_boxes_cover_what_they_say_and_no_more(case: str) -> None:
    original, box, expected = MATCHINGS[case]
    assert outcome(original, [box] * 4, 4) == expected


TYPED = {
    "dates": (
        pa.array([18000, 18001, 18002, 18003], pa.date32()),
        "[2019-04-14, 2019-04-17]",
        "[2019-04-14, 2019-04-16]",
    ),
    "moments": (
        pa.array([0, 1, 2, 3], pa.timestamp("ns")),
        "[1970-01-01, 1970-01-01 00:00:00.000000003]",
        "[1970-01-01, 1970-01-01 00:00:00.000000002]",
    ),
    "times": (pa.array([0, 1, 2, 3], pa.time32("s")), "[00:00:00, 00:00:03]", "[00:00:00, 00:00:02]"),
    "durations": (
        pa.array([2**60 + i for i in range(4)], pa.duration("ns")),
        f"[{2**60}, {2**60 + 3}]",
        f"[{2**60}, {2**60 + 2}]",
    ),
    "whole": (pa.array([2**62 + i for i in range(4)]), f"[{2**62}, {2**62 + 3}]", f"[{2**62}, {2**62 + 2}]"),
    "floats": (pa.array([0.1, 0.2, 0.3, 0.7]), "[0.1, 0.7]", "[0.1, 0.6999999999999999]"),
    "narrow floats": (pa.array([0.1, 0.2, 0.3, 0.7], pa.float32()), "[0.1, 0.7]", "[0.1, 0.6999999]"),
    "decimals": (pa.array(["0.10", "0.20", "0.30", "0.70"]).cast(pa.decimal128(10, 2)), "[0.1, 0.7]", "[0.1, 0.69]"),
}


@pytest.mark.parametrize("case", TYPED)
def test_ranges_over_typed_originals(case: str) -> None:
    array, enough, short = TYPED[case]
    original = pa.table({"x": array})
    assert outcome(original, pa.table({"x": [enough] * 4}), 4) == "safe"
    assert outcome(original, pa.table({"x": [short] * 4}), 4) == "unsafe"
    assert outcome(original, pa.table({"x": [enough] * 3 + [short]}), 4) == "unsafe"


def test_a_label_names_one_set_of_values() -> None:
    tree = [("a", "G", "*"), ("b", "G", "*"), ("c", "K", "*"), ("d", "K", "*")]
    assert outcome(list("abcd"), ["G", "G", "K", "K"], 2, hierarchies={"x": tree}) == "safe"
    assert outcome(list("abcd"), ["G"] * 4, 2, hierarchies={"x": tree}) == "unsafe"
    torn = [("a", "G", "H", "*"), ("b", "G", "H", "*"), ("c", "K", "G", "*"), ("d", "K", "G", "*")]
    assert outcome(list("abcd"), ["G"] * 4, 4, hierarchies={"x": torn}) == "error"
    value = [("Rome", "Italy", "*"), ("Italy", "X", "*"), ("Oslo", "Norway", "*")]
    assert outcome(["Rome", "Italy", "Oslo"], ["Italy"] * 3, 3, hierarchies={"x": value}) in ("unsafe", "error")
    assert outcome(list("abcd"), ["G", "G", "{c, d}", "K"], 2, hierarchies={"x": tree}) == "unsafe"


MEANS = {
    "halves": (["1", "2"], "1.5", "safe"),
    "rounded": (["1", "2"], "2", "safe"),
    "rounded away": (["1", "2"], "3", "unsafe"),
    "huge": (["1e300", "3e300"], "2e300", "safe"),
    "at the end of floats": (["1.7e308", "1.7e308"], "1.7e308", "safe"),
    "denormal": (["5e-324", "5e-324"], "5e-324", "safe"),
    "beyond 2^53": ([str(2**60), str(2**60 + 4)], str(2**60 + 2), "safe"),
    "off beyond 2^53": ([str(2**60), str(2**60 + 4)], str(2**60 + 10**6), "unsafe"),
    "beyond floats": (["1e399", "1e399"], "1e399", "unsafe"),
}


@pytest.mark.parametrize("case", MEANS)
def test_means_by_the_size_of_their_class(case: str) -> None:
    original, mean, expected = MEANS[case]
    assert outcome(original, [mean] * 2, 2, "microaggregation") == expected


def test_a_huge_value_elsewhere_hides_nothing() -> None:
    original = ["1e12", "1e12", "1", "2"]
    assert outcome(original, ["1e12", "1e12", "1.5", "1.5"], 2, "microaggregation") == "safe"
    assert outcome(original, ["1e12", "1e12", "1.49", "1.49"], 2, "microaggregation") == "unsafe"
