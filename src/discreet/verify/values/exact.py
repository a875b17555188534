"""Numbers without rounding: read from text or types as exact decimals, and put in order.

A number in text is ASCII: blanks, a sign, digits with or without a point, an exponent, blanks. It is m·10^e with whole
m and e, so it needs no float. Binary floats are exact by themselves; where one of two columns holds floats, the numbers
of the other are rounded to the nearest float of that width, for that is what such a column can say: the text `0.1`
beside floats means the float nearest to a tenth.

`rank` numbers the values of several columns jointly: equal ranks for equal numbers, larger for larger ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

NOT, SHORT, LONG = 0, 1, 2
MOST_EXPONENT = 400
MOST_DIGITS = 1000  # a longer one is text: nobody measures that


@dataclass(frozen=True)
class Numbers:
    """Numbers m·10^e (those that outgrow 64 bits stand in `long`), or floats of a width; `valid` says where one is."""

    valid: Mask
    mantissa: Integers
    exponent: Integers
    long: dict[int, tuple[int, int]] = field(default_factory=dict)
    floats: Floats | None = None
    width: int = 0

    def take(self, places: Integers) -> Numbers:
        """Some of them, in this order."""
        where = {int(old): new for new, old in enumerate(places.tolist())} if self.long else {}
        return Numbers(
            self.valid[places],
            self.mantissa[places],
            self.exponent[places],
            {where[old]: value for old, value in self.long.items() if old in where},
            None if self.floats is None else self.floats[places],
            self.width,
        )


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)
def _parse(data: Any, starts: Integers, ends: Integers, comma: bool, status: Any, mantissa: Any, exponent: Any) -> None:
    """Which of the texts are numbers; m and e of those with at most 18 digits that count."""
    point = 44 if comma else 46
    for i in range(starts.size):
        at, end = starts[i], ends[i]
        status[i], mantissa[i], exponent[i] = NOT, 0, 0
        while at < end and (data[at] == 32 or data[at] == 9):
            at += 1
        while end > at and (data[end - 1] == 32 or data[end - 1] == 9):
            end -= 1
        negative = False
        if at < end and (data[at] == 43 or data[at] == 45):
            negative = data[at] == 45
            at += 1
        m, shift, digits, figures, zeros = 0, 0, 0, 0, 0
        seen_point = False
        while at < end:
            byte = data[at]
            if byte == point and not seen_point:
                seen_point = True
            elif 48 <= byte <= 57:
                figures += 1
                shift -= 1 if seen_point else 0
                if byte == 48:  # a zero counts once a digit follows it
                    if digits > 0:
                        zeros += 1
                        shift += 1
                else:
                    need = zeros + 1
                    if digits + need <= 18:
                        for _ in range(need):
                            m *= 10
                        m += byte - 48
                    shift -= zeros
                    digits += need
                    zeros = 0
            else:
                break
            at += 1
        if figures == 0:
            continue
        power = 0
        if at < end and (data[at] == 69 or data[at] == 101):
            at += 1
            down = False
            if at < end and (data[at] == 43 or data[at] == 45):
                down = data[at] == 45
                at += 1
            if at == end:
                continue
            while at < end and 48 <= data[at] <= 57:
                power = min(power * 10 + data[at] - 48, 100000)
                at += 1
            if power > MOST_EXPONENT:
                continue
            power = -power if down else power
        if at != end or figures > MOST_DIGITS:
            continue
        if digits > 18:
            status[i] = LONG
            continue
        status[i] = SHORT
        mantissa[i] = -m if negative else m
        exponent[i] = 0 if m == 0 else shift + power


def parse(data: bytes, starts: Integers, ends: Integers, comma: bool = False) -> Numbers:
    """The numbers in slices of `data`."""
    n = starts.size
    status, mantissa, exponent = np.zeros(n, np.int8), np.zeros(n, np.int64), np.zeros(n, np.int64)
    _parse(np.frombuffer(data, np.uint8), starts, ends, comma, status, mantissa, exponent)
    long = {}
    for i in np.flatnonzero(status == LONG).tolist():
        long[i] = _long(data[starts[i] : ends[i]].decode("ascii"), comma)
    return Numbers(status != NOT, mantissa, exponent, long)


def _long(text: str, comma: bool) -> tuple[int, int]:
    digits, _, power = text.strip(" \t").replace("," if comma else ".", ".").replace("E", "e").partition("e")
    whole, _, rest = digits.partition(".")
    return int(whole + rest), int(power or 0) - len(rest)


def parse_text(text: str) -> tuple[int, int] | None:
    """One number as m, e; None where the text is none."""
    data = text.encode("utf-8", "surrogatepass")
    found = parse(data, np.zeros(1, np.int64), np.array([len(data)], np.int64))
    if not found.valid[0]:
        return None
    return found.long[0] if found.long else (int(found.mantissa[0]), int(found.exponent[0]))


def whole(values: Sequence[int | None]) -> Numbers:
    """Whole numbers of any size; None where there is none."""
    n = len(values)
    valid, mantissa, long = np.zeros(n, bool), np.zeros(n, np.int64), {}
    for i, value in enumerate(values):
        if value is None:
            continue
        valid[i] = True
        if -(2**63) < value < 2**63:
            mantissa[i] = value
        else:
            long[i] = (value, 0)
    return Numbers(valid, mantissa, np.zeros(n, np.int64), long)


def binary(values: Floats, width: int) -> Numbers:
    """Floats of a width in bits; NaN is no number."""
    zeros = np.zeros(values.size, np.int64)
    return Numbers(~np.isnan(values), zeros, zeros, {}, values, width)


def as_floats(numbers: Numbers, width: int = 64) -> Floats:
    """The nearest floats of a width (as float64; NaN where there is no number)."""
    if numbers.floats is not None:
        return numbers.floats if numbers.width <= width else _narrow_floats(numbers.floats, width)
    out = np.full(numbers.valid.size, np.nan)
    m, e = numbers.mantissa, numbers.exponent
    # A quotient or product of two numbers that are exact in float64 is correctly rounded.
    easy = numbers.valid & (np.abs(m) < 2**53) & (np.abs(e) <= 22)
    power = 10.0 ** np.abs(e[easy]).astype(np.float64)
    out[easy] = np.where(e[easy] < 0, m[easy] / power, m[easy] * power)
    hard = numbers.valid & ~easy
    hard[list(numbers.long)] = False
    places = np.flatnonzero(hard)
    if places.size:
        out[places] = _spelled_floats(m[places], e[places])
    for i, (mi, ei) in numbers.long.items():
        out[i] = float(f"{mi}e{ei}")
    if width < 64:
        out = _narrow(numbers, out, width)
    return out


def _spelled_floats(m: Integers, e: Integers) -> Floats:
    """The floats nearest to m·10^e, through text: reading a number from text rounds correctly."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if np.abs(e).max(initial=0) > 280:
        return np.array([float(f"{mi}e{ei}") for mi, ei in zip(m.tolist(), e.tolist())])
    text = pc.binary_join_element_wise(pa.array(m).cast(pa.string()), pa.array(e).cast(pa.string()), "e")
    return np.asarray(text.cast(pa.float64()).to_numpy(zero_copy_only=False))


def _narrow_floats(values: Floats, width: int) -> Floats:
    kind: Any = {16: np.float16, 32: np.float32}[width]
    with np.errstate(over="ignore"):
        return np.asarray(values.astype(kind).astype(np.float64))


def _narrow(numbers: Numbers, values: Floats, width: int) -> Floats:
    """Rounding twice goes wrong only where the float64 lies in the middle of two narrow floats: decided exactly."""
    kind: Any = {16: np.float16, 32: np.float32}[width]
    with np.errstate(over="ignore", invalid="ignore"):
        near = values.astype(kind)
        other = np.where(
            near.astype(np.float64) < values, np.nextafter(near, kind(np.inf)), np.nextafter(near, -kind(np.inf))
        )
        out = near.astype(np.float64)
        apart = out != values
        middle = apart & np.isfinite(values) & ((out + other.astype(np.float64)) / 2 == values)
    for i in np.flatnonzero(middle).tolist():
        m, e = numbers.long.get(i, (int(numbers.mantissa[i]), int(numbers.exponent[i])))
        true, here = Fraction(m) * Fraction(10) ** e, Fraction(float(values[i]))
        a, b = float(near[i]), float(other[i])
        if true != here:
            out[i] = max(a, b) if true > here else min(a, b)
    return np.asarray(out)


def rank(parts: Sequence[Numbers]) -> list[Integers]:
    """Joint ranks of the numbers of several columns; −1 where there is no number.

    The nearest floats stand in the same order, so only numbers that share one have to be compared exactly.
    """
    widths = [part.width for part in parts if part.floats is not None]
    valid = np.concatenate([part.valid for part in parts])
    values = np.concatenate([as_floats(part, min(widths, default=64)) for part in parts])[valid] + 0.0
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    new = np.ones(order.size, bool)
    new[1:] = ordered[1:] != ordered[:-1]
    if not widths and order.size:
        order, new = _refine(_joined(parts), np.flatnonzero(valid), order, new)
    found = np.empty(order.size, np.int64)
    found[order] = np.cumsum(new) - 1
    ranks = np.full(valid.size, -1, np.int64)
    ranks[valid] = found
    return np.split(ranks, np.cumsum([part.valid.size for part in parts])[:-1])


def _joined(parts: Sequence[Numbers]) -> Numbers:
    """Several columns of exact numbers as one, each number in its normal form: m not divisible by ten."""
    m = np.concatenate([part.mantissa for part in parts])
    e = np.concatenate([part.exponent for part in parts])
    long: dict[int, tuple[int, int]] = {}
    first = 0
    for part in parts:
        long |= {first + i: value for i, value in part.long.items()}
        first += part.valid.size
    return normal(Numbers(np.concatenate([part.valid for part in parts]), m, e, long))


def normal(numbers: Numbers) -> Numbers:
    """The same numbers with m not divisible by ten, and 0·10^0 for zero: equal numbers then look alike."""
    m, e = numbers.mantissa.copy(), numbers.exponent.copy()
    e[m == 0] = 0
    tens = np.flatnonzero((m % 10 == 0) & (m != 0))
    while tens.size:
        m[tens] //= 10
        e[tens] += 1
        tens = tens[m[tens] % 10 == 0]
    long = {}
    for i, (mi, ei) in numbers.long.items():
        while mi and mi % 10 == 0:
            mi, ei = mi // 10, ei + 1
        if abs(mi) < 2**63:
            m[i], e[i] = mi, ei if mi else 0
        else:
            long[i] = (mi, ei)
    return Numbers(numbers.valid, m, e, long)


def _refine(all_: Numbers, which: Integers, order: Integers, new: Mask) -> tuple[Integers, Mask]:
    """Sort the numbers that share a float by their exact values; `order` and `new` mended accordingly."""
    m, e = all_.mantissa[which][order], all_.exponent[which][order]
    is_long = np.zeros(all_.valid.size, bool)
    is_long[list(all_.long)] = True
    doubt = ~new & ((m != np.roll(m, 1)) | (e != np.roll(e, 1)) | is_long[which][order])
    doubt |= ~new & np.roll(is_long[which][order], 1)
    if not doubt.any():
        return order, new
    groups = np.cumsum(new) - 1
    order, new = order.copy(), new.copy()
    first = np.append(np.flatnonzero(new), order.size)
    for group in np.unique(groups[doubt]).tolist():
        a, b = int(first[group]), int(first[group + 1])
        exact = []
        for place in order[a:b].tolist():
            i = int(which[place])
            mi, ei = all_.long.get(i, (int(all_.mantissa[i]), int(all_.exponent[i])))
            exact.append((Fraction(mi) * Fraction(10) ** ei, place))
        exact.sort()
        order[a:b] = [place for _, place in exact]
        new[a + 1 : b] = [x != y for (x, _), (y, _) in pairwise(exact)]
    return order, new
