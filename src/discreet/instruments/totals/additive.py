"""Additive tables from files and back: `.jj`/`.csp` problems, long CSV, τ-ARGUS.

What a long file or a τ-ARGUS table does not say is filled in: relations from the hierarchies, limits and levels from
rules. A relation that does not add up, a cell with two values, a label that its hierarchy lacks: one `InputError` names
them all by their labels, and no amount.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError, listing
from discreet.frames.tabular.argus import argus_texts, read_argus
from discreet.frames.tabular.cells import CellFile
from discreet.frames.tabular.contributions import Contributions
from discreet.frames.tabular.hierarchies import read_chains
from discreet.frames.tabular.long import LIMITS, long_columns, read_long
from discreet.frames.tabular.problems import ProblemFile, problem_text, read_problem_file
from discreet.instruments.totals.published import possible_table
from discreet.tabular.additive import AdditiveTable, Contributors, Parts, check_table, named_faults
from discreet.tabular.hierarchy import TOTAL, Tree, flat_tree, tree_from_chains
from discreet.tabular.linking import linked
from discreet.tabular.problem import Cells, Ints, Problem, Relations
from discreet.tabular.relations import Grid, relations_of, strides
from discreet.tabular.rules import Rules, apply_rules

PROBLEMS = (".jj", ".csp")
ARGUS = (".tab", ".rda")
Path = str | os.PathLike[str]


def table_of(
    given: Any,
    hierarchies: Mapping[str, Any] | None = None,
    rules: Rules | None = None,
    *,
    released: bool = False,
) -> AdditiveTable:
    """The table that a user means: an additive table, a result that has one, or files (`read_problem`)."""
    table = getattr(given, "table", given)
    if not isinstance(table, AdditiveTable):
        return read_problem(given, hierarchies=hierarchies, rules=rules, released=released)
    if hierarchies or rules is not None:
        raise InputError("the table has its hierarchies and rules already: give them for files only")
    return table


def read_problem(
    path: Path | Sequence[Path],
    *,
    hierarchies: Mapping[str, Any] | None = None,
    rules: Rules | None = None,
    rounded: bool = False,
    released: bool = False,
) -> AdditiveTable:
    """The additive table in a file, or in several files that are linked by their labels.

    `hierarchies` gives a file, chains of labels or a tree for each variable that has levels. `rules` set statuses,
    levels and limits; what a file does not state is filled in by `Rules()`. Where both speak, the narrower limits and
    the larger levels count. A table that was
    `rounded` cell by cell may miss each sum by half a unit a term: what it misses is taken as known. Files of tables
    that were `released` must hide the same of the cells they share; they may be published files, whose hidden cells get
    some values that add up (`published.py`).
    """
    paths = [path] if isinstance(path, str | os.PathLike) else list(path)
    tables: list[AdditiveTable] = []
    read: list[tuple[CellFile, Mapping[str, Any] | None]] = []
    for one in paths:
        suffix = PurePath(one).suffix.lower()
        if suffix in PROBLEMS:
            if hierarchies or rules is not None:
                raise InputError(
                    "a .jj file states its relations, levels and limits itself: give no hierarchies or rules"
                )
            tables.append(_from_problem(read_problem_file(one), rounded))
            continue
        cells = read_argus(one) if suffix in ARGUS else read_long(one, published=released)
        trees = hierarchies if suffix in ARGUS else _of(hierarchies, cells.variables, paths)
        if cells.unknown is not None and len(paths) > 1:
            raise InputError("a published file hides values that linked tables share: audit published files one by one")
        read.append((cells, trees))
    signed = any(bool((cells.amounts["value"] < 0).any()) for cells, _ in read)
    for cells, trees in read:
        tables.append(table_from_cells(cells, trees, rules, rounded=rounded, signed=signed))
        if released and rules is not None:
            _check_hidden(table_from_cells(cells, trees, rounded=rounded, signed=signed), tables[-1])
    return linked(tables, released=released)


def _check_hidden(pattern: AdditiveTable, ruled: AdditiveTable) -> None:
    """A pattern that publishes what the rules call sensitive is not made safe by taking that for hidden."""
    hidden = pattern.problem.cells.hidden
    told = int((ruled.problem.cells.hidden & ~hidden).sum()) if hidden.any() else 0
    if told:
        raise InputError(
            f"the rules call {told} cells sensitive that this pattern publishes: hide them with discreet suppress first"
        )


def _of(
    hierarchies: Mapping[str, Any] | None, variables: Sequence[str], paths: Sequence[Path]
) -> Mapping[str, Any] | None:
    """The hierarchies of a file's own variables, where there are several files."""
    if hierarchies is None or len(paths) == 1:
        return hierarchies
    return {name: given for name, given in hierarchies.items() if name in variables}


def table_from_cells(
    cells: CellFile,
    hierarchies: Mapping[str, Any] | None = None,
    rules: Rules | None = None,
    *,
    rounded: bool = False,
    signed: bool = False,
) -> AdditiveTable:
    """The table of cells with labels: trees, relations, limits, checked; `signed`: a linked one has negatives."""
    given, faults = dict(hierarchies or {}), Faults()
    unknown = [name for name in given if name not in cells.variables]
    faults.check(not unknown, f"a hierarchy is given for {listing(unknown)}, which the table does not have")
    trees: list[Tree] = []
    for name, labels in zip(cells.variables, cells.labels):
        try:
            trees.append(_tree(name, labels, given.get(name, cells.chains.get(name)), cells.totals.get(name)))
        except InputError as error:
            faults.extend(error)
    faults.raise_if_any()
    key = np.zeros(len(cells.codes), np.int64)
    for v, (tree, step) in enumerate(zip(trees, strides(trees))):
        node = np.array([tree.number[label] for label in cells.labels[v]], np.int64)
        key += node[cells.codes[:, v]] * step
    order = np.argsort(key, kind="stable")
    grid = Grid(tuple(trees), key[order])
    relations = relations_of(grid)
    table = AdditiveTable(
        Problem(_cells(cells, order), relations),
        cells.variables,
        grid.trees,
        grid.codes,
        cells.decimals,
        cells.cost_decimals,
        not cells.of_counts,
        _taken(cells.amounts["value"] if cells.of_counts else cells.counts, order),
        cells.decimals if cells.of_counts else cells.count_decimals,
        _contributors(cells, order, relations),
    )
    twice = np.append(False, grid.keys[1:] == grid.keys[:-1])
    named_faults(table, twice, "is listed twice: a cell has one value", faults)
    faults.raise_if_any()
    table = _adjusted(table) if rounded else table
    if cells.unknown is not None:
        zeros = None if rules is None else rules.zeros
        if rules not in (None, Rules(zeros=zeros)):
            raise InputError(
                "a published file does not say who contributes: rules but zeros need the table it was made from"
            )
        table = possible_table(table, cells.unknown[order], zeros=zeros is not None)
    elif rules is not None or any(name not in cells.amounts for name in LIMITS):
        table = _with_stated(apply_rules(table, rules or Rules(), signed=signed), cells, order, rules is not None)
    check_table(table, faults)
    faults.raise_if_any()
    return table


def _with_stated(table: AdditiveTable, cells: CellFile, order: Ints, ruled: bool) -> AdditiveTable:
    """What the file itself states of limits and levels stands: beside rules that were given the stronger of both."""
    found, own = table.problem.cells, cells.amounts
    stated: dict[str, Any] = {name: own[name][order] for name in LIMITS if name in own}
    if ruled:
        stronger = {"lower": np.maximum, "upper": np.minimum}
        stated = {name: stronger.get(name, np.maximum)(getattr(found, name), each) for name, each in stated.items()}
    return table.with_problem(table.problem._replace(cells=found._replace(**stated)))


def as_tree(given: Any, name: str, total: str | None = None) -> Tree:
    """A tree from whatever describes it: a file, chains of labels, a mapping child → parent, or a tree."""
    where = f"hierarchy of {name!r}"
    if isinstance(given, Tree):
        return given
    if isinstance(given, str | os.PathLike):
        given = read_chains(given, where)
    elif isinstance(given, Mapping):
        given = [[str(child), str(parent)] for child, parent in given.items()]
    return tree_from_chains([[str(label) for label in chain] for chain in given], name=where, total=total)


def _tree(name: str, labels: Sequence[str], given: Any, total: str | None) -> Tree:
    if given is None:
        if total is None and TOTAL not in labels and len(labels) > 1:  # a total of another name would pass for a part
            raise InputError(
                f"variable {name!r} has no cell {TOTAL!r}, and no hierarchy says what adds up: call its total so, or "
                "give its hierarchy"
            )
        return flat_tree(labels, total=total or TOTAL)
    tree = as_tree(given, name, total)
    top = total or TOTAL
    if tree.labels[0] not in labels and top in labels and top not in tree.number:
        tree = Tree((top, *tree.labels[1:]), tree.parent)  # the file calls the total by another name
    absent = [label for label in labels if label not in tree.number]
    if absent:
        raise InputError(
            f"the hierarchy of {name!r} misses {listing(absent, 5)}: add them, each with the label above it"
        )
    return tree


def _cells(cells: CellFile, order: Ints) -> Cells:
    amounts = cells.amounts
    nothing = np.zeros(order.size, np.int64)
    value = amounts["value"][order]
    cost = np.ones(order.size, np.int64) if cells.cost is None else cells.cost[order]
    lower = amounts["lower"][order] if "lower" in amounts else value
    upper = amounts["upper"][order] if "upper" in amounts else value
    levels = [amounts[name][order] if name in amounts else nothing for name in LIMITS[2:]]
    return Cells(value, lower, upper, cost, cells.status[order], *levels)


def _contributors(cells: CellFile, order: Ints, relations: Relations) -> Contributors | None:
    """Who contributes, as far as the file says; the number of contributors is the count where it says no other."""
    number = cells.contributors
    if number is None and cells.of_counts and cells.decimals == 0:
        number = cells.amounts["value"]
    if number is None and cells.counts is not None and cells.count_decimals == 0:
        number = cells.counts
    if number is None:
        return None
    nothing = np.zeros((order.size, 0), np.int64)
    top = cells.amounts["top"][order] if "top" in cells.amounts else nothing
    who = None if cells.who is None else cells.who[order]
    value = np.abs(cells.amounts["value"][order])
    found = Contributors(number[order], number[order], np.abs(top), value, who)
    return found._replace(parts=_parts(cells, order, who, found.top, relations.cell[relations.sign < 0]))


def _parts(cells: CellFile, order: Ints, who: Ints | None, top: Ints, totals: Ints) -> Parts | None:
    """All contributions to innermost cells: those that the file lists, and the largest of the same cells."""
    if cells.others is None or who is None:
        return None
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    innermost = np.ones(order.size, np.bool_)
    innermost[totals] = False
    named, column = np.nonzero((who > 0) & (top > 0) & innermost[:, None])
    cell = np.concatenate([place[cells.others.row], named])
    number = np.concatenate([cells.others.who, who[named, column]])
    amount = np.concatenate([cells.others.amount, np.abs(top[named, column])])
    order = np.lexsort((number, cell))
    return Parts(cell[order], number[order], amount[order])


def _adjusted(table: AdditiveTable) -> AdditiveTable:
    """The table with what rounded cells miss as right sides, where it is no more than rounding explains."""
    relations = table.problem.relations
    missing = relations.residuals(table.problem.cells.value)
    small = 2 * np.abs(missing) <= np.diff(relations.start)
    right = relations.right + np.where(small, missing, 0)
    return table.with_problem(table.problem._replace(relations=relations._replace(right=right)))


def _taken(column: Ints | None, order: Ints) -> Ints | None:
    return None if column is None else column[order]


def _from_problem(found: ProblemFile, rounded: bool) -> AdditiveTable:
    amounts = found.amounts
    cells = Cells(
        amounts["value"],
        amounts["lower"],
        amounts["upper"],
        found.cost,
        found.status,
        amounts["below"],
        amounts["above"],
        amounts["sliding"],
    )
    problem = Problem(cells, Relations(found.start, found.cell, found.sign, found.right))
    table = AdditiveTable(problem, decimals=found.decimals, cost_decimals=found.cost_decimals)
    table = _adjusted(table) if rounded else table
    faults = Faults()
    check_table(table, faults)
    faults.raise_if_any()
    return table


def cell_file(table: AdditiveTable, *, levels: bool = True) -> CellFile:
    """What files say of a table's cells; without `levels` neither limits nor levels nor costs."""
    cells = table.problem.cells
    if not table.variables:
        raise InputError("a problem without labels is written as .jj only")
    amounts: dict[str, Ints] = {"value": cells.value}
    if table.contributors is not None and table.contributors.top.shape[1]:
        amounts["top"] = table.contributors.top
    if levels:
        amounts |= {name: getattr(cells, name) for name in LIMITS}
    return CellFile(
        table.variables,
        tuple(tree.labels for tree in table.trees),
        table.codes,
        amounts,
        table.decimals,
        not table.amounts,
        cells.status,
        table.counts,
        table.count_decimals,
        None if table.contributors is None else table.contributors.number,
        cells.cost if levels and (cells.cost != 1).any() else None,
        table.cost_decimals,
        who=None if table.contributors is None else table.contributors.who,
        others=_others(table.contributors),
    )


def _others(contributors: Contributors | None) -> Contributions | None:
    return None if contributors is None or contributors.parts is None else Contributions(*contributors.parts)


def table_frame(table: AdditiveTable, *, public: bool = False, levels: bool = True, like: Any = None) -> Any:
    """The table as a long frame; `public`: the cells that are not hidden, and nothing else about any cell."""
    from discreet.frames import from_arrays

    return from_arrays(long_columns(cell_file(table, levels=levels), public=public, exact=False), like=like)


def table_document(table: AdditiveTable, *, public: bool = False, levels: bool = True) -> Any:
    """The same as a pyarrow Table with amounts to the last digit: what files are written from."""
    import pyarrow as pa

    return pa.table(long_columns(cell_file(table, levels=levels), public=public))


def written_problem(table: AdditiveTable, like: Path | None = None) -> str:
    """The table as the text of a `.jj` file; `like` the file it was read from, only statuses that changed differ."""
    cells, relations = table.problem
    amounts = {key: getattr(cells, key) for key in ("value", "lower", "upper", "below", "above", "sliding")}
    problem = ProblemFile(amounts, cells.cost, cells.status, *relations, table.decimals, table.cost_decimals)
    return problem_text(problem, None if like is None else read_problem_file(like))


def written_argus(table: AdditiveTable, stem: str) -> dict[str, str]:
    """The table as files for τ-ARGUS, name to text."""
    trees = {name: (tree.labels, tree.depth.tolist()) for name, tree in zip(table.variables, table.trees)}
    return argus_texts(cell_file(table, levels=False), trees, stem)
