"""The checker reads long files itself: cells, sums, and what somebody else made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.instruments.totals.additive import read_problem
from discreet.verify.tabular.long import differences, parents_of, read_long, relations_of

TABLE = "region,count\nTotal,18\nn,10\nn1,4\nn2,6\ns,8\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    table, tree = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_text(TABLE)
    tree.write_text("n1,n\nn2,n\ns,\n")
    return table, tree


def test_numbers_and_sums(files: tuple[Path, Path]) -> None:
    names, found, decimals = read_long(files[0])
    assert names == ["region"] and found["n1",] == 4 and decimals == 0
    parents = parents_of(files[1], {label for (label,) in found})
    values = {labels: int(value) for labels, value in found.items()}
    sums = {total: set(parts) for (_, total), parts in relations_of(values, [parents]).items()}
    assert sums == {("Total",): {("n",), ("s",)}, ("n",): {("n1",), ("n2",)}}
    files[0].write_text("region,count\nTotal,1\nTotal,1\n")
    with pytest.raises(InputError, match="listed twice"):
        read_long(files[0])


def test_a_table_that_was_read_otherwise_is_found_out(files: tuple[Path, Path]) -> None:
    table, tree = files
    found = read_problem(table, hierarchies={"region": tree})
    labels = [found.labels(cell) for cell in range(found.cells)]
    same = differences(found.problem, labels, ["region"], table, {"region": tree})
    assert same == []
    assert "other relations" in differences(found.problem, labels, ["region"], table)[0]
    table.write_text(TABLE.replace("n1,4", "n1,5"))
    assert "other cells or values" in differences(found.problem, labels, ["region"], table, {"region": tree})[0]
    table.write_text(TABLE.replace("region", "area"))
    assert "other variables" in differences(found.problem, labels, ["region"], table)[0]
