"""Both ends of every hidden cell by an integer program of somebody else: CP-SAT, in a process of its own.

    python attack/integer_programs.py       reads a question a line, answers a line each, as JSON

A question has `low`, `high` (how far each cell may move), `rows` (relations as [cell, sign] pairs over the cells that
move) and `ask` (cells). The answer lists [least, greatest] of each. Nothing of the project is imported: HiGHS, which it
loads, and OR-Tools cannot be in one process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


class IntegerPrograms:
    """The other process, for as many questions as one likes."""

    def __enter__(self) -> IntegerPrograms:
        command = [sys.executable, str(Path(__file__).resolve())]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def ends(self, questions: list[dict[str, Any]]) -> list[list[list[int]]]:
        """Both ends of what each question asks."""
        assert self._process.stdin is not None and self._process.stdout is not None
        found = []
        for question in questions:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            found.append(json.loads(self._process.stdout.readline()))
        return found


def answer(question: dict[str, Any]) -> list[list[int]]:
    """The least and the greatest move of each cell that is asked."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    moves = [model.new_int_var(low, high, "") for low, high in zip(question["low"], question["high"])]
    for row in question["rows"]:
        model.add(sum(sign * moves[cell] for cell, sign in row) == 0)
    found = []
    for cell in question["ask"]:
        ends = []
        for side in (-1, 1):
            model.clear_objective()
            model.maximize(side * moves[cell])
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            solver.parameters.cp_model_presolve = False  # dearer than the search in so small a program
            if solver.solve(model) != cp_model.OPTIMAL:
                raise RuntimeError("CP-SAT did not close a small program")
            ends.append(int(solver.value(moves[cell])))
        found.append(ends)
    return found


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
