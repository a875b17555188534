"""A dataset as people hear of it: its variables, the lists that are public, and what it belongs to."""

from __future__ import annotations

from typing import Any

from discreet.release.open_dataset import shown_lists


def described(found: dict[str, Any], seen: set[str]) -> dict[str, Any]:
    """A dataset for whoever may see it and those in `seen`: nothing depends on counts that are not released."""
    names = [v["name"] for v in found["variables"]]
    covered = {v["name"] for v in found["variables"] if v.get("of", v["name"]) in found["released"]}
    lists = shown_lists([(v["name"], v["categories"]) for v in found["variables"]], found["labels"], covered)
    return {
        "name": found["name"],
        "variables": names,
        "categories": {name: levels for name, levels in lists.items() if levels is not None},
        "labels": found["labels"],
        **{key: found[key] for key in ("stage", "population")},
        **{key: found[key] if found[key] in seen else None for key in ("unit", "predecessor")},
    }
