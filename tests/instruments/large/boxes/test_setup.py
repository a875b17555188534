"""The plan in a work folder: what was asked for survives JSON."""

from __future__ import annotations

import json

from discreet.generalization.hierarchy import from_mapping
from discreet.instruments.large.boxes.setup import treatment_as_json
from discreet.instruments.quasi_identifiers import Treatment, as_hierarchy


def test_a_treatment_survives_json() -> None:
    tree = from_mapping({"*": {"left": ["a", "b"], "right": ["c"]}})
    given = Treatment(
        hierarchies={"leaf": tree},
        categorical=("code",),
        ordered={"shade": ("low", "high")},
        importance={"code": 2},
        ncp="share",
        missing="wildcard",
        sensitive=None,
        caps={"age": 85},
        levels={"leaf": 1},
    )
    back = Treatment(**json.loads(json.dumps(treatment_as_json(given, {"leaf": tree}, {"age": {"top": "85"}}))))
    assert as_hierarchy(back.hierarchies["leaf"], "leaf").rows() == tree.rows()
    assert back.ordered == {"shade": ["low", "high"]} and back.categorical == ["code"]
    assert (back.ncp, back.missing, back.levels, back.caps) == (
        "share",
        "wildcard",
        {"leaf": 1},
        {"age": {"top": "85"}},
    )
