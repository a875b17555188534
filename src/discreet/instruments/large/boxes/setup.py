"""What the tasks of a large generalization share: what was asked for, and the plan, read from the work folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from discreet.generalization.cells.cuts import Cells, cells_from
from discreet.generalization.hierarchy import Hierarchy
from discreet.instruments.large.boxes.values import Values, values_of
from discreet.instruments.quasi_identifiers import Treatment
from discreet.scale.spill import complete

PLAN, SCHEMA = "plan.json", "schema.arrow"


@dataclass(frozen=True)
class Setup:
    """The plan of a generalization.

    | field | |
    |---|---|
    | names | the quasi-identifiers |
    | listed | left columns of categories that stand in an order |
    | columns | all columns that are published, in order |
    | treatment | how the quasi-identifiers are read |
    | k, method, options, seed | as asked for |
    | secret | whether the matchings are kept |
    | like | a file of the data, whose compression a release in Parquet has |
    | cells | the tree of cuts |
    """

    names: list[str]
    listed: list[str]
    columns: list[str]
    treatment: dict[str, Any]
    k: int
    method: str
    options: dict[str, Any]
    seed: int | None
    secret: bool
    like: str
    cells: dict[str, Any]

    @property
    def tallied(self) -> list[str]:
        """The columns of which there are tallies: the quasi-identifiers, and left ones of ordered categories."""
        return [*self.names, *self.listed]

    @property
    def left(self) -> list[str]:
        """The columns that go out as they are."""
        known = set(self.names)
        return [name for name in self.columns if name not in known]

    def save(self, folder: Path) -> None:
        with complete(folder / PLAN) as temporary:
            temporary.write_text(json.dumps(asdict(self)), encoding="utf-8")


@dataclass(frozen=True)
class ReadSetup:
    """A setup as read by a process, with the domain of the whole data, the tree of cuts and the types of columns."""

    setup: Setup
    values: Values
    cells: Cells
    schema: Any


def treatment_as_json(treatment: Treatment, trees: Mapping[str, Hierarchy], caps: Mapping[str, Any]) -> dict[str, Any]:
    """A treatment whose hierarchies and caps were read, as JSON holds it."""
    found = {one.name: getattr(treatment, one.name) for one in fields(treatment)}
    found |= {
        "hierarchies": {name: [list(row) for row in tree.rows()] for name, tree in trees.items()},
        "categorical": list(treatment.categorical),
        "ordered": {name: [str(value) for value in order] for name, order in treatment.ordered.items()},
        "importance": {name: float(weight) for name, weight in treatment.importance.items()},
        "numeric": list(treatment.numeric),
        "caps": {name: dict(cap) for name, cap in caps.items()},
        "levels": {name: int(level) for name, level in treatment.levels.items()},
    }
    return found


def save_schema(folder: Path, schema: Any) -> None:
    with complete(folder / SCHEMA) as temporary:
        temporary.write_bytes(schema.serialize().to_pybytes())


def plan_of(folder: str) -> ReadSetup:
    """The plan in a work folder; read once by each process."""
    path = Path(folder) / PLAN
    return _read(folder, path.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _read(folder: str, _: int) -> ReadSetup:
    import pyarrow as pa

    place = Path(folder)
    setup = Setup(**json.loads((place / PLAN).read_text(encoding="utf-8")))
    schema = pa.ipc.read_schema(pa.py_buffer((place / SCHEMA).read_bytes()))
    values = values_of(place, schema, setup.names, Treatment(**setup.treatment))
    return ReadSetup(setup, values, cells_from(setup.cells), schema)
