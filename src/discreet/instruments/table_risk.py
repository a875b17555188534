"""Sensitive cells of a table, and how well the bounds that margins give hide them, under a policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.results import Verdict
from discreet.tables.bounds.risk import RiskPolicy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.table_bounds import Bounds

Numbers = NDArray[Any]
Flags = NDArray[np.bool_]
WORST = 20


@dataclass(frozen=True)
class Risk:
    """Sensitive cells and how well the bounds hide them. Made with the true table, it is confidential.

    `exposed` cells have bounds closer than the policy's w for certain; `pinned` ones are known exactly; for `undecided`
    ones neither is proven, because sides are open.
    """

    bounds: Bounds = field(repr=False)
    policy: RiskPolicy
    sensitive: Flags = field(repr=False)
    exposed: Flags = field(repr=False)
    pinned: Flags = field(repr=False)
    undecided: Flags = field(repr=False)
    counts: Numbers | None = field(repr=False, default=None)

    @property
    def safe(self) -> bool:
        return not (self.exposed.any() or self.undecided.any())

    def title(self) -> str:
        words = "no cell is exposed" if self.safe else f"{int(self.exposed.sum())} cells are exposed"
        return f"Under the policy c = {self.policy.c}, w = {self.policy.w}: {words}"

    def facts(self) -> list[tuple[str, str]]:
        known = "with a count of" if self.counts is not None else "that the margins prove to be"
        return [
            ("small", f"{int(self.sensitive.sum())} cells {known} 1 to {self.policy.c}"),
            ("exposed", f"{int(self.exposed.sum())} have bounds closer than {self.policy.w}"),
            ("known exactly", f"{int(self.pinned.sum())} of them"),
            ("undecided", str(int(self.undecided.sum()))),
        ]

    def summary(self) -> str:
        known = "with a count of" if self.counts is not None else "that the margins prove to be"
        return (
            f"{int(self.sensitive.sum())} cells {known} 1 to {self.policy.c}: {int(self.exposed.sum())} have bounds "
            f"closer than {self.policy.w} ({int(self.pinned.sum())} of them are known exactly), "
            f"{int(self.undecided.sum())} are undecided"
        )

    def lines(self, count: int = WORST) -> list[str]:
        """The exposed and undecided cells in words, narrowest first: for the custodian."""
        names = self.bounds.margins.names
        found = [
            f"{', '.join(f'{name} {level}' for name, level in zip(names, row))}: {row[-2]} to {row[-1]}"
            for row in self.worst(count)
        ]
        more = int((self.exposed | self.undecided).sum()) - len(found)
        return [*found, f"and {more} more"] if more > 0 else found

    def verdict(self) -> Verdict:
        """Whether cells are exposed, as a verdict of its own: that bounds are proven does not make them harmless."""
        rule = f"policy c = {self.policy.c}, w = {self.policy.w}"
        figures = {name: value for name, value in self.to_dict().items() if name != "safe"}
        if self.exposed.any():
            words = f"Exposed: {self.summary()}"
            return Verdict("unsafe", rule, None, (self.summary(),), figures=figures, headline=words)
        if self.counts is None:
            limit = "the true counts were not looked at: a cell that is small may be exposed"
            words = "Not decided: which cells are exposed depends on the true counts, and only the margins are at hand."
            return Verdict("cannot tell", rule, None, figures=figures, limits=(limit,), headline=words)
        if self.undecided.any():
            words = f"Not decided: {self.summary()}"
            return Verdict("cannot tell", rule, None, (self.summary(),), figures=figures, headline=words)
        words = f"Not exposed: {self.summary()}"
        return Verdict("safe", rule, None, figures=figures, proven=(self.summary(),), headline=words)

    def to_dict(self) -> dict[str, Any]:
        return {
            "c": self.policy.c,
            "w": self.policy.w,
            "sensitive": int(self.sensitive.sum()),
            "exposed": int(self.exposed.sum()),
            "pinned": int(self.pinned.sum()),
            "undecided": int(self.undecided.sum()),
            "safe": self.safe,
        }

    def _order(self) -> NDArray[np.int64]:
        width = (self.bounds.upper - self.bounds.lower).reshape(-1)
        chosen = np.nonzero(self.exposed | self.undecided)[0]
        return np.asarray(chosen[np.argsort(width[chosen], kind="stable")])

    def worst(self, count: int = WORST) -> list[tuple[Any, ...]]:
        """Exposed and undecided cells with the narrowest bounds: categories, lower, upper."""
        return self.bounds._rows(self._order()[:count])

    def to_frame(self, like: Any = None) -> Any:
        """The exposed and undecided cells, narrowest first, with their bounds."""
        from discreet.tables.convert import frame_of_cells

        lower, upper = self.bounds.lower.reshape(-1), self.bounds.upper.reshape(-1)
        chosen = self._order()
        shape = self.bounds.margins.shape
        places = np.array(np.unravel_index(chosen, shape), np.int32).T.reshape(-1, len(shape))
        columns = {
            "lower": lower[chosen],
            "upper": upper[chosen],
            "exposed": self.exposed[chosen],
            "pinned": self.pinned[chosen],
        }
        return frame_of_cells(self.bounds.margins.names, self.bounds.margins.categories, places, columns, like)

    def plot(self) -> Figure:
        """Map of the cells: not small, small but hidden, undecided, exposed, known exactly."""
        from discreet.report.figures import mark_confidential
        from discreet.report.pictures.bounds_map import exposure_map

        margins = self.bounds.margins
        flags = [one.reshape(margins.shape) for one in (self.sensitive, self.undecided, self.exposed, self.pinned)]
        figure = exposure_map((flags[0], flags[1], flags[2], flags[3]), margins.names, margins.categories)
        mark_confidential(figure)
        return figure

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        from discreet.report import fragment

        return fragment(self)
