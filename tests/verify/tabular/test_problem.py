"""Tables as the checker reads them: to the last digit, and one error for all that is wrong with them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.patterns import random_problem
from verify.tabular.cases import ROWS, VALUES, written

from discreet.errors import InputError
from discreet.verify.tabular.problem import FREE, PRIMARY, _digits, _whole, load


def test_a_file_is_read_as_it_stands(tmp_path: Path) -> None:
    table = load(written(tmp_path / "p.jj", "ssssumsmm", level=2, sliding=3, costs={1: 7}), "the table")
    assert table.value.tolist() == VALUES
    assert table.status[4] == PRIMARY and table.status[0] == FREE
    assert np.flatnonzero(table.hidden).tolist() == [4, 5, 7, 8]
    assert (table.below[4], table.above[4], table.sliding[4]) == (2, 2, 3)
    assert table.cost[1] == 7 and table.cost[0] == 18
    assert [table.terms(r) for r in range(len(ROWS))] == ROWS
    assert load(table, "the table") is table


def test_decimals_are_whole_numbers_of_the_smallest_unit(tmp_path: Path) -> None:
    path = written(tmp_path / "q.jj")
    path.write_text(path.read_text().replace("0 18 18 s 0 20", "0 18.00 18 s -0.5 20.25"))
    table = load(path, "the table")
    assert table.decimals == 2
    assert table.value[0] == 1800 and table.lower[0] == -50 and table.upper[0] == 2025
    assert table.cost[0] == 18, "costs have a unit of their own"


@given(st.decimals(-(10**9), 10**9, places=4))
def test_numbers_are_exact(number: Decimal) -> None:
    text = f"{number:f}"
    assert _digits(text) == max(0, -number.normalize().as_tuple().exponent)  # type: ignore[operator]
    assert _whole(text, 6) == int(number.scaleb(6))


@pytest.mark.parametrize("text", ["", ".", "1e3", "1,5", "NaN", "0x1", "--1", "1.2.3"])
def test_what_is_no_number_is_none(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        _digits(text)


@given(st.integers(0, 2**32))
def test_arrays_are_taken_over(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    table = load(problem, "the table")
    assert table.n == problem.cells.n and table.right.size == problem.relations.n
    assert np.array_equal(table.hidden, problem.cells.hidden)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("0 18 18 s", "0 19 18 s", "relation 0 does not add up"),
        ("0 18 18 s 0 20", "0 18 18 s 0 17", "1 values outside the limits"),
        ("0 18 18 s", "0 18 -1 s", "costs below 0"),
        ("4 3 3 u 0 20 1 1 0", "4 3 3 u 0 20 -1 1 0", "protection levels below 0"),
        ("0 3 : 0 (-1) 3 (1) 6 (1)", "0 3 : 0 (-1) 3 (1) 3 (1)", "names a cell twice"),
        ("0 3 : 0 (-1) 3 (1) 6 (1)", "0 3 : 0 (-1) 3 (1) 99 (1)", "unknown cells"),
        ("0 3 : 0 (-1) 3 (1) 6 (1)", "0 3 : 0 (-2) 3 (1) 6 (1)", "neither 1 nor -1"),
        ("0 3 : 0 (-1) 3 (1) 6 (1)", "0 4 : 0 (-1) 3 (1) 6 (1)", "not laid out as a .jj file"),
        ("0 3 : 0 (-1) 3 (1) 6 (1)", "0 3 : 0 (-1) 3 (1) 6 (1) x", "not laid out as a .jj file"),
        ("0 18 18 s", "0 18 18 q", "not laid out as a .jj file"),
        ("0 18 18 s", "1 18 18 s", "not laid out as a .jj file"),
        ("0 18 18 s 0 20", "0 18 18 s 0 " + "9" * 30, "beyond 2\\^61"),
    ],
)
def test_what_is_wrong_is_said_and_no_value_quoted(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = written(tmp_path / "p.jj")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=words) as error:
        load(path, "the table")
    assert "18" not in str(error.value)


def test_files_that_are_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read as text"):
        load(tmp_path / "none.jj", "the table")
    (tmp_path / "b.jj").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read as text"):
        load(tmp_path / "b.jj", "the table")
