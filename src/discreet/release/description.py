"""A dataset as people hear of it: its variables, the lists that are public, what it belongs to, what was told of it."""

from __future__ import annotations

from typing import Any

from discreet.release.decision import RELEASE, Reply
from discreet.release.frontier import axes_of
from discreet.release.open_dataset import Margin, OpenDataset, shown_lists


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


def told_margins(opened: OpenDataset) -> list[dict[str, Any]]:
    """The released frontier with its counts, and what is told in part."""
    found: list[tuple[int, Reply, Margin]] = []
    for mask in opened.state.frontier.released:
        told = opened.margin(mask)
        opened.keep(mask, told)
        found.append((mask, RELEASE, told.margin))
    for partial in opened.state.frontier.partials:
        found.append((partial.mask, partial.kind, opened.part(partial).margin))
    found.sort(key=lambda one: (one[1] != RELEASE, one[0].bit_count(), axes_of(one[0])))
    return [
        {
            "answer": answer,
            "variables": list(opened.names(mask)),
            "synthetic": False,
            "hidden": margin.missing,
            "base": margin.base,
            "margin": margin.rows(),
        }
        for mask, answer, margin in found
    ]
