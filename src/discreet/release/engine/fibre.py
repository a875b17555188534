"""The tables that have given margins: how many, which, one in a box, one at random. From the margins alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from discreet.errors import InputError, UnsafeReleaseError
from discreet.tables.draw.counting import Enumeration
from discreet.tables.exact import Effort, Sharpener
from discreet.tables.sharpen.fibre_search import jump
from discreet.tables.sharpen.first_table import first_table
from discreet.tables.state.atom import State
from discreet.tables.table import Ints, Margins, Table, project
from discreet.tables.theory.frechet_theorem_2 import combine
from discreet.tables.theory.graph import Axes, Decomposition, decompose
from discreet.tables.theory.lattice import Lattice
from discreet.work import Deadline, Reporter

ENUMERABLE = 20_000
WHOLE_CELLS = 4096
COUNTING_WORK = 50_000_000
LISTING_WORK = 5_000_000
SEARCH_WORK = 2_000_000


def at_least(table: Table, public: Sequence[Axes], number: int, deadline: Deadline) -> bool | None:
    """Whether at least so many tables have these margins; None where counting them takes too long."""
    state = _whole(table.margins([[table.names[a] for a in axes] for axes in public]))
    if state is None or deadline.passed:
        return None
    _, found = _counted(state, number, COUNTING_WORK)
    return None if found is None else found >= number


def tables_with(public: Margins) -> Ints | None:
    """All tables with these margins, one per row; None where there are too many to list."""
    state = _whole(public)
    if state is None:
        return None
    search, number = _counted(state, ENUMERABLE + 1, LISTING_WORK)
    return None if number is None or number > ENUMERABLE else search.tables(np.arange(number))


def _counted(state: State, enough: int, work: int) -> tuple[Enumeration, int | None]:
    """The number of tables, or at least `enough`, where counting stops; None where even that takes too long."""
    search = Enumeration(state.lattice, state.right_side, state.lower, state.upper)
    if not search.possible:
        return search, None
    found, _ = search._search(np.array([enough - 1], np.int64), work)
    return search, None if found < 0 else found


def find_table(public: Margins, boxes: Iterable[tuple[Ints, Ints]], deadline: Deadline) -> Ints | None:
    """A table with these margins inside one of the boxes (least and greatest counts); None where none was found."""
    state = _whole(public)
    if state is None:
        return None
    search = Sharpener(state, deadline, Reporter(None), Effort(integer=False))
    if first_table(state, search.integer, deadline) != "found":
        return None
    for low, high in boxes:
        if deadline.passed:
            break
        x = state.pool[0].copy()
        box = np.maximum(low, state.lower), np.minimum(high, state.upper)
        if (box[0] <= box[1]).all() and jump(x, *box, search.moves, SEARCH_WORK, search.random):
            return x
    return None


def outer_bounds(public: Margins) -> tuple[Ints, Ints]:
    """Bounds of every cell from the margins alone, quickly: proven, perhaps not sharp."""
    tree = decompose(len(public.shape), public.values)
    low, high = [], []
    for number, atom in enumerate(tree.atoms):
        values = project(public.values, atom)
        if values is None:
            shape = tuple(public.shape[a] for a in atom)
            state = _state_of(public, tree, number)
            low.append(state.lower.reshape(shape))
            high.append(state.upper.reshape(shape))
        else:
            low.append(values)
            high.append(values)
    lower, upper = combine(public.shape, tree, low, high, public.values)
    return lower.reshape(-1), upper.reshape(-1)


def synthesize(public: Margins, seed: int, deadline: Deadline, sensitive: int = 0) -> Ints | None:
    """A random table with these margins, drawn from them alone; None where none was found in time, or may be given.

    The true table has no part in it: the walk begins at a table that the margins give. Where the margins fix a count
    of 1 to `sensitive`, or every count, it would be the true one in any table with them: then there is none to give.
    Whether that is so depends on the margins alone, which are public.
    """
    from discreet.instruments.tables import simulate

    try:
        drawn: Table = simulate(
            public,
            random_state=seed,
            distribution="loglinear",
            time_limit=deadline.remaining,
            pinned="refuse",
            sensitive=min(sensitive, public.total),
        )
    except (InputError, UnsafeReleaseError):
        return None
    return drawn.dense()


def _whole(public: Margins) -> State | None:
    """The state of a whole table with shuttle bounds; None where it is too large to be searched as a whole."""
    if public.size > WHOLE_CELLS:
        return None
    lattice = Lattice(public.shape, tuple(public.values))
    state = State(lattice, {axes: public.values[axes] for axes in lattice.generators})
    if not state.shuttle():
        raise AssertionError("the margins of a table contradict each other")
    return state


def _state_of(public: Margins, tree: Decomposition, number: int) -> State:
    """The state of an atom with shuttle bounds, from the margins alone."""
    atom = tree.atoms[number]
    shape = tuple(public.shape[a] for a in atom)
    inside = {
        tuple(atom.index(a) for a in generator): _known(public, generator) for generator in tree.generators_of(number)
    }
    state = State(Lattice(shape, tuple(inside)), inside)
    if not state.shuttle():
        raise AssertionError("the margins of a table contradict each other")
    return state


def _known(public: Margins, axes: Axes) -> Ints:
    values = project(public.values, axes)
    assert values is not None
    return values
