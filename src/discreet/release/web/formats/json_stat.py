"""JSON-stat 2.0 (json-stat.org/full): one dataset, dense values in row-major order, the last dimension fastest.

`category.index` is an array, so that the order of categories is the table's. Synthetic counts have the status `s`
throughout, a note and a mark in `extension`. Roles are left out: which variable is time or place is not known here.
"""

from __future__ import annotations

import json
from typing import Any

from discreet.release.web.formats.cube import SOURCE, SYNTHETIC_NOTE, Cube

STATUS = "s"


def as_json_stat(cube: Cube) -> bytes:
    content: dict[str, Any] = {
        "version": "2.0",
        "class": "dataset",
        "label": cube.title,
        "source": SOURCE,
        "updated": cube.moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    if cube.synthetic:
        content["note"] = [SYNTHETIC_NOTE]
    content |= {
        "id": [dimension.name for dimension in cube.dimensions],
        "size": [len(dimension.codes) for dimension in cube.dimensions],
        "dimension": {
            dimension.name: {
                "label": dimension.name,
                "category": {
                    "index": list(dimension.codes),
                    "label": dict(zip(dimension.codes, dimension.labels)),
                },
            }
            for dimension in cube.dimensions
        },
        "value": list(cube.counts),
    }
    extension: dict[str, Any] = {"dataset": cube.dataset, "receipt": cube.receipt, "synthetic": cube.synthetic}
    if cube.synthetic:
        content["status"] = STATUS
        extension["status"] = {"label": {STATUS: "synthetic"}}
    content["extension"] = extension
    return json.dumps(content, ensure_ascii=False, indent=1).encode()
