"""A result of every kind, small."""

from __future__ import annotations

from typing import Any

import pytest

import discreet as dc


@pytest.fixture(scope="package")
def people() -> Any:
    return dc.datasets.survey(90, seed=5)


@pytest.fixture(scope="package")
def results(people: Any) -> dict[str, Any]:
    keys = ["sex", "age", "region"]
    table = dc.Table.from_frame(people, ["region", "sex", "dwelling"])
    return {
        "microaggregation": dc.microaggregate(people[["income", "spending"]], 3, method="mdav"),
        "generalization": dc.generalize(people[keys], 3, quasi_identifiers=keys, random_state=1),
        "protection": dc.protect(
            people[["household", *keys, "income", "spending", "illness"]],
            k=3,
            keys=keys,
            numeric=["income", "spending"],
            sensitive=["illness"],
            household="household",
            rare="merge",
            random_state=1,
            check=False,
        ),
        "risk": dc.risk(people, ["sex", "region", "dwelling"]),
        "bounds": dc.bounds(table.margins([("region", "sex"), ("sex", "dwelling")])),
    }
