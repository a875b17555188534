"""The cell key method: noise that depends on who is in a cell and on nothing else, so that it is the same everywhere.

Each record has a key 0 .. m - 1. The key of a cell is the sum of its records' keys modulo m; a table of perturbations
gives for each count and cell key what is added to the count:

    published = count + pvalue(pcv(count), key)

(Fraser and Wooton 2005, "A proposed method for confidentialising tabular output to protect against differencing"). The
table has the columns of the Office for National Statistics, `pcv`, `ckey` and `pvalue`. Tables of 750 rows of counts go
on by their last 250: pcv = (count - 1) mod 250 + 501 above 750, as in ONS's own program (`create_perturbed_table`,
ONSdigital/cell-key-perturbation). Of shorter ones, which that program leaves without noise above, the last row does for
all above. A count of 0 stays where the table has no row for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from discreet.errors import Faults
from discreet.tabular.problem import Ints

STANDARD, CYCLE = 750, 250


class Perturbation(NamedTuple):
    """`noise[c, k]` is what is added to a count of row c where the cell key is k."""

    noise: Ints

    @property
    def keys(self) -> int:
        return int(self.noise.shape[1])

    @property
    def last(self) -> int:
        return int(self.noise.shape[0]) - 1

    def row(self, count: Ints) -> Ints:
        """The row of each count."""
        if self.last == STANDARD:
            return np.where(count > STANDARD, (count - 1) % CYCLE + STANDARD - CYCLE + 1, count)
        return np.minimum(count, self.last)

    def added(self, count: Ints, key_sum: Ints) -> Ints:
        return self.noise[self.row(count), key_sum % self.keys]


def perturbation_of(pcv: Ints, ckey: Ints, pvalue: Ints) -> Perturbation:
    """The table of rows (pcv, ckey, pvalue); one error for all that is wrong with it."""
    faults = Faults()
    faults.check(pcv.size > 0, "the table of perturbations is empty")
    faults.raise_if_any()
    faults.check(min(pcv.min(), ckey.min()) >= 0, "pcv and ckey are whole numbers, 0 or more")
    faults.check(max(pcv.max(), ckey.max()) <= 100_000, "the table of perturbations is too large: pcv or ckey > 100000")
    faults.raise_if_any()
    rows, keys = int(pcv.max()) + 1, int(ckey.max()) + 1
    seen = np.zeros((rows, keys), np.int64)
    np.add.at(seen, (pcv, ckey), 1)
    least = 0 if seen[0].any() else 1
    missing, twice = int((seen[least:] == 0).sum()), int((seen > 1).sum())
    faults.check(not missing, f"the table of perturbations lacks {missing} pairs of pcv and ckey")
    faults.check(not twice, f"the table of perturbations has {twice} pairs of pcv and ckey more than once")
    faults.check(rows > 1, "the table of perturbations has no row for counts above 0")
    noise = np.zeros((rows, keys), np.int64)
    noise[pcv, ckey] = pvalue
    negative = int((noise + np.arange(rows)[:, None] < 0).sum())
    faults.check(not negative, f"the table of perturbations makes counts negative in {negative} places")
    faults.raise_if_any()
    return Perturbation(noise)


def record_keys(identifiers: Iterable[object], secret: str | bytes, keys: int = 256) -> Ints:
    """Keys 0 .. keys - 1 from identifiers and a secret: the same record has the same key in every file.

    Without the secret nobody can tell the noise of a cell from who is in it.
    """
    word = secret.encode() if isinstance(secret, str) else secret
    faults = Faults()
    faults.check(16 <= len(word) <= 64, "the secret must have 16 to 64 bytes")
    faults.check(2 <= keys <= 100_000, "keys must be a whole number from 2 to 100000")
    faults.raise_if_any()
    digests = (hashlib.blake2b(str(one).encode(), key=word, digest_size=8).digest() for one in identifiers)
    return np.array([int.from_bytes(digest, "big") % keys for digest in digests], np.int64)


def counts_behind(table: Perturbation, published: Ints, *, least: int = 0) -> list[Ints]:
    """For each published count the true ones that it can come from, by the values that their rows may add.

    `least` is 1 where cells without records are not published: whoever sees a cell knows that it has some.
    """
    values, place = np.unique(published, return_inverse=True)
    reach = int(np.abs(table.noise).max())
    supports = [{*row} for row in table.noise.tolist()]
    found = []
    for told in values.tolist():
        near = np.arange(max(least, told - reach), told + reach + 1, dtype=np.int64)
        rows = table.row(near).tolist()
        found.append(near[[told - true in supports[row] for true, row in zip(near.tolist(), rows)]])
    return [found[at] for at in place.tolist()]
