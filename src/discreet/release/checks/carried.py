"""Is what decisions carry on (`states.carried`) still true of the table?

Per atom of the released margins there are bounds and witness tables. Each witness must have the margins that are
released, as far as they reach into the atom, and no negative count; the bounds must hold the true counts and every
witness. So nothing forged can make a cell look wide that is not, nor narrow beyond what is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from discreet.release.engine import Ints, Table
from discreet.release.frontier import axes_of
from discreet.release.history.store import StoredDataset, StoredState

PARTS = ("lower", "upper", "tables")


def carried_faults(stored: StoredDataset, state: StoredState) -> list[str]:
    atoms: dict[tuple[int, ...], dict[str, Ints]] = {}
    faults = []
    for key, values in state.carried.items():
        axes, part = _split(key, len(stored.table.names))
        if part is None:
            faults.append(f"dataset {stored.name}: what is carried on has an unknown part")
        else:
            atoms.setdefault(axes, {})[part] = values
    for axes, arrays in atoms.items():
        where = f"dataset {stored.name}, what is carried on about {':'.join(stored.table.names[a] for a in axes)}"
        faults += [f"{where}: {fault}" for fault in _atom_faults(stored.table, state, axes, arrays)]
    return faults


def _split(key: str, variables: int) -> tuple[tuple[int, ...], str | None]:
    """`atom-0-2.lower` as the variables of the atom and the part."""
    head, _, part = key.partition(".")
    words = head.split("-")
    axes = tuple(int(word) for word in words[1:] if word.isdecimal())
    good = words[0] == "atom" and len(axes) == len(words) - 1 > 0 and part in PARTS
    good = good and list(axes) == sorted(set(axes)) and axes[-1] < variables
    return axes, part if good else None


def _atom_faults(table: Table, state: StoredState, axes: tuple[int, ...], arrays: Mapping[str, Ints]) -> Iterator[str]:
    truth = table.margin([table.names[a] for a in axes]).dense()
    fits = set(arrays) == set(PARTS) and all(arrays[part].dtype.kind in "iu" for part in PARTS)
    if not fits or arrays["tables"].ndim != 2 or any(arrays[p].shape[-1:] != (truth.size,) for p in PARTS):
        yield "its form is not the one that decisions leave"
        return
    witnesses = arrays["tables"].reshape(-1, *truth.shape)
    lower, upper = (arrays[part].reshape(truth.shape) for part in ("lower", "upper"))
    if (truth < lower).any() or (truth > upper).any():
        yield "the bounds leave out the true counts"
    if (witnesses < np.maximum(lower, 0)).any() or (witnesses > upper).any():
        yield "a witness lies outside the bounds"
    for mask in state.frontier.released:
        inside = [axes.index(a) for a in axes_of(mask) if a in axes]
        apart = tuple(i for i in range(len(axes)) if i not in inside)
        if (witnesses.sum(axis=tuple(i + 1 for i in apart)) != truth.sum(axis=apart)).any():
            yield "a witness does not have the released margins"
            return
