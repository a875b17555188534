"""Tables with totals as long files: a row a cell, a column a variable, and columns of what is known of the cell.

| column | what |
|---|---|
| `count` | how many; in a table of counts the value itself |
| `value` | the amount |
| `largest`, `second` | the two largest contributions to the amount |
| `largest_by`, `second_by` | whose they are: numbers of holdings, 0 for nobody |
| `others_by` | what all others contribute to an innermost cell, holding and amount: `3:12.5 18:0.4` |
| `contributors` | how many contribute |
| `status` | `u` sensitive, `m` hidden to protect others, `s` may be hidden, `z` never; `hidden` in a published file |
| `cost` | what hiding the cell costs |
| `lower`, `upper` | what everybody knows of the cell beforehand |
| `below`, `above`, `sliding` | its protection levels |

Every other column is a variable, with `Total` or the hierarchy's own label for totals. Numbers are exact decimals. In a
published file hidden cells have no count and no value, and nothing is told of any cell but these.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError, listing
from discreet.frames.dataframes import text_array
from discreet.frames.document import Document
from discreet.frames.files import read
from discreet.frames.tabular.cells import FREE, LETTERS, CellFile, Ints
from discreet.frames.tabular.contributions import OTHERS, Contributions, contribution_texts, read_contributions
from discreet.frames.tabular.decimals import decimal_column, in_smallest_unit

TOP = ("largest", "second")
WHO = ("largest_by", "second_by")
LIMITS = ("lower", "upper", "below", "above", "sliding")
COLUMNS = ("count", "value", *TOP, "contributors", "status", "cost", *LIMITS, *WHO, OTHERS)
WORDS = ("status", OTHERS)
HIDDEN = "hidden"


def read_long(path: str | os.PathLike[str], *, published: bool = False) -> CellFile:
    """The cells of a long file. One error for all that is wrong with it.

    A file that is `published` may hide cells: these are `unknown`, with status m.
    """
    numbers = [name for name in COLUMNS if name not in WORDS]
    return cells_of(read(path, exact=numbers, verbatim=WORDS), published=published)


def cells_of(document: Document, *, published: bool = False) -> CellFile:
    """The cells in a file that was read."""
    names = document.names
    faults = Faults()
    variables = [name for name in names if name not in COLUMNS]
    faults.check(bool(variables), f"{document.name} has no variables: only columns of numbers and status")
    faults.check(
        "count" in names or "value" in names, f"{document.name} has neither a column 'count' nor a column 'value'"
    )
    faults.raise_if_any()
    status, unknown = _statuses(document, faults, published)
    columns = {name: _texts(document, name) for name in COLUMNS if name in names and name not in WORDS}
    if "value" in columns and "count" in columns and columns["count"].null_count == len(columns["count"]) > 0:
        del columns["count"]  # a published file of amounts tells no counts, whether it hides cells or none
    others = read_contributions(_texts(document, OTHERS), document.name) if OTHERS in names else None
    if unknown.any():
        told = 0 if others is None else np.unique(others.row[unknown[others.row]]).size
        faults.check(not told, f"column {OTHERS!r} of {document.name} tells {told} cells that are marked as hidden")
        columns = _filled(columns, unknown, document.name, faults)
    for name, text in columns.items():
        gaps = text.null_count
        faults.check(gaps == 0, f"column {name!r} of {document.name} is empty in {gaps} rows: fill it in")
    coded = [_coded(document, name, faults) for name in variables]
    faults.raise_if_any()
    shared = {name: columns[name] for name in ("value", *TOP, *LIMITS) if name in columns}
    if "value" not in columns:
        shared["value"] = columns["count"]
    if others is not None:
        shared[OTHERS] = others.amount
    amounts, decimals = in_smallest_unit(shared, where=document.name)
    each = None if others is None else others._replace(amount=amounts.pop(OTHERS))
    top = [amounts.pop(name) for name in TOP if name in amounts]
    if top:
        amounts["top"] = np.stack(top, axis=1)
    own = {
        name: in_smallest_unit({name: columns[name]}, where=document.name)
        for name in ("count", "cost")
        if name in columns
    }
    return CellFile(
        tuple(variables),
        tuple(labels for labels, _ in coded),
        np.stack([codes for _, codes in coded], axis=1),
        amounts,
        decimals,
        "value" not in columns,
        status,
        own["count"][0]["count"] if "count" in own else None,
        own["count"][1] if "count" in own else 0,
        _whole(columns, "contributors", document.name) if "contributors" in columns else None,
        own["cost"][0]["cost"] if "cost" in own else None,
        own["cost"][1] if "cost" in own else 0,
        unknown=unknown if unknown.any() else None,
        who=_whose(columns, document.name) if top else None,
        others=each,
    )


def long_columns(cells: CellFile, *, public: bool = False, exact: bool = True) -> dict[str, Any]:
    """The columns of a long file: Arrow texts and whole numbers; not `exact`, decimals as floats, for a dataframe.

    `public` leaves nothing but the labels, what cells that are not hidden hold, and which are hidden. Beside amounts
    all counts are left empty: the pattern protects the amounts, and counts that add up would tell of hidden cells.
    """
    import pyarrow as pa

    columns: dict[str, Any] = {
        name: pa.array(labels, pa.string()).take(pa.array(cells.codes[:, v]))
        for v, (name, labels) in enumerate(zip(cells.variables, cells.labels))
    }
    clash = [name for name in columns if name in COLUMNS]
    if clash:
        raise InputError(f"a variable is called {listing(clash)}, which long files keep for what they tell: rename it")
    hidden = cells.status < FREE if public else np.zeros(cells.status.size, np.bool_)

    def add(name: str, values: Ints, decimals: int) -> None:
        columns[name] = _shown(values, decimals, hidden, exact)

    if cells.of_counts:
        add("count", cells.amounts["value"], cells.decimals)
    elif cells.counts is not None:
        untold = hidden | public
        columns["count"] = _shown(cells.counts, cells.count_decimals, untold, exact)
    if not cells.of_counts:
        add("value", cells.amounts["value"], cells.decimals)
    if public:
        columns["status"] = pa.array([LETTERS[FREE], HIDDEN]).take(pa.array(hidden.astype(np.int8)))
        return columns
    for place, name in enumerate(TOP):
        told = not cells.of_counts or cells.who is not None
        if "top" in cells.amounts and told and place < cells.amounts["top"].shape[1]:
            add(name, cells.amounts["top"][:, place], cells.decimals)
    if cells.contributors is not None:
        columns["contributors"] = cells.contributors
    columns["status"] = pa.array(list(LETTERS)).take(pa.array(cells.status))
    if cells.cost is not None:
        add("cost", cells.cost, cells.cost_decimals)
    for name in LIMITS:
        if name in cells.amounts:
            add(name, cells.amounts[name], cells.decimals)
    for place, name in enumerate(WHO):
        if TOP[place] in columns and cells.who is not None:
            columns[name] = cells.who[:, place]
    if cells.others is not None and WHO[0] in columns:
        columns[OTHERS] = contribution_texts(_unnamed(cells), cells.status.size, cells.decimals)
    return columns


def _unnamed(cells: CellFile) -> Contributions:
    """The contributions that no other column tells."""
    assert cells.others is not None and cells.who is not None
    row, who, amount = cells.others
    named = (cells.who[row, : len(WHO)] == who[:, None]).any(axis=1)
    return Contributions(row[~named], who[~named], amount[~named])


def _shown(values: Ints, decimals: int, hidden: NDArray[np.bool_], exact: bool) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not decimals and not hidden.any():
        return values
    if not exact:  # the nearest float64, whose shortest text is the decimal below 2^53 units
        return np.where(hidden, np.nan, values / 10.0**decimals)
    return pc.if_else(pa.array(hidden), pa.scalar(None, pa.string()), decimal_column(values, decimals))


def _texts(document: Document, name: str) -> Any:
    """A column as Arrow strings, null where empty."""
    import pyarrow as pa

    from discreet.frames.csv_text import CsvText

    if isinstance(document.source, CsvText) and name not in COLUMNS:
        return pa.chunked_array([document.source.text(name)])
    return pa.chunked_array([pa.array(text_array(document.frame, name).tolist(), pa.large_string())])


def _coded(document: Document, name: str, faults: Faults) -> tuple[tuple[str, ...], Any]:
    """The distinct labels of a variable, and which one each row has."""
    encoded = _texts(document, name).combine_chunks().dictionary_encode()
    gaps = encoded.null_count
    faults.check(gaps == 0, f"variable {name!r} of {document.name} has no label in {gaps} rows: fill them in")
    codes = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int32)
    return tuple(encoded.dictionary.to_pylist()), codes


def _filled(columns: dict[str, Any], unknown: NDArray[np.bool_], name: str, faults: Faults) -> dict[str, Any]:
    """The columns of a published file with 0 where it hides; counts left empty beside amounts are left out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found, mask = {}, pa.array(unknown)
    for key, text in columns.items():
        if text.null_count == len(text) and key != "value":
            continue
        told = pc.sum(pc.and_(mask, pc.is_valid(text.combine_chunks()))).as_py()
        faults.check(not told, f"column {key!r} of {name} tells {told} cells that are marked as hidden")
        found[key] = pc.if_else(mask, pa.scalar("0", text.type), text.combine_chunks())
    return {key: pa.chunked_array([text]) for key, text in found.items()}


def _statuses(document: Document, faults: Faults, published: bool) -> tuple[Any, NDArray[np.bool_]]:
    """The status of each cell, and which are hidden in a published file."""
    nowhere = np.zeros(document.n, np.bool_)
    if "status" not in document.names:
        return np.full(document.n, FREE, np.int8), nowhere
    labels, codes = _coded(document, "status", faults)
    known = {letter: code for code, letter in enumerate(LETTERS)}
    if published:
        known[HIDDEN] = LETTERS.index("m")
    hidden = HIDDEN in labels
    faults.check(
        published or not hidden,
        f"{document.name} is a published file: hidden cells have no value; give the table it was made from",
    )
    odd = sum(label not in known and label != HIDDEN for label in labels)
    faults.check(not odd, f"column 'status' of {document.name} has {odd} other entries than u, m, s and z")
    table = np.array([known.get(label, FREE) for label in labels] or [FREE], np.int8)
    unknown = np.array([label == HIDDEN for label in labels] or [False])[codes] if published else nowhere
    return table[codes], unknown


def _whose(columns: dict[str, Any], where: str) -> Ints | None:
    """The holdings behind the largest contributions, where the file says them for all that it has."""
    wanted = [who for name, who in zip(TOP, WHO) if name in columns]
    found = [name for name in WHO if name in columns]
    if not found:
        return None
    if found != wanted:
        raise InputError(f"{where}: each of {listing(list(TOP))} has its own column of whose it is, or none has")
    return np.stack([_whole(columns, name, where) for name in found], axis=1)


def _whole(columns: dict[str, Any], name: str, where: str) -> Ints:
    found, decimals = in_smallest_unit({name: columns[name]}, where=where)
    if decimals or found[name].min(initial=0) < 0:
        raise InputError(f"{where}: column {name!r} has whole numbers, 0 or more")
    return found[name]
