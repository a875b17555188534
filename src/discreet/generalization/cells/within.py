"""The domain of some of the records, with the costs that their values have among all.

What a box costs depends on the whole file: the range of a number, the number of categories, the hierarchy. A block is
solved over its own values only, but at these costs, so that the loss of all blocks together is that of the file, and
memory does not grow with values that lie elsewhere. Numbers and sets keep the values that occur; ordered categories,
which are spelled with all that lie between, and hierarchies keep all of theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from discreet.generalization.domain import INTERVAL, SET, Attribute, Codes, Domain, Integers, Tables


def restricted(
    attributes: Sequence[Attribute], tables: Tables, codes: Codes, numbers: Collection[int]
) -> tuple[Domain, list[Integers]]:
    """The domain of records with these codes, and per attribute which of all codes each of its own stands for.

    `attributes` and `tables` are those of the whole file; `numbers` are the attributes whose boxes are ranges.
    """
    own, kept, local = [], [], np.empty_like(codes)
    for a, attribute in enumerate(attributes):
        column = codes[:, a]
        if attribute.kind == SET or (attribute.kind == INTERVAL and a in numbers):
            values = np.unique(column[column >= 0]).astype(np.int64)
            place = np.full(attribute.size + 1, -1, np.int32)
            place[values] = np.arange(values.size, dtype=np.int32)
            local[:, a] = place[column]  # a wildcard, −1, finds the last place
        else:
            values = np.arange(attribute.size)
            local[:, a] = column
        position = None if attribute.position is None else attribute.position[values]
        own.append(replace(attribute, codes=local[:, a], size=values.size, position=position))
        kept.append(values)
    chosen = np.concatenate([tables.start[a] + values for a, values in enumerate(kept)])
    start = np.concatenate([[0], np.cumsum([values.size for values in kept])]).astype(np.int64)
    narrow = tables._replace(start=start, position=tables.position[chosen], leaf=tables.leaf[chosen])
    return Domain(tuple(own), local, narrow), kept
