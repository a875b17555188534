"""Against holders the moves that are offered only spare questions: the answers are those of asking for each anew."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import random_problem
from verify.tabular.cases import written
from verify.tabular.test_attackers import offered

from discreet.verify.tabular import holders as room
from discreet.verify.tabular.holders import check_holders, seen_by
from discreet.verify.tabular.levels import check_levels
from discreet.verify.tabular.problem import PRIMARY, SECONDARY, load

CYCLE = [4, 5, 7, 8]


def parts_of(rng: np.random.Generator, table: object) -> dict[int, tuple[Fraction, Fraction]]:
    """What one holder knows of one or two cells: an interval about the true value."""
    cells = rng.choice(table.n, 2, replace=False).tolist()  # type: ignore[attr-defined]
    unit = 10**table.decimals  # type: ignore[attr-defined]
    value = [int(table.value[cell]) for cell in cells]  # type: ignore[attr-defined]
    least = [v - int(rng.integers(0, 3)) for v in value]
    most = [v + int(rng.integers(0, 3)) for v in value]
    return {c: (Fraction(a, unit), Fraction(b, unit)) for c, a, b in zip(cells, least, most)}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_same_levels_fail_as_by_asking_everything_anew(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    table = load(problem, "the problem")
    hidden = np.flatnonzero(table.hidden).tolist()
    rng = np.random.default_rng(seed + 1)
    holders = [parts_of(rng, table) for _ in range(3)]
    moves: list[Mapping[int, int]] = offered(problem, hidden)[:: 1 + seed % 5]
    plain = check_levels(table, hidden, moves)
    exposed = {(level.cell, level.kind) for level in plain if level.outcome == "exposed"}
    found = check_holders(table, hidden, moves, plain, holders)
    for outcome in ("exposed", "undecided"):
        got = {(v.cell, v.kind, v.known) for v in found.levels if v.outcome == outcome}
        want = {
            (v.cell, v.kind, tuple(sorted(parts)))
            for parts in holders
            for v in check_levels(seen_by(table, parts), hidden)
            if v.outcome == outcome and (v.cell, v.kind) not in exposed
        }
        assert got == want


def test_a_holder_sees_narrower_boxes_and_no_wider_levels(tmp_path: Path) -> None:
    table = load(written(tmp_path / "p.jj", level=3), "the problem")
    value = int(table.value[4])
    seen = seen_by(table, {4: (Fraction(value - 1), Fraction(value + 2))})
    assert (int(seen.lower[4]), int(seen.upper[4])) == (value - 1, value + 2)
    assert (int(seen.below[4]), int(seen.above[4])) == (1, 2) and seen.status[4] == PRIMARY
    others = np.arange(table.n) != 4
    for before, after in zip(table[:8], seen[:8]):
        assert (before[others] == after[others]).all()
    assert int(table.above[4]) == 3, "the table itself stays as it was"
    # Fractions that are no whole units: what lies between is what whole tables can have.
    seen = seen_by(table, {4: (Fraction(2 * value - 1, 2), Fraction(2 * value + 3, 2))})
    assert (int(seen.lower[4]), int(seen.upper[4])) == (value, value + 1)


def test_a_cell_that_is_its_holders_alone_asks_for_nothing(tmp_path: Path) -> None:
    table = load(written(tmp_path / "p.jj", level=3), "the problem")
    value = Fraction(int(table.value[4]))
    assert seen_by(table, {4: (value, value)}).status[4] == SECONDARY
    plain = check_levels(table, CYCLE)
    assert check_holders(table, CYCLE, [], plain, [{4: (value, value)}]) == (0, [])
    assert check_holders(table, CYCLE, [], plain, []) == (0, [])


def test_moves_within_a_holders_boxes_spare_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = load(written(tmp_path / "p.jj", level=1), "the problem")
    turn = {4: 1, 5: -1, 7: -1, 8: 1}
    moves = [turn, {cell: -change for cell, change in turn.items()}]
    plain = check_levels(table, CYCLE, moves)
    asked: list[object] = []
    monkeypatch.setattr(room, "check_levels", lambda *given: asked.append(given) or [])
    value = int(table.value[5])
    wide, tight = (Fraction(value - 1), Fraction(value + 1)), (Fraction(value), Fraction(value + 1))
    check_holders(table, CYCLE, moves, plain, [{5: wide}])
    assert not asked
    check_holders(table, CYCLE, moves, plain, [{5: tight}])
    assert len(asked) == 1
