"""The optimum as an integer program, for a handful of records (seed paper, section 4: the `MIP` method).

    minimize    Σ_i Σ_a ncp_a(box_i)
    subject to  Σ_j x_ij = k,  Σ_i x_ij = k,  x_ii = 1,  x binary
                interval   low_ia ≤ p_ja where x_ij = 1, high_ia ≥ p_ja where x_ij = 1, cost high − low
                set        y_iav ≥ x_ij for every j with value v, cost by the number of y
                hierarchy  z_iav (node v is the box) exactly one, z covers j where x_ij = 1

The largest-M constants are the record's own distance, as its own value is in the box. Costs of sets are linear but
for the step at two values under `ncp="share"`, which one more binary variable per box holds.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from discreet.errors import InputError
from discreet.generalization.domain import INTERVAL, SET, Domain, Integers
from discreet.generalization.methods import Call, Matches, Outcome
from discreet.solvers.mip import solve_mip
from discreet.work import Deadline

MOST_RECORDS = 14


class _Program:
    """Columns with a cost, and rows of (column, coefficient) between two bounds."""

    def __init__(self) -> None:
        self.cost: list[float] = []
        self.upper: list[float] = []
        self.whole: list[bool] = []
        self.entries: list[tuple[int, int, float]] = []
        self.row_lower: list[float] = []
        self.row_upper: list[float] = []

    def column(self, cost: float, upper: float, whole: bool) -> int:
        self.cost.append(cost)
        self.upper.append(upper)
        self.whole.append(whole)
        return len(self.cost) - 1

    def row(self, terms: list[tuple[int, float]], lower: float, upper: float) -> None:
        self.entries.extend((len(self.row_lower), column, value) for column, value in terms)
        self.row_lower.append(lower)
        self.row_upper.append(upper)


def run(call: Call) -> Outcome:
    domain = call.problem.domain
    if domain.n > MOST_RECORDS:
        raise InputError(
            f"method 'mip' finds the optimum for at most {MOST_RECORDS} records, and there are {domain.n}: "
            'use method "reassign"'
        )
    matches, proven, nodes = optimum(domain, call.problem.k, call.deadline)
    return Outcome(Matches(matches), "mip", "optimal" if proven else "time limit", {"nodes": nodes})


def optimum(domain: Domain, k: int, deadline: Deadline) -> tuple[Integers, bool, int]:
    """Matches of least loss, whether that is proven, and the nodes searched."""
    n, codes, t = domain.n, domain.codes, domain.tables
    program = _Program()
    x = np.array([[program.column(0.0, 1.0, True) for _ in range(n)] for _ in range(n)])
    for i in range(n):
        program.row([(int(c), 1.0) for c in x[i]], k, k)
        program.row([(int(c), 1.0) for c in x[:, i]], k, k)
        program.row([(int(x[i, i]), 1.0)], 1, 1)
    for a in range(domain.d):
        if (codes[:, a] < 0).any() or np.isnan(t.position[t.start[a] : t.start[a + 1]]).any():
            raise InputError("method 'mip' does not know missing values: use another method")
        for i in range(n):
            if t.kind[a] == INTERVAL:
                _interval(program, domain, x, i, a)
            elif t.kind[a] == SET:
                _set(program, domain, x, i, a)
            else:
                _tree(program, domain, x, i, a)
    rows, columns, values = zip(*program.entries)
    matrix = sp.csc_matrix((values, (rows, columns)), shape=(len(program.row_lower), len(program.cost)))
    solution = solve_mip(
        np.array(program.cost),
        matrix,
        np.array(program.row_lower, np.float64),
        np.array(program.row_upper, np.float64),
        upper=np.array(program.upper),
        integer=np.array(program.whole),
        time_limit=None if deadline.limit is None else max(deadline.remaining, 0.0),
    )
    if solution.x is None:  # the limit came before any solution: a ring is one
        return np.array([[(i + r) % n for r in range(k)] for i in range(n)]), False, solution.nodes
    chosen = solution.x[x] > 0.5
    matches = np.array([[i, *(j for j in np.flatnonzero(chosen[i]) if j != i)] for i in range(n)], np.int64)
    return matches, solution.status == "optimal", solution.nodes


def _interval(program: _Program, domain: Domain, x: Integers, i: int, a: int) -> None:
    t = domain.tables
    place = t.position[t.start[a] + domain.codes[:, a]]
    below, above = program.column(1.0, np.inf, False), program.column(1.0, np.inf, False)
    for j in range(domain.n):
        gap = float(place[j] - place[i])
        if gap > 0:
            program.row([(above, 1.0), (int(x[i, j]), -gap)], 0.0, np.inf)
        elif gap < 0:
            program.row([(below, 1.0), (int(x[i, j]), gap)], 0.0, np.inf)


def _set(program: _Program, domain: Domain, x: Integers, i: int, a: int) -> None:
    t, own = domain.tables, domain.codes[i, a]
    step = float(2 * t.unit[a] + t.base[a])  # the cost of two values
    any_other = program.column(step - float(t.unit[a]), 1.0, True)
    for value in np.unique(domain.codes[:, a]):
        if value == own:
            continue
        held = program.column(float(t.unit[a]), 1.0, True)
        program.row([(any_other, 1.0), (held, -1.0)], 0.0, np.inf)
        for j in np.flatnonzero(domain.codes[:, a] == value):
            program.row([(held, 1.0), (int(x[i, j]), -1.0)], 0.0, np.inf)


def _tree(program: _Program, domain: Domain, x: Integers, i: int, a: int) -> None:
    t = domain.tables
    node = int(t.leaf[t.start[a] + domain.codes[i, a]])
    chain = []
    while node >= 0:
        chain.append((program.column(float(t.node_cost[node]), 1.0, True), node))
        node = int(t.parent[node])
    program.row([(column, 1.0) for column, _ in chain], 1, 1)
    for j in range(domain.n):
        value = domain.codes[j, a]
        covering = [(column, 1.0) for column, node in chain if t.left[node] <= value <= t.right[node]]
        program.row([*covering, (int(x[i, j]), -1.0)], 0.0, np.inf)
