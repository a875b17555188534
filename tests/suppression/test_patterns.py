"""The list of patterns, against writing down every set of blanks of every record."""

from __future__ import annotations

import numpy as np
import pytest
from suppression.cases import Case, case, owners

from discreet.suppression import patterns as module
from discreet.suppression.patterns import patterns_of

Pattern = tuple[int, tuple[int, ...]]


def masked(row: np.ndarray, mask: int) -> tuple[int, ...]:
    return tuple(-1 if mask >> j & 1 else int(value) for j, value in enumerate(row))


def listed(given: Case, *, rare_only: bool) -> dict[Pattern, set[int]]:
    """Patterns that k records fit, whose records differ in all that is blanked unless all is; and their tuples."""
    rows = [tuple(int(value) for value in row) for row in given.tuples.codes]
    out: dict[Pattern, set[int]] = {}
    for mask in range(8):
        for shown in {masked(row, mask) for row in rows}:
            members = {t for t, row in enumerate(rows) if masked(row, mask) == shown}
            hidden = [j for j in range(3) if mask >> j & 1]
            varying = all(len({rows[t][j] for t in members}) > 1 for j in hidden)
            rare = any(given.tuples.size[t] < given.k for t in members)
            if given.tuples.size[list(members)].sum() < given.k or not (mask in (0, 7) or varying):
                continue
            if mask == 0 or rare or not rare_only:
                out[mask, shown] = members
    return out


@pytest.mark.parametrize("rare_only", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_every_pattern_of_use_is_listed_once(seed: int, rare_only: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if rare_only:
        monkeypatch.setattr(module, "TINY", 0)
    given = case(seed, n=12)
    patterns = given.patterns
    found: dict[Pattern, set[int]] = {}
    for q in range(patterns.cost.size):
        members = patterns.member[patterns.begin[q] : patterns.begin[q + 1]]
        places = patterns.place[patterns.begin[q] : patterns.begin[q + 1]]
        assert (patterns.pattern[places] == q).all() and (owners(patterns)[places] == members).all()
        mask = int(patterns.blank[q])
        assert patterns.cost[q] == sum(int(given.cost[j]) for j in range(3) if mask >> j & 1)
        if members.size:
            found[mask, masked(given.tuples.codes[members[0]], mask)] = set(members.tolist())
    assert found == listed(given, rare_only=rare_only)
    assert patterns.pattern.size == sum(len(members) for members in found.values())


@pytest.mark.parametrize("seed", range(10))
def test_places_of_a_tuple_come_cheapest_first(seed: int) -> None:
    patterns = case(seed, n=12).patterns
    for low, high in zip(patterns.first[:-1], patterns.first[1:]):
        costs = patterns.cost[patterns.pattern[low:high]]
        assert costs.size and (np.diff(costs) >= 0).all()


def test_dear_sets_are_left_out_where_there_are_too_many_but_never_the_bare_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = case(1, n=30)
    monkeypatch.setattr(module, "MOST_PLACES", given.patterns.pattern.size - 1)
    fewer = patterns_of(given.tuples, given.cost, given.k)
    assert 0 < fewer.cost.size < given.patterns.cost.size
    assert set(fewer.blank) < set(given.patterns.blank) and 7 in fewer.blank
    gone = set(given.patterns.blank) - set(fewer.blank)
    left = set(fewer.blank) - {7}
    price = {int(b): int(c) for b, c in zip(given.patterns.blank, given.patterns.cost, strict=True)}
    assert min(price[int(b)] for b in gone) >= max(price[int(b)] for b in left)
