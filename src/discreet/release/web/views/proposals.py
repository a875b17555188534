"""What is shown of a proposal: enough to judge it, and for a table its figures."""

from __future__ import annotations

from typing import Any

from discreet.release.people.four_eyes import table_of
from discreet.release.people.proposals import LOAD, Pending
from discreet.release.policy import Policy

SHOWN = 12
SAID = {
    "unit": "It is a view of {}, and joins its history.",
    "distinct": "It is said to be distinct from the table that it looks like.",
    "population": "It is about the people {}.",
    "predecessor": "It is the edition after {}.",
    "codebook": "Its categories are declared in a codebook.",
    "confirmed": "What counts as public already is confirmed by whoever proposes it, whether or not it keeps the rule.",
    "draft": "It will not be open to analysts yet.",
}
ALL_THE_SAME = "The rule changes even if what is released breaks it."


def proposal_view(proposal: Pending) -> dict[str, Any]:
    """For custodians only: a table that would be loaded with its total, variables and categories."""
    view: dict[str, Any] = {
        "number": proposal.number,
        "kind": proposal.kind,
        "subject": proposal.subject,
        "who": proposal.who,
        "created": proposal.created,
        "claimed": proposal.claimed is not None,
        "said": _said(proposal),
    }
    if "policy" in proposal.content:
        view["policy"] = Policy.from_mapping(proposal.content["policy"]).sentences()
        view["published"] = [":".join(margin) or "total" for margin in proposal.content["policy"]["published"]]
    if proposal.kind == LOAD:
        table = table_of(proposal)
        view["total"], view["cells"] = table.total, table.size
        view["variables"] = [
            {"name": name, "number": len(found), "shown": list(found[:SHOWN])}
            for name, found in zip(table.names, table.categories)
        ]
    return view


def _said(proposal: Pending) -> list[str]:
    """What was said along with it: whoever confirms, confirms that too."""
    given = proposal.content.get("options", {})
    said = [sentence.format(given[key]) for key, sentence in SAID.items() if given.get(key)]
    return [*said, *([ALL_THE_SAME] if proposal.content.get("confirm") else [])]
