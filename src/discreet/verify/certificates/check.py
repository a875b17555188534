"""Re-checks a microaggregation certificate: from the original, the published data and what the caller states alone.

A certificate says that no partition into groups of k or more has an SSE below its bound. It is evidence and nothing
else: k, columns and scale are the caller's, and n, SST, the SSE of the release, bound and gap are computed here from
the data (`bound.py` has the argument). A certificate about anything else is refused, and so is one that states
a bound, SSE, SST, gap or "optimal" other than what comes out. Its bound may not exceed the computed one by anything.

The SSE of a release is that of its classes: records with the same published values, about their own mean.

| outcome | when |
|---|---|
| safe | the evidence proves the bound that is stated, and what else is stated is so |
| unsafe | it is about other data, or states something that is not so |
| cannot tell | it is not a certificate, or the check would take more than it may |
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import whole
from discreet.results import Verdict
from discreet.verify.certificates.bound import Effort, Proven, prove
from discreet.verify.certificates.points import Scaled, classes, scaled, within
from discreet.verify.certificates.reading import SCALES, Certificate, Malformed, parse, read_text

Floats = NDArray[np.float64]

GUARANTEE = "certificate"
# Stated figures may differ from the computed ones by this share: sums in another order, another processor. The bound
# may only be smaller; one that rests on integer programs by what counts as optimal, as another version of the solver
# may end elsewhere within its tolerance.
ROUNDING = 1e-9
# Figures of so small a share of SST are nothing.
NOTHING = 2.0**-600
# "Optimal" stands for a release within this share of the bound.
OPTIMAL = 1e-7
CHECK = Effort()
REMAKE = "make the certificate again from these files"
DISTRUST = "do not rely on this bound"


@dataclass(frozen=True)
class Computed:
    """What the data says, in units of 2^shift: the proven bound, SST, and the SSE of the release where there is one."""

    proven: Proven
    sst: float
    sse: float | None
    shift: int

    @property
    def least_loss(self) -> float:
        """The bound as information loss, in percent."""
        return 100.0 * self.proven.value / self.sst if self.sst > 0 else 0.0

    @property
    def loss(self) -> float | None:
        if self.sse is None:
            return None
        return 100.0 * self.sse / self.sst if self.sst > 0 else 0.0

    @property
    def gap(self) -> float | None:
        """What is left between release and bound, in percent of the release's SSE."""
        if self.sse is None:
            return None
        return 100.0 * (self.sse - self.proven.value) / self.sse if self.sse > 0 else 0.0


def verify_certificate(
    values: Floats,
    certificate: str | bytes | Mapping[str, Any],
    *,
    k: int,
    columns: Sequence[str] | None = None,
    scale: str = "sd",
    published: Floats | None = None,
    effort: Effort = CHECK,
) -> Verdict:
    """Whether a certificate (its text, or what that says) holds for the complete records `values` (n × columns).

    `columns` names the columns of `values`, in any order; None leaves them without names. `scale` is "sd", "range" or
    "none". `published` are the same records as released: without them, what is stated about the release is not used.
    """
    values = np.asarray(values, np.float64)
    n, k = len(values), whole(k) or 0
    if values.ndim != 2 or not n or not 1 <= k <= n or scale not in SCALES or not np.isfinite(values).all():
        return _cannot_tell(k, "there are no k complete records of finite numbers, or the scale is not known")
    try:
        stated = parse(certificate)
        others = _about_others(stated, n, k, columns, scale)
        if others:
            return Verdict("unsafe", GUARANTEE, k, tuple(others), (REMAKE,))
        computed = compute(values, stated, k, scale, published, effort)
    except Malformed as error:
        return _cannot_tell(k, str(error))
    return _verdict(stated, computed, k, n)


def verify_certificate_file(
    values: Floats,
    path: str | Path,
    *,
    k: int,
    columns: Sequence[str],
    scale: str = "sd",
    published: Floats | None = None,
) -> Verdict:
    """Re-check the certificate in a file, against the original columns and the published ones (n × columns each).

    Records with a missing value (NaN) in the original are left out: they are not in any group.
    """
    values = np.asarray(values, np.float64)
    complete = ~np.isnan(values).any(axis=1)
    released = None
    if published is not None:
        if np.shape(published) != values.shape:
            words = "the published data does not have the records of the original, so that its loss is not known"
            return Verdict("unsafe", GUARANTEE, k, (words,), ("check that the two belong together",))
        released = np.asarray(published, np.float64)[complete]
        if not np.isfinite(released).all():
            words = "complete records are published without numbers, so that the loss of the release is not known"
            return Verdict("unsafe", GUARANTEE, k, (words,), ("check that the two belong together",))
    try:
        text = read_text(path, len(values))
    except Malformed as error:
        return _cannot_tell(k, str(error))
    verdict = verify_certificate(values[complete], text, k=k, columns=columns, scale=scale, published=released)
    if complete.all():
        return verdict
    limit = f"the {int((~complete).sum())} records with a gap: these figures are about the complete ones"
    return replace(verdict, limits=(*verdict.limits, limit))


def compute(
    values: Floats, stated: Certificate, k: int, scale: str, published: Floats | None, effort: Effort
) -> Computed:
    """Everything that a certificate could state, from the data and the certificate's evidence."""
    points: Scaled = scaled(values, scale)
    sse = None
    if published is not None and np.isfinite(published).all():
        sse = within(points.points, classes(published))
    total = within(points.points, np.zeros(len(values), np.int64))
    return Computed(prove(points, stated, k, effort), total, sse, points.shift)


def unlike(stated: Certificate, computed: Computed) -> list[str]:
    """What the certificate states that is not so, figure by figure."""
    found = []
    value, sse, nothing = computed.proven.value, computed.sse, NOTHING * computed.sst

    def here(name: str) -> float:
        return times_power(stated.claims[name], stated.exponent - computed.shift)

    bound = here("lower_bound")
    if _above(stated.claims["lower_bound"], stated.exponent - computed.shift, value):
        found.append("the stated bound is above what its evidence proves")
    elif bound < value - (ROUNDING if stated.target is None else OPTIMAL) * value - nothing:
        found.append("the stated bound is not what its evidence proves, but below it")
    if "sst" in stated.claims and _differs(here("sst"), computed.sst, nothing):
        found.append("the stated SST is not that of the original data")
    if sse is None or computed.gap is None or computed.loss is None:
        return found
    if _differs(here("sse"), sse, nothing):
        found.append("the stated SSE is not that of the published data")
    # Percent: the rounding of SSE and bound, a few times over.
    if "gap" in stated.claims and abs(stated.claims["gap"] - computed.gap) > 1000 * ROUNDING:
        found.append("the stated gap is not that between the published data and the bound")
    loss = stated.claims.get("information_loss", computed.loss)
    if _differs(loss, computed.loss, 100 * NOTHING):
        found.append("the stated information loss is not that of the published data")
    if stated.optimal and sse - value > (OPTIMAL + 2 * ROUNDING) * sse + nothing:
        found.append("the certificate calls the release optimal, and the bound does not say so")
    if sse < value - ROUNDING * value - nothing:
        found.append(f"the release loses less than any release with groups of {stated.k} or more can")
    return found


def times_power(number: float, exponent: int) -> float:
    """number·2^exponent, infinite where float64 ends."""
    try:
        return math.ldexp(number, exponent)
    except OverflowError:
        return math.copysign(math.inf, number)


def _above(number: float, exponent: int, other: float) -> bool:
    """Whether number·2^exponent > other, also where float64 has no such number."""
    return Fraction(number) * Fraction(2) ** exponent > Fraction(other)


def _differs(stated: float, computed: float, nothing: float) -> bool:
    return not abs(stated - computed) <= ROUNDING * abs(computed) + nothing


def _about_others(stated: Certificate, n: int, k: int, columns: Sequence[str] | None, scale: str) -> list[str]:
    found = []
    if stated.k != k:
        found.append(f"the certificate is about k = {stated.k}, not about k = {k}")
    if stated.n != n:
        found.append(f"the certificate is about {stated.n} records, the data has {n} complete ones")
    # Evidence about points as they are, without names, has no scale.
    about = "none" if stated.scale is None and columns is None else stated.scale
    if about != scale:
        found.append(f"the certificate is about {about or 'no'} scale, not about {scale} (--scale)")
    if columns is not None and sorted(stated.columns or ()) != sorted(columns):
        found.append("the certificate is about other columns than those that are checked (--qi)")
    return found


def _verdict(stated: Certificate, computed: Computed, k: int, n: int) -> Verdict:
    proven = computed.proven
    figures: dict[str, float | int | str] = {"bound": stated.bound, "rows": n}
    if proven.groups:
        figures["groups"] = proven.groups
    if proven.failure is not None:
        return Verdict("unsafe", GUARANTEE, k, (proven.failure,), (DISTRUST,), figures)
    if proven.undecided is not None:
        return Verdict("cannot tell", GUARANTEE, k, (proven.undecided,), ("ask for a simpler certificate",), figures)
    for name, number in (("lower_bound", proven.value), ("sst", computed.sst), ("sse", computed.sse)):
        # Beyond float64 in the units of the data, they are left out.
        if number is not None and math.isfinite(moved := times_power(number, computed.shift)):
            figures[name] = moved
    figures["least_information_loss"] = computed.least_loss
    if computed.loss is not None and computed.gap is not None:
        figures |= {"information_loss": computed.loss, "gap": computed.gap}
    failures = unlike(stated, computed)
    if failures:
        return Verdict("unsafe", GUARANTEE, k, tuple(failures), (DISTRUST,), figures)
    words = [f"no partition into groups of {k} or more loses less than {computed.least_loss:.6g} % of the variation"]
    limits = []
    if computed.loss is not None and computed.gap is not None:
        left = max(computed.gap, 0.0)
        words.append(f"means of the released classes lose {computed.loss:.6g} %: at most {left:.3g} % of that is left")
    else:
        limits.append("what the certificate says of a release: there is none whose loss could be computed")
    return Verdict("safe", GUARANTEE, k, (), (), figures, proven=tuple(words), limits=tuple(limits))


def _cannot_tell(k: int, words: str) -> Verdict:
    return Verdict("cannot tell", GUARANTEE, k, (words,), (REMAKE,))
