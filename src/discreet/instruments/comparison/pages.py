"""How a comparison is shown: its table, the risk-utility map, and the loss over k with its proven lower bound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from discreet.errors import listing
from discreet.instruments.comparison.comparison import Compared, Comparison
from discreet.results import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADS = ("result", "k", "found, %", "at most, %", "loss, %", "own loss", "bound", "gap, %", "s")


def lines(found: Comparison) -> list[tuple[str, ...]]:
    """The table in words; what is not known is a dash."""
    out: list[tuple[str, ...]] = []
    for entry in found.entries:
        own = entry.own
        out.append(
            (
                entry.name,
                "–" if entry.k is None else str(entry.k),
                _percent(entry.risk),
                _percent(entry.guaranteed),
                _percent(entry.loss),
                "–" if own is None else f"{own.value:.5g} {own.unit}",
                "–" if own is None or own.bound is None else f"{own.bound:.5g}",
                "–" if own is None or own.gap is None else f"{own.gap:.3g}",
                f"{entry.figures['seconds']:.2f}" if entry.figures.get("seconds") is not None else "–",
            )
        )
    return out


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def sections(found: Comparison) -> list[Section]:
    """All confidential: exact losses of several releases are as many equations about the original."""
    words = (
        "Found: the share of persons that the strongest of the attacks finds for someone who knows "
        f"{listing(found.columns)} of everybody, counted. At most: what any intruder finds, where the check has proven "
        "it for all these columns. Loss: from 0, nothing, to 100, everything, on one scale for all. The own loss is "
        "what the instrument minimizes, and no release of its kind gets below the bound."
    )
    first = Section("Results side by side", words if found.columns else "", HEADS, lines(found), confidential=True)
    out = [first, *curves(found)]
    if found.unprotected is not None:
        heads = ("result", "dominated by")
        out.append(Section("Who is dominated", _domination(found), heads, _beaten(found), confidential=True))
        out.append(_attacks(found))
    return out


def _beaten(found: Comparison) -> list[tuple[str, str]]:
    return [(name, listing(above)) for name, above in found.dominated.items()]


def _domination(found: Comparison) -> str:
    words = f"Efficient, from least risk to least loss: {listing(found.efficient)}. "
    words += "The others lose no less and risk no less than those named beside them. " if found.dominated else ""
    loose = [entry.name for entry in found.entries if entry.guaranteed is None]
    if loose:
        words += (
            f"Measured only, not proven for these columns: {listing(loose)}; other attacks may find more, so none of "
            "these dominates one that is proven."
        )
    return words


def _attacks(found: Comparison) -> Section:
    """What each attack finds in each release."""
    kinds = [entry.measured.found.by_attack for entry in found.entries if entry.measured is not None]
    heads = list(dict.fromkeys(name for kind in kinds for name in kind))
    rows = [
        (
            entry.name,
            *(_percent(entry.measured.found.by_attack.get(name)) for name in heads),
            entry.measured.outcome or "–",
        )
        for entry in found.entries
        if entry.measured is not None
    ]
    words = (
        "From persons to records and from records to persons, whichever finds more. Candidates: one of the records "
        "that fit is picked; distance: the nearest of them; rank: the nearest by ranks of numbers that are not covered."
    )
    shown = ("result", *(f"{n}, %" for n in heads), "check")
    return Section("What each attack finds", words, shown, rows, confidential=True)


def pictures(found: Comparison) -> dict[str, Callable[[], Figure]]:
    """The map, and the loss over k: of each kind, where there are several kinds."""
    curved = _curved(found)
    out: dict[str, Callable[[], Figure]] = {"map": partial(_map, found)}
    for unit in curved:
        out["loss over k" if len(curved) == 1 else f"loss over k: {unit}"] = partial(_curve, unit, *curved[unit])
    return out


def _map(found: Comparison) -> Figure:
    """The map; for what is no release of records, the time that each result took."""
    from discreet.report.figures import bars, canvas
    from discreet.report.pictures.risk_utility import Mark, risk_utility

    placed = [entry for entry in found.entries if entry.measured is not None]
    if not placed:
        figure, axis = canvas(1)
        seconds = [float(entry.figures.get("seconds") or 0.0) for entry in found.entries]
        bars(axis, found.names, seconds, "Time by result", "", "seconds", lying=True)
        return figure
    marks = [
        Mark(label(entry), entry.k, entry.risk or 0.0, entry.loss or 0.0, entry.guaranteed is not None)
        for entry in placed
    ]
    places = {entry.name: place for place, entry in enumerate(placed)}
    best = [places[name] for name in found.efficient]
    proven = [place for place in best if marks[place].proven]
    return risk_utility(marks, proven or best, title="Risk and loss, the efficient ones joined")


def label(entry: Compared) -> str:
    """The name without its k."""
    return entry.name.removesuffix(f" k={entry.k}")


def curves(found: Comparison) -> list[Section]:
    """Per kind of own loss, where there are several k: the loss of each method over k."""
    from discreet.report.figures import available

    out = []
    for unit, (losses, bounds) in _curved(found).items():
        words = "What a larger k costs, in the instrument's own loss. "
        words += "No release of its kind gets below the dashed line: that is proven." if bounds else ""
        figure = _curve(unit, losses, bounds) if available() else None
        out.append(Section(f"Loss over k: {unit}", words.strip(), figure=figure, confidential=True))
    return out


def _curved(found: Comparison) -> dict[str, tuple[dict[str, dict[int, float]], dict[int, float]]]:
    """By kind of own loss that is known of several k: the losses of each method, and the best bound, by k."""
    losses: dict[str, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    bounds: dict[str, dict[int, float]] = defaultdict(dict)
    for entry in found.entries:
        if entry.own is None or entry.k is None:
            continue
        unit, k = entry.own.unit, entry.k
        losses[unit][label(entry)][k] = entry.own.value
        if entry.own.bound is not None:
            bounds[unit][k] = max(entry.own.bound, bounds[unit].get(k, 0.0))
    several = [unit for unit, lines in losses.items() if len({k for line in lines.values() for k in line}) > 1]
    return {unit: (losses[unit], bounds[unit]) for unit in several}


def _curve(unit: str, losses: dict[str, dict[int, float]], bounds: dict[int, float]) -> Figure:
    from discreet.report.pictures.loss_over_k import loss_over_k

    return loss_over_k(losses, bounds, title="Loss over k", what=unit)
