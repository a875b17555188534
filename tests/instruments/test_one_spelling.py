"""What a method treats as equal it publishes in one spelling, and what it publishes as equal is equal to the byte."""

from __future__ import annotations

import csv
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import exact as oracle

import discreet as dc
from discreet import frames

ENTRIES = ("4.1", "4.10", "04.1", "300", "0300", "-0", "0", "0.0", "1", " 1", "1e0", "", "NA", "100000000000000000000")
WORDS = ("1_1", "11", "１１", "a", "A", "a ", "[1, 2]", "b, c", 'd"e', "f\ng", "")


def boxes(result: Any) -> list[tuple[Any, ...]]:
    """Per published row the exact values its box covers, per column, told by the method alone."""
    found = []
    for box in result.boxes.tolist():
        found.append(tuple(sorted(result.matches[box].tolist())))
    return found


def published_bytes(path: Path) -> list[bytes]:
    """The raw field of the only quasi-identifier, which is the last column and holds no line ends."""
    return [line.split(b"|", 1)[1] for line in path.read_bytes().splitlines()[1:]]


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(ENTRIES), min_size=6, max_size=14).filter(lambda texts: set(texts) - {"", "NA"}),
    st.integers(2, 3),
)
def test_numbers_in_a_text_file(tmp_path_factory: pytest.TempPathFactory, texts: list[str], k: int) -> None:
    folder = tmp_path_factory.mktemp("numbers")
    source = folder / "in.csv"
    quoted = [f'"{text}"' if place % 2 else text for place, text in enumerate(texts)]
    source.write_text("id|x\n" + "".join(f"{i}|{text}\n" for i, text in enumerate(quoted)))
    document = frames.read(source, exact=["x"])
    result = dc.generalize(
        document.frame, k, quasi_identifiers=["x"], numeric=["x"], missing="value", random_state=1, check=False
    )
    out = folder / "out.csv"
    frames.write(result.data, out, like=document, order=result.origin, anew=["x"])
    meant = oracle.meanings(list(texts))
    covered = [frozenset(meant[i] for i in rows) for rows in boxes(result)]
    fields = published_bytes(out)
    spelled: dict[object, set[bytes]] = {}
    for cover, text in zip(covered, fields):
        numbers = [value for value in cover if value is not None]
        key: object = None if not numbers else (min(numbers), max(numbers), None in cover)
        spelled.setdefault(key, set()).add(text)
    assert all(len(texts) == 1 for texts in spelled.values())
    assert len({text for texts in spelled.values() for text in texts}) <= len(spelled)
    for cover, field in zip(covered, fields):
        if len(cover) == 1:
            (value,) = cover
            text = field.decode().strip('"')
            assert (oracle.number(text) if text else None) == value


@settings(max_examples=60)
@given(st.lists(st.sampled_from(WORDS), min_size=6, max_size=14))
def test_words_in_a_typed_column(words: list[str]) -> None:
    frame = pa.table({"x": pa.array(words), "id": pa.array(range(len(words)))})
    result = dc.generalize(
        frame, 2, quasi_identifiers=["x"], categorical=["x"], missing="value", random_state=1, check=False
    )
    spelled: dict[object, set[str | None]] = {}
    for rows, text in zip(boxes(result), result.data["x"].to_pylist()):
        spelled.setdefault(frozenset(words[i] or None for i in rows), set()).add(text)
    assert all(len(texts) == 1 for texts in spelled.values())
    everything = [text for texts in spelled.values() for text in texts]
    assert len(set(everything)) == len(everything)


def test_ids_of_eighteen_digits_are_eight_people(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text("id,v\n" + "".join(f"10000000000000000{i},{i}\n" for i in range(8)))
    document = frames.read(path, exact=["id"])
    result = dc.generalize(document.frame, 4, quasi_identifiers=["id"], random_state=1)
    assert result.widened == {"id": 8}
    assert max(Counter(result.data["id"].to_pylist()).values()) >= 4


TYPED = {
    "zeros": (pa.array([0.0, -0.0] * 4), {"0"}),
    "gaps": (pa.array([float("nan"), None] * 4), {None}),
    "empty text": (pa.array(["", None] * 4), {None}),
    "strings of numbers": (pa.array(["4.1", "4.10"] * 4), {"4.1"}),
    "leading zeros": (pa.array(["300", "0300"] * 4), {"300"}),
    "spaces": (pa.array(["1", " 1"] * 4), {"1"}),
    "categories": (pa.array(["", None] * 4).dictionary_encode(), {None}),
}
NAMED = ("strings of numbers", "leading zeros", "spaces")  # text that is read as numbers because it is named so
KINDS = {"pyarrow": lambda t: t, "pandas": lambda t: t.to_pandas(), "polars": pl.from_arrow}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TYPED)
def test_equal_values_of_a_type_are_published_as_one(name: str, kind: str, tmp_path: Path) -> None:
    array, texts = TYPED[name]
    frame = KINDS[kind](pa.table({"x": array, "id": pa.array(range(8))}))
    numeric = ["x"] if name in NAMED else []
    result = dc.generalize(
        frame, 4, quasi_identifiers=["x"], numeric=numeric, missing="value", random_state=1, check=False
    )
    assert result.widened == {"x": 0}
    for target in ("out.csv", "out.parquet"):
        frames.write(result.data, tmp_path / target)
        column = frames.read(tmp_path / target, text=["x"] if target.endswith("csv") else ()).frame["x"]
        values = column.cast(pa.string()).to_pylist()
        assert set(values) == texts
        if pa.types.is_floating(column.type):
            assert column.null_count in (0, 8)
            assert not np.signbit(column.drop_null().to_numpy()).any()


DISTINCT = {
    "whole numbers": pa.array([2**53 + i for i in range(8)]),
    "uint64": pa.array([2**64 - 1 - i for i in range(8)], pa.uint64()),
    "decimals": pa.array([Decimal(10) ** 20 + i for i in range(8)]),
    "nanoseconds": pa.array([2**60 + i for i in range(8)], pa.timestamp("ns")),
    "times": pa.array(range(8), pa.time64("ns")),
    "strings of digits": pa.array([f"10000000000000000{i}" for i in range(8)]),
    "full-width digits": pa.array(["11", "１１"] * 4),
}


@pytest.mark.parametrize("name", DISTINCT)
def test_different_values_are_not_taken_for_one(name: str) -> None:
    array = DISTINCT[name]
    frame = pa.table({"x": array, "id": pa.array(range(8))})
    options = {"categorical": ["x"]} if name == "full-width digits" else {}
    result = dc.generalize(frame, 8, quasi_identifiers=["x"], random_state=1, check=False, **options)
    assert result.widened == {"x": 8}
    assert len(set(result.data["x"].to_pylist())) == 1


@pytest.mark.parametrize("value", ["*", "{a, b}", " * ", "{}"])
def test_values_that_read_like_boxes_are_refused(value: str) -> None:
    frame = pa.table({"x": ["a", "b", value] * 2})
    with pytest.raises(dc.InputError, match="read like published sets") as caught:
        dc.generalize(frame, 2, quasi_identifiers=["x"])
    assert value.strip() in ("*", "{}") or value not in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("a", "b", "*"), ("b", "x", "*"), ("c", "x", "*")], "two different sets"),
        ([("a", "{a, b}", "*"), ("b", "{a, b}", "*"), ("c", "x", "*"), ("d", "x", "*")], "read like sets"),
        ([("a", "*", "all"), ("b", "*", "all"), ("c", "x", "all"), ("d", "x", "all")], "means any of them"),
    ],
)
def test_labels_have_one_meaning(rows: list[tuple[str, ...]], words: str) -> None:
    frame = pa.table({"x": ["a", "b", "c"] * 2})
    with pytest.raises(dc.InputError, match=words):
        dc.generalize(frame, 2, quasi_identifiers=["x"], hierarchies={"x": rows})


def test_a_number_but_for_a_few_entries_is_no_category(tmp_path: Path) -> None:
    frame = pa.table({"x": ["1", "2", "3", "n/a", "00", "1,234"]})
    with pytest.raises(dc.InputError, match=r"'x' is numeric but for 2 of 6 entries.*categorical"):
        dc.generalize(frame, 2, quasi_identifiers=["x"], numeric=["x"])
    (tmp_path / "x.csv").write_text("x;y\n1;1\n2;1\n3;1\nn/a;1\n0;1\n4.1.2;1\n")
    with pytest.raises(dc.InputError, match=r"'x' is numeric but for 2 of 6 entries.*categorical"):
        dc.generalize(frames.read(tmp_path / "x.csv", exact=["x"]).frame, 2, quasi_identifiers=["x"])
    assert dc.generalize(frame, 2, quasi_identifiers=["x"], categorical=["x"], check=False).widened["x"] > 0


def test_dictionaries_tell_neither_the_order_of_rows_nor_what_is_gone(tmp_path: Path) -> None:
    words = ["zoe", "yan", "xia", "wim", "vic", "uwe", "tom", "sam"]
    column = pa.DictionaryArray.from_arrays(pa.array(range(8), pa.int32()), pa.array([*words, "gone"]))
    frame = pa.table({"x": [1] * 8, "name": column})
    result = dc.generalize(frame, 4, quasi_identifiers=["x"], random_state=1, accept=["name"])
    assert result.data["name"].combine_chunks().dictionary.to_pylist() == sorted(words)
    assert result.data.schema.field("name").type == column.type
    table = dc.generalize(frame.to_pandas(), 4, quasi_identifiers=["x"], random_state=1, accept=["name"]).data
    assert list(table["name"].cat.categories) == sorted(words)
    frames.write(pl.DataFrame(frame.to_pandas()), tmp_path / "p.parquet")
    assert b"gone" not in (tmp_path / "p.parquet").read_bytes()


def test_diversity_is_not_made_of_spellings() -> None:
    frame = pa.table({"x": list(range(8)), "illness": ["flu", "Flu", " flu", "ﬂu", "FLU", "flu ", "flu", "cold"]})
    with pytest.raises(dc.InfeasibleError):
        dc.generalize(frame, 4, quasi_identifiers=["x"], sensitive="illness", l=2)
    assert dc.generalize(frame.slice(0, 8), 8, quasi_identifiers=["x"], sensitive="illness", l=2, check=False).l == 2


def test_decimal_commas_come_back_unless_ranges_stand_among_them(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("x;v\n1,5;a\n1,50;b\n2,5;c\n2,5;d\n")
    document = frames.read(path, exact=["x"])
    for k, texts in ((2, {"1,5", "2,5"}), (4, {"[1.5, 2.5]"})):
        result = dc.generalize(document.frame, k, quasi_identifiers=["x"], random_state=1)
        frames.write(result.data, out, like=document, order=result.origin, anew=["x"], force=True)
        with out.open(newline="") as handle:
            assert {row["x"] for row in csv.DictReader(handle, delimiter=";")} == texts


def test_groups_are_published_alike_to_the_bit() -> None:
    hard = {
        "huge": [1.7e308, -1.7e308, 1.6e308, 1e308, 1.79e308, -1e308],
        "denormal": [5e-324 * i for i in (0, 1, 2, 7, 8, 9)],
        "zero": [-0.0, 0.0, -0.0, 0.0, -0.0, -0.0],
        "whole": [2**62 + i for i in range(6)],
    }
    for name, values in hard.items():
        frame = pa.table({name: values})
        result = dc.microaggregate(frame, 3)
        published = result.data[name].to_numpy()
        bits = published.view(np.int64)
        for group in range(result.groups):
            assert len(set(bits[result.labels == group].tolist())) == 1
        assert np.isfinite(published.astype(float)).all()
        assert not np.signbit(published[published == 0]).any()


def test_means_of_large_whole_numbers_are_exact() -> None:
    frame = pa.table({"x": pa.array([2**64 - 1, 2**64 - 2, 2**64 - 3] * 2, pa.uint64())})
    assert set(dc.microaggregate(frame, 6, round=True).data["x"].to_pylist()) == {2**64 - 2}
    same = pa.table({"x": [2**53 + 1] * 4})
    assert same.equals(dc.microaggregate(same, 2).data)


@pytest.mark.parametrize("cell", ["n/a", "1,234", "#N/A", "unknown", "-", "１２", "1 000", "inf"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_cell_does_not_take_a_column_out_of_protection(cell: str, kind: str) -> None:
    frame = KINDS[kind](pa.table({"income": ["10", "20", cell, "30"], "age": [1, 2, 3, 4]}))
    with pytest.raises(dc.InputError, match=r"income \(1 of 4\).*--columns.*--leave") as caught:
        dc.microaggregate(frame, 2)
    assert cell not in str(caught.value).replace("--", "").replace("1 of 4", "") or cell == "-"
    assert dc.microaggregate(frame, 2, leave=["income"]).columns == ("age",)
    assert dc.microaggregate(frame, 2, columns=["age"]).columns == ("age",)


def test_objects_and_decimals_of_any_width_are_numbers_too() -> None:
    frame = pd.DataFrame({"a": pd.Series([1, 2, "x", 4], dtype=object), "b": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(dc.InputError, match=r"a \(1 of 4\)"):
        dc.microaggregate(frame, 2)
    words = pd.DataFrame({"a": ["x", "y", "1", "z"], "b": [1.0, 2.0, 3.0, 4.0]})
    assert dc.microaggregate(words, 2).columns == ("b",)
    wide = pa.table({"a": pa.array([Decimal(i) for i in range(4)], pa.decimal256(50, 2))})
    assert dc.microaggregate(wide, 2).columns == ("a",)


def test_what_is_left_is_known_and_not_chosen() -> None:
    frame = pa.table({"a": [1, 2, 3], "b": [1, 2, 3]})
    with pytest.raises(dc.InputError, match="column to leave 'c'"):
        dc.microaggregate(frame, 2, leave=["c"])
    with pytest.raises(dc.InputError, match="accepted column 'c'"):
        dc.generalize(frame, 2, quasi_identifiers=["a"], accept=["c"])
    assert dc.microaggregate(frame, 2, leave=["b"], accept=["b"]).claim() == {
        "k": 2,
        "quasi_identifiers": ("a",),
        "guarantee": "microaggregation",
        "accept": ("b",),
    }
    claim = dc.generalize(frame, 2, quasi_identifiers=["a"], check=False).claim()
    assert (claim["guarantee"], claim["missing"], claim["quasi_identifiers"]) == ("matchings", "value", ("a",))


@pytest.mark.parametrize("seed", [-1, 2**63, 10**23, True, 1.5, "1"])
def test_seeds_that_no_generator_takes(seed: Any) -> None:
    frame = pa.table({"a": [1, 2, 3, 4]})
    for call in (
        lambda: dc.microaggregate(frame, 2, random_state=seed),
        lambda: dc.generalize(frame, 2, quasi_identifiers=["a"], random_state=seed),
    ):
        with pytest.raises(dc.InputError, match="random_state must be a whole number"):
            call()
