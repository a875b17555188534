"""The process that runs CP-SAT for `discreet.solvers.cpsat`: reads models and questions from stdin, answers on stdout.

Run as `python -m discreet.solvers.cpsat_worker`. Imports nothing of the package, so that HiGHS is never loaded here.
"""

from __future__ import annotations

import pickle
import struct
import sys
import time
from typing import Any


def main() -> None:
    from ortools.sat.python import cp_model

    source, sink = sys.stdin.buffer, sys.stdout.buffer
    models: dict[str, tuple[Any, Any, Any]] = {}
    words = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }
    while True:
        head = source.read(8)
        if len(head) < 8:
            return
        message = pickle.loads(source.read(struct.unpack("<Q", head)[0]))
        if message[0] == "model":
            models[message[1]] = message[2:]
            continue
        _, key, lower, upper, row_lower, row_upper, extremize, time_limit, threads = message
        began = time.monotonic()
        starts, columns, coefficients = models[key]
        model = cp_model.CpModel()
        variables = [model.new_int_var(int(a), int(b), "") for a, b in zip(lower, upper)]
        for r in range(len(starts) - 1):
            chosen = [variables[j] for j in columns[starts[r] : starts[r + 1]]]
            factors = [int(v) for v in coefficients[starts[r] : starts[r + 1]]]
            expression = cp_model.LinearExpr.weighted_sum(chosen, factors)
            model.add_linear_constraint(expression, int(row_lower[r]), int(row_upper[r]))
        if extremize is not None:
            target = variables[extremize[0]]
            (model.maximize if extremize[1] > 0 else model.minimize)(target)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = threads
        solver.parameters.random_seed = 0
        # Laying out a large model takes time too.
        solver.parameters.max_time_in_seconds = max(float(time_limit) - (time.monotonic() - began), 0.0)
        status = words.get(solver.solve(model), "unknown")
        x = None
        if status in ("optimal", "feasible"):
            import numpy as np

            x = np.array([solver.value(v) for v in variables], np.int64)
        body = pickle.dumps((status, x, time.monotonic() - began), protocol=5)
        sink.write(struct.pack("<Q", len(body)) + body)
        sink.flush()


if __name__ == "__main__":
    main()
