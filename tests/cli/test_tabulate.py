"""`discreet tabulate`: files in, a table out, or one error and nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.instruments.totals.additive import read_problem

RECORDS = """region,sector,turnover,firm
N,A,10.50,f1
N,A,3,f2
N,B,7.25,f1
S,A,100,f3
S,B,5,f4
S,B,5,f5
S,B,6,
"""


@pytest.fixture
def micro(tmp_path: Path) -> Path:
    path = tmp_path / "micro.csv"
    path.write_text(RECORDS)
    return path


def test_long_table(discreet: Callable, micro: Path) -> None:
    out, figures = micro.parent / "t.csv", micro.parent / "t.json"
    ran = discreet("tabulate", micro, "--by", "region,sector", "--value", "turnover", "--holding", "firm", "-o", out,
                   "--json", figures)  # fmt: skip
    assert ran.code == 0, ran.err
    assert out.read_text().splitlines() == [
        "region,sector,count,value,largest,second,contributors,status,largest_by,second_by,others_by",
        "Total,Total,7,136.75,100.00,17.75,6,s,3,1,",
        "Total,A,3,113.50,100.00,10.50,3,s,3,1,",
        "Total,B,4,23.25,7.25,6.00,4,s,1,6,",
        "N,Total,3,20.75,17.75,3.00,2,s,1,2,",
        "N,A,2,13.50,10.50,3.00,2,s,1,2,",
        "N,B,1,7.25,7.25,0.00,1,s,1,0,",
        "S,Total,4,116.00,100.00,6.00,4,s,3,6,",
        "S,A,1,100.00,100.00,0.00,1,s,3,0,",
        "S,B,3,16.00,6.00,5.00,3,s,6,4,5:5.00",
    ]
    told = json.loads(figures.read_text())
    assert (told["cells"], told["relations"], told["n"], told["decimals"]) == (9, 6, 7, 2)
    assert "136.75" not in ran.out + ran.err


@pytest.mark.parametrize("name", ["t.jj", "t.csp", "t.tab", "t.parquet", "t.csv.gz"])
def test_formats(discreet: Callable, micro: Path, name: str) -> None:
    words = ("--by", "region,sector", "--value", "turnover", "--rule", "p=10", "-q")
    assert discreet("tabulate", micro, *words, "-o", micro.parent / "t.csv").code == 0
    ran = discreet("tabulate", micro, *words, "-o", micro.parent / name)
    assert ran.code == 0, ran.err
    one, two = read_problem(micro.parent / "t.csv"), read_problem(micro.parent / name)
    assert one.problem.cells.value.tolist() == two.problem.cells.value.tolist()
    assert one.problem.cells.status.tolist() == two.problem.cells.status.tolist()
    assert one.problem.relations.cell.tolist() == two.problem.relations.cell.tolist()
    if name != "t.tab":  # which has no place for levels
        assert one.problem.cells.above.tolist() == two.problem.cells.above.tolist()
    before = (micro.parent / name).read_bytes()
    assert discreet("tabulate", micro, "--by", "region", "-o", micro.parent / name).code == 2
    assert (micro.parent / name).read_bytes() == before


def test_linked_tables_with_a_hierarchy_from_standard_input(discreet: Callable, micro: Path) -> None:
    tree = micro.parent / "region.hrc"
    tree.write_text("Land\n@N\n@S\n")
    out = micro.parent / "t.csv"
    ran = discreet("tabulate", micro, "--by", "region,sector", "--by", "region,firm2", "-o", out)
    assert ran.code == 2
    assert "firm2" in ran.err
    ran = discreet(
        "tabulate", micro, "--by", "region,sector", "--by", "region", "--hierarchy", f"region={tree}", "-o", out
    )
    assert ran.code == 0, ran.err
    table = read_problem(out, hierarchies={"region": tree})
    assert table.trees[0].labels == ("Land", "N", "S")
    assert table.cells == 9


BAD = (
    ("x,parent\nN,S\nS,N\n", "N below S below N"),
    ("N,a\nN,b\nS,a\n", "N stands below two labels"),
    ("N,a\n", "misses 1 of the column's 2 labels"),
)


@pytest.mark.parametrize(("hierarchy", "expected"), BAD)
def test_bad_hierarchies_exit_two_and_write_nothing(
    discreet: Callable, micro: Path, hierarchy: str, expected: str
) -> None:
    tree = micro.parent / "h.csv"
    tree.write_text(hierarchy)
    files = set(micro.parent.iterdir())
    ran = discreet("tabulate", micro, "--by", "region", "--hierarchy", f"region={tree}", "-o", micro.parent / "o.csv",
                   "--json", micro.parent / "o.json", "--report", micro.parent / "o.html")  # fmt: skip
    assert ran.code == 2
    assert expected in ran.err
    assert set(micro.parent.iterdir()) == files


def test_outputs_may_not_be_inputs(discreet: Callable, micro: Path) -> None:
    ran = discreet("tabulate", micro, "--by", "region", "-o", micro, "--force")
    assert ran.code == 2
    assert "is the input" in ran.err
    assert micro.read_text() == RECORDS


def test_report(discreet: Callable, micro: Path) -> None:
    page = micro.parent / "r.html"
    ran = discreet("tabulate", micro, "--by", "region,sector", "--value", "turnover", "--rule", "p=10", "-o",
                   micro.parent / "t.csv", "--report", page)  # fmt: skip
    assert ran.code == 0, ran.err
    text = page.read_text()
    assert "Not safe" in text
    assert 'class="primary">sensitive<' in text
    assert "113.50" not in text
