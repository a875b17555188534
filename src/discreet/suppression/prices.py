"""A lower bound on the cost of classes of k, from prices; the prices are the certificate.

Tuple t has n_t records and a price λ_t of any sign. A pattern q costs c_q a record and is used by k records or by none.
Take the demand that every record is published out of the problem of location, at the price of λ_t a record:

    bound(λ) = Σ_t n_t λ_t + Σ_q min(0, v_q)
    v_q = least Σ_t x_t (c_q − λ_t)   over t that fit q,  0 ≤ x_t ≤ n_t,  Σ x_t ≥ k

v_q takes all records with λ_t > c_q and, where these are fewer than k, fills up with the greatest of the other prices.
For any λ no suppression costs less than bound(λ): q ranges over all patterns that at least k records fit. At
λ_t = the cheapest set of `cover.py` every v_q ≥ 0 and the bound is the cover's cost. From there Polyak's subgradient
steps with momentum, each component scaled by 1/n_t, until they stall (Held, Wolfe, Crowder, "Validation of subgradient
optimization", 1974).

Prices are rounded to whole numbers over `PRICE_SCALE`, and what is stated is the bound at the rounded ones, over all
patterns, in whole numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.suppression.patterns import Patterns
from discreet.suppression.subsets import groupings, set_costs
from discreet.suppression.tuples import Tuples
from discreet.work import Deadline

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

PRICE_SCALE = 65_536
_SLACK = 0.5
_MOMENTUM, _SHRINK, _STALL = 0.95, 0.7, 15
_LEAST_STEP, _MOST_STEPS = 1e-3, 800


class Prices(NamedTuple):
    """Prices, in units of cost, and the bound they give over the patterns listed."""

    price: Floats
    bound: float


def improve_prices(patterns: Patterns, size: Codes, k: int, start: Floats, value: float, deadline: Deadline) -> Prices:
    """Prices with a greater bound than those at the start; `value` is a cost that is known to be reached.

    Steps aim halfway between the best bound so far and that value.
    """
    price, momentum = start.copy(), np.zeros(size.size)
    best = Prices(start, -np.inf)
    values, slope = np.empty(patterns.cost.size), np.empty(size.size)
    near, since = _within(patterns, price), price
    theta, stalled = 1.0, 0
    for _ in range(_MOST_STEPS):
        if float((price - since).max(initial=0.0)) > _SLACK:
            near, since = _within(patterns, price), price
        bound = _evaluate(patterns, near, price, size, k, values, slope, False)
        if bound > best.bound:
            if bound > best.bound + 1e-4 * abs(best.bound):
                stalled = 0
            best = Prices(price, bound)
        else:
            stalled += 1
        if stalled >= _STALL:
            theta, stalled = theta * _SHRINK, 0
            price, momentum = best.price, np.zeros(size.size)
            near, since = _within(patterns, price), price
            bound = _evaluate(patterns, near, price, size, k, values, slope, False)
        direction = slope + _MOMENTUM * momentum
        length = float((direction * direction / size).sum())
        if length < 1e-9 or theta < _LEAST_STEP or value <= best.bound or deadline.passed:
            break
        price = price + theta * ((best.bound + value) / 2.0 - bound) / length * direction / size
        momentum = direction
    return best


def _within(patterns: Patterns, price: Floats) -> Codes:
    """Patterns that cost less than their dearest tuple's price, or little more: all others have v_q ≥ 0."""
    return np.flatnonzero(np.maximum.reduceat(price[patterns.member], patterns.begin[:-1]) > patterns.cost - _SLACK)


def opening_values(patterns: Patterns, size: Codes, k: int, price: Floats) -> Floats:
    """v_q of every listed pattern: those far above 0 are used by no good solution."""
    values = np.empty(patterns.cost.size)
    _evaluate(patterns, np.arange(values.size), price, size, k, values, np.empty(size.size), True)
    return values


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _evaluate(
    patterns: Patterns,
    chosen: Codes,
    price: Floats,
    size: Codes,
    k: int,
    values: Floats,
    slope: Floats,
    exact: bool,
) -> float:
    """The bound at these prices, and its slope in each, where v_q ≥ 0 but for the chosen patterns.

    v_q of these goes to `values`; where it is above 0 and need not be exact, something between 0 and v_q does.
    """
    bound = 0.0
    for t in range(size.size):
        bound += price[t] * size[t]
        slope[t] = size[t]
    filler, taken, amount = np.empty(k, np.int64), np.empty(k, np.int64), np.empty(k, np.float64)
    for q in chosen:
        low, high, cost = patterns.begin[q], patterns.begin[q + 1], float(patterns.cost[q])
        load, v, next_price = 0, 0.0, -np.inf
        for i in range(low, high):
            t = patterns.member[i]
            if price[t] > cost:
                load += size[t]
                v += (cost - price[t]) * size[t]
            else:
                next_price = max(next_price, price[t])
        if load < k and not exact and v + (k - load) * (cost - next_price) >= 0.0:
            values[q] = 0.0
            continue
        fillers = 0
        if load < k:
            # The greatest prices of k − load tuples at most, in falling order.
            for i in range(low, high):
                t = patterns.member[i]
                if price[t] <= cost and (fillers < k - load or price[t] > amount[fillers - 1]):
                    at = fillers if fillers < k - load else fillers - 1
                    fillers = at + 1
                    while at > 0 and amount[at - 1] < price[t]:
                        amount[at], filler[at] = amount[at - 1], filler[at - 1]
                        at -= 1
                    amount[at], filler[at] = price[t], t
            need, used = k - load, 0
            while need > 0:
                taken[used] = min(need, size[filler[used]])
                v += (cost - amount[used]) * taken[used]
                need -= taken[used]
                used += 1
            fillers = used
        values[q] = v
        if v < 0.0:
            bound += v
            for i in range(low, high):
                t = patterns.member[i]
                if price[t] > cost:
                    slope[t] -= size[t]
            for i in range(fillers):
                slope[filler[i]] -= taken[i]
    return bound


def proven(tuples: Tuples, cost: Codes, k: int, price: Codes) -> int:
    """The bound at whole prices, over `PRICE_SCALE`, from all patterns there are; in whole numbers."""
    costs = set_costs(cost) * PRICE_SCALE
    falling = np.argsort(-price, kind="stable")
    size, sorted_price = tuples.size[falling], price[falling]
    total = int(tuples.size @ price)
    for blank, of, classes in groupings(np.ascontiguousarray(tuples.codes[falling])):
        total += _below_zero(of, classes, size, sorted_price, int(costs[blank]), k)
    return total


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _below_zero(of: Codes, classes: int, size: Codes, price: Codes, cost: int, k: int) -> int:
    """Σ min(0, v_q) over the classes that have k records; rows come in falling order of price."""
    load, value = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    for i in range(of.size):
        group = of[i]
        count = size[i] if price[i] > cost else min(size[i], max(k - load[group], 0))
        load[group] += count
        value[group] += count * (cost - price[i])
    total = 0
    for group in range(classes):
        if load[group] >= k and value[group] < 0:
            total += value[group]
    return total
