"""dc.audit: verdicts, what attackers know, figures and files of the result, and the independent check of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from references import reference
from verify.tabular.cases import written

import discreet as dc
from discreet.errors import InputError

LONG = """sex,region,count,status
Total,Total,18,s
Total,a,5,s
Total,b,13,s
f,Total,8,s
f,a,3,{0}
f,b,5,{1}
m,Total,10,s
m,a,2,{2}
m,b,8,{3}
"""


def long(path: Path, statuses: str) -> Path:
    path.write_text(LONG.format(*statuses))
    return path


def test_the_public_pattern() -> None:
    found = dc.audit(reference("sumit_pattern.jj"))
    assert found.outcome == "unsafe" and found.exposed == (219, 854) and found.exit_code == 1
    told = found.to_dict()
    assert told["hidden"] == 793 and told["exposed"] == [219, 854] and len(told["intervals"]) == 793
    assert told["intervals"][0] == {"cell": 7, "lower": 119.85, "upper": 359.55, "sharp": True}
    assert "cell 219; cell 854" in found.summary()
    verdict = found.verify()
    assert verdict.outcome == "unsafe" and verdict.figures["sharp"] == 1586
    quick = dc.audit(reference("sumit_pattern.jj"), levels_only=True)
    assert quick.exposed == (219, 854) and quick.to_dict()["intervals"] == []
    with pytest.raises(InputError, match="no intervals to certify"):
        quick.certificate()


def test_a_safe_pattern_of_a_problem(tmp_path: Path) -> None:
    found = dc.audit(written(tmp_path / "p.jj", "ssssumsmm"))
    assert found.outcome == "safe" and found.exit_code == 0 and found.verify().safe
    frame = found.to_frame().to_pydict()
    assert frame["cell"] == [4, 5, 7, 8] and frame["status"] == ["u", "m", "m", "m"]
    assert frame["lower"] == [0, 3, 0, 5] and frame["upper"] == [5, 8, 5, 10]
    assert frame["sharp"] == [True] * 4 and frame["exposed"] == [""] * 4


def test_labels_of_a_long_table(tmp_path: Path) -> None:
    found = dc.audit(long(tmp_path / "t.csv", "umss"), singletons=False)
    assert found.outcome == "unsafe"
    assert found.to_dict()["exposed"] == [{"sex": "f", "region": "a"}]
    assert found.to_frame().column_names[:2] == ["sex", "region"]
    assert "sex = f, region = a" in found.summary()
    page = found.report(tmp_path / "r.html").read_text()
    assert "protected too little" in page


def test_earlier_releases_add_up(tmp_path: Path) -> None:
    now, before = written(tmp_path / "p.jj", "ssssumsmm"), written(tmp_path / "e.jj", "ssssussmm")
    assert dc.audit(now).outcome == "safe"
    joint = dc.audit(now, earlier=[before])
    assert joint.outcome == "unsafe" and any("1 earlier" in line for line in joint.knowledge.told())
    assert joint.verify().outcome == "unsafe"
    moved = written(tmp_path / "o.jj", "ssssumsmm", values=[18, 5, 13, 8, 4, 4, 10, 1, 9])
    with pytest.raises(InputError, match="of another table"):
        dc.audit(now, earlier=[moved])
    shown = written(tmp_path / "z.jj", "sssszmsmm", level=0)
    unasked = written(tmp_path / "u.jj", "ssssumsmm", level=0)
    known = dc.audit(unasked, earlier=[shown])
    assert known.outcome == "unsafe" and known.verify().outcome == "unsafe", "it was published, whatever its level"


def test_an_earlier_release_has_the_same_labels_and_relations(tmp_path: Path) -> None:
    now = long(tmp_path / "t.csv", "ummm")
    assert dc.audit(now, earlier=[long(tmp_path / "e.csv", "ummm")]).outcome == "safe"
    other = tmp_path / "o.csv"
    other.write_text(now.read_text().replace(",b,", ",c,"))
    fewer = tmp_path / "f.jj"
    lines = written(tmp_path / "p.jj", "ssssumsmm").read_text().splitlines()
    fewer.write_text("\n".join([*lines[:11], "5", *lines[12:-1]]) + "\n")
    for table, before in ((now, other), (fewer, tmp_path / "p.jj")):
        with pytest.raises(InputError, match="of another table"):
            dc.audit(table, earlier=[before])


def test_what_an_earlier_release_showed_is_told_whatever_the_rules_call_sensitive(tmp_path: Path) -> None:
    counts = {"f,a": 1, "f,b": 3, "m,a": 4, "m,b": 1}
    rows = [*counts.items(), ("Total,a", 5), ("Total,b", 4), ("f,Total", 4), ("m,Total", 5), ("Total,Total", 9)]
    paths = {}
    for name, hidden in (("now", "m"), ("all", "s")):
        paths[name] = tmp_path / f"{name}.csv"
        lines = [f"{cell},{value},{hidden if cell in counts else 's'}" for cell, value in rows]
        paths[name].write_text("\n".join(["sex,region,count,status", *lines, ""]))
    bare = tmp_path / "bare.csv"
    bare.write_text("\n".join(["sex,region,count", *(f"{cell},{value}" for cell, value in rows), ""]))
    rules = ["frequency=2"]
    assert dc.audit(paths["now"], rules=rules, singletons=False).outcome == "safe"
    for before in (paths["all"], bare):
        found = dc.audit(paths["now"], rules=rules, earlier=[before], singletons=False)
        assert found.outcome == "unsafe", "every cell was published before"
        with pytest.raises(InputError, match="is sensitive and was or must be published"):
            dc.suppress(bare, rules=rules, earlier=[before], singletons=False)


def test_a_cell_that_a_linked_table_publishes_is_no_secret(tmp_path: Path) -> None:
    hides, shows = (tmp_path / name for name in ("h.csv", "s.csv"))
    text = "region,{0},value,status\nN,Total,10,{1}\nS,Total,50,s\nW,Total,40,u\nTotal,Total,100,s\n"
    hides.write_text(text.format("sex", "m"))
    shows.write_text(text.format("age", "s"))
    with pytest.raises(InputError, match=r"region = N.* is hidden in one table and published in another"):
        dc.audit([hides, shows])
    shows.write_text(text.format("age", "m"))
    assert dc.audit([hides, shows]).outcome == "safe"


def test_rounded_cells_tell_a_box(tmp_path: Path) -> None:
    alone = written(tmp_path / "p.jj", "ssssussss")
    assert dc.audit(alone).outcome == "unsafe", "all others are published"
    rounded = dc.audit(alone, rounding=5)
    assert rounded.outcome == "safe" and rounded.intervals.cell.size == 9
    assert rounded.verify().safe
    problem = rounded.problem.cells
    assert problem.lower.min() >= 0 and problem.upper.max() <= 20, "the limits known to all are known still"
    small = tmp_path / "s.jj"
    cells = ["0 2 1 s 0 4 0 0 0", "1 1 1 u 0 8 1 2 0", "2 1 1 s 0 2 0 0 0"]
    small.write_text("\n".join(["0", "3", *cells, "1", "0 3 : 0 (-1) 1 (1) 2 (1)", ""]))
    assert dc.audit(small, rounding=5).outcome == "unsafe", "the total is 2 at most, and the other part not below 0"
    one = dc.audit(alone, rounding={5: 3})
    assert one.outcome == "unsafe", "its column still tells it"
    with pytest.raises(InputError, match="rounding must be"):
        dc.audit(alone, rounding={5: 0})


def test_controlled_rounding_tells_less_than_the_nearest_multiple(tmp_path: Path) -> None:
    path = long(tmp_path / "t.csv", "ssss")
    result = dc.round_table(path, 5)
    near, controlled = dc.audit(path, rounding=5), dc.audit(path, rounding=result)
    told = result.table.problem.cells.value
    value, cells = controlled.table.problem.cells.value, controlled.problem.cells
    assert np.array_equal(cells.lower, np.maximum(np.maximum(told - 4, 0), controlled.table.problem.cells.lower))
    assert ((cells.lower <= value) & (value <= cells.upper)).all()
    assert (controlled.intervals.upper - controlled.intervals.lower).sum() > (
        near.intervals.upper - near.intervals.lower
    ).sum()
    assert "half their base" in near.summary() and "the base less one unit" in controlled.summary()
    result.data.to_csv(tmp_path / "r.csv", index=False)
    again = dc.audit(path, rounding=(5, tmp_path / "r.csv"))
    assert np.array_equal(again.intervals.upper, controlled.intervals.upper) and again.verify().safe
    with pytest.raises(InputError, match="is no multiple of the base in the rounded table"):
        dc.audit(path, rounding=(7, tmp_path / "r.csv"))
    other = tmp_path / "o.csv"
    other.write_text(LONG.format(*"ssss").replace("f,", "g,"))
    with pytest.raises(InputError, match="the rounded table is another one"):
        dc.audit(path, rounding=(5, other))


def test_percentages_narrow_intervals(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jj", "ssssumsmm")
    found = dc.audit(path, percentages={7: (1, 0)})
    assert found.outcome == "unsafe", "2 of 5 to the percent is 2"
    coarse = dc.audit(path, percentages={8: (0, 0)})
    low, high = (int(each[3]) for each in (coarse.intervals.lower, coarse.intervals.upper))
    assert all(round(100 * v / 18) == round(100 * 8 / 18) for v in range(low, high + 1)) and low <= 8 <= high
    with pytest.raises(InputError, match="hidden itself"):
        dc.audit(path, percentages={7: (8, 0)})


def test_attackers_who_know_their_cell(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jj", "ssssumsmm")
    found = dc.audit(path, attackers=[[5], [0]])
    assert found.outcome == "unsafe" and [attack.known.tolist() for attack in found.intervals.attacks] == [[5]]
    assert found.verify().outcome == "unsafe"
    labels = dc.audit(long(tmp_path / "t.csv", "ummm"), attackers=[[("f", "b")]], singletons=False)
    assert labels.outcome == "unsafe"
    with pytest.raises(InputError, match="no cell 99"):
        dc.audit(path, attackers=[[99]])
    with pytest.raises(InputError, match="no cell has these labels"):
        dc.audit(long(tmp_path / "u.csv", "ummm"), attackers=[[("f", "zz")]])


def test_single_respondents_are_attackers(tmp_path: Path) -> None:
    text = LONG.format(*"ummm").replace("f,b,5", "f,b,1").replace("f,Total,8", "f,Total,4")
    text = text.replace("Total,b,13", "Total,b,9").replace("Total,Total,18", "Total,Total,14")
    path = tmp_path / "t.csv"
    path.write_text("".join(f"{line},{'0' if at else 'above'}\n" for at, line in enumerate(text.split())))
    found = dc.audit(path)
    assert found.knowledge.respondents == 1
    assert found.outcome == "unsafe" and dc.audit(path, singletons=False).outcome == "safe"
    with pytest.raises(InputError, match="how many contributors"):
        dc.audit(written(tmp_path / "p.jj", "ssssumsmm"), singletons=True)


def test_a_table_may_be_given_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jj", "ssssumsmm")
    first = dc.audit(path)
    assert np.array_equal(dc.audit(first.table).intervals.upper, first.intervals.upper)
    with pytest.raises(InputError, match="for files only"):
        dc.audit(first.table, rules=["frequency=3"])


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert len(dc.audit(written(tmp_path / "p.jj", "ssssumsmm")).plot().axes) == 1


def test_what_the_rules_call_sensitive_must_be_hidden_in_a_pattern(tmp_path: Path) -> None:
    path = tmp_path / "pattern.csv"
    rows = {"Total": (60, "s"), "N": (2, "u"), "S": (20, "m"), "W": (4, "s"), "E": (34, "s")}
    path.write_text("region,count,status\n" + "".join(f"{name},{n},{status}\n" for name, (n, status) in rows.items()))
    assert dc.audit(path, rules=["frequency=3"]).intervals.cell.size == 2
    with pytest.raises(InputError, match="1 cells sensitive that this pattern publishes"):
        dc.audit(path, rules=["frequency=5"])
