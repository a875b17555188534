"""Tables of τ-ARGUS: a `.tab` file of cells, the `.rda` file that describes it, and the `.hrc` files it names.

A `.tab` file has no header: a line a cell, its fields in the order of the `.rda` file, which says of each what it is:

    <SEPARATOR> ";"
    region
      <RECODEABLE>                     a variable
      <TOTCODE> "Total"                the label of its total
      <HIERARCHICAL>
      <HIERCODELIST> "region.hrc"      its hierarchy, or <HIERLEVELS> 1 2 2: the digits of the code at each level
      <HIERLEADSTRING> "@"
    turnover
      <NUMERIC>                        the amount
    firms
      <FREQUENCY>                      how many contribute
    first
      <MAXSCORE>                       the largest contribution; the second largest in the next such field
    safe
      <STATUS>                         as <SAFE> "s", <UNSAFE> "u" and <PROTECT> "z" spell it

`<COST>`, `<LOWERPL>` and `<UPPERPL>` are the cost of hiding a cell and its protection levels; `<SHADOW>` is read over.
"""

from __future__ import annotations

import csv
import io
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import Faults, InputError, listing, shown
from discreet.frames.atomic import explain
from discreet.frames.tabular.cells import FREE, LETTERS, CellFile
from discreet.frames.tabular.decimals import decimal_texts, in_smallest_unit
from discreet.frames.tabular.hierarchies import LEAD, hrc_text, read_chains

KINDS = {
    "RECODEABLE": "variable",
    "RECODABLE": "variable",
    "NUMERIC": "value",
    "FREQUENCY": "count",
    "MAXSCORE": "top",
    "STATUS": "status",
    "COST": "cost",
    "LOWERPL": "below",
    "UPPERPL": "above",
    "SHADOW": "shadow",
}
_SETTINGS = {
    "TOTCODE",
    "HIERCODELIST",
    "HIERLEADSTRING",
    "HIERLEVELS",
    "HIERARCHICAL",
    "CODELIST",
    "DECIMALS",
    "DISTANCE",
}
_MARKS = {"SAFE": "s", "UNSAFE": "u", "PROTECT": "z"}


@dataclass
class Field:
    """A field of the `.tab` file: its name, kind, and what the `.rda` file says of it."""

    name: str
    kind: str = ""
    settings: dict[str, str] = field(default_factory=dict)


@dataclass
class Description:
    """A `.rda` file."""

    separator: str = ","
    marks: dict[str, str] = field(default_factory=lambda: {"s": "s", "u": "u", "z": "z", "m": "m"})
    fields: list[Field] = field(default_factory=list)

    def of(self, kind: str) -> list[int]:
        return [at for at, one in enumerate(self.fields) if one.kind == kind]


def read_argus(path: str | os.PathLike[str]) -> CellFile:
    """The cells of a `.tab` file, with the `.rda` file of the same name beside it; either may be given."""
    given = Path(path)
    described, data = given.with_suffix(".rda"), given.with_suffix(".tab")
    try:
        description = parse_rda(_decoded(described.read_bytes()), os.fspath(described))
        rows = _rows(_decoded(data.read_bytes()), description, os.fspath(data))
    except OSError as error:
        raise explain(error, error.filename or path, "read") from error
    return _cells(rows, description, data, described.parent)


def parse_rda(text: str, name: str) -> Description:
    """What a `.rda` file says; one error for all its faults."""
    faults = Faults()
    found = Description()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words or words.startswith("//"):
            continue
        if not words.startswith("<"):
            found.fields.append(Field(_unquoted(words, first=True)))
            continue
        key, _, rest = words[1:].partition(">")
        key, value = key.strip().upper(), _unquoted(rest)
        if key == "SEPARATOR":
            found.separator = value or ","
        elif key in _MARKS and not found.fields:
            found.marks[value] = _MARKS[key]
        elif not found.fields:
            faults.add(f"{name}: line {number} says <{shown(key)}> before any field")
        elif key in KINDS:
            found.fields[-1].kind = KINDS[key]
        elif key in _SETTINGS:
            found.fields[-1].settings[key] = value
        else:
            faults.add(f"{name}: line {number} says <{shown(key)}>, which is not known for tables")
    bare = [one.name for one in found.fields if not one.kind]
    faults.check(not bare, f"{name}: nothing says what {listing(bare)} is, such as <RECODEABLE> or <NUMERIC>")
    faults.check(bool(found.of("variable")), f"{name}: no field is a variable (<RECODEABLE>)")
    faults.check(len(found.of("value")) <= 1, f"{name}: more than one field is the amount (<NUMERIC>)")
    faults.check(bool(found.of("value") or found.of("count")), f"{name}: no field is <NUMERIC> or <FREQUENCY>")
    faults.check(len(found.separator) == 1, f"{name}: the separator must be one character")
    faults.raise_if_any()
    return found


def argus_texts(cells: CellFile, trees: Mapping[str, tuple[Sequence[str], Sequence[int]]], stem: str) -> dict[str, str]:
    """The files of a table for τ-ARGUS, name to text: `.tab`, `.rda` and a `.hrc` for each variable that has levels.

    `trees` gives each variable's labels, depth first with the root first, and their depths.
    """
    columns: list[Sequence[Any]] = [
        np.array(labels, object)[cells.codes[:, v]].tolist() for v, labels in enumerate(cells.labels)
    ]
    rda = ['<SEPARATOR> ";"', '<SAFE> "s"', '<UNSAFE> "u"', '<PROTECT> "z"']
    files: dict[str, str] = {}
    for variable in cells.variables:
        labels, depths = trees[variable]
        rda += [variable, "  <RECODEABLE>", f'  <TOTCODE> "{labels[0]}"']
        if max(depths, default=0) > 1:
            name = f"{stem}_{variable}.hrc"
            files[name] = hrc_text(labels[1:], depths[1:])
            rda += ["  <HIERARCHICAL>", f'  <HIERCODELIST> "{name}"', f'  <HIERLEADSTRING> "{LEAD}"']

    def add(name: str, kind: str, texts: Sequence[str], decimals: int | None = None) -> None:
        columns.append(texts)
        rda.extend([name, f"  <{kind}>"] + ([] if decimals is None else [f"  <DECIMALS> {decimals}"]))

    if not cells.of_counts:
        add("value", "NUMERIC", decimal_texts(cells.amounts["value"], cells.decimals), cells.decimals)
    frequency = cells.amounts["value"] if cells.of_counts else cells.contributors
    if frequency is not None:
        add("freq", "FREQUENCY", decimal_texts(frequency, cells.decimals if cells.of_counts else 0))
    if "top" in cells.amounts and not cells.of_counts:
        for place in range(cells.amounts["top"].shape[1]):
            add(
                f"max{place + 1}",
                "MAXSCORE",
                decimal_texts(cells.amounts["top"][:, place], cells.decimals),
                cells.decimals,
            )
    hidden = cells.status < FREE
    add("status", "STATUS", np.array(["u", "s", "z"], object)[np.where(hidden, 0, cells.status - 1)].tolist())
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\n").writerows(zip(*columns))
    return {f"{stem}.tab": out.getvalue(), f"{stem}.rda": "\n".join(rda) + "\n", **files}


def _cells(rows: list[list[str]], description: Description, data: Path, folder: Path) -> CellFile:
    faults, name = Faults(), os.fspath(data)
    columns = list(zip(*rows))
    variables = [description.fields[at] for at in description.of("variable")]
    coded = [np.unique(np.array(columns[at], object), return_inverse=True) for at in description.of("variable")]
    chains: dict[str, Sequence[Sequence[str]]] = {}
    for one, (labels, _) in zip(variables, coded):
        try:
            found = _hierarchy(one, labels.tolist(), folder)
        except InputError as error:
            faults.extend(error)
            continue
        if found is not None:
            chains[one.name] = found
    faults.raise_if_any()
    values = description.of("value") or description.of("count")
    shared = {"value": columns[values[0]]}
    shared |= {f"largest contribution {at}": columns[at] for at in description.of("top")}
    shared |= {kind: columns[description.of(kind)[0]] for kind in ("below", "above") if description.of(kind)}
    amounts, decimals = in_smallest_unit({key: list(column) for key, column in shared.items()}, where=name)
    top = [amounts.pop(f"largest contribution {at}") for at in description.of("top")]
    if top:
        amounts["top"] = np.stack(top, axis=1)
    costs, cost_decimals = None, 0
    if description.of("cost"):
        found_costs, cost_decimals = in_smallest_unit({"cost": list(columns[description.of("cost")[0]])}, where=name)
        costs = found_costs["cost"]
    counts, count_decimals = None, 0
    if description.of("count"):
        found_counts, count_decimals = in_smallest_unit(
            {"count": list(columns[description.of("count")[0]])}, where=name
        )
        counts = found_counts["count"]
    return CellFile(
        tuple(one.name for one in variables),
        tuple(tuple(labels.tolist()) for labels, _ in coded),
        np.stack([codes for _, codes in coded], axis=1).astype(np.int32),
        amounts,
        decimals,
        not description.of("value"),
        _statuses(columns, description, len(rows), name),
        counts,
        count_decimals,
        counts if count_decimals == 0 else None,
        costs,
        cost_decimals,
        {one.name: one.settings.get("TOTCODE", "Total") for one in variables},
        chains,
    )


def _statuses(columns: list[Any], description: Description, n: int, name: str) -> Any:
    places = description.of("status")
    if not places:
        return np.full(n, FREE, np.int8)
    number = {mark: LETTERS.index(letter) for mark, letter in description.marks.items()}
    odd = sum(mark not in number for mark in columns[places[0]])
    if odd:
        raise InputError(f"{name}: the status of {odd} cells is none of those that the .rda file spells")
    return np.array([number[mark] for mark in columns[places[0]]], np.int8)


def _hierarchy(one: Field, labels: list[str], folder: Path) -> list[list[str]] | None:
    """The chains of a variable's labels, or None for one that has no hierarchy."""
    total = one.settings.get("TOTCODE", "Total")
    where = f"hierarchy of {one.name!r}"
    if "HIERCODELIST" in one.settings:
        # Paths in these files are those of a Windows machine: the file is looked for beside the description.
        listed = one.settings["HIERCODELIST"].replace("\\", "/")
        path = folder / (listed if (folder / listed).exists() else listed.rsplit("/", 1)[-1])
        return read_chains(path, where, one.settings.get("HIERLEADSTRING", LEAD) or LEAD)
    if "HIERLEVELS" not in one.settings:
        return None
    try:
        digits = [int(word) for word in one.settings["HIERLEVELS"].split()]
    except ValueError:
        raise InputError(f"{where}: <HIERLEVELS> takes numbers of digits") from None
    ends = np.cumsum(digits).tolist()
    return [[label[:end] for end in reversed(ends) if end <= len(label)] for label in labels if label != total]


def _rows(text: str, description: Description, name: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=description.separator, skipinitialspace=True)
    try:
        rows = [[word.strip() for word in row] for row in reader if row]
    except csv.Error:
        raise InputError(f"{name} is not a .tab file: it cannot be split into fields") from None
    wrong = [number for number, row in enumerate(rows, 1) if len(row) != len(description.fields)]
    if not rows or wrong:
        at = f"line {wrong[0]} has another number" if wrong else "it has no lines"
        raise InputError(f"{name}: the .rda file describes {len(description.fields)} fields, and {at}")
    return rows


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _unquoted(text: str, first: bool = False) -> str:
    """The words of a line without their quotes; the first of them only for a name with positions after it."""
    try:
        words = shlex.split(text.replace("\\", "\\\\"))
    except ValueError:
        words = text.split()
    return words[0] if first and words else " ".join(words)
