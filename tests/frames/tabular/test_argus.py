"""τ-ARGUS files: read as they come, written to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import InputError
from discreet.frames.tabular.argus import parse_rda, read_argus
from discreet.instruments.totals.additive import read_problem, written_argus

RDA = r"""   <SEPARATOR> ","
   <SAFE> "S"
   <UNSAFE> "U"
   <PROTECT> "P"
Region
  <RECODEABLE>
  <TOTCODE> "All"
  <HIERARCHICAL>
  <HIERCODELIST> "C:\data\region.hrc"
  <HIERLEADSTRING> "@"
Size
  <RECODABLE>
turnover
  <NUMERIC>
  <DECIMALS> 2
n
  <FREQUENCY>
top1
  <MAXSCORE>
top2
  <MAXSCORE>
safe
  <STATUS>
"""
TAB = """All, Total,30.50,9,10,5,S
North,Total,18.5,5,10,3,S
 N1,Total,10,1,10,0,U
"N2",Total,8.5,4,3,2,P
South,Total,12,4,5,4,S
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.rda").write_text(RDA)
    (tmp_path / "t.tab").write_text(TAB)
    (tmp_path / "region.hrc").write_text("North\n@N1\n@N2\nSouth\n")
    return tmp_path


@pytest.mark.parametrize("name", ["t.tab", "t.rda"])
def test_read(folder: Path, name: str) -> None:
    found = read_argus(folder / name)
    assert found.variables == ("Region", "Size")
    assert found.amounts["value"].tolist() == [305, 185, 100, 85, 120]
    assert found.amounts["top"].tolist()[0] == [100, 50]
    assert found.status.tolist() == [2, 2, 0, 3, 2]
    assert found.totals == {"Region": "All", "Size": "Total"}
    table = read_problem(folder / name)
    assert table.trees[0].labels == ("All", "North", "N1", "N2", "South")
    assert [table.relation_name(r) for r in range(2)] == [
        "the sum over Region that is Region = All, Size = Total",
        "the sum over Region that is Region = North, Size = Total",
    ]


def test_digits_of_codes_are_levels(tmp_path: Path) -> None:
    (tmp_path / "t.rda").write_text("code\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 1 1 1\nx\n<FREQUENCY>\n")
    (tmp_path / "t.tab").write_text("Total,6\n1,3\n11,2\n12,1\n112,2\n2,3\n")
    table = read_problem(tmp_path / "t.tab")
    assert table.problem.relations.n == 3
    assert not table.amounts


def test_there_and_back(folder: Path) -> None:
    table = read_problem(folder / "t.tab")
    texts = written_argus(table, "again")
    assert set(texts) == {"again.tab", "again.rda", "again_Region.hrc"}
    for name, text in texts.items():
        (folder / name).write_text(text)
    again = read_problem(folder / "again.tab")
    assert again.trees[0].labels == table.trees[0].labels
    for one, two in zip(again.problem.cells, table.problem.cells):
        assert one.tolist() == two.tolist()
    assert again.contributors is not None
    assert table.contributors is not None
    assert again.contributors.top.tolist() == table.contributors.top.tolist()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("  <NUMERIC>\n", ""), "turnover"),
        (("<MAXSCORE>", "<WEIGHT>"), "WEIGHT"),
        (('","', '"--"'), "one character"),
        (("  <FREQUENCY>", "  <NUMERIC>"), "more than one"),
        (("<RECODEABLE>", "<SHADOW>"), None),
    ],
)
def test_bad_descriptions(change: tuple[str, str], expected: str | None) -> None:
    assert change[0] in RDA
    if expected is None:
        assert len(parse_rda(RDA.replace(*change), "t.rda").of("variable")) == 1
        return
    with pytest.raises(InputError, match=expected):
        parse_rda(RDA.replace(*change), "t.rda")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ((",U", ",X"), "status of 1 cells"),
        ((",10,0,U", ",10,U"), "another number"),
        (("N2", "N3"), "misses N3"),
        (("12,4", "12.01,4"), "Region = All, Size = Total does not add up"),
    ],
)
def test_bad_cells(folder: Path, change: tuple[str, str], expected: str) -> None:
    (folder / "t.tab").write_text(TAB.replace(*change))
    with pytest.raises(InputError, match=expected):
        read_problem(folder / "t.tab")


def test_files_that_are_missing(folder: Path) -> None:
    (folder / "region.hrc").unlink()
    with pytest.raises(InputError, match="cannot read"):
        read_problem(folder / "t.tab")
    (folder / "t.rda").unlink()
    with pytest.raises(InputError, match=r"t\.rda"):
        read_problem(folder / "t.tab")
