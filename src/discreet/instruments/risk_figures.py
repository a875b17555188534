"""The figures of a `Risk` as JSON, and the tables of its report; each with where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from discreet.instruments.risk_result import BELOW, COUNTED, INTRUSION, SUBSETS_K
from discreet.measure.risk import attackers, population
from discreet.measure.risk.intervals import WIDTH
from discreet.results import Section

if TYPE_CHECKING:
    from discreet.instruments.risk_result import Risk


def figures(found: Risk) -> dict[str, Any]:
    """What `--json` writes: no values of the data."""
    from discreet._version import __version__

    out: dict[str, Any] = {
        "instrument": "risk",
        "version": __version__,
        "n": found.n,
        "keys": list(found.keys),
        "missing": found.missing,
        "boxes": found.boxes,
        "exact": found.exact,
        "weighted": found.weights is not None,
        "uniques": found.uniques,
        "below": {str(k): found.below(k) for k in BELOW},
        "expected": found.expected,
        "global_risk": found.global_risk,
        "highest_risk": float(found.risk.max()),
        "max_risk": found.max_risk,
        "threshold": found.threshold,
    }
    if found.household_risk is not None:
        total = float(found.household_risk.sum())
        out |= {"household_expected": total, "household_global_risk": total / found.n}
    out["attackers"] = found.attackers._asdict()
    if found.population is not None:
        out["population"] = found.population._asdict()
    out["subsets"] = {
        "k": SUBSETS_K,
        "by_size": {str(size): int(pairs) for size, pairs in enumerate(found.some_keys.by_size, 1)},
        "records": int(found.some_keys.exposed.sum()),
    }
    if found.suda is not None:
        out["suda"] = {
            "form": found.suda_score,
            "records": int((found.suda.score > 0).sum()),
            "score": float(found.suda.score.sum()),
            "dis": float(found.suda.dis.sum()),
            "highest_dis": float(found.suda.dis.max()),
            "contributions": found.contributions(),
        }
    if found.diversity:
        out["diversity"] = found.diversity
    if found.numbers is not None and found.linkage is not None and found.intervals is not None:
        out["linkage"] = {**found.linkage._asdict(), "against": "original" if found.numbers.given else "itself"}
        by_column = dict(zip(found.numbers.names, found.intervals.by_column.tolist()))
        out["intervals"] = {"width": WIDTH, "together": found.intervals.together, "by_column": by_column}
    return {**out, "basis": basis(found, out)}


def basis(found: Risk, out: Mapping[str, Any]) -> dict[str, str]:
    """Where each figure comes from: counted in the file, or estimated by a model."""
    weighted = found.weights is not None
    known = {
        "uniques": COUNTED,
        "below": COUNTED,
        **dict.fromkeys(("expected", "global_risk", "highest_risk", "threshold"), found.estimated),
        **dict.fromkeys(("household_expected", "household_global_risk"), found.estimated),
        "attackers": f"prosecutor {COUNTED}; journalist and marketer "
        + (f"estimated by {attackers.MODEL}" if weighted else found.estimated),
        "population": f"estimated by {population.MODEL}",
        "subsets": COUNTED,
        "suda": f"scores {COUNTED}; DIS estimated by {INTRUSION}",
        **dict.fromkeys(("diversity", "linkage", "intervals"), COUNTED),
    }
    return {name: text for name, text in known.items() if name in out}


def sections(found: Risk) -> list[Section]:
    """The tables of a report, and its pictures."""
    from discreet.instruments.drawn.risk import sections as pictures
    from discreet.report.figures import available

    out = [_alike(found), _attackers(found), _subsets(found)]
    out += [_suda(found)] if found.suda is not None else []
    out += [_diversity(found)] if found.diversity else []
    out += [_numbers(found)] if found.numbers is not None else []
    return [*out, *(pictures(found) if available() else [])]


def _alike(found: Risk) -> Section:
    rows = [(f"fewer than {k}", found.below(k), f"{100 * found.below(k) / found.n:.4g}") for k in BELOW]
    cut = found.threshold
    need = (
        f"the expected finds are within {100 * found.max_risk:g} % of the records as they are"
        if found.global_risk < found.max_risk
        else f"no cut of single risks brings the expected finds below {100 * found.max_risk:g} %"
        if cut is None
        else f"records with a risk above {cut:.4g} ({int((found.risk > cut).sum())} of them) are to be protected "
        f"first, to have {100 * found.max_risk:g} % at most"
    )
    return Section(
        "Records that share their keys with few",
        f"Counted. {found.expected:.6g} right links are to be expected, {found.estimated}: {need}.",
        ("with the same keys", "records", "%"),
        rows,
        confidential=True,
    )


def _attackers(found: Risk) -> Section:
    risks = found.attackers
    model = basis(found, {"attackers": None})["attackers"]
    rows = [
        ("prosecutor: knows that a person is in the file", risks.prosecutor_highest, risks.prosecutor_average),
        ("journalist: wants anybody", risks.journalist_highest, risks.journalist_average),
        ("marketer: wants many", risks.marketer, risks.marketer),
    ]
    shown = [(name, f"{100 * highest:.4g}", f"{100 * average:.4g}") for name, highest, average in rows]
    return Section(
        "Three attackers",
        f"Chance that a link is right: {model}.",
        ("attacker", "highest, %", "average, %"),
        shown,
        confidential=True,
    )


def _subsets(found: Risk) -> Section:
    rows = [(size, int(pairs)) for size, pairs in enumerate(found.some_keys.by_size, 1)]
    return Section(
        "Who knows only some of the keys",
        f"{int(found.some_keys.exposed.sum())} of {found.n} records are one of fewer than {SUBSETS_K} for somebody who "
        f"knows {len(rows)} of the keys or fewer. Counted; a missing key is a value of its own here.",
        ("keys known", "records in too small a class, over all sets of so many keys"),
        rows,
        confidential=True,
    )


def _suda(found: Risk) -> Section:
    assert found.suda is not None
    rows = [(name, f"{100 * part:.3f}") for name, part in found.contributions().items()]
    return Section(
        "Special uniques (SUDA2)",
        f"{int((found.suda.score > 0).sum())} records are unique on some set of keys; scores are counted, and the "
        f"highest of their chances to be found is {found.suda.dis.max():.4g}, estimated by {INTRUSION}. "
        "A key that has a large part in the scores is the one to coarsen.",
        ("key", "part in the scores, %"),
        rows,
        confidential=True,
    )


def _diversity(found: Risk) -> Section:
    rows = [
        (name, of["distinct"], f"{of['entropy']:.4g}", of["recursive"], f"{of['closeness']:.4g}")
        for name, of in found.diversity.items()
    ]
    return Section(
        "What the keys tell of sensitive values",
        "Counted: the least diverse class of records that share their keys, and the one whose values are farthest from "
        "those of the file.",
        ("column", "l, distinct", "l, entropy", "l, recursive (c = 2)", "t"),
        rows,
        confidential=True,
    )


def _numbers(found: Risk) -> Section:
    assert found.numbers is not None and found.linkage is not None and found.intervals is not None
    against = "the original" if found.numbers.given else "the file itself: what publishing it as it is would tell"
    rows = [(name, f"{100 * share:.4g}") for name, share in zip(found.numbers.names, found.intervals.by_column)]
    return Section(
        "What the numbers tell",
        f"Counted against {against}. Linking each person to the nearest record is right for "
        f"{100 * found.linkage.by_distance:.4g} %, by ranks for {100 * found.linkage.by_rank:.4g} %; all columns of "
        f"{100 * found.intervals.together:.4g} % of the records are told within {WIDTH:g} standard deviations.",
        ("column", f"told within {WIDTH:g} standard deviations, %"),
        rows,
        confidential=True,
    )
