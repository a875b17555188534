"""Quasi-identifiers as codes and back to text: every fault at once, equal values as one, boxes by their labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from discreet.errors import Faults, InputError
from discreet.frames import adopt
from discreet.generalization.hierarchy import Hierarchy
from discreet.instruments.quasi_identifiers import Reading, Treatment, as_hierarchy, known_columns, read

FRAME = pd.DataFrame(
    {
        "age": [20, 31, 45, 45, 20, 60],
        "sex": ["f", "m", "f ", "F", "m", "m"],
        "place": ["a", "b", "c", "d", "a", "b"],
        "ill": ["x", None, "y", "x", "Y", "z"],
    }
)
ROWS = [("a", "north", "*"), ("b", "north", "*"), ("c", "south", "*"), ("d", "south", "*")]


def treatment(**more: object) -> Treatment:
    plain = {
        "hierarchies": {}, "categorical": (), "ordered": {}, "importance": {}, "ncp": "distinct", "missing": "error",
        "sensitive": None,
    }  # fmt: skip
    return Treatment(**{**plain, **more})  # type: ignore[arg-type]


def reading(*names: str, **more: object) -> Reading:
    faults = Faults()
    found = read(adopt(FRAME), list(names), treatment(**more), faults)
    faults.raise_if_any()
    return found


def test_boxes_are_spelled_as_what_they_cover() -> None:
    found = reading("age", "sex", "place", hierarchies={"place": ROWS})
    cover = np.array([[0, 1], [1, 0], [2, 3], [3, 2], [4, 4], [5, 1]])
    texts, widened = found.spell(cover)
    assert texts["age"].tolist() == ["[20, 31]", "[20, 31]", "45", "45", "20", "[31, 60]"]
    assert texts["place"].tolist() == ["north", "north", "south", "south", "a", "b"]
    assert texts["sex"].tolist() == ["{f, m}", "{f, m}", '{F, "f "}', '{F, "f "}', "m", "m"]
    assert widened == {"age": 3, "sex": 4, "place": 4}
    assert found.numbers == {"age"} and set(found.hierarchies) == {"place"}
    losses = found.losses(cover)
    assert losses["age"] == pytest.approx((11 + 11 + 29) / 40 / 6) and set(losses) == {"age", "sex", "place"}


def test_a_column_that_is_never_widened_keeps_its_values() -> None:
    found = reading("age", "place")
    alone = np.arange(6)[:, None]
    texts, widened = found.spell(alone)
    assert texts == {} and widened == {"age": 0, "place": 0}
    rows = np.array([3, 0])
    plain = found.plain(rows, {"age"})
    assert list(plain) == ["place"] and [plain["place"].texts[c] for c in plain["place"].codes] == ["d", "a"]


def test_sensitive_values_are_numbered_as_readers_tell_them_apart() -> None:
    codes = reading("age", sensitive="ill").sensitive_codes()
    assert codes[1] == -1 and codes[0] == codes[3] and codes[2] == codes[4] and len(set(codes[codes >= 0])) == 3
    assert codes.max() == 2


def test_caps_and_levels_are_published_throughout() -> None:
    found = reading("age", "place", hierarchies={"place": ROWS}, caps={"age": 45}, levels={"place": 1})
    texts, widened = found.spell(np.arange(6)[:, None])
    assert set(texts) == {"age", "place"} == set(found.recoded)
    assert texts["age"].tolist()[:5] == ["20", "31", "45", "45", "20"] and texts["age"][5] != "60"
    assert texts["place"].tolist() == ["north", "north", "south", "south", "north", "north"]
    assert widened["place"] == 6
    assert dict(found.caps["age"]) == {"top": "45"}


def test_everything_that_is_wrong_is_said_at_once() -> None:
    faults = Faults()
    wrong = treatment(
        ncp="hat", missing="guess", categorical=["zz"], ordered={"sex": ["f", "m"]}, hierarchies={"sex": ROWS},
        levels={"place": -1}, importance={"age": 0.0}, numeric=["sex"], sensitive="hat",
    )  # fmt: skip
    with pytest.raises(InputError) as caught:
        read(adopt(FRAME), ["age", "sex", "place"], wrong, faults)
    text = str(caught.value)
    for words in (
        "unknown ncp", "unknown policy", "categorical names columns that are not quasi-identifiers: zz",
        "both ordered and with a hierarchy: sex", "both numeric and read as categories: sex",
        "the least level of 'place'", "the importance of 'age'", "hat",
    ):  # fmt: skip
        assert words in text, words


def test_names_are_taken_once_and_unknown_ones_are_told() -> None:
    faults = Faults()
    assert known_columns(adopt(FRAME), ["age", "sex", "age", "hat"], faults) == ["age", "sex"]
    assert faults
    assert known_columns(adopt(FRAME), "age", Faults()) == []


def test_a_hierarchy_from_whatever_describes_it(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("".join(",".join(row) + "\n" for row in ROWS))
    nested = {"*": {"north": ["a", "b"], "south": ["c", "d"]}}
    found = [as_hierarchy(given, "place") for given in (ROWS, nested, path, str(path))]
    assert all(isinstance(one, Hierarchy) and sorted(one.leaves) == list("abcd") for one in found)
    assert as_hierarchy(found[0], "place") is found[0]
    assert len({tuple(map(tuple, one.rows())) for one in found}) == 1
    with pytest.raises(InputError, match="hierarchy of 'place'"):
        as_hierarchy([("a", "n", "*"), ("a", "s", "*")], "place")
