"""Codebooks: which categories a variable can have, in which order and under which labels, whoever is in the data.

Categories that come from the data tell who is there: each of them has somebody. Declared ones tell nothing, because
they may be empty; the table gets them all, with zeros. A codebook is a file:

    JSON   {"region": {"N": "North", "S": "South"}, "sex": ["f", "m"]}
    TOML   sex = ["f", "m"]            [region]  N = "North"  S = "South"
    CSV    variable,code,label         one line per category

Codes are those of the data, compared as text; the order is the order given. A variable that the codebook leaves out
keeps the categories of the data, which analysts do not see before a released margin shows them.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError
from discreet.release.engine import Table

HEAD = "variable,code"
MAX_CODES = 1 << 16
MAX_CELLS = 1 << 24


@dataclass(frozen=True)
class Codebook:
    """Per variable its codes, as text, each with its label."""

    variables: Mapping[str, Mapping[str, str]]

    def __post_init__(self) -> None:
        faults = Faults()
        for name, codes in self.variables.items():
            faults.check(len(codes) > 0, f"the codebook gives {name!r} no categories")
            faults.check(len(codes) <= MAX_CODES, f"the codebook gives {name!r} more than {MAX_CODES} categories")
        faults.raise_if_any()

    @classmethod
    def from_text(cls, text: str) -> Codebook:
        """What a file says. JSON begins with a brace, CSV with its first line, and all else is TOML."""
        text = text.removeprefix("\ufeff").strip()
        kind = "JSON" if text.startswith("{") else "CSV" if text.replace(" ", "").startswith(HEAD) else "TOML"
        try:
            if kind == "CSV":
                return cls(_of_lines(text))
            loaded = json.loads(text, object_pairs_hook=_once) if kind == "JSON" else tomllib.loads(text)
        except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError, csv.Error):
            raise InputError(f"the codebook is not valid {kind}") from None
        return cls(_of_mapping(loaded))

    def apply(self, table: Table) -> tuple[Table, dict[str, tuple[str, ...]]]:
        """The table with the declared categories, in their order; and their labels."""
        faults = Faults()
        unknown = [name for name in self.variables if name not in table.names]
        faults.check(
            not unknown, f"the codebook declares {', '.join(map(repr, unknown))}, which the table does not have"
        )
        size = prod(len(self.variables.get(name, levels)) for name, levels in zip(table.names, table.categories))
        faults.check(size <= MAX_CELLS, f"with its declared categories the table has {size} cells: declare fewer")
        faults.raise_if_any()
        counts, categories, labels = table.dense(), list(table.categories), {}
        for axis, name in enumerate(table.names):
            if name not in self.variables:
                continue
            codes = list(self.variables[name])
            present = {_text(level): level for level in categories[axis]}
            missing = sum(text not in self.variables[name] for text in present)
            faults.check(
                missing == 0,
                f"variable {name!r} has {missing} categories in the data that the codebook does not declare",
            )
            if missing:
                continue
            places = [codes.index(_text(level)) for level in categories[axis]]
            moved = np.moveaxis(counts, axis, 0)
            wide = np.zeros((len(codes), *moved.shape[1:]), np.int64)
            np.add.at(wide, places, moved)
            counts = np.ascontiguousarray(np.moveaxis(wide, 0, axis))
            categories[axis] = tuple(_like(categories[axis], codes, present))
            labels[name] = tuple(self.variables[name].values())
        faults.raise_if_any()
        return Table(table.names, tuple(categories), counts), labels


def codebook_text(path: Path) -> str:
    """The codebook in a file, as it stands there."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"the codebook {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"the codebook {path} is not UTF-8 text") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise InputError("the codebook names a variable or a category twice")
    return dict(pairs)


def _of_mapping(loaded: Any) -> dict[str, dict[str, str]]:
    if not isinstance(loaded, dict):
        raise InputError('a codebook gives categories by variable, such as {"sex": ["f", "m"]}')
    faults, found = Faults(), {}
    for name, given in loaded.items():
        if isinstance(given, dict):
            pairs = [(_text(code), label) for code, label in given.items()]
        elif isinstance(given, list):
            pairs = [(_text(code), _text(code)) for code in given if not isinstance(code, dict | list)]
            if not faults.check(len(pairs) == len(given), f"the codebook must list the codes of {name!r} one by one"):
                continue
        else:
            faults.add(f"the codebook must give {name!r} a list of codes, or codes with their labels")
            continue
        faults.check(all(isinstance(label, str) for _, label in pairs), f"the labels of {name!r} must be text")
        faults.check(len(dict(pairs)) == len(pairs), f"the codebook declares a category of {name!r} twice")
        found[name] = {code: str(label) for code, label in pairs}
    faults.raise_if_any()
    return found


def _of_lines(text: str) -> dict[str, dict[str, str]]:
    rows = list(csv.reader(io.StringIO(text)))
    head = [cell.strip() for cell in rows[0]] if rows else []
    if head not in (["variable", "code", "label"], ["variable", "code"]):
        raise InputError("the first line of a codebook must be variable,code,label")
    faults, found = Faults(), dict[str, dict[str, str]]()
    for number, row in enumerate(rows[1:], 2):
        if not row:
            continue
        if not faults.check(len(row) in (2, len(head)), f"line {number} of the codebook has {len(row)} fields"):
            continue
        name, code, label = row[0].strip(), row[1], row[2] if len(row) > 2 and row[2] else row[1]
        codes = found.setdefault(name, {})
        faults.check(code not in codes, f"line {number} of the codebook declares a category of {name!r} again")
        codes[code] = label
    faults.raise_if_any()
    return found


def _text(value: Any) -> str:
    """A category as it is written: the codebook may say 1 where the data has 1.0, and true where it has True."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _like(levels: Sequence[Any], codes: Sequence[str], present: Mapping[str, Any]) -> list[Any]:
    """The codes as values of the kind that the data has; those of the data are the data's own."""
    kinds = {type(level) for level in levels}
    kind = next(iter(kinds)) if len(kinds) == 1 else str
    made: list[Any] = []
    for code in codes:
        if code in present:
            made.append(present[code])
            continue
        try:
            made.append(kind(code) if kind in (int, float) else code)
        except ValueError:
            made.append(code)
    return made
