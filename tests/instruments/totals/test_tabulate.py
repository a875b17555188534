"""dc.tabulate: what comes out is what a recount finds, in any kind of frame; what is wrong is said at once."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.errors import InputError
from discreet.frames import kind_of, write
from discreet.instruments.totals.additive import read_problem, table_document, table_frame, written_problem
from tests.oracles.tabular import tally

CHAINS = {"region": [["n1", "north"], ["n2", "north"], ["s1", "south"]]}
PARENTS = [{"n1": "north", "n2": "north", "s1": "south"}, {}]
FRAME = pd.DataFrame(
    {
        "region": ["n1", "n1", "n2", "s1", "s1", "s1"],
        "sector": ["a", "b", "a", "a", "a", "b"],
        "turnover": [10.5, 3.0, 7.25, 100.0, 5.0, 6.0],
        "weight": [1.0, 2.5, 1.0, 1.0, 3.0, 1.0],
        "firm": ["f", "g", "f", "h", "i", None],
    }
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["n1", "n2", "s1"]),
            st.sampled_from(["a", "b"]),
            st.decimals(-50, 500, places=2),
            st.sampled_from(["1", "2.5", "0.125"]),
            st.sampled_from(["f", "g", "h", None]),
        ),
        min_size=1,
        max_size=20,
    ),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_against_a_recount(rows: list[tuple[Any, ...]], value: bool, weight: bool, holding: bool) -> None:
    frame = pa.table(dict(zip(["region", "sector", "turnover", "weight", "firm"], map(list, zip(*rows)))))
    result = dc.tabulate(
        frame,
        ["region", "sector"],
        value="turnover" if value else None,
        weight="weight" if weight else None,
        holding="firm" if holding else None,
        hierarchies=CHAINS,
    )
    entries = [
        (Fraction(x) if value else Fraction(1), Fraction(w) if weight else Fraction(1), who or f"own {i}")
        for i, (_, _, x, w, who) in enumerate(rows)
    ]
    expected = tally([row[:2] for row in rows], entries, PARENTS, [[0, 1]])
    table = result.table
    assert table.cells == len(expected)
    assert table.counts is not None
    assert table.contributors is not None
    for i in range(table.cells):
        cell = expected[table.labels(i)]
        assert Fraction(int(table.problem.cells.value[i]), 10**table.decimals) == cell.total
        assert Fraction(int(table.counts[i]), 10**table.count_decimals) == cell.count
        assert table.contributors.number[i] == len(cell.contributions(holding))
    assert not table.problem.relations.residuals(table.problem.cells.value).any()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_the_same_kind_comes_back(kind: Any) -> None:
    frame = kind(FRAME)
    result = dc.tabulate(frame, ["region", "sector"], value="turnover", hierarchies=CHAINS, rules=["frequency=2"])
    assert kind_of(result.data) == kind_of(frame)
    again = {
        tuple(row[:2]): row for row in zip(*(list(map(str, result.data[c])) for c in ("region", "sector", "value")))
    }
    assert float(again["north", "a"][2]) == 17.75


def test_files_say_the_same(tmp_path: Path) -> None:
    result = dc.tabulate(
        FRAME, [["region", "sector"], ["region"]], value="turnover", hierarchies=CHAINS, rules=["frequency=2", "p=20"]
    )
    for name in ("t.csv", "t.parquet"):
        write(table_document(result.table), tmp_path / name)
        again = read_problem(tmp_path / name, hierarchies=CHAINS)
        for one, two in zip(again.problem.cells, result.table.problem.cells):
            assert one.tolist() == two.tolist()
        for one, two in zip(again.problem.relations, result.table.problem.relations):
            assert one.tolist() == two.tolist()
    write(table_document(result.table, levels=False), tmp_path / "bare.csv")
    bare = read_problem(tmp_path / "bare.csv", hierarchies=CHAINS, rules=result.rules)
    for one, two in zip(bare.problem.cells, result.table.problem.cells):
        assert one.tolist() == two.tolist()
    (tmp_path / "t.jj").write_text(written_problem(result.table))
    again = read_problem(tmp_path / "t.jj")
    for one, two in zip(again.problem.cells, result.table.problem.cells):
        assert one.tolist() == two.tolist()


def test_result() -> None:
    result = dc.tabulate(FRAME, ["region", "sector"], value="turnover", hierarchies=CHAINS, rules=["frequency=2"])
    figures = result.to_dict()
    assert figures["cells"] == result.table.cells == 17
    assert figures["n"] == 6
    assert figures["sensitive"] == result.sensitive == 7
    assert "7 cells" in result.summary()
    verdict = result.verify()
    assert verdict.outcome == "unsafe"
    assert "7 cells" in verdict.summary()
    assert dc.tabulate(FRAME, ["region"]).verify().outcome == "cannot tell"
    fine = dc.tabulate(FRAME, ["sector"], rules=["frequency=2"])
    assert fine.verify().safe
    assert any("at least 2" in line for line in fine.verify().proven)
    with pytest.raises(AttributeError):
        result.n = 3  # type: ignore[misc]
    assert result.plot() is not None


def test_the_report_shows_no_amounts(tmp_path: Path) -> None:
    result = dc.tabulate(FRAME, ["region", "sector"], value="turnover", hierarchies=CHAINS, rules=["frequency=2"])
    page = result.report(tmp_path / "r.html").read_text()
    assert "sensitive" in page
    for amount in ("131.75", "17.75", "105", "7.25", "10.5<"):
        assert f">{amount}<" not in page
    assert "north" in page


def test_order_of_records_does_not_matter() -> None:
    one = dc.tabulate(FRAME, ["region", "sector"], value="turnover", holding="firm", weight="weight")
    two = dc.tabulate(FRAME.iloc[::-1], ["region", "sector"], value="turnover", holding="firm", weight="weight")
    assert table_frame(one.table).equals(table_frame(two.table))


def test_empty_cells() -> None:
    few = dc.tabulate(FRAME, ["region", "sector"])
    every = dc.tabulate(FRAME, ["region", "sector"], empty=True)
    assert (few.table.cells, every.table.cells) == (11, 12)
    assert (every.table.problem.cells.status == 3).sum() == 1


def test_dominance_of_more_contributors_than_files_hold() -> None:
    result = dc.tabulate(FRAME, ["sector"], value="turnover", rules=["dominance=3,90"])
    assert result.table.contributors is not None
    assert result.table.contributors.top.shape[1] == 3
    assert "third" not in list(result.data.columns)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"by": []}, "by which variables"),
        ({"by": "region"}, "by which variables"),
        ({"by": ["region", ["sector"]]}, "linked tables"),
        ({"by": [[]]}, "linked tables"),
        ({"by": ["hat"]}, "'hat' is not in the data"),
        ({"by": ["region", "region"]}, "twice"),
        ({"by": ["region"], "value": "sector"}, "not a number"),
        ({"by": ["region"], "value": "region"}, "both a variable"),
        ({"by": ["firm"]}, "empty in 1 rows"),
        ({"by": ["region"], "hierarchies": {"hat": []}}, "hat"),
        ({"by": ["region"], "hierarchies": {"region": [["n1", "north"]]}}, "misses 2 of the column's 3 labels"),
        ({"by": ["region"], "hierarchies": {"region": [["n1", "n2"], ["s1"]]}}, "records in n2"),
        ({"by": ["region"], "hierarchies": {"region": {"n1": "n2", "n2": "n1"}}}, "cycle"),
        ({"by": ["region"], "rules": ["hat=1"]}, "hat"),
        ({"by": ["region"], "rules": ["dominance=2,85", "p=0"]}, "p rule"),
    ],
)
def test_faults(arguments: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        dc.tabulate(FRAME, **arguments)


def test_all_faults_at_once() -> None:
    with pytest.raises(InputError, match="4 things"):
        dc.tabulate(FRAME, ["hat", "firm"], value="sector", weight="coat")


def test_records_in_the_total() -> None:
    with pytest.raises(InputError, match="rename"):
        dc.tabulate(pd.DataFrame({"a": ["Total", "x"]}), ["a"])
    with pytest.raises(InputError, match="rename"):
        dc.tabulate(pd.DataFrame({"count": ["y", "x"]}), ["count"])


def test_a_level_that_nobody_can_reach() -> None:
    with pytest.raises(InputError, match="region = n2 has a protection level that nobody can reach") as caught:
        dc.tabulate(FRAME, ["region"], value="turnover", rules=["frequency=2", "knowledge=5"])
    assert "7.25" not in str(caught.value)


ODD = [
    "a,b",
    'say "x"',
    " lead",
    "trail ",
    "é",
    "007",
    "7",
    "NA",
    "null",
    "a;b",
    "line\nend",
    "-",
    "1e3",
    "=1",
    "Total ",
]


@given(st.lists(st.tuples(st.sampled_from(ODD), st.sampled_from(ODD), st.integers(-99, 99)), min_size=1, max_size=12))
def test_labels_survive_a_file(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, int]]) -> None:
    frame = pa.table(dict(zip(["one", "two", "x"], map(list, zip(*rows)))))
    table = dc.tabulate(frame, ["one", "two"], value="x").table
    path = tmp_path_factory.mktemp("odd") / "t.csv"
    write(table_document(table), path)
    again = read_problem(path)
    assert [again.labels(i) for i in range(again.cells)] == [table.labels(i) for i in range(table.cells)]
    assert again.problem.cells.value.tolist() == table.problem.cells.value.tolist()


def test_negative_weights() -> None:
    with pytest.raises(InputError, match="negative in 1 rows"):
        dc.tabulate(FRAME.assign(weight=[-1, 1, 1, 1, 1, 1]), ["region"], weight="weight")


def test_a_million_records_take_seconds() -> None:
    """Linear in memory and quick: 10^5 records here, ten times as many in the benchmarks."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame({name: random.integers(0, 40, 100_000) for name in "abc"})
    frame["x"] = random.integers(1, 10**6, 100_000) / 100
    result = dc.tabulate(frame, ["a", "b", "c"], value="x", rules=["frequency=3", "p=10"], empty=True)
    assert result.table.cells == 41**3
    assert result.table.problem.cells.value[0] == round(frame["x"].sum() * 100)
