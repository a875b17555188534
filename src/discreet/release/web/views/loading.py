"""The pages on which a table is loaded: the policy as a form gives it, and a draft as it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from discreet.errors import Faults, InputError
from discreet.release.loading.choices import Choices
from discreet.release.loading.columns import Column
from discreet.release.loading.drafts import Intent, StoredDraft
from discreet.release.loading.loader import version_of
from discreet.release.loading.published import Figures
from discreet.release.policy import BASE, Policy, split_margin

# What the buttons send: that rows are records, or "=" and the name of a column.
RECORDS = "records"
TEXTS = ("same_as", "population", "predecessor")


def policy_fields(policy: Policy, given: Mapping[str, str]) -> dict[str, str]:
    """The policy as a form shows it: what was entered, else what holds."""
    shown = {key: str(value) for key, value in policy.to_dict().items()}
    shown["base"] = str(policy.base if policy.otherwise == "round" else BASE)
    shown["time_limit"] = f"{policy.time_limit:g}"
    shown["four_eyes"] = "true" if policy.four_eyes else "false"
    shown["published"] = "\n".join(":".join(margin) for margin in policy.published)
    return {key: given.get(key, value) for key, value in shown.items()}


def policy_of_form(given: Mapping[str, str], base: Policy, faults: Faults) -> Policy:
    """The policy as a form gives it: every setting is text. What the form does not have stays as in `base`."""
    values = base.to_dict()
    for key in ("c", "w", "min_tables", "base"):
        text = given.get(key, "").strip()
        if text:
            values[key] = int(text) if text.isdecimal() and len(text) < 19 else text
    if given.get("time_limit", "").strip():
        try:
            values["time_limit"] = float(given["time_limit"])
        except ValueError:
            values["time_limit"] = given["time_limit"]
    values |= {key: given[key] for key in ("mode", "otherwise", "support") if given.get(key)}
    if values["otherwise"] != "round":
        values["base"] = 1  # the form always has the field
    if given.get("four_eyes"):
        values["four_eyes"] = given["four_eyes"] == "true"
    try:
        lines = given.get("published", "").replace(",", "\n").split("\n")
        values["published"] = [split_margin(line) for line in lines if line.strip()]
        return Policy.from_mapping(values)
    except InputError as error:
        faults.extend(error)
        return base


def plan_of_form(given: Mapping[str, str], variables: tuple[str, ...], draft: StoredDraft) -> Intent:
    """The choices on a draft's page. Before it is said what the count is, there are no variables to choose from."""
    faults = Faults()
    policy = policy_of_form(given, draft.plan.policy, faults)
    faults.raise_if_any()
    said = given.get("count", "")
    if said != RECORDS and not said.startswith("="):
        raise InputError("Say which column holds the counts, or that every row is a person.")
    count = said[1:] if said.startswith("=") else None
    choices = Choices(count, count is None, _variables(variables, draft, count))
    texts = {key: given.get(key, "").strip() or None for key in TEXTS}
    codebook = given.get("codebook", "").replace("\r\n", "\n").strip() or None
    if codebook == (draft.plan.codebook or "").strip():
        codebook = draft.plan.codebook
    return replace(draft.plan, choices=choices, policy=policy, codebook=codebook, distinct="distinct" in given, **texts)


def _variables(chosen: tuple[str, ...], draft: StoredDraft, count: str | None) -> tuple[str, ...] | None:
    """Those that were ticked; None where they are those that would be taken anyway."""
    if not draft.preview["ready"] and not chosen:
        return None
    usual = [c.name for c in map(_column, draft.preview["columns"]) if c.kept and c.name != count]
    kept = tuple(name for name in chosen if name != count)
    return None if list(kept) == usual else kept


def draft_view(draft: StoredDraft, given: Mapping[str, str]) -> dict[str, Any]:
    """A draft as its page shows it."""
    shown, plan = draft.preview, draft.plan
    columns = [_column(told) for told in shown["columns"]]
    count = RECORDS if shown["records"] else _button(shown["count"])
    taken = [v["name"] for v in shown["variables"]] or [c.name for c in columns if c.kept and c.name != shown["count"]]
    named = [column.name for column in columns if column.named_like_a_count and column.could_count]
    figures = None if shown["published"] is None else Figures.from_mapping(shown["published"])
    return {
        "draft": draft,
        "preview": shown,
        "seen": version_of(draft),
        "candidates": [(c.name, _button(c.name)) for c in columns if c.could_count or c.name == shown["count"]],
        # A hint, not a guess: it counts when the custodian sends it.
        "chosen_count": given.get("count") or count or (_button(named[0]) if len(named) == 1 else ""),
        "columns": [(c, c.name in taken) for c in columns if c.kind != "parts"],
        "policy": policy_fields(plan.policy, given),
        "rule": plan.policy.sentences(),
        "figures": [] if figures is None else figures.sentences(plan.policy),
        "plan": plan,
    }


def _button(name: str | None) -> str:
    return "" if name is None else f"={name}"


def _column(told: Mapping[str, Any]) -> Column:
    return Column(**told)
