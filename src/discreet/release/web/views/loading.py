"""The form for loading a table: the policy as text, and what a file holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.errors import Faults, InputError
from discreet.release.policy import Policy, split_margin
from discreet.release.web.uploads import table_of_bytes


def policy_fields(given: Mapping[str, str]) -> dict[str, str]:
    """The policy as a form shows it: what was entered, else the defaults."""
    default = Policy()
    shown = {key: str(value) for key, value in default.to_dict().items()}
    shown["time_limit"] = f"{default.time_limit:g}"
    shown["published"] = ""
    return {key: given.get(key, value) for key, value in shown.items()}


def policy_of_form(given: Mapping[str, str], faults: Faults) -> Policy:
    """The policy as a form gives it: every setting is text."""
    values: dict[str, Any] = {}
    for key in ("c", "w", "min_tables"):
        text = given.get(key, "").strip()
        if text:
            values[key] = int(text) if text.isdecimal() and len(text) < 19 else text
    if given.get("time_limit", "").strip():
        try:
            values["time_limit"] = float(given["time_limit"])
        except ValueError:
            values["time_limit"] = given["time_limit"]
    values |= {key: given[key] for key in ("mode", "otherwise") if given.get(key)}
    try:
        lines = given.get("published", "").replace(",", "\n").split("\n")
        values["published"] = [split_margin(line) for line in lines if line.strip()]
        return Policy.from_mapping(values)
    except InputError as error:
        faults.extend(error)
        return Policy()


def columns_of_file(data: bytes, suffix: str) -> dict[str, Any]:
    """Columns of a file with their number of categories."""
    table = table_of_bytes(data, suffix, None, None)
    return {
        "variables": [(name, len(levels)) for name, levels in zip(table.names, table.categories)],
        "size": table.size,
    }
