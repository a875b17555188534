"""dc.suppress on tables that are called large: by chains, by chains and then by the search, with the same care."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet as dc
from discreet.errors import InfeasibleError, UnsafeReleaseError
from discreet.instruments.totals import suppress_large
from discreet.instruments.totals import suppress_search as instrument
from discreet.tabular.audit import protects
from discreet.tabular.problem import FREE, SECONDARY


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Regions in two levels by sectors; four small cells are sensitive."""
    rng = np.random.default_rng(8)
    inner = rng.integers(10, 90, (6, 5))
    inner[0, 0], inner[2, 3], inner[3, 1], inner[5, 4] = 3, 4, 2, 5
    rows = ["region,sector,count,status"]
    regions = {"Total": range(6), "N": range(3), "S": range(3, 6)} | {f"{'NS'[i // 3]}{i % 3}": [i] for i in range(6)}
    sectors = {"Total": range(5)} | {letter: [j] for j, letter in enumerate("ABCDE")}
    for region, own in regions.items():
        for sector, parts in sectors.items():
            value = int(inner[np.ix_(list(own), list(parts))].sum())
            rows.append(f"{region},{sector},{value},{'u' if value < 6 else 's'}")
    path = tmp_path / "table.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


HIERARCHY = {"region": [["N0", "N"], ["N1", "N"], ["N2", "N"], ["S0", "S"], ["S1", "S"], ["S2", "S"]]}


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every table is too large for the exact search."""
    monkeypatch.setattr(instrument, "LARGE", 0)
    monkeypatch.setattr(instrument, "EXACT", 0)
    return monkeypatch


def test_a_pattern_without_a_bound_that_the_checker_confirms(table: Path, large: pytest.MonkeyPatch) -> None:
    found = dc.suppress(table, hierarchies=HIERARCHY, random_state=1)
    assert (found.status, found.lower_bound, found.certificate) == ("heuristic", 0, None)
    assert found.verify().safe
    assert not protects(found.table.problem).shortfalls
    assert found.to_dict()["method"] == "chains"
    assert "a cheaper pattern may exist" in found.summary()
    assert "no pattern costs less" not in found.summary()
    again = dc.suppress(table, hierarchies=HIERARCHY, random_state=1)
    assert np.array_equal(found.table.problem.cells.status, again.table.problem.cells.status)
    large.undo()
    best = dc.suppress(table, hierarchies=HIERARCHY)
    assert best.status == "optimal"
    assert best.cost <= found.cost <= 2 * best.cost


def test_a_time_limit_lets_the_search_improve_the_chains(table: Path, large: pytest.MonkeyPatch) -> None:
    best = dc.suppress(table, hierarchies=HIERARCHY, random_state=1)
    large.setattr(instrument, "EXACT", 1000)
    better = dc.suppress(table, hierarchies=HIERARCHY, random_state=1, time_limit=600)
    assert better.cost <= best.cost
    assert better.status in ("optimal", "heuristic")
    without = dc.suppress(table, hierarchies=HIERARCHY, random_state=1)
    assert without.status == "optimal"


def test_many_sensitive_cells_get_their_first_pattern_from_chains(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    best = dc.suppress(table, hierarchies=HIERARCHY, random_state=1)
    begun: list[int] = []
    true = instrument.large_pattern

    def chains(*given):  # type: ignore[no-untyped-def]
        begun.append(1)
        return true(*given)

    monkeypatch.setattr(instrument, "_PRIMARIES", 0)
    monkeypatch.setattr(instrument, "large_pattern", chains)
    found = dc.suppress(table, hierarchies=HIERARCHY, random_state=1, time_limit=600)
    assert begun and found.cost == best.cost and found.lower_bound == best.lower_bound and found.verify().safe


def test_forced_cells_and_attackers_count(table: Path, large: pytest.MonkeyPatch) -> None:
    plain = dc.suppress(table, hierarchies=HIERARCHY)
    hidden = np.flatnonzero(plain.table.problem.cells.status == SECONDARY)
    shown = plain.table.labels(int(hidden[0]))
    forced = dc.suppress(table, hierarchies=HIERARCHY, published=[shown], hidden=[("S1", "C")])
    names = [forced.table.labels(i) for i in range(forced.table.cells)]
    status = forced.table.problem.cells.status
    assert status[names.index(shown)] >= FREE
    assert status[names.index(("S1", "C"))] == SECONDARY
    assert forced.verify().safe
    known = [[plain.table.labels(int(i))] for i in hidden]
    careful = dc.suppress(table, hierarchies=HIERARCHY, attackers=known)
    assert careful.cost > plain.cost
    assert careful.verify().safe


def test_the_conflict_is_named(table: Path, large: pytest.MonkeyPatch) -> None:
    row = [("N0", label) for label in ("B", "C", "D", "E", "Total")]
    with pytest.raises(InfeasibleError, match="region = N0, sector = A cannot be protected"):
        dc.suppress(table, hierarchies=HIERARCHY, published=row)


def test_what_the_audit_refuses_is_not_given_out(table: Path, large: pytest.MonkeyPatch) -> None:
    search = suppress_large.suppress_large

    def careless(*given: object, **options: object) -> object:
        found, witnesses = search(*given, **options)  # type: ignore[arg-type]
        if not isinstance(found, suppress_large.Suppression):
            return found, witnesses
        nothing = found.hidden & (given[0].cells.status != FREE)  # type: ignore[attr-defined]
        return found._replace(hidden=nothing), []

    large.setattr(suppress_large, "suppress_large", careless)
    with pytest.raises(UnsafeReleaseError, match="the audit does not confirm"):
        dc.suppress(table, hierarchies=HIERARCHY)
