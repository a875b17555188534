"""scikit-learn transformers: records replaced by the mean, or by the box, of a group of at least k.

    pipeline = make_pipeline(Microaggregator(k=5), LinearRegression())

`fit` groups the records it is given. `transform` of these very records (told by their hash) gives each the mean or box
of its group: groups of k or more. Any other record gets the nearest mean or box. Of the fitted records what comes out
tells no more than means and boxes of k, but a new record may be the only one to get its own. To publish a file, use
`discreet.microaggregate` or `discreet.generalize`, whose results are checked. A fitted transformer holds means, boxes,
the group of every record and a hash of all of them: keep it like the data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

if TYPE_CHECKING:
    from discreet.instruments.microaggregation import Microaggregation

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

__all__ = ["Generalizer", "Microaggregator"]

_COMPARED = 4_000_000
EXPECTED_FAILURES = {
    "check_methods_subset_invariance": (
        "the fitted records are protected as a whole: a part of them are other records, which get the nearest group"
    ),
    "check_methods_sample_order_invariance": "likewise: in another order they are other records",
}
"""Checks of `sklearn.utils.estimator_checks.check_estimator` that these transformers fail on purpose, and why."""


class Microaggregator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numeric records replaced by the means of groups of at least `k`, of small loss.

    Parameters
    ----------
    k : the least number of records that share values.
    method, effort, scale : as in `discreet.microaggregate`.
    random_state : seed of everything random, 0 unless given.

    Attributes
    ----------
    centroids_ : the mean of each group.
    labels_ : the group of each record that was fitted.
    information_loss_ : 100·SSE/SST of the scaled columns.
    """

    def __init__(
        self,
        k: int = 3,
        *,
        method: str = "auto",
        effort: str | None = None,
        scale: str = "sd",
        random_state: int | None = None,
    ) -> None:
        self.k = k
        self.method = method
        self.effort = effort
        self.scale = scale
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Microaggregator:
        """Group the records."""
        from discreet.instruments.microaggregate import microaggregate

        values = validate_data(self, X, dtype=np.float64, ensure_min_samples=max(_whole(self.k), 1))
        named = ("method", "effort", "scale", "random_state")
        settings: dict[str, Any] = {name: getattr(self, name) for name in named}
        found: Microaggregation = microaggregate(_table(values), self.k, columns=_names(values), **settings)
        self.labels_ = np.asarray(found.labels, np.int64)
        self.information_loss_ = found.information_loss
        count = int(self.labels_.max()) + 1
        sizes = np.bincount(self.labels_, minlength=count)
        self.centroids_ = np.stack(
            [np.bincount(self.labels_, weights=column, minlength=count) / sizes for column in values.T], axis=1
        )
        spread = values.std(axis=0, ddof=1) if self.scale == "sd" else np.ptp(values, axis=0)
        self._units = np.where(spread > 0, spread, 1.0) if self.scale != "none" else np.ones(values.shape[1])
        self._fitted = _digest(values)
        return self

    def transform(self, X: Any) -> Floats:
        """The mean of each record's group, or for records that were not fitted the nearest mean."""
        check_is_fitted(self)
        values = validate_data(self, X, dtype=np.float64, reset=False)
        if _digest(values) == self._fitted:
            return np.asarray(self.centroids_[self.labels_], np.float64)
        from scipy.spatial import cKDTree

        nearest = cKDTree(self.centroids_ / self._units).query(values / self._units)[1]
        return np.asarray(self.centroids_[nearest], np.float64)


class Generalizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Records of numbers and categories replaced by the boxes of groups of at least `k` (Mondrian's).

    Parameters
    ----------
    k : the least number of records that share values.
    boxes : "center" gives numbers as the middle of their range; "text" as `[17, 39]`, all columns then being text. A
        set of categories is `{a, b}` either way.

    Attributes
    ----------
    labels_ : the group of each record that was fitted.
    lower_, upper_ : per group and numeric column the ends of its range; NaN for categories.
    """

    def __init__(self, k: int = 5, *, boxes: Literal["center", "text"] = "center") -> None:
        self.k = k
        self.boxes = boxes

    def fit(self, X: Any, y: Any = None) -> Generalizer:
        """Group the records."""
        from discreet.errors import InputError
        from discreet.instruments.generalize import generalize

        if self.boxes not in ("center", "text"):
            raise InputError("boxes must be 'center' or 'text'")
        values = validate_data(self, X, dtype=None, ensure_min_samples=max(_whole(self.k), 1))
        numbers, words = _parts(values)
        found = generalize(
            _table(values, numbers, words),
            self.k,
            quasi_identifiers=_names(values),
            method="mondrian",
            random_state=0,
            shuffle=False,
            check=False,
        )
        self.labels_ = _groups(found.data, found.boxes)
        if int(np.bincount(self.labels_).min()) < self.k:
            raise InputError(f"groups of {self.k} could not be told apart: this is a defect, please report it")
        order = np.argsort(self.labels_, kind="stable")
        starts = np.searchsorted(self.labels_[order], np.arange(int(self.labels_.max()) + 1))
        self.lower_ = np.minimum.reduceat(numbers[order], starts, axis=0)
        self.upper_ = np.maximum.reduceat(numbers[order], starts, axis=0)
        self._sets = {
            j: [frozenset(part.tolist()) for part in np.split(column[order], starts[1:])] for j, column in words.items()
        }
        spread = np.ptp(numbers, axis=0)
        self._units = np.where(spread > 0, spread, 1.0)
        self.lower_[:, list(words)] = self.upper_[:, list(words)] = np.nan
        self._fitted = _digest(values)
        return self

    def transform(self, X: Any) -> NDArray[Any]:
        """The box of each record's group, or for records that were not fitted the nearest box."""
        check_is_fitted(self)
        values = validate_data(self, X, dtype=None, reset=False)
        labels = self.labels_ if _digest(values) == self._fitted else self._nearest(values)
        if not self._sets and self.boxes == "center":
            return np.asarray((self.lower_ / 2.0 + self.upper_ / 2.0)[labels], np.float64)
        out = np.empty((len(labels), self.lower_.shape[1]), object)
        for j in range(out.shape[1]):
            boxes = np.array([self._box(group, j) for group in range(len(self.lower_))], object)
            out[:, j] = boxes[labels]
        return out

    def _box(self, group: int, column: int) -> Any:
        """A box in one column, as it is published."""
        if column in self._sets:
            members = sorted(self._sets[column][group])
            return members[0] if len(members) == 1 else "{" + ", ".join(members) + "}"
        low, high = float(self.lower_[group, column]), float(self.upper_[group, column])
        if self.boxes == "center":
            return low / 2.0 + high / 2.0
        low_text, high_text = (repr(end).removesuffix(".0") for end in (low, high))  # every digit: it holds its ends
        return low_text if low == high else f"[{low_text}, {high_text}]"

    def _nearest(self, values: NDArray[Any]) -> Codes:
        """The group whose box is nearest: by how far numbers are outside, in ranges, and by categories it lacks."""
        numbers, words = _parts(values, list(self._sets))
        at_once = max(1, _COMPARED // max(len(self.lower_), 1))
        labels = []
        for start in range(0, len(numbers), at_once):
            rows = slice(start, start + at_once)
            apart = np.zeros((len(numbers[rows]), len(self.lower_)))
            for j in range(self.lower_.shape[1]):
                if j in self._sets:
                    column = words[j][rows]
                    lacks = [[value not in members for members in self._sets[j]] for value in column.tolist()]
                    apart += np.array(lacks, np.float64)
                    continue
                x = numbers[rows, j][:, None]
                outside = np.maximum(np.maximum(self.lower_[:, j] - x, x - self.upper_[:, j]), 0.0)
                apart += outside / self._units[j]
            labels.append(apart.argmin(axis=1))
        return np.concatenate(labels) if labels else np.zeros(0, np.int64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def _whole(k: Any) -> int:
    """k as a number for the least number of samples; what is none is refused by the instrument."""
    from discreet.errors import whole

    return whole(k) or 1


def _names(values: NDArray[Any]) -> list[str]:
    return [f"x{j}" for j in range(values.shape[1])]


def _parts(values: NDArray[Any], words: Sequence[int] | None = None) -> tuple[Floats, dict[int, NDArray[Any]]]:
    """Columns of numbers (0 where a column holds categories), and columns of categories as text, by place."""
    if values.dtype.kind in "fiub" and not words:
        return values.astype(np.float64), {}
    chosen = [j for j in range(values.shape[1]) if _is_text(values[:, j])] if words is None else list(words)
    numbers = np.zeros(values.shape)
    for j in set(range(values.shape[1])) - set(chosen):
        numbers[:, j] = values[:, j].astype(np.float64)
    return numbers, {j: values[:, j].astype(str).astype(object) for j in chosen}


def _is_text(column: NDArray[Any]) -> bool:
    return column.dtype.kind not in "fiub" and any(isinstance(value, str) for value in column.tolist())


def _table(values: NDArray[Any], numbers: Floats | None = None, words: dict[int, NDArray[Any]] | None = None) -> Any:
    """The records as an Arrow table with names of our own."""
    import pyarrow as pa

    held = values if numbers is None else numbers
    texts = words or {}
    columns = {f"x{j}": texts[j].tolist() if j in texts else held[:, j] for j in range(values.shape[1])}
    return pa.table(columns)


def _groups(data: Any, boxes: Codes) -> Codes:
    """The group of each record: those whose published rows are the same; row q shows the box of record `boxes[q]`."""
    codes = np.zeros(len(boxes), np.int64)
    for name in data.column_names:
        own = data.column(name).combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False)
        codes = np.unique(codes * (int(own.max()) + 1) + own, return_inverse=True)[1].ravel()
    labels = np.empty(len(boxes), np.int64)
    labels[boxes] = codes
    return labels


def _digest(values: NDArray[Any]) -> str:
    """A hash of the records in their order."""
    held = values.tolist() if values.dtype == object else None
    stream = repr(held).encode() if held is not None else np.ascontiguousarray(values).tobytes()
    return hashlib.sha256(repr((values.shape, values.dtype.str)).encode() + stream).hexdigest()
