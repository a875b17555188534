"""The search behind `suppress`: what it hands out the audit has confirmed, against every attacker."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from instruments.totals.cases import TABLE
from oracles.tabular_suppress import protects

from discreet.errors import InfeasibleError, InputError, UnsafeReleaseError
from discreet.instruments.totals import suppress_search as module
from discreet.instruments.totals.additive import read_problem
from discreet.instruments.totals.suppress import cost_kind, posed_table
from discreet.instruments.totals.suppress_search import protecting_pattern
from discreet.tabular.additive import AdditiveTable
from discreet.tabular.audit import protects as audited
from discreet.tabular.holder import Holder
from discreet.work import Deadline, Reporter


def posed(path: Path, text: str = TABLE) -> AdditiveTable:
    """The table, hidden cells paid for by their counts."""
    path.write_text(text)
    given = read_problem(path)
    return posed_table(given, cost_kind(given, "value"), [], [], [])


@pytest.fixture
def table(tmp_path: Path) -> AdditiveTable:
    return posed(tmp_path / "t.csv")


def found_for(table: AdditiveTable, known: list[list[int]], holders: list[Holder], seconds: float | None = None):  # type: ignore[no-untyped-def]
    return protecting_pattern(table, known, holders, Deadline(seconds), Reporter(None), 0)


def bare(problem, *given, **more):  # type: ignore[no-untyped-def]
    """An audit of the sensitive cells alone, whatever else is hidden."""
    return audited(problem, problem.cells.status == 0)


def test_the_cheapest_pattern_that_the_audit_confirms(table: AdditiveTable) -> None:
    plain, _ = found_for(table, [], [])
    assert plain.cost == plain.lower_bound == 20 + 10 + 20  # W,A and W,C and N,C
    known = [np.flatnonzero(plain.hidden)[1:2].tolist()]
    found, intervals = found_for(table, known, [])
    assert found.cost > plain.cost and protects(table.problem, found.hidden, known)
    assert not protects(table.problem, plain.hidden, known)
    assert not intervals.exposed and not intervals.undecided


def test_a_holder_who_undoes_a_neighbor_is_told_to_the_search(table: AdditiveTable) -> None:
    plain, _ = found_for(table, [], [])
    spared = int(np.flatnonzero(plain.hidden)[1])
    value = int(table.problem.cells.value[spared])
    holder = Holder(np.array([spared]), np.array([value]), np.array([value]))
    found, intervals = found_for(table, [], [holder])
    assert found.cost > plain.cost
    assert module.holder_attacks(table.problem, found.hidden, intervals, [holder])[0] == []


def test_what_nothing_can_protect_is_named(tmp_path: Path) -> None:
    fixed = posed(tmp_path / "t.csv", TABLE.replace(",s\n", ",z\n").replace("S,B,24,z", "S,B,24,s"))
    with pytest.raises(InfeasibleError, match=r"cannot be protected.*Let more cells there be hidden") as caught:
        found_for(fixed, [], [])
    assert "N" in str(caught.value)


def test_no_first_pattern_in_time_is_an_error(table: AdditiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "search", lambda *given, **more: None)
    with pytest.raises(InputError, match="allow more seconds"):
        found_for(table, [], [])


def test_a_pattern_that_the_audit_never_confirms_is_not_given_out(
    table: AdditiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "whole_moves", lambda *given: None)
    monkeypatch.setattr(
        module, "protects", lambda problem, _, known, **more: audited(problem, problem.cells.status == 0)
    )
    with pytest.raises(UnsafeReleaseError, match="does not confirm"):
        found_for(table, [], [])


def test_levels_that_fail_by_a_hair_are_asked_for_again(table: AdditiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The audit refuses once: what is then found proves no more than the first bound, and has no certificate."""
    asked: list[np.ndarray] = []

    def once(problem, hidden, known, **more):  # type: ignore[no-untyped-def]
        asked.append(hidden)
        return audited(problem, problem.cells.status == 0 if len(asked) == 1 else hidden, known=known)

    monkeypatch.setattr(module, "whole_moves", lambda *given: None)
    monkeypatch.setattr(module, "protects", once)
    first = 50
    found, _ = found_for(table, [], [])
    assert len(asked) == 2 and found.certificate is None and found.lower_bound == first
    assert found.status == ("time limit" if found.cost > first else "optimal")


def test_what_only_fractions_reach_is_completed_by_a_move_of_whole_numbers(
    table: AdditiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that protects too little: what the audit misses is hidden, and its bound stays what was proven."""
    true = module.search

    def careless(problem, *given, **more):  # type: ignore[no-untyped-def]
        found = true(problem, *given, **more)
        return found._replace(hidden=problem.cells.status == 0, cost=0, lower_bound=0)

    monkeypatch.setattr(module, "search", careless)
    found, intervals = found_for(table, [], [])
    assert protects(table.problem, found.hidden) and not intervals.exposed and not intervals.undecided
    assert found.cost >= 50 and found.lower_bound == 0 and found.status == "time limit" and found.certificate is None


def test_many_respondents_are_told_to_the_audit_alone(table: AdditiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, _ = found_for(table, [], [])
    known = [[cell] for cell in np.flatnonzero(plain.hidden).tolist()]
    told, _ = found_for(table, known, [])
    monkeypatch.setattr(module, "_QUESTIONS", 0)
    found, intervals = found_for(table, known, [])
    assert protects(table.problem, found.hidden, known) and not intervals.exposed and not intervals.undecided
    assert found.cost >= told.cost > plain.cost and found.lower_bound == plain.lower_bound


def test_nobody_is_told_that_levels_are_out_of_reach_that_nobody_asked_for(
    table: AdditiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Levels that are asked for again are larger: that these are out of reach says nothing of what was asked."""
    upper = np.minimum(table.problem.cells.upper, table.problem.cells.value + table.problem.cells.above)
    tight = table.with_problem(table.problem._replace(cells=table.problem.cells._replace(upper=upper)))
    monkeypatch.setattr(module, "whole_moves", lambda *given: None)
    monkeypatch.setattr(
        module, "protects", lambda problem, _, known, **more: audited(problem, problem.cells.status == 0)
    )
    with pytest.raises((UnsafeReleaseError, InfeasibleError)) as caught:
        found_for(tight, [], [])
    first = module.search(tight.problem, module.requirements_of(tight.problem, [], {}), Deadline(None), Reporter(None))
    assert isinstance(first, module.Conflict) == isinstance(caught.value, InfeasibleError)
