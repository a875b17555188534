"""What a column is taken for: no count is ever guessed to be a variable."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames import Document
from discreet.release.loading.choices import Choices
from discreet.release.loading.columns import FEW, Column, describe, explain_doubt, take


def columns_of(**columns: Any) -> dict[str, Column]:
    document = Document("the file", "Parquet", pa.table(columns))
    return {column.name: column for column in describe(document)}


@pytest.mark.parametrize(
    ("values", "could"),
    [
        ([3, 0, 7], True),
        ([3.0, 1.0, 7.0], True),
        (pa.array([3, 9]).dictionary_encode(), True),
        (pa.array([2**63 + 5], pa.uint64()), True),
        ([Decimal("3.00"), Decimal("4.00")], True),
        ([3, None, 7], True),
        (["12", "<5", "7"], True),
        (["1,234", "12", "none"], True),
        (["1 234", "5 678"], True),
        ([3, -1], False),
        ([0.5, 1.0], False),
        ([True, False], False),
        (["01", "02"], False),
        (["<3", ">=3"], False),
        (["20-29", "30-39", "65+"], False),
        (["a", "b", "1"], False),
        ([[1], [2]], False),
        ([b"1", b"2"], False),
        (pa.array([1, 2], pa.date32()), False),
        (pa.nulls(2), False),
    ],
)
def test_what_could_be_a_count(values: Any, could: bool) -> None:
    assert columns_of(x=values)["x"].could_count is could


def test_codes_are_no_counts_unless_their_name_says_so() -> None:
    assert not columns_of(region=["007", "012"])["region"].could_count
    assert columns_of(Freq=["007", "012"])["Freq"].could_count


@pytest.mark.parametrize("name", ["Freq", "n", "N", "Count", "FREQUENCY", "cell_count", "nObs", "n.cases", "Weight"])
def test_names_that_counts_bear(name: str) -> None:
    assert Column(name, "whole", 3, True).named_like_a_count
    assert not Column(name, "whole", 3, True).kept


@pytest.mark.parametrize(
    "values", [["12*", "13*", "9 *"], ["(12)", "(13)", "14"], ["12 %", "9 %"], ["~7", "<5", "≥ 3"]]
)
def test_figures_with_marks_under_the_name_of_a_count(values: list[str]) -> None:
    """Counts with footnotes: as categories they would all be shown."""
    columns = list(columns_of(A=["x"] * len(values), Freq=values).values())
    assert take(columns, Choices()).doubt == ("Freq",)
    assert take(columns, Choices(records=True)).variables == ("A",)
    assert take(list(columns_of(A=values).values()), Choices()).variables == ("A",)
    assert take(list(columns_of(Freq=["often", "12 times", "never"]).values()), Choices()).variables == ("Freq",)


@pytest.mark.parametrize("name", ["sex", "nation", "Region", "income", "counter_name", "sunday"])
def test_names_that_they_do_not(name: str) -> None:
    assert Column(name, "whole", 3, True).kept


def test_many_numbers_are_no_variable_unasked() -> None:
    columns = list(columns_of(age=list(range(FEW + 1)), sex=["f"] * (FEW + 1), few=[1] * (FEW + 1)).values())
    taken = take(columns, Choices(records=True))
    assert (taken.variables, taken.left_out) == (("sex", "few"), ("age",))
    assert take(columns, Choices(records=True, variables=("age",))).variables == ("age",)


def test_the_column_count_is_the_count() -> None:
    columns = list(columns_of(A=["x", "y"], B=[1, 2], Freq=[3, 4], count=[5, 6]).values())
    taken = take(columns, Choices())
    assert (taken.count, taken.records, taken.doubt) == ("count", False, ())
    assert (taken.variables, taken.left_out) == (("A", "B"), ("Freq",))


def test_doubt_names_the_columns_and_the_way_out() -> None:
    columns = list(columns_of(A=["x", "y"], B=[1, 2], Freq=[3, 4]).values())
    taken = take(columns, Choices())
    assert taken.doubt == ("B", "Freq")
    assert not taken.records
    told = explain_doubt(taken.doubt)
    assert "B, Freq" in told and "--count" in told and "--records" in told
    assert not take(columns, Choices(count="Freq")).doubt
    assert not take(columns, Choices(records=True)).doubt


def test_nothing_that_could_count_leaves_no_doubt() -> None:
    assert take(list(columns_of(A=["x", "y"], B=["1-2", "3-4"]).values()), Choices()).records


def test_wrong_names_are_one_error() -> None:
    columns = list(columns_of(A=["x"], L=[[1]]).values())
    with pytest.raises(InputError) as error:
        take(columns, Choices(count="n", variables=("A", "L", "Z")))
    assert len(error.value.faults) == 3


def test_both_count_and_records_is_an_error() -> None:
    with pytest.raises(InputError, match="not both"):
        Choices(count="n", records=True)
    with pytest.raises(InputError, match="at least one"):
        Choices(variables=())


@given(
    counts=st.lists(st.integers(0, 10**6), min_size=1, max_size=40),
    name=st.sampled_from(["Freq", "n", "x", "Anzahl", "result"]),
    kind=st.sampled_from(["int", "float", "text", "dictionary"]),
)
def test_whole_numbers_are_never_a_variable_by_themselves(counts: list[int], name: str, kind: str) -> None:
    """Whatever the column is called and however it is stored: unless someone says what rows are, there is doubt."""
    values: Any = counts
    if kind == "float":
        values = [float(value) for value in counts]
    elif kind == "text":
        values = [str(value) for value in counts]
    elif kind == "dictionary":
        values = pa.array(counts).dictionary_encode()
    columns = list(columns_of(A=["a"] * len(counts), **{name: values}).values())
    assert take(columns, Choices()).doubt == (name,)


def test_a_count_by_name_alone_is_asked_about() -> None:
    """Fractions and negative numbers are no counts; but rows must not be counted in their place without a word."""
    columns = [Column("sex", "text", 2, False), Column("Freq", "number", 9, False)]
    assert take(columns, Choices()).doubt == ("Freq",)
    assert take(columns, Choices(records=True)).doubt == ()
    assert take([columns[0], Column("height", "number", 9, False)], Choices()).doubt == ()
