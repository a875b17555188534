"""What left columns tell, slow and by definition: loops over rows, all pairs, all permutations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from statistics import median, median_low

import numpy as np


def most_frequent(values: Sequence[object]) -> object:
    return Counter(values).most_common(1)[0][0]


def base(key: Sequence[object]) -> float:
    return max(Counter(key).values()) / len(key)


def right_by_equal(column: Sequence[object], key: Sequence[object]) -> float:
    """How many rows have what most other rows of their value have; a tie with the own value is right by half."""
    overall = most_frequent(key)
    right = 0.0
    for i, value in enumerate(column):
        others = Counter(key[j] for j in range(len(key)) if j != i and column[j] == value)
        if not others:
            right += key[i] == overall
            continue
        top = max(others.values())
        if others[key[i]] == top:
            right += 1.0 if list(others.values()).count(top) == 1 else 0.5
    return right


def median_of_equal(column: Sequence[object], key: Sequence[float], middle: float) -> list[float]:
    """For each row the lower median of the others with its value."""
    out = []
    for i, value in enumerate(column):
        others = [key[j] for j in range(len(key)) if j != i and column[j] == value]
        out.append(median_low(others) if others else middle)
    return out


def nearest_distances(places: Sequence[float], m: int) -> list[list[float]]:
    """For each row the distances of the m nearest others, in order."""
    return [sorted(abs(x - y) for j, y in enumerate(places) if j != i)[:m] for i, x in enumerate(places)]


def skill_of_categories(right: float, key: Sequence[object]) -> float:
    return (right / len(key) - base(key)) / (1 - base(key))


def skill_of_numbers(predicted: Sequence[float], key: Sequence[float]) -> float:
    middle = median(key)
    return 1 - sum(abs(x - p) for x, p in zip(key, predicted)) / sum(abs(x - middle) for x in key)


def left_out_sum(columns: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Least squares with a constant, fitted anew without each row."""
    x = np.column_stack([np.ones(len(key)), columns])
    out = []
    for i in range(len(key)):
        others = np.arange(len(key)) != i
        weights = np.linalg.lstsq(x[others], key[others], rcond=None)[0]
        out.append(float(x[i] @ weights))
    return np.array(out)


def few_groups(fits: np.ndarray, before: Sequence[int], after: Sequence[int], k: int) -> tuple[int, int]:
    """Persons in groups of 2 to 20 with fewer than k candidates, and persons in such groups: by all permutations."""
    homes, theres = ({g: [i for i, x in enumerate(w) if x == g] for g in set(w) - {-1}} for w in (before, after))
    short = looked = 0
    for members in homes.values():
        if not 2 <= len(members) <= 20:
            continue
        looked += len(members)
        found = 0
        for rows in theres.values():
            if len(rows) == len(members):
                found += any(all(fits[i, r] for i, r in zip(members, order)) for order in permutations(rows))
        short += len(members) if found < k else 0
    return short, looked


def found_if_known(fits: np.ndarray, before: Sequence[object], after: Sequence[object], k: int) -> int:
    few = 0
    for i, value in enumerate(before):
        few += sum(fits[i, r] and after[r] == value for r in range(len(after))) < k
    return few


def best_split(codes: Sequence[int], size: int, ordered: bool, y: Sequence[int], least: int) -> float:
    """The greatest gain in Σ n_c²/n over all splits of one leaf."""

    def purity(rows: list[int]) -> float:
        return sum(c * c for c in Counter(rows).values()) / max(len(rows), 1)

    gains = [0.0]
    for at in range(size):
        right = [v for c, v in zip(codes, y) if (c >= at if ordered else c == at)]
        left = [v for c, v in zip(codes, y) if not (c >= at if ordered else c == at)]
        if len(left) >= least and len(right) >= least:
            gains.append(purity(left) + purity(right) - purity(list(y)))
    return max(gains)


def narrowed(
    column: Sequence[float], keys: Sequence[tuple[str, Sequence[object]]], fits: np.ndarray, own: Sequence[int], k: int
) -> int:
    """Persons left with fewer than k rows, their own among them; predictions from the rows of a value."""
    n = len(column)

    def allowed(i: int) -> list[set[object] | tuple[float, float]]:
        same = [j for j in range(n) if j != i and column[j] == column[i]]
        if len(same) >= 60:
            same = [*same, i]
        assert len(same) >= 15, "for values that many rows have"
        out: list[set[object] | tuple[float, float]] = []
        for kind, key in keys:
            values = sorted(key[j] for j in same)  # type: ignore[type-var]
            if kind == "numbers":
                cut = int(0.02 * (len(values) - 1)) if len(values) > 30 else 0
                out.append((values[cut], values[len(values) - 1 - cut]))  # type: ignore[arg-type]
            else:
                out.append({v for v, c in Counter(values).items() if c >= max(0.02 * len(values), 1)})
        return out

    sets = [allowed(i) for i in range(n)]

    def within(person: int, row_owner: int) -> bool:
        for (kind, key), held in zip(keys, sets[row_owner]):
            value = key[person]
            if kind == "numbers":
                low, high = held  # type: ignore[misc]
                if not low <= value <= high:  # type: ignore[operator]
                    return False
            elif value not in held:  # type: ignore[operator]
                return False
        return True

    return sum(within(i, i) and sum(fits[i, r] and within(i, own[r]) for r in range(n)) < k for i in range(n))
