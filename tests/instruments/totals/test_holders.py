"""Holdings behind several cells, from records to the verdict: they know their parts of all of them at once."""

from __future__ import annotations

import csv
import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import discreet as dc
from discreet.cli import app
from discreet.instruments.totals import suppress_search
from discreet.instruments.totals.additive import read_problem
from discreet.instruments.totals.audit_knowledge import CHOICE
from discreet.tabular.additive import AdditiveTable


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
    from discreet.instruments.totals.additive import table_document

    table = dc.tabulate(records, by=["region", "sector"], holding="firm").table
    write(table_document(table, levels=False), tmp_path / "t.csv")
    again = read_problem(tmp_path / "t.csv")
    assert table.contributors is not None and again.contributors is not None
    assert table.contributors.parts is not None and again.contributors.parts is not None
    for mine, theirs in zip(table.contributors[2:5], again.contributors[2:5]):
        assert np.array_equal(mine, theirs)
    for mine, theirs in zip(table.contributors.parts, again.contributors.parts):
        assert np.array_equal(mine, theirs)


def small_records(rng: np.random.Generator) -> pd.DataFrame:
    """Two by two or three cells with up to five firms in each."""
    n = int(rng.integers(6, 14))
    columns = {name: rng.choice(list(labels), n) for name, labels in (("r", "ab"), ("s", "xyz"[: rng.integers(2, 4)]))}
    return pd.DataFrame(columns | {"firm": rng.integers(0, 5, n), "v": rng.integers(1, 4, n)})


def undone_by(frame: pd.DataFrame, table: AdditiveTable, firm: int) -> set[tuple[str, ...]]:
    """The cells of others whose levels do not hold against a firm, by listing every table that it thinks possible."""
    cells = table.problem.cells
    names = [table.labels(cell) for cell in range(table.cells)]

    def inside(name: tuple[str, ...]) -> pd.DataFrame:
        chosen = [frame[column] == label for column, label in zip(table.variables, name) if label != "Total"]
        return frame[np.logical_and.reduce(chosen)] if chosen else frame

    parts = {name: int(inside(name).loc[frame.firm == firm, "v"].sum()) for name in names}
    alone = {name for name in names if set(inside(name).firm) == {firm}}
    boxes = {
        name: (value, value) if name in alone else (max(low, parts[name]), high)
        for name, value, low, high in zip(names, cells.value.tolist(), cells.lower.tolist(), cells.upper.tolist())
    }
    leaves = [name for name in names if "Total" not in name]

    def ends(published: dict[tuple[str, ...], int]) -> dict[tuple[str, ...], tuple[int, int]]:
        spans = [(published[n],) if n in published else range(boxes[n][0], boxes[n][1] + 1) for n in leaves]
        every = np.array(list(itertools.product(*spans)), np.int64)
        sums = {}
        for r, s in names:
            under = [at for at, leaf in enumerate(leaves) if r in ("Total", leaf[0]) and s in ("Total", leaf[1])]
            sums[r, s] = every[:, under].sum(axis=1)
        sound = [(boxes[n][0] <= own) & (own <= boxes[n][1]) for n, own in sums.items()]
        sound += [sums[n] == value for n, value in published.items()]
        fits = np.logical_and.reduce(sound)
        return {n: (int(own[fits].min()), int(own[fits].max())) for n, own in sums.items()}

    hidden = cells.hidden
    after = ends({name: int(value) for name, value, away in zip(names, cells.value, hidden) if not away})
    before = ends({}) if len(leaves) < 5 else boxes
    wrong = set()
    for at in np.flatnonzero(cells.status == 0).tolist():
        name, value = names[at], int(cells.value[at])
        low, high = after[name]
        up, down = (min(int(level), most) for level, most in zip(
            (cells.above[at], cells.below[at]), (before[name][1] - value, value - before[name][0])))  # fmt: skip
        if name not in alone and (high < value + up or low > value - down):
            wrong.add(name)
    return wrong


@pytest.mark.parametrize("seed", range(40))
def test_nobody_undoes_a_pattern_that_is_called_safe_however_small_its_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = small_records(rng)
    rules = ["frequency=2", f"range={rng.choice([15, 60])}"]
    table = dc.tabulate(frame, by=["r", "s"], value="v", holding="firm", rules=rules).table
    status = table.problem.cells.status
    more = (status == 2) & (rng.random(status.size) < 0.7)
    table = table.with_status(np.where(more, rng.choice([0, 1], status.size, p=[0.2, 0.8]), status).astype(np.int8))
    cells = table.problem.cells
    level = np.where(cells.status == 0, np.maximum(cells.above, 1), 0)
    table = table.with_problem(table.problem._replace(cells=cells._replace(above=level, below=level)))
    found = dc.audit(table)
    wrong = {firm: undone_by(frame, table, firm) for firm in range(5)}
    if found.outcome == "safe":
        assert not any(wrong.values()), wrong
    assert found.verify().outcome == found.outcome
    named = {table.labels(each.cell) for attack in found.intervals.attacks for each in attack.shortfalls}
    plain = {table.labels(each.cell) for each in found.intervals.shortfalls}
    assert set().union(*wrong.values()) <= named | plain


def test_who_is_only_third_in_a_cell_knows_its_part_all_the_same() -> None:
    """f has 3 of 10 in both cells that protect a third one: their sum is 6 at least, for nobody else more than 4."""
    rows = [("x", "a", 12), ("x", "b", 8), ("y", "c", 4), ("y", "d", 3), ("y", "f", 3), ("z", "e", 4), ("z", "g", 3)]
    frame = pd.DataFrame([*rows, ("z", "f", 3)], columns=["s", "firm", "v"])
    table = dc.tabulate(frame, by=["s"], value="v", holding="firm").table
    cells = table.problem.cells
    names = [table.labels(cell)[0] for cell in range(table.cells)]
    status = np.array([{"x": 0, "y": 1, "z": 1}.get(name, 2) for name in names], np.int8)
    level = np.where(status == 0, 15, 0)
    problem = table.problem._replace(cells=cells._replace(status=status, above=level, below=level * 0))
    table = table.with_problem(problem)
    found = dc.audit(table)
    assert found.outcome == "unsafe" and found.verify().outcome == "unsafe"
    assert [text for text in found.knowledge.uncovered() if "multiples of 10" not in text] == [CHOICE]
    assert table.contributors is not None
    largest = replace(table, contributors=table.contributors._replace(parts=None))
    blind = dc.audit(largest)
    assert blind.outcome == "safe"
    assert any("to which two others contribute more" in limit for limit in blind.verify().limits)
    assert any("to which two others contribute more" in line for line in blind.knowledge.told())


def test_every_verdict_names_who_is_not_asked(records: pd.DataFrame, tmp_path: Path) -> None:
    held = dc.tabulate(records, by=["region", "sector"], value="turnover", holding="firm", rules=RULES)
    plain = dc.tabulate(records, by=["region", "sector"], value="turnover", rules=RULES)
    for made, singletons, words in (
        (held, None, None),
        (held, False, "was left out, as asked"),
        (plain, None, "does not say whose contributions are"),
    ):
        found = dc.suppress(made, singletons=singletons)
        for one in (found, dc.audit(found.table, singletons=singletons)):
            limits = " ".join(one.verify().limits)
            assert ("a contributor who knows" in limits) == (words is not None)
            assert words is None or words in limits
            assert ("own figures" in " ".join(one.statement().not_covered)) == (words is not None)
    path = tmp_path / "t.csv"
    path.write_text("a,value,status\nTotal,9,s\nx,4,u\ny,5,m\n", encoding="utf-8")
    assert any("how many contribute" in limit for limit in dc.audit(path).verify().limits)


def test_parts_pass_through_the_file_to_the_verdict(tmp_path: Path) -> None:
    rows = [("x", "a", 8.5), ("x", "b", 1), ("y", "c", 4), ("y", "d", 3), ("y", "f", 2.25), ("z", "f", 9)]
    pd.DataFrame(rows, columns=["s", "firm", "v"]).to_csv(tmp_path / "r.csv", index=False)
    run, table = CliRunner().invoke, str(tmp_path / "t.csv")
    records = str(tmp_path / "r.csv")
    made = run(app, ["tabulate", records, "--by", "s", "--value", "v", "--holding", "firm", "-o", table])
    assert made.exit_code == 0, made.output
    with open(table, encoding="utf-8") as file:
        others = [row["others_by"] for row in csv.DictReader(file)]
    assert others == ["", "", "5:2.25", ""]
    again = read_problem(table)
    assert again.contributors is not None and again.contributors.parts is not None
    assert again.contributors.parts.amount.tolist() == [850, 100, 400, 300, 225, 900]


def test_a_rounded_figure_is_no_excuse_for_what_a_respondent_infers(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    head = "sex,count,status,lower,upper,below,above,sliding"
    path.write_text(f"{head}\nTotal,15,u,0,30,1,1,0\nf,1,m,0,9,0,0,0\nm,14,s,0,28,0,0,0\n")
    assert dc.audit(path, rounding=3, singletons=False).outcome == "safe"
    found = dc.audit(path, rounding=3)
    assert found.outcome == "unsafe", "who knows f, and m to within one, knows the total to within one"
    assert found.verify().outcome == "unsafe"
