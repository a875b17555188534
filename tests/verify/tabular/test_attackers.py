"""Against attackers the short way says what asking every level anew for each of them says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import random_problem
from verify.tabular.cases import written

from discreet.verify.tabular import attackers as room
from discreet.verify.tabular.attackers import check_attackers
from discreet.verify.tabular.levels import Level, check_levels
from discreet.verify.tabular.problem import load
from discreet.verify.tabular.search import Search

CYCLE = [4, 5, 7, 8]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_same_levels_fail_as_by_asking_everything_anew(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    table = load(problem, "the problem")
    hidden = np.flatnonzero(table.hidden).tolist()
    rng = np.random.default_rng(seed + 1)
    known = [set(rng.choice(table.n, 1 + seed % 2, replace=False).tolist()) for _ in range(3)]
    moves = offered(problem, hidden)[:: 1 + seed % 5]
    plain = check_levels(table, hidden, moves)
    everywhere = {level.cell for level in plain if level.outcome == "exposed"}
    found = check_attackers(table, hidden, moves, plain, known)
    slow = [level for own in known for level in check_levels(table, hidden, moves, own)]
    assert found.asked == len(slow)

    def failing(levels: list[Level], outcome: str) -> set[tuple[int, int, tuple[int, ...]]]:
        chosen = [level for level in levels if level.outcome == outcome and level.cell not in everywhere]
        return {(level.cell, level.kind, level.known) for level in chosen}

    for outcome in ("exposed", "undecided"):
        assert failing(found.levels, outcome) == failing(slow, outcome)
    exposed = {(level.cell, level.known) for level in found.levels if level.cell in everywhere}
    assert exposed == {(level.cell, level.known) for level in slow if level.cell in everywhere}


def offered(problem: object, hidden: list[int]) -> list[Mapping[int, int]]:
    """Moves that the checker finds itself, for a part of the cells; and one that is none."""
    table = load(problem, "the problem")
    view = room.Hidden(table, hidden)
    search = Search(view, view.narrowed(), None)
    found = [search.extreme(cell, side, 1)[0] for cell in hidden[::2] for side in (1, -1)]
    return [*(move for move in found if move is not None), {hidden[0]: 1} if hidden else {}]


def test_a_second_witness_spares_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = load(written(tmp_path / "p.jj", level=1), "the problem")
    turn = {4: 1, 5: -1, 7: -1, 8: 1}
    wide = {4: 1, 5: 0, 3: 1, 7: 0, 1: 1, 0: 1}  # to the totals of its row and column, and to the grand total
    moves = [sign_of(move, sign) for move in (turn, wide) for sign in (1, -1)]
    hidden = [0, 1, 3, *CYCLE]
    plain = check_levels(table, hidden, moves)
    asked: list[object] = []
    monkeypatch.setattr(room, "check_levels", lambda *given: asked.append(given) or [])
    assert check_attackers(table, hidden, moves, plain, [{5}, {0}, {4}]) == (3 + 3 + 0, [])
    assert not asked
    check_attackers(table, hidden, moves, plain, [{5, 0}])
    assert len(asked) == 1


def sign_of(move: Mapping[int, int], sign: int) -> Mapping[int, int]:
    return {cell: sign * change for cell, change in move.items()}
