"""Problems of cell suppression in the layout of `.jj` and `.csp` files, read and written.

    0
    1188                                                            the number of cells, then a line a cell:
    0 3753596956.73 20000 s 1876798478.37 5630395435.10 1 1 0       number, value, cost, status, limits known to all
    ...                                                             (lower, upper), levels (lower, upper, sliding)
    204                                                             the number of relations, then a line a relation:
    0 6 : 1182 (-1) 1183 (1) 1184 (1) ...                           right side, number of terms, cells with their signs

Amounts are decimals: they become whole numbers of the smallest unit that holds all amounts of the file, and costs those
of a unit of their own. A problem that is written back `like` the file it came from keeps every line whose cell did not
change its status, to the byte.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import Faults, InputError
from discreet.frames.atomic import explain, is_standard, standard_input
from discreet.frames.tabular.decimals import decimal_texts, in_smallest_unit

Ints = NDArray[np.int64]
Codes = NDArray[np.int8]
LETTERS = "umsz"
FIELDS = 9
AMOUNTS = {"value": 1, "lower": 4, "upper": 5, "below": 6, "above": 7, "sliding": 8}
_STATUS = re.compile(r"^(\s*\S+\s+\S+\s+\S+\s+)\S+", re.ASCII)


class ProblemFile(NamedTuple):
    """Cells and relations of a file, amounts in units of 10^-`decimals`, costs in units of 10^-`cost_decimals`.

    `amounts` has the arrays of `AMOUNTS`; relation r has the cells `cell[start[r]:start[r + 1]]`. `lines` are those of
    the file, empty for a problem that did not come from one.
    """

    amounts: dict[str, Ints]
    cost: Ints
    status: Codes
    start: Ints
    cell: Ints
    sign: Codes
    right: Ints
    decimals: int = 0
    cost_decimals: int = 0
    lines: tuple[str, ...] = ()


def read_problem_file(path: str | os.PathLike[str]) -> ProblemFile:
    """Read a `.jj` or `.csp` file; one error for all that is wrong with it, by the numbers of cells and relations."""
    name = "standard input" if is_standard(path) else os.fspath(path)
    try:
        data = standard_input() if is_standard(path) else Path(path).read_bytes()
    except OSError as error:
        raise explain(error, path, "read") from error
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not a .jj file: it has other than ASCII characters") from None
    return parse_problem(text, name)


def parse_problem(text: str, name: str = "the problem") -> ProblemFile:
    """The problem that a text in this layout states."""
    lines = text.splitlines()
    if len(lines) < 3 or not lines[0].split() or not _is_count(lines[1]):
        raise InputError(f"{name} is not a .jj file: it begins with a line 0 and the number of its cells")
    n = int(lines[1])
    if n < 1 or len(lines) < n + 3 or not _is_count(lines[n + 2]):
        raise InputError(f"{name}: after {n} lines of cells there must be the number of relations")
    m = int(lines[n + 2])
    body = lines[n + 3 :]
    if len(body) < m or any(line.strip() for line in body[m:]):
        found = sum(bool(line.strip()) for line in body)
        raise InputError(f"{name}: {m} relations are announced, and {found} lines follow")
    fields = _cell_fields(lines[2 : n + 2], name)
    start, cell, sign, rights = _relations(body[:m], n, name)
    amounts, decimals = in_smallest_unit(
        {**{key: fields[place] for key, place in AMOUNTS.items()}, "a right side": rights}, where=name
    )
    costs, cost_decimals = in_smallest_unit({"cost": fields[2]}, where=name)
    right = amounts.pop("a right side")
    status = _statuses(fields[3], name)
    return ProblemFile(amounts, costs["cost"], status, start, cell, sign, right, decimals, cost_decimals, tuple(lines))


def problem_text(problem: ProblemFile, like: ProblemFile | None = None) -> str:
    """The problem as the text of a `.jj` file.

    With `like`, the file it came from, lines are those of that file but for the statuses that changed; cells, amounts
    and relations must be the same.
    """
    if like is not None and like.lines:
        return "\n".join(_restated(problem, like)) + "\n"
    amounts = {key: decimal_texts(problem.amounts[key], problem.decimals) for key in AMOUNTS}
    costs = decimal_texts(problem.cost, problem.cost_decimals)
    letters = [LETTERS[code] for code in problem.status.tolist()]
    lines = ["0", str(problem.status.size)]
    for i in range(problem.status.size):
        rest = " ".join(amounts[key][i] for key in ("lower", "upper", "below", "above", "sliding"))
        lines.append(f"{i} {amounts['value'][i]} {costs[i]} {letters[i]} {rest}")
    lines.append(str(problem.right.size))
    cells, signs, starts = problem.cell.tolist(), problem.sign.tolist(), problem.start.tolist()
    for r, right in enumerate(decimal_texts(problem.right, problem.decimals)):
        span = range(starts[r], starts[r + 1])
        lines.append(f"{right} {len(span)} : " + " ".join(f"{cells[t]} ({signs[t]})" for t in span))
    return "\n".join(lines) + "\n"


def _restated(problem: ProblemFile, like: ProblemFile) -> list[str]:
    same = (
        problem.decimals == like.decimals
        and problem.status.size == like.status.size
        and all(np.array_equal(problem.amounts[key], like.amounts[key]) for key in AMOUNTS)
        and np.array_equal(problem.cell, like.cell)
    )
    if not same:
        raise InputError("the problem is not that of the file it is to be written like: amounts or relations differ")
    lines = list(like.lines)
    for i in np.flatnonzero(problem.status != like.status).tolist():
        lines[i + 2] = _STATUS.sub(rf"\g<1>{LETTERS[problem.status[i]]}", lines[i + 2])
    return lines


def _is_count(line: str) -> bool:
    return re.fullmatch(r"\s*[0-9]{1,9}\s*", line, re.ASCII) is not None


def _cell_fields(lines: list[str], name: str) -> list[Any]:
    """The fields of the cells, column by column, as Arrow texts."""
    import pyarrow as pa
    import pyarrow.csv as arrow_csv

    text = "\n".join(" ".join(line.split()) for line in lines) + "\n"
    names = [str(column) for column in range(FIELDS)]
    try:
        table = arrow_csv.read_csv(
            pa.py_buffer(text.encode()),
            read_options=arrow_csv.ReadOptions(column_names=names),
            parse_options=arrow_csv.ParseOptions(delimiter=" ", quote_char=False, ignore_empty_lines=False),
            convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )
    except pa.ArrowInvalid:
        table = None
    if table is not None and len(table) == len(lines) and _counted(table.column(0)):
        return list(table.columns)
    rows = [line.split() for line in lines]
    wrong = [i for i, row in enumerate(rows) if len(row) != FIELDS or row[0] != str(i)]
    if wrong:
        raise InputError(
            f"{name}: {_first(wrong, 'cell')} not as they should be: each has its number, counted from 0, and "
            f"{FIELDS - 1} fields after it"
        )
    return [pa.array(column) for column in zip(*rows)]


def _counted(numbers: Any) -> bool:
    """Whether texts are 0, 1, 2, ..."""
    import pyarrow as pa

    return bool(numbers.equals(pa.chunked_array([pa.array(np.arange(len(numbers))).cast(pa.string())])))


def _statuses(letters: Any, name: str) -> Codes:
    import pyarrow as pa
    import pyarrow.compute as pc

    found = pc.index_in(letters, value_set=pa.array(list(LETTERS)))
    if found.null_count:
        wrong = np.flatnonzero(pc.is_null(found).to_numpy()).tolist()
        raise InputError(f"{name}: {_first(wrong, 'cell')} of no known status: it is u, m, s or z")
    return np.asarray(found.to_numpy(), np.int8)


def _relations(lines: list[str], n: int, name: str) -> tuple[Ints, Ints, Codes, list[str]]:
    faults = Faults()
    rights, counts, tails = [], [], []
    wrong = []
    for r, line in enumerate(lines):
        head, colon, tail = line.partition(":")
        words = head.split()
        if not colon or len(words) != 2 or not _is_count(words[1]) or int(words[1]) < 1:
            wrong.append(r)
            continue
        rights.append(words[0])
        counts.append(int(words[1]))
        tails.append(tail.replace("(", " ").replace(")", " "))
    start = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=start[1:])
    numbers = _whole_numbers(" ".join(tails)) if not wrong else None
    if not wrong and (numbers is None or numbers.size != 2 * start[-1]):  # in which line, and are they numbers at all
        terms = [tail.split() for tail in tails]
        wrong = [r for r, words in enumerate(terms) if len(words) != 2 * counts[r]]
        numbers = None if wrong else _signed([word for words in terms for word in words], name)
    if wrong or numbers is None:
        raise InputError(
            f"{name}: {_first(wrong, 'relation')} not as they should be: a right side, the number of terms, a colon, "
            "and cells with their signs in brackets"
        )
    cell, sign = numbers[0::2].copy(), numbers[1::2]
    owner = np.repeat(np.arange(len(counts)), np.diff(start))
    strange = np.unique(owner[(cell < 0) | (cell >= n)]).tolist()
    faults.check(not strange, f"{name}: {_first(strange, 'relation')} about cells that are not in the file")
    odd = np.unique(owner[np.abs(sign) != 1]).tolist()
    faults.check(
        not odd, f"{name}: {_first(odd, 'relation')} with factors other than 1 and -1, which are not supported"
    )
    order = np.lexsort((cell, owner))
    twice = (np.diff(owner[order]) == 0) & (np.diff(cell[order]) == 0)
    double = np.unique(owner[order][1:][twice]).tolist()
    faults.check(not double, f"{name}: {_first(double, 'relation')} with a cell in it twice")
    faults.raise_if_any()
    return start, cell, sign.astype(np.int8), rights


def _whole_numbers(text: str) -> Ints | None:
    """Whole numbers with spaces between them; None where there is anything else."""
    if re.fullmatch(r"[\s0-9+-]*", text, re.ASCII) is None:
        return None
    words = text.split()
    try:
        return np.array(words, dtype="S20").astype(np.int64) if words else np.zeros(0, np.int64)
    except ValueError:
        return None


def _signed(words: list[str], name: str) -> Ints:
    """Cells and factors that are written with decimals, such as 1.0; a factor that is not whole is no sign."""
    cells, cell_decimals = in_smallest_unit({"a cell of a relation": words[0::2]}, where=name)
    factors, decimals = in_smallest_unit({"a factor": words[1::2]}, where=name)
    out = np.empty(len(words), np.int64)
    out[0::2] = cells["a cell of a relation"] if not cell_decimals else -1
    out[1::2] = factors["a factor"] if not decimals else 0
    return out


def _first(numbers: list[int], what: str) -> str:
    """`relation 3 is`, `cells 1, 4 and 12 more are`."""
    few = ", ".join(map(str, numbers[:5]))
    more = "" if len(numbers) <= 5 else f" and {len(numbers) - 5} more"
    return f"{what} {few} is" if len(numbers) == 1 else f"{what}s {few}{more} are"
