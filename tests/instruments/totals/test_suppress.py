"""dc.suppress: a pattern that its audit and the independent check confirm; what cannot be is told by labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from instruments.totals.cases import TABLE
from references import reference

import discreet as dc
from discreet.errors import InfeasibleError, InputError
from discreet.tabular.problem import FREE, PRIMARY, SECONDARY


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def test_a_small_table(table: Path) -> None:
    result = dc.suppress(table, cost="value")
    assert (result.primary, result.secondary, result.status) == (1, 3, "optimal")
    assert result.cost == result.lower_bound == 20 + 10 + 20  # W,A and W,C and N,C
    assert result.gap == 0
    assert result.verify().safe
    assert result.to_dict()["cost"] == 50
    hidden = {result.table.labels(i) for i in np.flatnonzero(result.table.problem.cells.hidden)}
    assert hidden == {("N", "A"), ("N", "C"), ("W", "A"), ("W", "C")}
    assert "optimal" in result.summary()


def test_forced_cells(table: Path) -> None:
    result = dc.suppress(table, cost="value", published=[("W", "C")], hidden=[("S", "B")])
    status = result.table.problem.cells.status
    names = [result.table.labels(i) for i in range(result.table.cells)]
    assert status[names.index(("W", "C"))] >= FREE
    assert status[names.index(("S", "B"))] == SECONDARY
    assert result.cost > 50
    assert result.verify().safe


def test_an_earlier_release_stays_published(table: Path) -> None:
    first = dc.suppress(table, cost="value")
    again = dc.suppress(table, cost="value", earlier=[first])
    assert np.array_equal(again.table.problem.cells.status, first.table.problem.cells.status)
    with pytest.raises(InputError, match="region = N, sector = A is sensitive and was or must be published"):
        dc.suppress(table, published=[("N", "A")])


def test_a_cell_to_stay_hidden_was_published_before(table: Path) -> None:
    """What an earlier release told cannot be hidden again, and a mark in the file must not be passed over."""
    before = dc.suppress(table, cost="value")
    now = table.with_name("now.csv")
    now.write_text(TABLE.replace("S,B,24,s", "S,B,24,m"))
    for forced in ({"earlier": [before]}, {"published": [("S", "B")]}):
        with pytest.raises(InputError, match="region = S, sector = B is marked m, to stay hidden, and was or must be"):
            dc.suppress(now, cost="value", **forced)


def test_the_conflict_is_named_by_labels(table: Path) -> None:
    row = [("N", "B"), ("N", "C"), ("N", "Total")]
    with pytest.raises(InfeasibleError) as caught:
        dc.suppress(table, published=row)
    assert "region = N, sector = A cannot be protected" in str(caught.value)
    assert "the sum over sector that is region = N, sector = Total" in str(caught.value)


def test_a_respondent_who_knows_his_cell(table: Path) -> None:
    plain = dc.suppress(table, cost="value")
    careful = dc.suppress(table, cost="value", attackers=[[("W", "C")]])
    assert careful.cost > plain.cost
    assert careful.status == "optimal"
    assert careful.verify().safe


def test_options_that_are_not_known(table: Path) -> None:
    with pytest.raises(InputError, match="cost 'much' is not known"):
        dc.suppress(table, cost="much")
    with pytest.raises(InputError, match="random_state"):
        dc.suppress(table, random_state=-1)


def test_the_public_example_is_proven() -> None:
    result = dc.suppress(reference("sumit_problem.jj"))
    assert (result.cost, result.lower_bound, result.status, result.primary) == (1637, 1637, "optimal", 71)
    verdict = result.verify()
    assert verdict.safe
    assert verdict.figures["lower_bound"] == 1637
    assert (result.table.problem.cells.status == PRIMARY).sum() == 71


def test_who_keeps_the_cost_to_himself(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("region,value,status\nN,10,u\nS,50,s\nTotal,60,s\n")
    told = dc.suppress(path)
    assert told.cost == 50 and "published sums less the cost may tell" in told.summary(), "60 - 50 is the secret"
    assert "less the cost" not in dc.suppress(path, cost="unit").summary()
