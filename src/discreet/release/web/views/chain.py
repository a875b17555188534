"""The server's chain as a page shows it: the latest events first, a page at a time."""

from __future__ import annotations

from itertools import islice
from typing import Any
from urllib.parse import urlencode

from discreet.release.history.chain import Entry
from discreet.release.history.database import Database
from discreet.release.history.events import Wanted, find

SHOWN = 50
# What every entry has, or is of no use to a reader.
ASIDE = {"what", "who", "at", "chain", "sequence", "salt", "mark", "entry", "tokens"}


def chain_view(database: Database, wanted: Wanted, before: int) -> dict[str, Any]:
    with database.reading() as connection:
        entries = list(islice(find(connection, wanted, before=before or None), SHOWN + 1))
    chosen = {key: value for key, value in vars(wanted).items() if value}
    more = urlencode({**chosen, "before": entries[SHOWN - 1].sequence}) if len(entries) > SHOWN else ""
    return {"entries": [_row(entry) for entry in entries[:SHOWN]], "more": more, "chosen": bool(chosen)}


def _row(entry: Entry) -> dict[str, Any]:
    content = entry.content
    return {
        "sequence": entry.sequence,
        "at": str(content.get("at", ""))[:19].replace("T", " "),
        "who": content.get("who", "(not recorded)"),
        "what": content.get("what", ""),
        "more": [(key, _text(value)) for key, value in content.items() if key not in ASIDE],
        "hash": entry.hash,
    }


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(_text(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
