"""JSON-stat 2.0 (json-stat.org/full): one dataset, dense values in row-major order, the last dimension fastest.

`category.index` is an array, so that the order of categories is the table's. Synthetic counts have the status `s`
throughout, a note and a mark in `extension`. A hidden count is null and has the status `c` (confidential), a rounded
one the status `r`. Roles are left out: which variable is time or place is not known here.
"""

from __future__ import annotations

import json
from typing import Any

from discreet.release.web.formats.cube import SOURCE, Cube

LABELS = {"s": "synthetic", "r": "rounded", "c": "confidential"}


def as_json_stat(cube: Cube) -> bytes:
    content: dict[str, Any] = {
        "version": "2.0",
        "class": "dataset",
        "label": cube.title,
        "source": SOURCE,
        "updated": cube.moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    if cube.note is not None:
        content["note"] = [cube.note]
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
    if cube.base > 1:
        extension["base"] = cube.base
    if cube.note is not None:
        content["status"] = _status(cube)
        used = {content["status"]} if isinstance(content["status"], str) else set(content["status"].values())
        extension["status"] = {"label": {mark: LABELS[mark] for mark in sorted(used)}}
    content["extension"] = extension
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def _status(cube: Cube) -> str | dict[str, str]:
    """One mark for all counts, or the marks of some by their places."""
    if cube.hides:
        return {str(place): "c" for place, count in enumerate(cube.counts) if count is None}
    return "s" if cube.synthetic else "r"
