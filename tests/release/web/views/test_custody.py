"""What custodians see: the narrowest cells first, the ledger in steps, a plan by its margins."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.release.engine import Table
from discreet.release.history.database import Database
from discreet.release.people.actor import Actor
from discreet.release.policy import Policy
from discreet.release.queue.deciders import wait_for
from discreet.release.service import Service
from discreet.release.web.views import custody
from discreet.release.web.views.custody import cells_view, ledger_view, look_at_cells, make_plan, plan_view


def shown(service: Service, actor: Actor, name: str) -> dict[str, object]:
    opened = service.current(name)
    return cells_view(opened, wait_for(service.decider, look_at_cells(service, actor, opened)))


def test_cells_are_told_with_their_bounds_the_narrowest_first(
    database: Database, analyst: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With both margins of a 2 × 3 table out the bounds of Fréchet are sharp: max(0, r + c − n) to min(r, c)."""
    counts = np.array([[1, 2, 40], [50, 2, 60]])
    table = Table(("A", "B"), (("a", "b"), ("x", "y", "z")), counts)
    service = Service(database)
    service.add("custodian", "t", table, Policy(c=2, published=(("A",), ("B",))), confirmed=True)
    told = shown(service, analyst, "t")
    rows, columns, total = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    expected = []
    for (i, j), count in np.ndenumerate(counts):
        if 1 <= count <= 2:
            lower, upper = max(0, rows[i] + columns[j] - total), min(rows[i], columns[j])
            expected.append(([str(table.categories[0][i]), table.categories[1][j]], count, lower, upper))
    expected.sort(key=lambda one: one[3] - one[2])
    found = [(cell["categories"], cell["count"], cell["lower"], cell["upper"]) for cell in told["cells"]]  # type: ignore[attr-defined]
    assert found == expected
    assert all(cell["sharp"] and cell["width"] == cell["upper"] - cell["lower"] for cell in told["cells"])  # type: ignore[attr-defined]
    assert (told["sensitive"], told["hidden"], told["total"], told["size"], told["nothing"]) == (3, 0, 155, 6, False)
    monkeypatch.setattr(custody, "SHOWN_CELLS", 1)
    few = shown(service, analyst, "t")
    assert (few["sensitive"], few["hidden"], few["cells"]) == (3, 2, told["cells"][:1])  # type: ignore[index]


def test_where_nothing_is_out_that_is_said(service: Service, analyst: Actor) -> None:
    assert shown(service, analyst, "auto")["nothing"] is True
    service.ask(analyst, "auto", ["A"])
    assert shown(service, analyst, "auto")["nothing"] is False


def test_the_ledger_in_steps(service: Service, analyst: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    for request in ("A", "ABCDEF", "A"):
        service.ask(analyst, "auto", list(request))
    whole = ledger_view(service, "auto", 0)
    assert [(row["sequence"], row["word"], row["ground"]) for row in whole["entries"]] == [
        (4, "Released", "contained in a released margin"),
        (3, "Refused", "a sensitive cell would be too narrow"),
        (2, "Released", "proven safe"),
        (1, "Opened", ""),
    ]
    assert whole["more"] == 0
    monkeypatch.setattr(custody, "SHOWN_ENTRIES", 2)
    first = ledger_view(service, "auto", 0)
    second = ledger_view(service, "auto", first["more"])
    assert [row["sequence"] for row in first["entries"] + second["entries"]] == [4, 3, 2, 1]
    assert (first["more"], second["more"]) == (3, 0)
    assert first["entries"] + second["entries"] == whole["entries"]


def test_a_plan_is_shown_by_its_margins(database: Database, small: Table, analyst: Actor) -> None:
    service = Service(database)
    service.add("custodian", "small", small, Policy())
    service.ask(analyst, "small", ["A"])
    opened = service.current("small")
    made = wait_for(service.decider, make_plan(service, analyst, opened))
    told = plan_view(opened, made)
    assert told["plan"] is made
    assert [one["mask"] for one in told["margins"]] == [opened.mask(step.variables) for step in made.steps]
    assert all(opened.names(one["mask"]) == tuple(one["names"]) for one in told["margins"])
    assert not any(one["mask"] == opened.mask(["A"]) for one in told["margins"]), "that is out already"
