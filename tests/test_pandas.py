"""`frame.discreet`: each method is the function of its name, and nobody pays for it who does not use pandas."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pandas as pd
import pytest

import discreet as dc
from discreet.pandas import DiscreetAccessor

METHODS = [name for name, _ in inspect.getmembers(DiscreetAccessor, inspect.isfunction) if not name.startswith("_")]


def run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_is_there_after_pandas_and_costs_nothing_without() -> None:
    run("import pandas, discreet; pandas.DataFrame({'a': [1]}).discreet")
    run("import sys, discreet; assert 'pandas' not in sys.modules and 'sklearn' not in sys.modules")
    run("import discreet, pandas; import discreet.pandas; pandas.DataFrame({'a': [1]}).discreet")


@pytest.mark.parametrize("name", METHODS)
def test_a_method_hands_the_frame_to_the_function_of_its_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, seen = pd.DataFrame({"a": [1]}), []
    monkeypatch.setattr(dc, name, lambda *values, **settings: seen.append((values, settings)), raising=False)
    getattr(frame.discreet, name)("first", more=2)
    ((values, settings),) = seen
    assert values[0] is frame and values[1] == "first" and settings == {"more": 2}


def test_the_instruments_are_there() -> None:
    wanted = {"risk", "utility", "microaggregate", "generalize", "protect", "suppress_locally", "verify"}
    assert wanted <= set(METHODS)


def test_results_are_those_of_the_functions() -> None:
    frame = dc.datasets.survey(60, seed=1)
    assert frame.discreet.risk(["sex", "age"]).expected == dc.risk(frame, ["sex", "age"]).expected
    both = (frame.discreet.microaggregate(3, columns=["income"]), dc.microaggregate(frame, 3, columns=["income"]))
    assert both[0].data.equals(both[1].data)
