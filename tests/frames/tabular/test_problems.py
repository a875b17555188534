"""`.jj` and `.csp` files: read exactly, written back to the byte, and every fault named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import InputError
from discreet.frames.tabular.problems import AMOUNTS, ProblemFile, parse_problem, problem_text, read_problem_file
from tests.references import reference

SMALL = """0
3
0 10.50 3 s 0 21 0 0 0
1 4.5 1.25 u 0.0 9 1 2.25 0
2 6 1 m -1e1 12 0.00 0 0
1
0 3 : 0 (-1) 1 (1) 2 ( 1 )
"""


def test_small() -> None:
    found = parse_problem(SMALL)
    assert (found.decimals, found.cost_decimals) == (2, 2)
    assert found.amounts["value"].tolist() == [1050, 450, 600]
    assert found.amounts["lower"].tolist() == [0, 0, -1000]
    assert found.amounts["above"].tolist() == [0, 225, 0]
    assert found.cost.tolist() == [300, 125, 100]
    assert found.status.tolist() == [2, 0, 1]
    assert (found.cell.tolist(), found.sign.tolist(), found.right.tolist()) == ([0, 1, 2], [-1, 1, 1], [0])


@pytest.mark.parametrize("name", ["sumit_problem.jj", "sumit_pattern.jj"])
def test_reference_files_come_back_to_the_byte(name: str) -> None:
    path = reference(name)
    found = read_problem_file(path)
    assert found.status.size == 1188
    assert found.right.size == 204
    assert (found.status == 0).sum() == 71
    assert problem_text(found, found).encode() == Path(path).read_bytes()
    again = parse_problem(problem_text(found._replace(lines=())))
    assert all(np.array_equal(again.amounts[key], found.amounts[key]) for key in AMOUNTS)
    assert np.array_equal(again.cell, found.cell)


def test_a_pattern_changes_statuses_alone() -> None:
    found = parse_problem(SMALL)
    text = problem_text(found._replace(status=np.array([1, 0, 1], np.int8)), found)
    assert text == SMALL.replace("3 s 0 21", "3 m 0 21")


def test_another_problem_is_not_written_over_a_file() -> None:
    found = parse_problem(SMALL)
    other = found._replace(amounts={**found.amounts, "value": found.amounts["value"] + 1})
    with pytest.raises(InputError, match="differ"):
        problem_text(other, found)


FAULTS = (
    (("0\n3", "0\nx"), "not a .jj file"),
    (("0\n3", "0\n4"), "number of relations"),
    (("1 4.5 1.25 u", "7 4.5 1.25 u"), "cell 1 is"),
    (("2 6 1 m", "2 6 m"), "cell 2 is"),
    (("1.25 u", "1.25 q"), "cell 1 is of no known status"),
    (("4.5", "4,5"), "value is not a number 1 time"),
    (("4.5", "nan"), "value is not a number 1 time"),
    (("0 3 :", "0 4 :"), "relation 0 is"),
    (("2 ( 1 )", "3 ( 1 )"), "not in the file"),
    (("2 ( 1 )", "2 ( 2 )"), "factors"),
    (("2 ( 1 )", "1 ( 1 )"), "twice"),
    (("\n1\n0 3", "\n2\n0 3"), "2 relations are announced"),
    (("4.5", "45" + "0" * 18), "too large"),
    (("4.5", "4." + "5" * 19), "19 decimals"),
)


@pytest.mark.parametrize(("change", "expected"), FAULTS)
def test_faults_are_named(change: tuple[str, str], expected: str) -> None:
    assert change[0] in SMALL
    with pytest.raises(InputError, match=expected):
        parse_problem(SMALL.replace(*change))


@given(
    st.integers(0, 6),
    st.lists(st.lists(st.integers(-(10**9), 10**9), min_size=7, max_size=7), min_size=1, max_size=8),
    st.data(),
)
def test_what_is_written_is_read(decimals: int, rows: list[list[int]], data: st.DataObject) -> None:
    n = len(rows)
    columns = np.array(rows, np.int64).T
    relations = data.draw(
        st.lists(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True), min_size=0, max_size=4)
    )
    start = np.cumsum([0] + [len(cells) for cells in relations])
    cell = np.array([c for cells in relations for c in cells], np.int64)
    problem = ProblemFile(
        dict(zip(AMOUNTS, columns)),
        columns[6],
        np.array([i % 4 for i in range(n)], np.int8),
        start.astype(np.int64),
        cell,
        np.where(np.arange(cell.size) % 2, 1, -1).astype(np.int8),
        np.arange(len(relations), dtype=np.int64),
        decimals,
        decimals,
    )
    again = parse_problem(problem_text(problem))
    for key in AMOUNTS:
        assert np.array_equal(again.amounts[key] * 10 ** (decimals - again.decimals), problem.amounts[key])
    assert np.array_equal(again.right * 10 ** (decimals - again.decimals), problem.right)
    assert np.array_equal(again.cost * 10 ** (decimals - again.cost_decimals), problem.cost)
    assert np.array_equal(again.status, problem.status)
    assert np.array_equal(again.start, problem.start)
    assert np.array_equal(again.sign, problem.sign)
