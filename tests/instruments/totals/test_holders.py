"""Holdings behind several cells, from records to the verdict: they know their parts of all of them at once."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import discreet as dc
from discreet.cli import app
from discreet.instruments.totals import suppress_search


@pytest.fixture
def records() -> pd.DataFrame:
    """Firm `big` dominates cell (north, trade), which alone could protect (north, mining) cheaply."""
    rows = [("north", "mining", name, 10) for name in ("a", "b")]
    rows += [("north", "trade", "big", 58), ("north", "trade", "c", 1), ("north", "trade", "d", 1)]
    rows += [("north", "crafts", f"e{i}", 20) for i in range(5)]
    rows += [("south", "mining", f"f{i}", 9) for i in range(6)] + [("south", "crafts", f"g{i}", 30) for i in range(6)]
    rows += [("south", "trade", "big", 70), ("south", "trade", "h", 8), ("south", "trade", "i", 7)]
    return pd.DataFrame(rows, columns=["region", "sector", "firm", "turnover"])


RULES = ["frequency=3", "range=30"]


def test_a_table_of_holdings_says_whose_the_largest_contributions_are(records: pd.DataFrame) -> None:
    frame = dc.tabulate(records, by=["region", "sector"], value="turnover", holding="firm").data
    cell = frame[(frame.region == "north") & (frame.sector == "trade")].iloc[0]
    other = frame[(frame.region == "Total") & (frame.sector == "Total")].iloc[0]
    assert cell.largest == 58 and other.largest == 128
    assert cell.largest_by == other.largest_by > 0
    plain = dc.tabulate(records, by=["region", "sector"], value="turnover").data
    assert "largest_by" not in plain.columns
    weighted = records.assign(w=2)
    assert (
        "largest_by"
        not in dc.tabulate(weighted, by=["region"], value="turnover", holding="firm", weight="w").data.columns
    )


def test_a_pattern_is_safe_from_whoever_dominates_what_protects(records: pd.DataFrame) -> None:
    table = dc.tabulate(records, by=["region", "sector"], value="turnover", holding="firm", rules=RULES)
    careless = dc.suppress(table, singletons=False)
    exposed = dc.audit(careless.table)
    assert exposed.outcome == "unsafe" and exposed.verify().outcome == "unsafe"
    careful = dc.suppress(table)
    assert careful.cost > careless.cost
    assert careful.status == "optimal" and careful.lower_bound == careful.cost
    assert careful.verify().safe and dc.audit(careful.table).outcome == "safe"
    assert any("contributors who know their own parts" in line for line in careful.knowledge.told())


def test_the_search_goes_on_from_the_pattern_that_a_holder_undid(
    records: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts, found = [], []

    def search(*words: object, **options: object) -> object:
        starts.append(options["start"])
        found.append(true_search(*words, **options))
        return found[-1]

    true_search = suppress_search.search
    monkeypatch.setattr(suppress_search, "search", search)
    table = dc.tabulate(records, by=["region", "sector"], value="turnover", holding="firm", rules=RULES)
    assert dc.suppress(table).status == "optimal"
    assert len(starts) > 1 and starts[0] is None
    assert np.array_equal(starts[1], found[0].hidden)


def test_a_certificate_about_a_holder_is_checked(records: pd.DataFrame) -> None:
    from discreet.verify.tabular import verify_pattern

    table = dc.tabulate(records, by=["region", "sector"], value="turnover", holding="firm", rules=RULES)
    found = dc.suppress(table)
    assert found.certificate is not None
    assert any("holder" in cut for cut in found.certificate["cuts"])
    parts = found.knowledge.known_parts()
    alone = verify_pattern(found.problem, found.table.problem, certificate=found.certificate, holders=parts)
    assert alone.safe and alone.figures["lower_bound"] == found.cost
    unsaid = verify_pattern(found.problem, found.table.problem, certificate=found.certificate)
    assert unsaid.outcome == "unsafe" and "holder" in unsaid.failures[0]


def test_one_holding_alone_in_two_cells_is_one_attacker() -> None:
    rows = [("a", "x", "f", 40), ("a", "y", "g", 5), ("a", "y", "h", 6), ("a", "y", "k", 7), ("a", "z", "f", 30)]
    rows += [("b", name, firm, 20) for name in "xyz" for firm in "pqrs"]
    frame = pd.DataFrame(rows, columns=["r", "s", "firm", "v"])
    table = dc.tabulate(frame, by=["r", "s"], value="v", holding="firm", rules=["frequency=2"]).table
    known = dc.audit(table, levels_only=True).knowledge
    assert [table.labels(cell) for cell in known.attackers[0].tolist()] == [("a", "x"), ("a", "z")]
    split = dc.tabulate(frame, by=["r", "s"], value="v", rules=["frequency=2"]).table
    assert len(dc.audit(split, levels_only=True).knowledge.attackers) == 2


def test_two_of_different_size_alone_under_one_total_can_be_protected() -> None:
    """What the larger one knows of their total before it is published is not asked to be hidden from it."""
    rows = [("a", "x", 95), ("a", "y", 5), *((r, s, 100) for r in "bc" for s in "xyxyxyxy")]
    table = dc.tabulate(pd.DataFrame(rows, columns=["r", "s", "v"]), by=["r", "s"], value="v", rules=["frequency=3"])
    found = dc.suppress(table)
    assert found.verify().safe


def test_files_carry_holdings_through_the_commands(records: pd.DataFrame, tmp_path: Path) -> None:
    records.to_csv(tmp_path / "records.csv", index=False)
    run = CliRunner().invoke
    table, out, proof = (str(tmp_path / name) for name in ("table.csv", "out.csv", "proof.json"))
    made = run(app, ["tabulate", str(tmp_path / "records.csv"), "--by", "region,sector", "--value", "turnover",
                     "--holding", "firm", "-o", table])  # fmt: skip
    assert made.exit_code == 0, made.output
    rules = [word for rule in RULES for word in ("--rule", rule)]
    assert run(app, ["suppress", table, *rules, "-o", out, "--certificate", proof]).exit_code == 0
    with open(out, encoding="utf-8") as file:
        assert set(next(csv.reader(file))) == {"region", "sector", "count", "value", "status"}
    checked = run(app, ["verify-pattern", table, out, *rules, "--certificate", proof])
    assert checked.exit_code == 0, checked.output
    careless = str(tmp_path / "careless.csv")
    assert run(app, ["suppress", table, *rules, "--no-singletons", "-o", careless]).exit_code == 0
    assert run(app, ["verify-pattern", table, careless, *rules]).exit_code == 1


def test_holdings_are_given_for_all_largest_or_none(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,value,largest,second,largest_by,contributors\nTotal,9,5,4,1,2\nx,9,5,4,1,2\n", encoding="utf-8")
    with pytest.raises(dc.InputError, match="whose it is"):
        dc.audit(str(path))


def test_counts_with_holdings_come_back_from_a_file(records: pd.DataFrame, tmp_path: Path) -> None:
    from discreet.frames import write
    from discreet.instruments.totals.additive import read_problem, table_document

    table = dc.tabulate(records, by=["region", "sector"], holding="firm").table
    write(table_document(table, levels=False), tmp_path / "t.csv")
    again = read_problem(tmp_path / "t.csv")
    assert table.contributors is not None and again.contributors is not None
    for mine, theirs in zip(table.contributors[2:], again.contributors[2:]):
        assert np.array_equal(mine, theirs)


def test_a_rounded_figure_is_no_excuse_for_what_a_respondent_infers(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    head = "sex,count,status,lower,upper,below,above,sliding"
    path.write_text(f"{head}\nTotal,15,u,0,30,1,1,0\nf,1,m,0,9,0,0,0\nm,14,s,0,28,0,0,0\n")
    assert dc.audit(path, rounding=3, singletons=False).outcome == "safe"
    found = dc.audit(path, rounding=3)
    assert found.outcome == "unsafe", "who knows f, and m to within one, knows the total to within one"
    assert found.verify().outcome == "unsafe"
