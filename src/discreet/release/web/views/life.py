"""What a custodian sees of the life of a dataset."""

from __future__ import annotations

import json
from typing import Any

from discreet.release.life.stages import possible
from discreet.release.open_dataset import OpenDataset
from discreet.release.service import Service

WORDS = {"open": "Open", "closed": "Close", "retired": "Retire for good"}
MEANINGS = {
    "draft": "Only custodians see it. Nothing of it is visible to analysts.",
    "open": "Analysts may ask for margins; every request is decided.",
    "closed": "What is released can still be had. Nothing more is decided.",
    "retired": "Only custodians see what was released. This is for good.",
}


def life_view(service: Service, opened: OpenDataset) -> dict[str, Any]:
    """The stage and where it can go, the rule as it can be written, and the datasets that belong together."""
    name, origin, stage = opened.stored.name, opened.stored.origin, opened.stage
    others = [found for found in service.datasets() if found["name"] != name]
    together = origin.population is not None
    return {
        "stage": stage,
        "meaning": MEANINGS[stage],
        "steps": [(step, WORDS[step]) for step in possible(stage)],
        "policy": opened.policy.sentences(),
        "toml": policy_text(opened),
        "unit": origin.unit,
        "predecessor": origin.predecessor,
        "population": origin.population,
        "people": [o["name"] for o in others if together and o["population"] == origin.population],
        "views": [o["name"] for o in others if o["unit"] == name],
        "successors": [o["name"] for o in others if o["predecessor"] == name],
        "declared": [n for n in opened.table.names if n in origin.labels],
        "undeclared": [n for n in opened.table.names if n not in origin.labels],
        "changes": _changes(service, name),
    }


def policy_text(opened: OpenDataset) -> str:
    """The present rule as TOML."""
    lines = []
    for key, value in opened.policy.to_dict().items():
        shown = [":".join(margin) for margin in value] if key == "published" else value
        lines.append(f"{key} = {json.dumps(shown, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def _changes(service: Service, name: str) -> list[dict[str, Any]]:
    """Opening, stages and rules, the latest first."""
    found = []
    for entry in service.ledger(name):
        content = entry.content
        if content["what"] not in ("opened", "stage changed", "policy changed"):
            continue
        said = {"stage changed": f"{content.get('from')} → {content.get('stage')}"}.get(content["what"], "")
        if content["what"] == "policy changed":
            said = f"{content['narrow']} of {content['sensitive']} sensitive cells too narrow for it by what was out"
        found.append(
            {
                "at": content["at"][:19].replace("T", " "),
                "who": content["who"],
                "what": content["what"],
                "said": said or "; ".join(content.get("said", [])),
            }
        )
    return found[::-1]
