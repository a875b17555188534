"""Moves found near a cell are moves of the component; all its cells are near, in the end."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.patterns import all_moves, random_problem

from discreet.tabular.audit.circuits import graph
from discreet.tabular.audit.neighborhood import local_move, near
from discreet.tabular.audit.system import components, hidden_system


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_move_is_one_of_all_moves_and_as_far_as_asked(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed))
    moves = all_moves(problem)
    if moves is None:
        return
    for own in components(hidden_system(problem)):
        known, mine = graph(own), moves[:, own.place]
        entries = own.sign.astype(np.int64)
        matrix = sp.csr_matrix((entries, own.column, own.start), shape=(own.row.size, own.n)).tocsc()
        every = {tuple(row) for row in mine.tolist()}
        for column, sign in ((0, 1), (own.n - 1, -1)):
            most = int((sign * mine[:, column]).max())
            for need in (1, 2):
                found = local_move(known, matrix, column, sign, need, (own.n, False))
                if found is not None:
                    assert tuple(found.tolist()) in every
                    assert sign * found[column] >= need
                if need > most:
                    assert found is None
        for back in (False, True):
            assert near(known, 0, 1, back).tolist() == [0]
            assert near(known, 0, own.n, back).tolist() == list(range(own.n))
