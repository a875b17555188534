"""A pattern from the files it was made with: the problem that was posed, what is hidden, and who attacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from instruments.totals.cases import TABLE
from verify.tabular.cases import written

import discreet as dc
from discreet.instruments.totals.pattern_files import Asked, has_labels, read_pattern
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, np.ndarray]:
    """A table, what is published of it, and which cells that hides."""
    path, out = tmp_path / "table.csv", tmp_path / "out.csv"
    path.write_text(TABLE)
    result = dc.suppress(path)
    result.data.to_csv(out, index=False)
    return str(path), str(out), np.asarray(result.table.problem.cells.hidden)


def test_the_published_file_says_what_is_hidden(files: tuple[str, str, np.ndarray]) -> None:
    path, out, hidden = files
    found = read_pattern([path], out, Asked())
    assert found.hidden.tolist() == hidden.tolist() and hidden.sum() == 4
    status, posed = found.pattern.problem.cells.status, found.problem.problem.cells.status
    assert (posed == PRIMARY).sum() == 1 and (posed == SECONDARY).sum() == 0
    assert (status[hidden & (posed == PRIMARY)] == PRIMARY).all()
    assert (status[hidden & (posed != PRIMARY)] == SECONDARY).all() and (status[~hidden] == FREE).all()
    assert found.attackers == [] and found.holders == []


def test_without_a_published_file_the_problem_is_its_own_pattern(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jj", "ssssumsmm")
    found = read_pattern([str(path)], None, Asked(attackers=[[5], [0, 7]], singletons=False))
    assert np.flatnonzero(found.hidden).tolist() == [4, 5, 7, 8]
    assert found.attackers == [[5], [0, 7]]
    assert found.differences([str(path)], Asked()) is None, "numbered problems the checker reads by itself"


def test_what_an_earlier_release_publishes_is_no_secret(files: tuple[str, str, np.ndarray], tmp_path: Path) -> None:
    path, out, hidden = files
    other = tmp_path / "earlier.csv"
    lines = Path(out).read_text().splitlines()
    shown = TABLE.splitlines()
    place = int(np.flatnonzero(hidden)[-1])
    kept = lines.copy()
    kept[place + 1] = ",".join([*shown[place + 1].split(",")[:3], "s"])
    other.write_text("\n".join(kept) + "\n")
    audited = read_pattern([path], out, Asked(earlier=[str(other)]), audited=True)
    assert np.flatnonzero(hidden & ~audited.hidden).tolist() == [place]
    asked = read_pattern([path], out, Asked(earlier=[str(other)]))
    assert asked.hidden.tolist() == hidden.tolist(), "for a suppression it is part of the problem"
    assert asked.problem.problem.cells.status[place] not in (PRIMARY, SECONDARY)


def test_a_table_that_is_read_otherwise_is_noticed(files: tuple[str, str, np.ndarray], tmp_path: Path) -> None:
    path, out, _ = files
    found = read_pattern([path], out, Asked())
    assert found.differences([path], Asked()) == []
    other = tmp_path / "other.csv"
    other.write_text(TABLE.replace("S,B,24", "S,B,25"))
    assert found.differences([str(other)], Asked())


def test_rules_and_costs_pose_the_problem_again(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(TABLE.replace(",u\n", ",s\n"))
    found = read_pattern([str(path)], None, Asked(rules=["frequency=11"], cost="unit"))
    cells = found.problem.problem.cells
    assert np.flatnonzero(cells.status == PRIMARY).size == 2 and set(cells.cost.tolist()) <= {0, 1}


@pytest.mark.parametrize(("name", "labels"), [("a.csv", True), ("a.jj", False), ("A.JJ", False), ("b.parquet", True)])
def test_which_files_have_labels(name: str, labels: bool) -> None:
    assert has_labels(name) is labels
