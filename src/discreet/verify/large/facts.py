"""What one pass over both tables tells about the columns that were published as means.

Per column the largest and the least number and how many stand as they were, whether all are whole, which spellings of
zero and of nothing occur, and the sums that the loss is made of: moments of the originals (Chan, Golub and LeVeque
1979) and Σ w (x − y)².
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass
class Moments:
    """Count, weight, mean and weighted squares about the mean of numbers that come in parts."""

    count: int = 0
    weight: float = 0.0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, x: Floats, w: Floats | None) -> None:
        if not x.size:
            return
        if w is None:
            total = float(x.size)
            mean = float(x.mean())
            squares = float(np.square(x - mean).sum())
        else:
            total = float(w.sum())
            mean = float((w * x).sum() / total)
            squares = float((w * np.square(x - mean)).sum())
        self.join(Moments(x.size, total, mean, squares))

    def join(self, other: Moments) -> None:
        if not other.count:
            return
        weight = self.weight + other.weight
        apart = other.mean - self.mean if self.count else 0.0
        mean = self.mean + apart * other.weight / weight if self.count else other.mean
        self.squares += other.squares + apart * apart * self.weight * other.weight / weight
        self.count, self.weight, self.mean = self.count + other.count, weight, mean

    def about(self, middle: float) -> float:
        """Σ w (x − middle)²."""
        apart = self.mean - middle
        return self.squares + self.weight * (apart * apart) if self.count else 0.0


@dataclass
class Column:
    """What is known of one column of means."""

    numbers: bool = True
    infinite: bool = False
    whole: bool = True
    largest: float = 0.0
    low: float = np.inf
    high: float = -np.inf
    as_low: int = 0
    as_high: int = 0
    zeros: set[bool] = field(default_factory=set)
    gaps: set[Any] = field(default_factory=set)
    gap_inside: bool = False
    blanked: int = 0
    filled: int = 0
    inside: Moments = field(default_factory=Moments)
    apart: Moments = field(default_factory=Moments)
    blank: Moments = field(default_factory=Moments)
    error: float = 0.0

    def note_signs(self, published: Any) -> None:
        """Which spellings of zero and of nothing another part of the published column has; for floats."""
        import pyarrow as pa

        kind = published.type
        if not pa.types.is_floating(kind):
            return
        if published.null_count:
            self.gaps.add(None)
            published = published.drop_null()
        values = published.to_numpy(zero_copy_only=False)
        if len(self.zeros) < 2:
            zeros = values[values == 0]
            if zeros.size:
                self.zeros.update(np.unique(np.signbit(zeros)).tolist())
        odd = np.isnan(values)
        if odd.any() and len(self.gaps) < 2:
            self.gaps.update(np.unique(values[odd].view(f"i{kind.bit_width // 8}")).tolist())

    def add(self, x: Floats, y: Floats, apart: Mask | None, w: Floats | None) -> None:
        """Another part of the column: originals, what is published for them, rows blank throughout, weights."""
        known, here = ~np.isnan(x), ~np.isnan(y)
        self.infinite = self.infinite or bool(np.isinf(x).any() or np.isinf(y).any())
        full = bool(known.all() and here.all())
        a, b = (x, y) if full else (x[known & here], y[known & here])
        self.whole = self.whole and bool((a == np.rint(a)).all() and (b == np.rint(b)).all())
        size = np.abs(x if full else x[known])
        if size.size:
            self.largest = max(self.largest, float(size.max()))
            self._note_ends(x if full else x[known], x[x == y])
        with np.errstate(over="ignore", invalid="ignore"):
            if full and apart is None:
                self.error += float(np.square(x - y).sum() if w is None else (w * np.square(x - y)).sum())
                self.inside.add(x, w)
                return
            both = known & here
            own = None if w is None else w[both]
            self.error += float(np.square(a - b).sum() if own is None else (own * np.square(a - b)).sum())
            away = np.zeros(x.size, bool) if apart is None else apart
            for part, rows in ((self.inside, known & ~away), (self.apart, known & away), (self.blank, known & ~here)):
                part.add(x[rows], None if w is None else w[rows])
        self.blanked += int((known & ~here).sum())
        self.filled += int((here & ~known).sum())

    def _note_ends(self, x: Floats, unchanged: Floats) -> None:
        """The least and the greatest of the originals so far, and how many of each are published as they are."""
        low, high = float(x.min()), float(x.max())
        if low < self.low:
            self.low, self.as_low = low, 0
        if high > self.high:
            self.high, self.as_high = high, 0
        self.as_low += int((unchanged == self.low).sum())
        self.as_high += int((unchanged == self.high).sum())

    @property
    def extremes(self) -> int:
        """How many published numbers are what they were, the least or the greatest of a column with different ones."""
        return self.as_low + self.as_high if self.low < self.high else 0

    def loss(self, outside: bool) -> tuple[float, float]:
        """SSE and SST in units of the variance; `outside` says that rows blank throughout are no part of that."""
        base, whole = Moments(), Moments()
        base.join(self.inside)
        whole.join(self.inside)
        whole.join(self.apart)
        if not outside:
            base = whole
        if base.count < 2 or self.low == self.high or not base.squares > 0:
            return 0.0, 0.0
        spread = base.squares / base.weight * (base.count / (base.count - 1))
        if not spread > 0 or not np.isfinite(spread):
            return 0.0, 0.0
        return (self.error + self.blank.about(base.mean)) / spread, whole.about(base.mean) / spread
