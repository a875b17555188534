"""Tables from files: what is filled in, what is refused, and by which names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.instruments.totals.additive import as_tree, read_problem, table_frame, written_problem
from discreet.tabular.hierarchy import flat_tree
from discreet.tabular.rules import parse_rules
from tests.references import reference

TABLE = """region,sector,value,count,status
Total,Total,100,30,s
Total,A,60,18,s
Total,B,40,12,s
N,Total,50,15,s
N,A,45,10,u
N,B,5,5,s
S,Total,50,15,s
S,A,15,8,s
S,B,35,7,z
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "t.csv"
    found.write_text(TABLE)
    return found


def test_what_a_long_file_does_not_say(path: Path) -> None:
    table = read_problem(path)
    cells = table.problem.cells
    assert table.problem.relations.n == 6
    assert cells.upper.tolist() == (2 * cells.value).tolist()
    assert cells.above.tolist() == [0, 0, 0, 0, 7, 0, 0, 0, 0]
    assert cells.status.tolist() == [2, 2, 2, 2, 0, 2, 2, 2, 3]
    ruled = read_problem(path, rules=parse_rules(["frequency=6", "range=50"])).problem.cells
    assert ruled.status.tolist() == [2, 2, 2, 2, 0, 0, 2, 2, 3]
    assert ruled.above.tolist() == [0, 0, 0, 0, 23, 3, 0, 0, 0]


def test_order_of_rows_does_not_matter(path: Path) -> None:
    head, *rows = TABLE.splitlines()
    other = path.with_name("u.csv")
    other.write_text("\n".join([head, *reversed(rows)]) + "\n")
    one, two = read_problem(path), read_problem(other)
    assert all(np.array_equal(a, b) for a, b in zip(one.problem.cells, two.problem.cells) if a.size)
    assert sorted(one.labels(i) for i in range(9)) == sorted(two.labels(i) for i in range(9))


BAD = (
    (("N,B,5,", "N,B,6,"), "the sum over sector that is region = N, sector = Total does not add up"),
    (("N,B,5,", "N,A,5,"), "region = N, sector = A is listed twice"),
    (("S,B,35,7,z", "S,B,35,2,z"), "region = S, sector = B must be published"),
)


@pytest.mark.parametrize(("change", "expected"), BAD)
def test_faults_are_named_by_labels_and_no_amounts(path: Path, change: tuple[str, str], expected: str) -> None:
    path.write_text(TABLE.replace(*change))
    with pytest.raises(InputError, match=expected) as caught:
        read_problem(path, rules=parse_rules(["frequency=3"]))
    assert not set(str(caught.value)) & set("3456789")


def test_rounded_tables(path: Path) -> None:
    path.write_text(TABLE.replace("N,B,5,", "N,B,6,"))
    table = read_problem(path, rounded=True)
    relations = table.problem.relations
    assert not relations.residuals(table.problem.cells.value).any()
    assert sorted(relations.right.tolist()) == [0, 0, 0, 0, 1, 1]
    path.write_text(TABLE.replace("N,B,5,", "N,B,8,"))
    with pytest.raises(InputError, match="does not add up"):
        read_problem(path, rounded=True)


def test_linked_files(path: Path) -> None:
    other = path.with_name("u.csv")
    other.write_text("region,size,value\nTotal,Total,100\nTotal,small,30\nTotal,large,70\nN,Total,50\nN,small,10\nN,large,40\n"
                     "S,Total,50\nS,small,20\nS,large,30\n")  # fmt: skip
    table = read_problem([path, other])
    assert table.variables == ("region", "sector", "size")
    assert table.cells == 15
    assert table.problem.relations.n == 11
    other.write_text(other.read_text().replace("N,Total,50", "N,Total,51"))
    with pytest.raises(InputError, match="region = N, size = Total does not add up"):
        read_problem([path, other])


def test_the_total_may_have_another_name(path: Path) -> None:
    table = read_problem(path, hierarchies={"region": [["N", "*"], ["S", "*"]]})
    assert table.trees[0].labels == ("Total", "N", "S")
    path.write_text(TABLE.replace("Total,", "*,", 1).replace("\nTotal,", "\n*,"))
    table = read_problem(path.with_name("t.csv"), hierarchies={"region": [["N", "*"], ["S", "*"]]})
    assert table.trees[0].labels == ("*", "N", "S")


def test_a_variable_without_a_total_is_no_table_without_sums(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("region,value,status\nN,10,u\nS,50,s\nAll,60,s\n")
    with pytest.raises(InputError, match="'region' has no cell 'Total', and no hierarchy"):
        read_problem(path)
    assert read_problem(path, hierarchies={"region": {"N": "All", "S": "All"}}).problem.relations.n == 1


def test_hierarchies(path: Path) -> None:
    with pytest.raises(InputError, match="hat"):
        read_problem(path, hierarchies={"hat": []})
    with pytest.raises(InputError, match="misses S"):
        read_problem(path, hierarchies={"region": {"N": "Total"}})
    tree = flat_tree(["a"])
    assert as_tree(tree, "x") is tree


@pytest.mark.parametrize("name", ["sumit_problem.jj", "sumit_pattern.jj"])
def test_reference_problems(name: str) -> None:
    path = reference(name)
    table = read_problem(path)
    assert (table.cells, table.problem.relations.n, table.decimals) == (1188, 204, 2)
    assert not table.problem.relations.residuals(table.problem.cells.value).any()
    assert written_problem(table, like=path) == path.read_text()
    status = table.problem.cells.status.copy()
    status[status == 2] = 1
    changed = written_problem(table.with_status(status), like=path).splitlines()
    assert (
        sum(a != b for a, b in zip(changed, path.read_text().splitlines())) == (table.problem.cells.status == 2).sum()
    )


def test_problems_take_no_hierarchies_or_rules(tmp_path: Path) -> None:
    path = tmp_path / "p.jj"
    path.write_text("0\n2\n0 4 1 s 0 9 0 0 0\n1 4 1 s 0 9 0 0 0\n1\n0 2 : 0 (-1) 1 (1)\n")
    assert read_problem(path).cells == 2
    with pytest.raises(InputError, match="itself"):
        read_problem(path, rules=parse_rules(["p=10"]))
    with pytest.raises(InputError, match="labels"):
        read_problem([path, path])
    with pytest.raises(InputError, match="jj only"):
        table_frame(read_problem(path))
    path.write_text(path.read_text().replace("1 4 1 s", "1 5 1 s"))
    with pytest.raises(InputError, match=r"relation 0 \(of cell 0\) does not add up"):
        read_problem(path)


def test_amounts_may_be_negative_where_those_of_a_linked_table_are(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("sex,region,value\nTotal,Total,9\nf,Total,4\nm,Total,5\nTotal,a,9\nf,a,4\nm,a,5\n")
    two.write_text("region,age,value\nTotal,Total,9\na,Total,9\nTotal,old,-1\na,old,-1\nTotal,young,10\na,young,10\n")
    assert (read_problem(one).problem.cells.lower >= 1).all(), "zeros are told, and none is negative"
    both = read_problem([one, two])
    cells = both.problem.cells
    assert (cells.lower == cells.value - np.abs(cells.value)).all()


def test_what_a_file_states_of_some_cells_stands_beside_what_is_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("sex,count,status,above,upper\nTotal,30,s,0,40\nf,10,u,7,18\nm,20,s,0,35\n")
    own = read_problem(path).problem.cells
    assert own.above.tolist() == [0, 7, 0] and own.upper.tolist() == [40, 18, 35], "what it states"
    assert own.below.tolist() == [0, 2, 0] and own.lower.tolist() == [2, 1, 1], "what it does not"
    ruled = read_problem(path, rules=parse_rules(["frequency=11", "range=50", "knowledge=50"])).problem.cells
    assert ruled.above.tolist() == [0, 7, 0] and ruled.below.tolist() == [0, 5, 0], "the larger level"
    assert ruled.upper.tolist() == [40, 15, 30] and ruled.lower.tolist() == [15, 5, 10], "the narrower limits"
    path.write_text(path.read_text().replace("u,7", "u,70"))
    with pytest.raises(InputError, match="sex = f has a protection level that nobody can reach"):
        dc.suppress(path)
