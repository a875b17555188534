"""The published table: boxes and means of the row's set, the other columns of its drawn record, fresh ids, a new order.

A row shows, of keys, numbers and the weight, what depends on its set alone; identifiers are left out; a household or
person gets the numbers 1, 2, … in the order of publication, and none where its rows are published one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.generalization.covering import Drawn
from discreet.instruments.protect.means import Means, Sets, means
from discreet.instruments.protect.plan import Plan
from discreet.instruments.protect.search import Found
from discreet.instruments.protect.totals import DomainTotal, boxed_totals, left_totals


@dataclass(frozen=True)
class Published:
    """The table, and per column of means what became of its total, and the sets that it is over."""

    data: Any = field(repr=False)
    means: dict[str, Means]
    sets: dict[str, Sets] = field(repr=False)


def publish_rows(plan: Plan, found: Found, drawn: Drawn) -> Published:
    """The table of the sets that were found and their draw."""
    from discreet.frames import number_column, replace_columns, replace_text_columns, respell, take_rows

    recipe, order, texts, shared = plan.recipe, drawn.order, found.texts, plan.shared
    rows = drawn.origin[order]
    kept = [name for name in plan.table.columns if name not in recipe.identifiers]
    data = take_rows(plan.table.select(kept), rows)
    if plan.reading is not None:
        data = respell(data, plan.reading.plain(rows, texts))
    words: dict[str, Any] = {name: column[order].tolist() for name, column in texts.items()}
    made, sets = {}, {}
    numbers: dict[str, Any] = {}
    for name, amount in plan.amounts.items():
        sets[name] = Sets.of(found.covering, together=True) if name in shared else found.sets
        made[name] = means(amount, sets[name], found.covering.lost)
        column = np.array(made[name].texts(), object)[sets[name].of_row[order]].tolist()
        if amount.text:
            words[name] = column
        else:
            numbers[name] = as_numbers(column)
    if words:
        data = replace_text_columns(data, words)
    if numbers:
        data = replace_columns(data, numbers)
    if recipe.unit is not None:
        data = number_column(data, recipe.unit, fresh_ids(found.covering.unit[order]))
    return Published(data, made, sets)


def as_numbers(texts: list[str | None]) -> Any:
    """Decimals as whole numbers where all are, else as the floats nearest to them."""
    if all(text is None or "." not in text for text in texts):
        return [None if text is None else int(text) for text in texts]
    return np.array([np.nan if text is None else float(text) for text in texts])


def fresh_ids(units: NDArray[np.int64]) -> list[int | None]:
    """1, 2, … by first appearance; None for −1."""
    numbers: dict[int, int] = {}
    return [None if unit < 0 else numbers.setdefault(unit, len(numbers) + 1) for unit in units.tolist()]


def weighted_totals(plan: Plan, found: Found, drawn: Drawn, published: Published) -> tuple[DomainTotal, ...]:
    """Weighted totals by every column with few values, before and after; none without a weight."""
    from discreet.frames.exact import entries

    recipe, reading = plan.recipe, plan.reading
    if recipe.weight is None:
        return ()
    before = np.nan_to_num(plan.amounts[recipe.weight].floats)
    before[found.covering.lost] = 0.0
    shown, sets = published.means[recipe.weight].texts(), published.sets[recipe.weight]
    after = np.array([0.0 if text is None else float(text) for text in shown])[sets.of_row]
    out: list[DomainTotal] = []
    for name, parts in found.shares.items():
        assert reading is not None
        attribute = reading.domain.attributes[reading.names.index(name)]
        out += boxed_totals(attribute, reading.labels[name], parts, before, after, recipe.k)
    for name in (*recipe.sensitive, *recipe.leave):
        try:
            column = entries(plan.table, name, categories=True)
        except InputError:  # values that have no text, such as lists
            continue
        out += left_totals(name, column, drawn.origin, before, after, recipe.k)
    return tuple(out)
