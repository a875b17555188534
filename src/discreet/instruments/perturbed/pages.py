"""What a page says about a perturbed file: what was done, what an intruder still finds, and what nobody can promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import listing
from discreet.measure.risk.intervals import WIDTH
from discreet.results import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from discreet.instruments.perturbed.perturbation import Perturbation

ATTACKS = {
    "by_distance": "nearest values",
    "by_rank": "nearest ranks",
    "by_window": "ranks within reach",
    "by_category": "most columns alike",
}
"""By field of `Linkage` what an intruder goes by."""

LIMITS = {
    "PRAM": "A value may be the true one: a published one is believed rightly with the probability that it stays.",
    "rank swapping": (
        "Every original value stands in the file, at another record: the largest is told, though not whose it is."
    ),
    "additive noise": (
        "Noise averages out: a second file of these records, drawn anew, halves its variance; columns that go together "
        "filter it out of one another."
    ),
    "correlated noise": "Noise averages out: a second file of these records, drawn anew, halves its variance.",
    "record swapping": (
        "Whoever was not exchanged is published as before; of the others only the exchanged columns are uncertain."
    ),
}
"""By method what it leaves open whatever its parameters."""


def facts(result: Perturbation) -> list[tuple[str, str]]:
    found, told = result.linkage, result.intervals
    changed = sum(result.changed.values()) / len(result.changed)
    facts = [
        ("protection", "measured, not proven: nobody is promised to be hidden"),
        ("columns", f"{len(result.columns)} ({listing(result.columns)})"),
        ("settings", settings(result)),
        ("changed", f"{100 * changed:.4g} % of the values"),
    ]
    for name, share in found._asdict().items():
        if name in ATTACKS and share is not None:
            facts.append((f"found by {ATTACKS[name]}", f"{100 * share:.4g} % of the persons, counted"))
    if told is not None:
        facts.append(("told nearly", f"{100 * told.together:.4g} % of the persons, in all columns, counted"))
    detail = result.detail
    if "most_believed" in detail:
        facts.append(
            ("most believed", f"a published value is the true one with probability {detail['most_believed']:.3g}")
        )
    if "moved" in detail:
        facts.append(("moved", f"{detail['moved']} of {detail['households']} households"))
    if detail.get("at_risk_unmoved"):
        left = f"{detail['at_risk_unmoved']} of {detail['at_risk']} households at risk found nobody to exchange with"
        facts.append(("not moved", left))
    draw = (
        "secret, from the operating system" if result.secret_draw else "from a fixed seed: whoever knows it undoes this"
    )
    facts += [("random numbers", draw), ("time", f"{result.seconds:.2f} s")]
    return facts


def settings(result: Perturbation) -> str:
    """The parameters in words."""
    given = {name: value for name, value in result.settings.items() if value not in (None, False, [], ())}
    words = [f"{name} {listing(value) if isinstance(value, list) else value}" for name, value in given.items()]
    return ", ".join(word.removesuffix(" True") for word in words)


def sections(result: Perturbation) -> list[Section]:
    found, told = result.linkage, result.intervals
    attacks = [
        (ATTACKS[name], f"{100 * share:.3f}")
        for name, share in found._asdict().items()
        if name in ATTACKS and share is not None
    ]
    beside = f" and knows {listing(result.known)} for sure" if result.known else ""
    words = (
        f"Somebody who knows a person's original {listing(result.columns)}{beside} links the person to a published "
        f"record. The share of {found.asked} persons for whom that is right, ties shared. This is what was counted for "
        "these attacks; there may be better ones."
    )
    rows = [
        (name, f"{100 * share:.2f}", *(() if told is None else (f"{100 * told.by_column[j]:.2f}",)))
        for j, (name, share) in enumerate(result.changed.items())
    ]
    heads = ("column", "values changed, %", *(() if told is None else ("told nearly, %",)))
    near = (
        ""
        if told is None
        else f"Told nearly: the original lies within {WIDTH:g} standard deviations of the published value. "
    )
    return [
        Section("Who is found again", words, ("an intruder goes by", "found, %"), attacks, confidential=True),
        Section("Column by column", near, heads, rows, confidential=True),
        Section("What this does not give", limits(result)),
    ]


def limits(result: Perturbation) -> str:
    known = "" if result.known else " What the columns left as they are tell beside is not in these figures."
    draw = "" if result.secret_draw else " The random numbers came from a fixed seed: keep it as the data itself."
    return f"No guarantee: these figures are counts of attacks that were tried. {LIMITS[result.method]}{known}{draw}"


def plot(result: Perturbation) -> Figure:
    from discreet.report.figures import bars, canvas

    figure, (left, right) = canvas(2)
    names, shares = list(result.changed), [100 * share for share in result.changed.values()]
    bars(left, names, shares, "Values changed", "", "%", lying=True)
    found = {ATTACKS[name]: share for name, share in result.linkage._asdict().items() if name in ATTACKS}
    tried = {name: 100 * share for name, share in found.items() if share is not None}
    bars(right, list(tried), list(tried.values()), "Persons found again", "", "%", lying=True)
    return figure
