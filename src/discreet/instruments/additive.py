"""Additive tables from files: `.jj` and `.csp` problems."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from discreet.errors import Faults, InputError
from discreet.frames.tabular.problems import ProblemFile, problem_text, read_problem_file
from discreet.tabular.additive import AdditiveTable, check_table
from discreet.tabular.problem import Cells, Problem, Relations

PROBLEMS = (".jj", ".csp")


def read_problem(path: str | os.PathLike[str], *, hierarchies: Mapping[str, Any] | None = None) -> AdditiveTable:
    """The additive table in a file. One `InputError` names the relations and cells that are wrong."""
    if PurePath(path).suffix.lower() not in PROBLEMS:
        raise InputError(f"cannot tell the format of {os.fspath(path)}: tables are read from {', '.join(PROBLEMS)}")
    if hierarchies:
        raise InputError("a .jj file states its relations itself: leave out the hierarchies")
    found = read_problem_file(path)
    table = AdditiveTable(_problem(found), decimals=found.decimals, cost_decimals=found.cost_decimals)
    faults = Faults()
    check_table(table, faults)
    faults.raise_if_any()
    return table


def written_problem(table: AdditiveTable, like: str | os.PathLike[str] | None = None) -> str:
    """The table as the text of a `.jj` file; `like` the file it was read from, only statuses that changed differ."""
    cells, relations = table.problem
    amounts = {key: getattr(cells, key) for key in ("value", "lower", "upper", "below", "above", "sliding")}
    problem = ProblemFile(amounts, cells.cost, cells.status, *relations, table.decimals, table.cost_decimals)
    return problem_text(problem, None if like is None else read_problem_file(like))


def _problem(found: ProblemFile) -> Problem:
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
    return Problem(cells, Relations(found.start, found.cell, found.sign, found.right))
