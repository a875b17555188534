"""What workers elsewhere lack is said once, with the way out."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from discreet._version import __version__
from discreet.scale.engines.workers import faults_of, worker_facts


def test_the_facts_are_those_of_the_place_where_they_are_asked(tmp_path: Path) -> None:
    facts = worker_facts([str(tmp_path), str(tmp_path / "none")])()
    assert facts["version"] == __version__
    assert facts["unseen"] == [str(tmp_path / "none")]
    assert faults_of([{**facts, "unseen": []}]) == []


def test_each_fault_is_named_once() -> None:
    bare = {"node": "a", "version": None, "unseen": []}
    older = {"node": "b", "version": "0.0.1", "unseen": ["in", "out"]}
    faults = faults_of([bare, bare, older, older])
    assert len(faults) == 4
    assert f"a have no discreet: install version {__version__}" in faults[0]
    assert "0.0.1" in faults[1] and "install the same" in faults[1]
    assert "do not see in:" in faults[2] and "do not see out:" in faults[3]


def test_the_question_travels_as_code() -> None:
    import cloudpickle

    ask = worker_facts(["none"])
    assert pickle.loads(cloudpickle.dumps(ask))() == ask()
    with pytest.raises((pickle.PicklingError, AttributeError)):  # not by its name, which a bare worker does not know
        pickle.dumps(ask)
