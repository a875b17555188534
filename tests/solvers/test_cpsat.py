from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from discreet.solvers import cpsat

pytestmark = pytest.mark.skipif(not cpsat.available(), reason="needs OR-Tools (extra: exact)")
MODEL = cpsat.IntegerModel("test", np.array([0, 2]), np.array([0, 1]), np.array([2, 3]))


def ask(worker: cpsat.CpSatWorker, total: int, **options: object) -> cpsat.CpSatAnswer:
    bounds = np.zeros(2, np.int64), np.full(2, 5)
    return worker.solve(MODEL, *bounds, np.array([total]), np.array([total]), **options)  # type: ignore[arg-type]


def test_feasible_infeasible_and_extreme() -> None:
    worker = cpsat.shared_worker()
    found = ask(worker, 7)
    assert found.status in ("optimal", "feasible")
    assert found.x @ np.array([2, 3]) == 7
    assert ask(worker, 1).status == "infeasible"
    assert ask(worker, 12, extremize=(0, 1)).x[0] == 3
    assert ask(worker, 12, extremize=(0, -1)).x[0] == 0


def test_the_worker_is_started_again_when_it_dies() -> None:
    worker = cpsat.CpSatWorker()
    assert ask(worker, 7).x is not None
    worker._process.kill()  # type: ignore[union-attr]
    worker._process.wait()  # type: ignore[union-attr]
    assert ask(worker, 7).x is not None
    worker.close()


def test_a_worker_that_dies_unseen_costs_one_more_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is dead before the question is sent, and nobody has looked yet: what stands in the pipe is lost, no more."""
    worker = cpsat.CpSatWorker()
    assert ask(worker, 7).x is not None
    first = worker._process
    assert first is not None
    os.kill(first.pid, signal.SIGKILL)
    os.waitid(os.P_PID, first.pid, os.WEXITED | os.WNOWAIT)
    monkeypatch.setattr(first, "poll", lambda: None)
    assert ask(worker, 7).x is not None
    assert worker._process is not first
    worker.close()


def test_ortools_is_never_loaded_beside_highs() -> None:
    code = (
        "import sys, discreet.tables.bounds.whole_table, discreet.solvers.lp, highspy, discreet.solvers.cpsat as c;"
        "assert c.available(); c.shared_worker(); assert not any(m.startswith('ortools.') for m in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_gets_a_worker_of_its_own() -> None:
    worker = cpsat.shared_worker()
    assert ask(worker, 7).x is not None
    code = (
        "import os, sys, numpy as np; from discreet.solvers import cpsat; w = cpsat.shared_worker();"
        "m = cpsat.IntegerModel('t', np.array([0, 1]), np.array([0]), np.array([1]));"
        "a = lambda: w.solve(m, np.zeros(1, int), np.ones(1, int), np.ones(1, int), np.ones(1, int)).x[0];"
        "assert a() == 1; first = w._process.pid; child = os.fork();"
        "ok = a() == 1 and (w._process.pid != first if child == 0 else w._process.pid == first);"
        "sys.exit(0 if ok and (child == 0 or (os.waitpid(child, 0)[1] == 0 and a() == 1)) else 1)"
    )
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False, timeout=120).returncode == 0
