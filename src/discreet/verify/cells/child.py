"""The process in which the checker asks CP-SAT: one question per line of JSON on standard input, one answer per line.

Started by its path, so that it loads OR-Tools and nothing else: HiGHS and OR-Tools cannot be in one process.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    from ortools.sat.python import cp_model

    words = {cp_model.OPTIMAL: "feasible", cp_model.FEASIBLE: "feasible", cp_model.INFEASIBLE: "infeasible"}
    for line in sys.stdin:
        asked = json.loads(line)
        model = cp_model.CpModel()
        cells = [model.new_int_var(low, high, "") for low, high in zip(asked["lower"], asked["upper"])]
        for row, total in zip(asked["rows"], asked["sums"]):
            model.add(sum(cells[i] for i in row) == total)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = asked["seconds"]
        status = words.get(solver.solve(model), "unknown")
        table = [solver.value(cell) for cell in cells] if status == "feasible" else None
        sys.stdout.write(json.dumps({"status": status, "table": table}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
