"""Global recoding: every key at one level for the whole column, and what each level is called in the published file.

The best node of the lattice comes with its proof (`generalization/recoding/lattice.py`); a class are the rows that are
the same in all keys and fall into the same bands of numbers, and numbers are published as the means of classes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.generalization import domain as domains
from discreet.generalization.covering import Covering
from discreet.generalization.domain import TREE
from discreet.generalization.recoding.lattice import best_node
from discreet.generalization.recoding.levels import levels_of
from discreet.generalization.spelling import spell
from discreet.instruments.protect.means import Sets
from discreet.instruments.protect.plan import Plan
from discreet.instruments.protect.search import Found
from discreet.instruments.protect.totals import MOST_VALUES
from discreet.instruments.quasi_identifiers import Reading
from discreet.work import Deadline, Reporter

Integers = NDArray[np.int64]
Texts = NDArray[np.object_]


def recode(plan: Plan, *, deadline: Deadline, report: Reporter) -> Found:
    """The classes of the best node. Their covering shows the first record of each row's class only."""
    recipe, reading = plan.recipe, plan.reading
    domain = domains.domain(plan.attributes)
    levels = levels_of(domain)
    node = best_node(
        domain.codes, levels, recipe.k, values=plan.values, l=recipe.l or 1, deadline=deadline, report=report
    )
    sets = by_labels(node.labels)
    names = [attribute.name for attribute in domain.attributes]
    n = plan.n
    covering = Covering(
        members=sets.records[sets.start[:-1]][node.labels][:, None],
        size=np.ones(n, np.int64),
        matchings=None,
        home=np.arange(n),
        unit=np.arange(n),
        lost=np.zeros(0, np.int64),
        loss=node.loss,
        losses={name: float(own.loss[level]) for name, own, level in zip(names, levels, node.levels)},
        lower_bound=node.lower_bound,
        method="lattice",
        status=node.status,
        detail={
            "nodes": node.nodes,
            "visited": node.visited,
            "failing": len(node.failing),
            **{f"level of {name}": level for name, level in zip(names, node.levels)},
        },
    )
    texts, widened, shares = {}, {}, {}
    for place, name in enumerate([] if reading is None else reading.names):
        assert reading is not None
        group = levels[place].groups[node.levels[place]]
        column = group_texts(reading, place, group)[group[domain.codes[:, place]]]
        own = np.array(reading.labels[name], object)[domain.codes[:, place]]
        widened[name] = int((column != own).sum())
        if widened[name] or name in reading.recoded:
            texts[name] = column
        if domain.attributes[place].size <= MOST_VALUES and recipe.weight is not None:
            inside = group[None, :] == group[domain.codes[:, place]][:, None]
            shares[name] = inside / inside.sum(axis=1, keepdims=True)
    return Found(covering, sets, texts, widened, shares)


def by_labels(labels: Integers) -> Sets:
    """Classes by number, 0, 1, …, as sets."""
    order = np.argsort(labels, kind="stable")
    return Sets(np.concatenate([[0], np.cumsum(np.bincount(labels))]), order, labels)


def group_texts(reading: Reading, place: int, group: Integers) -> Texts:
    """How every group of values is published: as the box of all of its values that occur, or the label of its node."""
    name = reading.names[place]
    attribute, codes = reading.domain.attributes[place], reading.domain.codes[:, place]
    count = int(group.max()) + 1
    out = np.full(count, None, object)
    if attribute.kind == TREE:
        tree = attribute.hierarchy
        assert tree is not None
        nodes = {(int(left), int(right)): label for left, right, label in zip(tree.left, tree.right, tree.labels)}
        for one in range(count):
            leaves = np.flatnonzero(group == one)
            out[one] = nodes[int(leaves[0]), int(leaves[-1])]
        return out
    present, first = np.unique(codes, return_index=True)
    mine = group[present]
    width = int(np.bincount(mine).max())
    cover = np.zeros((count, width), np.int64)
    for one in np.unique(mine).tolist():
        records = first[mine == one]
        cover[one] = records[np.minimum(np.arange(width), records.size - 1)]
    column, _ = spell(reading.domain, place, reading.labels[name], cover, numbers=name in reading.numbers)
    return column
