"""What is offered of a refused margin, against a list of every table that has what is public."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import all_tables, consistent, margin, safe

from discreet.release.frontier import axes_of
from discreet.release.offers.find import keeps_rule, offer_rounded, offer_suppressed
from discreet.release.offers.partial import Partial
from discreet.work import Deadline

SHAPES = [(2, 2), (2, 3), (2, 2, 2)]


def fibre(truth: np.ndarray, shape: tuple[int, ...], released: list[int], partials: list[Partial]) -> np.ndarray:
    """Every table that has the released margins, and of which the parts would be told as they are."""
    tables = consistent(all_tables(shape, int(truth.sum())), shape, truth, [axes_of(mask) for mask in released])
    for partial in partials:
        told = partial.told(margin(truth[None], shape, axes_of(partial.mask))[0])
        counts = margin(tables, shape, axes_of(partial.mask))
        keep = [all(a is None or a == b for a, b in zip(told, (partial.told(row)))) for row in counts]
        tables = tables[np.array(keep, bool)]
    return tables


@st.composite
def cases(draw: st.DrawFn) -> tuple[np.ndarray, tuple[int, ...], list[int], int, tuple[int, int]]:
    shape = draw(st.sampled_from(SHAPES))
    truth = np.array(draw(st.lists(st.integers(0, 3), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))))
    masks = st.integers(0, 2 ** len(shape) - 1)
    released = [0, *draw(st.lists(masks, max_size=2))]
    return truth.astype(np.int64), shape, released, draw(masks), (draw(st.integers(1, 2)), draw(st.integers(1, 3)))


@given(cases())
@settings(max_examples=60, deadline=None)
def test_what_is_offered_keeps_the_rule_for_every_table_that_looks_alike(case: tuple) -> None:
    truth, shape, released, mask, rule = case
    before = fibre(truth, shape, released, [])
    assert keeps_rule(truth, shape, released, [], rule, Deadline(None)) is safe(truth, before, *rule)
    offers: list[Partial] = []
    for offer in (
        offer_suppressed(truth, shape, released, [], mask, rule, Deadline(None)),
        offer_rounded(truth, shape, released, [], mask, rule, 3, Deadline(None)),
    ):
        if offer is None:
            continue
        assert safe(truth, fibre(truth, shape, released, [offer]), *rule)
        both = [*offers, offer]
        assert keeps_rule(truth, shape, released, both, rule, Deadline(None)) is safe(
            truth, fibre(truth, shape, released, both), *rule
        )
        offers = both
    if offers and offers[0].kind == "suppress":
        # No fewer hidden counts would do.
        size = margin(truth[None], shape, axes_of(mask)).size
        for hidden in range(size):
            fewer = set(offers[0].hidden) - {hidden}
            if len(fewer) < len(offers[0].hidden):
                less = Partial(mask, "suppress", tuple(sorted(fewer)))
                assert not safe(truth, fibre(truth, shape, released, [less]), *rule)


def test_a_second_offer_knows_the_first() -> None:
    truth, shape, rule = np.array([1, 4, 6, 2, 5, 7, 3, 9], np.int64), (2, 2, 2), (2, 7)
    public: list[Partial] = []
    for mask in (0b011, 0b101, 0b110, 0b111):
        offer = offer_suppressed(truth, shape, [0], public, mask, rule, Deadline(None))
        if offer is not None:
            public.append(offer)
    assert len(public) >= 2
    assert any(offer.hidden for offer in public)
    assert keeps_rule(truth, shape, [0], public, rule, Deadline(None)) is True


@pytest.mark.parametrize("base", [1, 2, 3, 5, 10])
def test_boxes_of_rounded_counts_are_exactly_what_rounds_so(base: int) -> None:
    counts = np.arange(0, 40)
    partial = Partial(1, "round", (), base)
    low, high = partial.boxes(counts)
    told = partial.told(counts)
    for at, count in enumerate(counts):
        same = [n for n, other in zip(counts, told) if other == told[at]]
        assert low[at] == min(same)
        assert high[at] == max(same) or high[at] >= counts[-1]
        assert told[at] is not None and abs(told[at] - count) <= base / 2
    assert Partial.from_dict(partial.to_dict()) == partial


def test_large_tables_get_no_offer() -> None:
    counts = np.zeros(20_001, np.int64)
    assert offer_rounded(counts, (20_001,), [], [], 1, (1, 1), 3, Deadline(None)) is None
    assert offer_suppressed(counts, (20_001,), [], [], 1, (1, 1), Deadline(None)) is None
