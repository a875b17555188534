"""Plans: safe as a whole, as good as the best family found by trying them all, and honest about gaps."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import all_tables, best_plan, consistent, independent_counts, safe

from discreet.release import plan as plan_module
from discreet.release.engine import Table
from discreet.release.plan import plan
from discreet.release.policy import Policy


def table_of(counts: np.ndarray) -> Table:
    return Table(tuple("ABCDEFGHIJKL"[: counts.ndim]), tuple(tuple(range(s)) for s in counts.shape), counts)


shapes = st.sampled_from([(2, 2, 2), (3, 2, 2), (3, 2), (4, 2)])


@given(st.data(), shapes, st.integers(1, 2), st.integers(1, 3))
@settings(max_examples=40)
def test_no_family_of_margins_tells_more(data: st.DataObject, shape: tuple[int, ...], c: int, w: int) -> None:
    cells = int(np.prod(shape))
    counts = np.array(data.draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=cells, max_size=cells).filter(any)))
    while counts.sum() > 5:
        counts[np.argmax(counts)] -= 1
    made = plan(table_of(counts.reshape(shape)), Policy(c=c, w=w, time_limit=60), time_limit=None)
    assert made.optimal
    assert made.value == best_plan(counts, shape, c, w)
    family = [tuple("ABC".index(n) for n in names) for names in made.margins]
    if family:
        assert safe(counts, consistent(all_tables(shape, int(counts.sum())), shape, counts, family), c, w)
        assert independent_counts(shape, family) == made.value
        gains = [step.gain for step in made.steps]
        assert sum(gains) == made.value
        assert gains == sorted(gains, reverse=True)


def test_the_autoworkers(auto: Table) -> None:
    made = plan(auto, Policy(time_limit=60), time_limit=None)
    assert (made.value, made.bound, made.size) == (62, 62, 64)
    assert sorted(map(len, made.margins)) == [5] * 5


def test_what_is_public_already_counts(auto: Table) -> None:
    made = plan(auto, Policy(), released=[0b111101], time_limit=None)
    assert ("A", "C", "D", "E", "F") not in made.margins
    nothing = plan(table_of(np.array([[1, 0], [0, 1]])), Policy(w=2), time_limit=None)
    assert (nothing.margins, nothing.value) == ([], 0)


def test_a_plan_cut_short_states_its_gap(auto: Table) -> None:
    made = plan(auto, Policy(), time_limit=0.0)
    assert made.margins == []
    assert made.bound == 64
    assert made.gap == 100.0
    assert not made.optimal


def test_many_variables_go_greedily(monkeypatch: pytest.MonkeyPatch, auto: Table) -> None:
    best = plan(auto, Policy(time_limit=60), time_limit=None)
    monkeypatch.setattr(plan_module, "EXACT_VARIABLES", 3)
    greedy = plan(auto, Policy(time_limit=60), time_limit=None)
    assert greedy.method == "greedy"
    assert greedy.value <= best.value <= greedy.bound
    wide = table_of(np.random.default_rng(0).poisson(4.0, (2,) * 10))
    made = plan(wide, Policy(), time_limit=5.0)
    assert made.value <= made.bound <= 1024
    assert made.steps


@given(st.lists(st.integers(0, 3), min_size=8, max_size=8).filter(any))
@settings(max_examples=15)
def test_the_crude_bound_holds(counts: list[int]) -> None:
    cube = np.array(counts).reshape(2, 2, 2)
    exact = plan(table_of(cube), Policy(c=2, w=2, time_limit=60), time_limit=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan_module, "EXACT_VARIABLES", 2)
        greedy = plan(table_of(cube), Policy(c=2, w=2, time_limit=60), time_limit=None)
    assert greedy.value <= exact.value <= greedy.bound


def test_simulatable_plans_claim_no_optimum(auto: Table) -> None:
    made = plan(auto, Policy(w=1, mode="simulatable"), time_limit=2.0)
    assert made.method == "greedy"
    assert made.bound == 64


def test_the_command(discreet: Callable[..., Any], tmp_path: Path) -> None:
    table, policy, figures = (tmp_path / name for name in ("t.csv", "p.toml", "plan.json"))
    discreet("datasets", "autoworkers", "-o", table)
    policy.write_text("c = 2\nw = 3\n")
    ran = discreet("plan", table, "--policy", policy, "--json", figures)
    assert ran.code == 0
    assert len(ran.out.splitlines()) == 5
    assert all(line.count(":") == 4 for line in ran.out.splitlines())
    assert '"status": "optimal"' in figures.read_text()
    assert discreet("plan", table, "--policy", tmp_path / "none.toml").code == 2


def test_planning_and_asking_need_no_server_packages() -> None:
    blocked = "sqlalchemy", "alembic", "fastapi", "uvicorn", "starlette", "multipart", "psycopg"
    code = (
        f"import sys\nfor name in {blocked!r}: sys.modules[name] = None\n"
        "import discreet, discreet.cli, discreet.release.plan, discreet.cli.serve\n"
        "discreet.Client('http://localhost', 'x')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
