"""Weighted totals by domain, and cross-tabulations, with their confidence intervals: before and after.

A domain is a combination of values of the `by` columns that occurs in the original. With w the weights and d_i the
part of record i in a domain (0 or 1; of a set of m values 1/m for each, and products over the columns),

    total of x     t = Σ z_i,  z_i = w_i d_i x_i        x = 1 for the count of a cross-tabulation
    its variance   n/(n − 1) · Σ (z_i − z̄)²             as of a sample drawn with replacement
    interval       t ± 1.96 √variance

Without weights all are 1. Missing x, and records whose domain is blank or unknown, have no part in a total. The
intervals are those of somebody who takes the published values for true.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from discreet.errors import InputError
from discreet.measure.utility.columns import MISSING, Categories, Codes, Floats

NORMAL = 1.959963984540054
MOST_PARTS = 30_000_000
MOST_DOMAINS = 100_000


class Membership(NamedTuple):
    """Which record has which part in which domain."""

    record: Codes
    domain: Codes
    part: Floats


class Estimates(NamedTuple):
    """Per domain the total and half the length of its interval; NaN where one record tells no variance."""

    total: Floats
    half: Floats


def domain_codes(columns: Sequence[Categories]) -> tuple[Codes, Codes]:
    """The combinations of values that occur in an original, and the number of each; blanks are no domain."""
    plain = np.stack([column.plain() for column in columns], axis=1)
    complete = plain[(plain != MISSING).all(axis=1)]
    known, place = np.unique(_mixed(complete, columns), return_index=True)
    if known.size > MOST_DOMAINS:
        raise InputError(f"the columns of `by` make {known.size} domains, more than {MOST_DOMAINS}: name fewer")
    return complete[place], known


def _mixed(rows: Codes, columns: Sequence[Categories]) -> Codes:
    """Combinations as one number each, ascending."""
    code = np.zeros(len(rows), np.int64)
    for j, column in enumerate(columns):
        if column.size and code.size and int(code.max(initial=0)) > 2**62 // (column.size + 1):
            raise InputError("the columns of `by` have too many combinations of values: name fewer")
        code = code * column.size + rows[:, j]
    return code


def membership(columns: Sequence[Categories], known: Codes) -> Membership:
    """The parts that records have in the domains numbered by `known`."""
    record = np.arange(columns[0].codes.size)
    code, part = np.zeros(record.size, np.int64), np.ones(record.size)
    for column in columns:
        sets = column.codes[record]
        kept = sets >= 0
        record, code, part, sets = record[kept], code[kept], part[kept], sets[kept]
        width = column.width[sets]
        if int(width.sum()) > MOST_PARTS:
            raise InputError("the columns of `by` are widened too far to be shared out: name fewer")
        step = np.arange(int(width.sum())) - np.repeat(np.cumsum(width) - width, width)
        member = column.member[np.repeat(column.first[sets], width) + step]
        record, code = np.repeat(record, width), np.repeat(code, width) * column.size + member
        part = np.repeat(part / width, width)
        named = (member != MISSING) & (member < column.size)
        record, code, part = record[named], code[named], part[named]
    place = np.minimum(np.searchsorted(known, code), max(known.size - 1, 0))
    there = known[place] == code if known.size else np.zeros(code.size, bool)
    return Membership(record[there], place[there], part[there])


def estimates(of: Membership, domains: int, values: Floats | None, weights: Floats) -> Estimates:
    """The total of `values` (the count without them) in every domain, with its interval."""
    n = weights.size
    z = weights[of.record] * of.part
    if values is not None:
        z = z * np.nan_to_num(values[of.record])
    total: Floats = np.bincount(of.domain, weights=z, minlength=domains).astype(np.float64)
    if n < 2:
        return Estimates(total, np.full(domains, np.nan))
    mean = total / n
    away = np.bincount(of.domain, weights=(z - mean[of.domain]) ** 2, minlength=domains)
    inside = np.bincount(of.domain, minlength=domains)
    variance = n / (n - 1) * (away + (n - inside) * mean**2)
    return Estimates(total, NORMAL * np.sqrt(variance))
