"""Households of one size as records: slot after slot the attributes of a member, then what the household shares.

A household of s members has s·d + e attributes: the d attributes of the person in its first slot, of the one in its
second …, then the e attributes that are the same for all members. These stand once, with s times the weight, so that
the cost of a set of households is the sum of what its s published rows cost. Who is in which slot is a choice: the
start is a sorted order. Which attribute to sort by is decided by trial: each in turn leads, and the loss of ring
matches in that order is compared; then the same for the second attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from discreet.generalization.boxes import gcp
from discreet.generalization.domain import Attribute, Codes, Domain, Integers, domain
from discreet.generalization.ring import ring_blocks

TRIAL = 4000
"""Households that take part in the trial of sorted orders."""


@dataclass(frozen=True)
class Persons:
    """Everybody: attributes of persons, attributes of their households, and both as codes."""

    members: tuple[Attribute, ...]
    shared: tuple[Attribute, ...]
    ncp: str
    own: Codes = field(repr=False)
    common: Codes = field(repr=False)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        return self.members + self.shared


def persons_of(members: Sequence[Attribute], shared: Sequence[Attribute], ncp: str) -> Persons:
    n = (*members, *shared)[0].codes.size

    def matrix(attributes: Sequence[Attribute]) -> Codes:
        out = np.empty((n, len(attributes)), np.int32)
        for a, attribute in enumerate(attributes):
            out[:, a] = attribute.codes
        return out

    return Persons(tuple(members), tuple(shared), ncp, matrix(members), matrix(shared))


def slot_codes(persons: Persons, placed: Integers) -> Codes:
    """Codes of households whose members are `placed` in slots, along the last axis."""
    own = persons.own[placed].reshape(*placed.shape[:-1], placed.shape[-1] * persons.own.shape[1])
    return np.ascontiguousarray(np.concatenate([own, persons.common[placed[..., 0]]], axis=-1))


def slot_domain(persons: Persons, placed: Integers) -> Domain:
    """The households `placed` (one a row, a member a column) as the records of a domain."""
    size = placed.shape[1]
    slots = [
        replace(attribute, name=f"{attribute.name} of {slot + 1}", codes=attribute.codes[placed[:, slot]])
        for slot in range(size)
        for attribute in persons.members
    ]
    once = [
        replace(attribute, codes=attribute.codes[placed[:, 0]], weight=size * attribute.weight)
        for attribute in persons.shared
    ]
    return domain([*slots, *once], ncp=persons.ncp)


def sorted_members(persons: Persons, placed: Integers, k: int) -> Integers:
    """Each household's members in the sorted order that serves best, found on some of the households."""
    count, size = placed.shape
    if size == 1 or not persons.members:
        return placed
    step = max(1, count // TRIAL)
    some = placed[::step] if count // step >= k else placed
    order = list(range(len(persons.members)))
    best = np.inf
    for lead in range(min(2, len(order) - 1)):
        trials = [[*order[:lead], a, *(b for b in order[lead:] if b != a)] for a in order[lead:]]
        losses = [_trial(persons, _by(persons, some, trial), k) for trial in trials]
        if min(losses) < best:
            best, order = min(losses), trials[int(np.argmin(losses))]
    return _by(persons, placed, order)


def _by(persons: Persons, placed: Integers, order: Sequence[int]) -> Integers:
    """Members sorted by their codes, the first of `order` first; equal ones by their number."""
    keys = [placed, *(persons.own[placed, a] for a in reversed(order))]
    return np.take_along_axis(placed, np.lexsort(keys, axis=-1), axis=1)


def _trial(persons: Persons, placed: Integers, k: int) -> float:
    households = slot_domain(persons, placed)
    ends = np.array([0, households.n], np.int64)
    matches = ring_blocks(households.tables, households.codes, ends, k).astype(np.int64)
    return gcp(households.tables, households.codes, matches)
