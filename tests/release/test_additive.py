"""What the audit of tables with totals says of margins and parts of margins, against a list of every table."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.release import all_tables, looks_the_same, margin, safe

from discreet.release.additive import Public, cell_ends, fewest_hidden, keeps_rule, places
from discreet.release.frontier import axes_of
from discreet.release.offers.partial import Partial
from discreet.work import Deadline

SHAPES = [(2, 2), (2, 3), (2, 2, 2)]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Public, int, tuple[int, int]]:
    """Something public, a margin, and a rule (c, w)."""
    shape = draw(st.sampled_from(SHAPES))
    cells = int(np.prod(shape))
    counts = np.array(draw(st.lists(st.integers(0, 3), min_size=cells, max_size=cells)), np.int64)
    while counts.sum() > 7:
        counts[np.argmax(counts)] -= 1
    masks = st.integers(0, 2 ** len(shape) - 1)
    partials = []
    for mask in draw(st.lists(masks, max_size=2)):
        size = margin(counts[None], shape, axes_of(mask)).size
        hidden = draw(st.lists(st.integers(0, size - 1), unique=True, max_size=size))
        rounds = draw(st.booleans())
        partials.append(Partial(mask, "round", (), 3) if rounds else Partial(mask, "suppress", tuple(sorted(hidden))))
    released = [0, *draw(st.lists(masks, max_size=2))]
    return Public(counts, shape, released, partials), draw(masks), (draw(st.integers(1, 2)), draw(st.integers(1, 3)))


def fibre(public: Public, *more: Partial) -> np.ndarray:
    """Every table that looks like the true one."""
    tables = all_tables(public.shape, int(public.counts.sum()))
    return looks_the_same(tables, public.shape, public.counts, public.released, [*public.partials, *more])


@given(cases())
@settings(max_examples=120, deadline=None)
def test_the_rule_and_the_ends_are_those_of_every_table_that_looks_alike(case: tuple) -> None:
    public, _, (c, w) = case
    alike = fibre(public)
    assert keeps_rule(public, c, w, Deadline(None)) is safe(public.counts, alike, c, w)
    found = cell_ends(public, np.arange(public.counts.size), Deadline(None))
    assert found.sharp.all()
    assert (found.lower == alike.min(axis=0)).all() and (found.upper == alike.max(axis=0)).all()


@given(cases())
@settings(max_examples=60, deadline=None)
def test_no_fewer_hidden_counts_would_do(case: tuple) -> None:
    public, mask, (c, w) = case
    hidden, finished = fewest_hidden(public, mask, c, w, Deadline(None))
    assert finished
    size = public.margin(mask).size
    if hidden is None:
        assert not safe(public.counts, fibre(public), c, w)
        return
    told = Partial(mask, "suppress", tuple(hidden.tolist()))
    if not safe(public.counts, fibre(public, told), c, w):
        return  # fractions only: whole tables are asked before anything is told
    for pattern in range(1 << size):
        if pattern.bit_count() < hidden.size:
            fewer = Partial(mask, "suppress", tuple(i for i in range(size) if pattern >> i & 1))
            assert not safe(public.counts, fibre(public, fewer), c, w)


def test_nothing_released_leaves_hidden_counts_without_an_end() -> None:
    counts = np.array([1, 3, 4, 6], np.int64)
    hidden = Public(counts, (2, 2), [], [Partial(0b11, "suppress", (0,))])
    assert keeps_rule(hidden, 2, 3, Deadline(None)) is True
    with_total = Public(counts, (2, 2), [0], [Partial(0b11, "suppress", (0,))])
    assert keeps_rule(with_total, 2, 3, Deadline(None)) is False


def test_places_are_those_of_the_margins_counts() -> None:
    shape = (2, 3, 2)
    table = np.arange(12).reshape(shape)
    for mask in range(8):
        own = np.asarray(table.sum(axis=tuple(a for a in range(3) if not mask >> a & 1))).reshape(-1)
        assert np.bincount(places(shape, mask), table.reshape(-1), own.size).tolist() == own.tolist()
        assert Public(table.reshape(-1), shape, [], []).margin(mask).tolist() == own.tolist()
