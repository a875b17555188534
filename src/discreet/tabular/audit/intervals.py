"""The audit of a pattern: for each hidden cell what an attacker can infer, with proofs and witnesses.

`lower` and `upper` hold for every table that has what is published; `inner_lower` and `inner_upper` are attained by
tables of whole numbers. Where they meet a side is sharp. Proofs are multipliers of relations, witnesses are moves; both
are about the problem's own numbers of cells and relations, and are checked by whole numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.scale import ordered_map, stopping, workers
from discreet.tabular.audit.attackers import Attack, attacks
from discreet.tabular.audit.branching import Branch, Leaf
from discreet.tabular.audit.component import DOWN, UP, Ends
from discreet.tabular.audit.levels import Shortfall, shortfalls
from discreet.tabular.audit.system import Component, System, components, hidden_system
from discreet.tabular.problem import Ints, Problem
from discreet.work import Deadline, Reporter

Flags = NDArray[np.bool_]
# Components with fewer cells together are not worth another thread.
ALONE = 200


class Multipliers(NamedTuple):
    """A proof: the relations combined bound denominator · f_cell, from above (side 1) or from below (side -1)."""

    cell: int
    side: int
    denominator: int
    relation: Ints
    multiplier: Ints


class ProofBranch(NamedTuple):
    """A node of a tree of proof: cell ≤ `at` in node `below`, cell ≥ `at` + 1 in node `above`."""

    cell: int
    at: int
    below: int
    above: int


class Empty(NamedTuple):
    """A leaf: the relations so combined are below 0 all over its boxes, and 0 in every table."""

    relation: Ints
    multiplier: Ints


class ProofTree(NamedTuple):
    """No table of whole numbers has the cell beyond its end (side 1: above, -1: below); node 0 is the first."""

    cell: int
    side: int
    nodes: tuple[ProofBranch | Empty, ...]


class Witness(NamedTuple):
    """The table a + change / denominator."""

    cell: Ints
    change: Ints
    denominator: int


class Intervals(NamedTuple):
    """One entry a hidden cell; `upper_witness` and `lower_witness` number the witnesses (-1: the true table).

    `upper_fractional` and `lower_fractional` number witnesses of fractions at an outer end that no table of whole
    numbers was found to attain (-1: none). `complete` is False where time ran out.
    """

    cell: Ints
    lower: Ints
    upper: Ints
    inner_lower: Ints
    inner_upper: Ints
    lower_witness: Ints
    upper_witness: Ints
    lower_fractional: Ints
    upper_fractional: Ints
    proofs: tuple[Multipliers, ...]
    trees: tuple[ProofTree, ...]
    witnesses: tuple[Witness, ...]
    shortfalls: tuple[Shortfall, ...]
    attacks: tuple[Attack, ...]
    programs: int
    components: int
    complete: bool

    @property
    def sharp(self) -> Flags:
        return np.asarray((self.lower == self.inner_lower) & (self.upper == self.inner_upper))

    @property
    def lp_sharp(self) -> Flags:
        """Both ends are attained, if need be by a table of fractions."""
        lower = (self.lower == self.inner_lower) | (self.lower_fractional >= 0)
        upper = (self.upper == self.inner_upper) | (self.upper_fractional >= 0)
        return np.asarray(lower & upper)

    @property
    def open_sides(self) -> int:
        return int((self.lower != self.inner_lower).sum() + (self.upper != self.inner_upper).sum())

    @property
    def exposed(self) -> tuple[Shortfall, ...]:
        """Requirements that are proven not to hold, whoever attacks."""
        return tuple(each for each in self._all if each.proven)

    @property
    def undecided(self) -> tuple[Shortfall, ...]:
        return tuple(each for each in self._all if not each.proven)

    @property
    def _all(self) -> list[Shortfall]:
        return [*self.shortfalls, *(each for attack in self.attacks for each in attack.shortfalls)]


def audit(
    problem: Problem,
    hidden: Flags | None = None,
    *,
    known: Sequence[Ints] = (),
    deadline: Deadline | None = None,
    reporter: Reporter | None = None,
    executor: Executor | None = None,
) -> Intervals:
    """Both ends of every hidden cell; of those that their statuses hide, where `hidden` is not given.

    `known` are cells that attackers know beforehand, one array each: the levels of all other cells are asked again.
    """
    end = Deadline(None) if deadline is None else deadline
    tell = Reporter(None) if reporter is None else reporter
    tell("relations", 0.0)
    system = hidden_system(problem, hidden)
    parts = components(system)
    large = sum(part.n for part in parts) - max((part.n for part in parts), default=0) > ALONE
    results = []
    tasks = ((part, end) for part in parts)
    if large:
        with workers(executor) as pool:
            for ends in ordered_map(pool, _all_sides, tasks):
                results.append(ends)
                tell("intervals", len(results) / len(parts))
    else:
        for ends in ordered_map(None, _all_sides, tasks):
            results.append(ends)
            tell("intervals", len(results) / len(parts))
    return gather(problem, system, results, attacks(problem, system, results, known, end))


def _all_sides(component: Component, deadline: Deadline) -> Ends:
    """Close every side of a component, as far as time allows."""
    ends = Ends(component)
    for column in range(component.n):
        for side in (UP, DOWN):
            if ends.met(column, side):
                continue
            if deadline.passed or stopping():
                ends.complete = False
                break
            limit = None if deadline.limit is None else deadline.remaining
            ends.solve(column, side, limit)
    ends.forget()
    return ends


def gather(problem: Problem, system: System, results: list[Ends], attacked: tuple[Attack, ...]) -> Intervals:
    """What was found in all components, in the numbers of the problem."""
    n = system.cell.size
    outer, inner = np.array([system.high, system.low]), np.zeros((2, n), np.int64)
    witness, fractional = np.full((2, n), -1, np.int64), np.full((2, n), -1, np.int64)
    proofs: list[Multipliers] = []
    witnesses: list[Witness] = []
    trees: list[ProofTree] = []
    value = problem.cells.value
    for ends in results:
        place, first = ends.component.place, len(witnesses)
        outer[:, place], inner[:, place] = ends.outer, ends.inner
        witness[:, place] = np.where(ends.witness >= 0, ends.witness + first, -1)
        fractional[:, place] = np.where(ends.fractional >= 0, ends.fractional + first, -1)
        witnesses += [Witness(system.cell[place[m.column]], m.change, m.denominator) for m in ends.moves]
        for proof in ends.proofs.values():
            cell = int(system.cell[place[proof.column]])
            relation = system.relation[ends.component.row[proof.row]]
            side = 1 if proof.side == UP else -1
            proofs.append(Multipliers(cell, side, proof.denominator, relation, proof.multiplier))
        for (column, side), tree in ends.trees.items():
            nodes = tuple(_numbered(node, ends.component, system, value) for node in tree)
            trees.append(ProofTree(int(system.cell[place[column]]), 1 if side == UP else -1, nodes))
    fractional[inner == outer] = -1
    value = value[system.cell]
    return Intervals(
        system.cell,
        value + outer[DOWN],
        value + outer[UP],
        value + inner[DOWN],
        value + inner[UP],
        witness[DOWN],
        witness[UP],
        fractional[DOWN],
        fractional[UP],
        tuple(proofs),
        tuple(trees),
        tuple(witnesses),
        tuple(shortfalls(problem, system.cell, outer, inner)),
        attacked,
        sum(ends.asked for ends in results),
        len(results),
        all(ends.complete for ends in results),
    )


def _numbered(node: Leaf | Branch, own: Component, system: System, value: Ints) -> ProofBranch | Empty:
    """A node of a component's tree in the numbers of the problem."""
    if isinstance(node, Leaf):
        return Empty(system.relation[own.row[node.row]], node.multiplier)
    cell = int(system.cell[own.place[node.column]])
    return ProofBranch(cell, int(value[cell]) + node.at, node.below, node.above)
