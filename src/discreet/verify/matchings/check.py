"""The independent check of a generalized release: are there k disjoint perfect matchings?

From the two files alone: an original and a published record are compatible when the original lies in the published
box on every quasi-identifier. The release is safe when the compatibility graph has k disjoint perfect matchings: an
adversary who knows every quasi-identifier of everyone then faces, for each person, at least k published records that
take part in k explanations of the whole release with no pair in common. The check needs neither the order of rows nor
anything the method knew, and shares no code with it.

That is a statement about how many candidates a person has, not about how likely each is: which of the matchings is
the true one, and how it was chosen, cannot be seen in the two files. What they do tell is the greatest probability of
one person at one row with all assignments that fit equally likely (`likelihood.py`). That each candidate is the true
one with probability 1/k is said only where the custodian's secret file shows the matchings and the draw (`secret.py`).

With `sensitive_codes` and `l`, also: the candidates of every person (published records joined to it by an edge of some
perfect matching) carry at least l distinct values of the sensitive attribute.

Large releases are first judged on a few times k candidates per published record. Whatever is found there holds in the
whole graph: k disjoint matchings are k disjoint matchings, and a person has at least the candidates, and sees at
least the values, that it has and sees in a part. So a "safe" on a part is right, and the number of candidates a lower
bound; only if the part does not suffice is the whole graph listed, and only then can the answer be "unsafe".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.results import Verdict
from discreet.verify.matchings.classes import NO_CAP, Classes, classes, edges, unique_rows
from discreet.verify.matchings.flow import Graph, candidates, distinct_values, k_flow, strong_components
from discreet.verify.matchings.likelihood import Likelihood, largest_probability
from discreet.verify.matchings.reading import Integers, Reading

GUARANTEE = "matchings"
MOST_EDGES = 400_000_000
MOST_LIKELIHOOD_EDGES = 600_000
MOST_LIKELIHOOD_ROWS = 100_000
"""Beyond these no probability is estimated: the whole graph would have to be listed, however wide its boxes."""

Figures = dict[str, float | int | str]


def verify_matchings(
    readings: list[Reading],
    *,
    k: int,
    sensitive_codes: Integers | None = None,
    l: int | None = None,
    likelihood: bool = True,
) -> Verdict:
    """Judge a generalized release from the readings of its quasi-identifiers.

    `sensitive_codes` numbers the sensitive value of each published row (−1: missing), of which each person's candidates
    must carry at least `l`. Without `likelihood` nothing is said of how likely each candidate is: where the draw is
    shown, that is known.
    """
    n, rows = readings[0].codes.size, readings[0].texts.size
    if rows != n:
        failure = f"{n} originals but {rows} published records: no matching covers them all"
        figures: Figures = {"n": n, "published": rows}
        return Verdict("unsafe", GUARANTEE, k, (failure,), ("publish one record for each original",), figures)
    if k > n:
        failure = f"k = {k} is more than the {n} records"
        return Verdict("unsafe", GUARANTEE, k, (failure,), ("lower k",), {"n": n})
    c = classes(readings)
    found = judge_classes(c, k, sensitive_codes, l)
    if not found.safe or not likelihood:
        return found
    probability = None
    if n <= MOST_LIKELIHOOD_ROWS:
        g, _ = edges(c, NO_CAP, MOST_LIKELIHOOD_EDGES)
        probability = None if g is None else largest_probability(g)
    return with_likelihood(found, probability, k)


def judge_classes(
    c: Classes, k: int, sensitive: Integers | None = None, l: int | None = None, *, most: int = MOST_EDGES
) -> Verdict:
    """Whether k disjoint matchings exist and, if asked, every person's candidates carry l values; `most` edges fit."""
    n = int(c.original_count.sum())
    figures: Figures = {"n": n, "distinct_originals": c.original_count.size, "distinct_boxes": c.box_count.size}
    proven = [f"{k} candidates each: every person lies in {k} disjoint perfect matchings"]
    limits: tuple[str, ...] = ()
    if sensitive is not None and l is not None:
        figures["l"] = l
        proven.append(f"every person's candidates carry at least {l} distinct sensitive values")
        limits = (f"the {l} sensitive values of a person's candidates need not be equally likely",)
    failures: list[str] = []
    for cap in (4 * k + 40, NO_CAP):
        g, whole = edges(c, cap, most)
        if g is None:
            failures = ["the compatibility graph is too large for this machine"]
            advice = "check the guarantee of classes instead, or a release with narrower boxes"
            return Verdict("cannot tell", GUARANTEE, k, tuple(failures), (advice,), figures)
        flow, missing_units = k_flow(g, k)
        failures = _flow_failures(g, k, n, int(missing_units))
        figures["edges"] = g.original.size
        if not failures:
            component = strong_components(g, flow)
            figures["fewest_candidates"] = int(candidates(g, flow, component).min())
            short = 0 if sensitive is None or l is None else _short_of_l(c, g, flow, component, sensitive, l)
            if short == 0:
                return Verdict("safe", GUARANTEE, k, (), (), figures, tuple(proven), limits)
            failures = [f"{short} people have candidates with fewer than {l} distinct sensitive values"]
        if whole:
            break
    advice = "publish wider boxes: run the method again and change nothing by hand"
    return Verdict("unsafe", GUARANTEE, k, tuple(failures), (advice,), figures)


def _flow_failures(g: Graph, k: int, n: int, missing_units: int) -> list[str]:
    if missing_units == 0:
        return []
    holding = np.zeros(g.originals.size, np.int64)
    np.add.at(holding, g.original, g.boxes[g.box])
    bare = int(g.originals[holding < k].sum())
    failures = [
        f"there are no {k} disjoint perfect matchings: {missing_units} of {n * k} matches are missing",
    ]
    if bare:
        failures.append(f"{bare} people lie in fewer than {k} published boxes")
    return failures


def _short_of_l(c: Classes, g: Graph, flow: Integers, component: NDArray[np.int32], codes: Integers, l: int) -> int:
    known = codes >= 0  # a missing value is none
    pairs, _, _ = unique_rows(np.stack([codes[known], c.box_of[known]], axis=1))
    value_ends = np.searchsorted(pairs[:, 1], np.arange(c.box_count.size + 1)).astype(np.int64)
    kinds = int(codes.max(initial=0)) + 1
    found = distinct_values(g, flow, component, value_ends, np.ascontiguousarray(pairs[:, 0]), kinds, l)
    return int(c.original_count[found < l].sum())


def with_likelihood(
    found: Verdict, likelihood: Likelihood | None, k: int, one: str = "person", place: str = "row"
) -> Verdict:
    """The verdict on a release whose draw was not shown, with what a uniform prior makes of it."""
    figures = dict(found.figures)
    if likelihood is None:
        words = "how likely each candidate is: that was not estimated, as the release is too large"
    else:
        figures["largest_probability"] = likelihood.probability
        figures["largest_probability_error"] = likelihood.error
        figures["largest_probability_method"] = likelihood.method
        words = _words(likelihood, k, one, place)
    draw = "how the true ones among the candidates were drawn: only the custodian's secret file shows that"
    return Verdict("safe", GUARANTEE, k, (), (), figures, found.proven, (*found.limits, words, draw))


def _words(likelihood: Likelihood, k: int, one: str, place: str) -> str:
    share = f"{100 * likelihood.probability:.3g} %"
    how = "" if likelihood.error == 0 else f" (estimated, standard error {100 * likelihood.error:.1g} %)"
    if likelihood.probability - 4 * likelihood.error > 1 / k + 1e-9:
        words = f"under a uniform prior one {one} is at one {place} with probability {share}{how}, more than 1 in {k}"
    else:
        whom = ("nobody is" if likelihood.error == 0 else "nobody was found") if one == "person" else f"no {one} is"
        words = f"under a uniform prior {whom} at one {place} with more than {share}{how}"
    return f"how likely each candidate is: {words}"
