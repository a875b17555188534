"""The check of rounded tables from their files: what is right passes, every forgery is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import discreet as dc
from discreet.errors import InputError
from discreet.verify.tabular.rounding import verify_rounding

TRUE = """\
region,sex,count
Total,Total,41
North,Total,18
N1,Total,7
N2,Total,11
South,Total,23
Total,f,20
North,f,9
N1,f,3
N2,f,6
South,f,11
Total,m,21
North,m,9
N1,m,4
N2,m,5
South,m,12
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    true, told, tree = tmp_path / "t.csv", tmp_path / "r.csv", tmp_path / "region.csv"
    true.write_text(TRUE)
    tree.write_text("N1;North;Total\nN2;North;Total\nSouth;Total\n")
    result = dc.round_table(true, 5, hierarchies={"region": tree})
    result.data.to_csv(told, index=False) if hasattr(result.data, "to_csv") else None
    if not told.exists():
        from discreet.frames import write

        write(result.document, told)
    return {
        "original": true, "published": told, "certificate": result.certificate(), "hierarchies": {"region": tree},
        "result": result,
    }  # fmt: skip


def judged(files: dict[str, Any], **changed: Any) -> Any:
    given = {name: files[name] for name in ("original", "published", "certificate", "hierarchies")} | changed
    return verify_rounding(given.pop("original"), given.pop("published"), **given)


def test_what_is_right_passes_with_its_bound(files: dict[str, Any]) -> None:
    assert files["result"].status == "optimal"
    verdict = judged(files)
    assert verdict.safe, verdict
    assert "no such table is nearer than the lower bound" in verdict.proven
    assert files["result"].verify().safe
    assert judged(files, certificate=json.loads(json.dumps(files["certificate"]))).safe


@pytest.mark.parametrize(("cell", "by"), [("N1,f,", 5), ("N1,f,", 1), ("Total,Total,", 5), ("South,m,", -10)])
def test_a_changed_cell_is_found(files: dict[str, Any], cell: str, by: int) -> None:
    lines = files["published"].read_text().splitlines()
    place = next(at for at, line in enumerate(lines) if line.startswith(cell))
    fields = lines[place].split(",")
    fields[2] = str(int(fields[2]) + by)
    lines[place] = ",".join(fields)
    files["published"].write_text("\n".join(lines))
    verdict = judged(files)
    assert verdict.outcome == "unsafe"
    assert any("add up" in failure for failure in verdict.failures)


def test_cells_that_are_missing_are_found(files: dict[str, Any]) -> None:
    lines = files["published"].read_text().splitlines()
    files["published"].write_text("\n".join(lines[:-1]))
    assert judged(files).outcome == "unsafe"


def test_false_claims_are_found(files: dict[str, Any]) -> None:
    own = files["certificate"]
    assert judged(files, certificate=own | {"distance": "1"}).outcome == "unsafe"
    assert judged(files, certificate=own | {"base": "4"}).outcome == "unsafe"
    more = judged(files, certificate=own | {"lower_bound": str(int(own["lower_bound"]) + 1)})
    assert "the lower bound is not proven here" in more.limits
    alien = judged(files, certificate=own | {"multipliers": [["hat", ["Total", "Total"], 9]], "lower_bound": "999"})
    assert "the lower bound is not proven here" in alien.limits
    for broken in ({"base": "x"}, {"outside": None}, {"distance": "0.5"}):
        with pytest.raises(InputError):
            judged(files, certificate=own | broken)


def test_small_counts(files: dict[str, Any], tmp_path: Path) -> None:
    from discreet.frames import write

    result = dc.round_table(files["original"], 5, hierarchies=files["hierarchies"], small=True)
    told = tmp_path / "small.csv"
    write(result.document, told)
    assert judged(files, published=told, certificate=result.certificate()).safe
    assert judged(files, published=files["original"], certificate=result.certificate()).outcome == "unsafe"


def test_the_hierarchy_may_be_indented(files: dict[str, Any], tmp_path: Path) -> None:
    tree = tmp_path / "region.hrc"
    tree.write_text("North\n@N1\n@N2\nSouth\n")
    assert judged(files, hierarchies={"region": tree}).safe
